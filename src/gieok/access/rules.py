"""The rules of the door: by what names a server is called, which web pages may talk to it, who needs a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from gieok.access.hosts import Host, Origin, host_of, is_loopback, origin_of
from gieok.errors import InvalidSetting

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})  #: whoever asks whether a server is well has no key
OPENAI_PATHS: Final = ("/v1/chat/completions", "/v1/models")  #: clients there expect errors as OpenAI words them
_SCHEMES: Final = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class ServeSettings(Protocol):
    """What the settings say of the door."""

    @property
    def serve_hosts(self) -> str: ...
    @property
    def serve_origins(self) -> str: ...
    @property
    def serve_keys(self) -> str: ...
    @property
    def serve_body_kb(self) -> int: ...
    @property
    def serve_per_minute(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who gets through the door."""

    loopback: bool  #: only this machine can reach the server
    hosts: frozenset[Host] = frozenset()  #: names that it is called by; one without a port holds for all ports
    origins: frozenset[Origin] = frozenset()  #: web pages that may talk to it, beside its own
    always_keys: bool = False
    body_bytes: int

    @property
    def keys_required(self) -> bool:
        return self.always_keys or bool(self.hosts) or not self.loopback

    def knows(self, host: Host) -> bool:
        """Whether the server goes by that name.

        On loopback this is what keeps a page out whose name was made to point here (DNS rebinding). Where keys are
        asked for and no names are set, any will do: a page has no key.
        """
        if not self.hosts and not self.loopback:
            return True
        return host.is_loopback or host in self.hosts or Host(name=host.name) in self.hosts

    def is_own(self, origin: Origin, host: Host, scheme: str) -> bool:
        """Whether a page comes from this server itself, as it was called.

        Behind a proxy of one's own (`serve_hosts`) a page may have come by https though the request did not.
        """
        schemes = {_SCHEMES.get(scheme, scheme)} | ({"https"} if self.hosts else set())
        return origin.is_of(host, frozenset(schemes))


def rules_of(settings: ServeSettings, address: str) -> Rules:
    """Return the rules for a server that listens on `address`. Raises `InvalidSetting`."""
    return Rules(
        loopback=is_loopback(address.strip("[]")),
        hosts=frozenset(_host(each) for each in _listed(settings.serve_hosts)),
        origins=frozenset(_origin(each) for each in _listed(settings.serve_origins)),
        always_keys=settings.serve_keys == "always",
        body_bytes=settings.serve_body_kb * 1024,
    )


def _listed(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _host(text: str) -> Host:
    host = host_of(_in_ascii(text))
    if host is None:
        raise InvalidSetting(
            f"serve_hosts: {text!r} is not a name like memory.example or memory.example:8443; "
            "leave out https:// and paths, and name each host"
        )
    return host


def _origin(text: str) -> Origin:
    scheme, mark, rest = text.rstrip("/").partition("://")
    origin = origin_of(f"{scheme}{mark}{_in_ascii(rest)}")
    if origin is None:
        raise InvalidSetting(
            f"serve_origins: {text!r} is not an origin like https://app.example or http://localhost:3000; "
            "name each one, without a path"
        )
    return origin


def _in_ascii(name: str) -> str:
    """Return a name as browsers send it: 기억.example is xn--ok0b195b.example."""
    try:
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
