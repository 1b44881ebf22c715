"""Hosts and origins: how they are parsed, and which ones a server accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Protocol

from gieok.errors import ErrorText, InvalidSetting

_NAME: Final = r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_.-])?)"
_HOST: Final = re.compile(rf"{_NAME}(?::([0-9]{{1,5}}))?")
_ORIGIN: Final = re.compile(rf"([a-z][a-z0-9+.-]{{0,30}})://{_NAME}(?::([0-9]{{1,5}}))?")
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_HIGHEST_PORT: Final = 65_535
_SCHEMES: Final = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host name and port, as a client sends them."""

    name: str  #: in small letters; an IPv6 address in its shortest form, without brackets
    port: int | None = None  #: None: the usual one

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The origin of a web page."""

    scheme: str
    host: Host

    def is_of(self, host: Host, schemes: frozenset[str]) -> bool:
        """Whether it is the origin of the server at `host`, reached by one of `schemes`."""
        usual = _USUAL_PORTS.get(self.scheme)
        ports = (self.host.port or usual, host.port or usual)
        return self.scheme in schemes and self.host.name == host.name and ports[0] == ports[1]


def host_of(text: str) -> Host | None:
    """Parse a Host header; None: it is not valid."""
    found = _HOST.fullmatch(text.lower()) if text.isascii() else None
    return _host(found[1], found[2]) if found else None


def origin_of(text: str) -> Origin | None:
    """Parse an Origin header; None: it is "null" or not valid."""
    found = _ORIGIN.fullmatch(text.lower()) if text.isascii() else None
    host = _host(found[2], found[3]) if found else None
    if found is None or host is None:
        return None
    usual = host.port == _USUAL_PORTS.get(found[1])
    return Origin(scheme=found[1], host=Host(name=host.name) if usual else host)


def is_loopback(address: str) -> bool:
    """Whether an address is reachable from this machine only."""
    if address == "localhost":
        return True
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _host(name: str, port: str | None) -> Host | None:
    number = None if port is None else int(port)
    if number is not None and not 0 < number <= _HIGHEST_PORT:
        return None
    if name.startswith("["):
        try:
            name = str(ip_address(name[1:-1]))
        except ValueError:
            return None
    return Host(name=name, port=number)


class ServeSettings(Protocol):
    """The settings that the guard needs."""

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
    @property
    def serve_at_once(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which hosts, origins and bodies a server accepts, and whether it asks for keys."""

    loopback: bool  #: the server is reachable from this machine only
    hosts: frozenset[Host] = frozenset()  #: allowed names; one without a port allows all ports
    origins: frozenset[Origin] = frozenset()  #: web pages that may call it, beside its own
    always_keys: bool = False
    body_bytes: int

    @property
    def keys_required(self) -> bool:
        return self.always_keys or bool(self.hosts) or not self.loopback

    def allows(self, host: Host) -> bool:
        """Whether the server may be called by that name.

        On loopback this check stops DNS rebinding: a page whose own name was pointed here. Where keys are required and
        no names are set, any name is allowed: a page has no key.
        """
        if not self.hosts and not self.loopback:
            return True
        return host.is_loopback or host in self.hosts or Host(name=host.name) in self.hosts

    def is_own(self, origin: Origin, host: Host, scheme: str) -> bool:
        """Whether a page is of this server itself, as it was called.

        Behind a reverse proxy (`serve_hosts`) a page may have come by https though the request did not.
        """
        schemes = {_SCHEMES.get(scheme, scheme)} | ({"https"} if self.hosts else set())
        return origin.is_of(host, frozenset(schemes))


def rules_of(settings: ServeSettings, address: str) -> Rules:
    """Return the rules for a server that listens on `address`. Raises `InvalidSetting`."""
    hosts: set[Host] = set()
    for text in settings.serve_hosts.replace(",", " ").split():
        if (host := host_of(_in_ascii(text))) is None:
            raise InvalidSetting(ErrorText("serve.hosts", text=text))
        hosts.add(host)
    origins: set[Origin] = set()
    for text in settings.serve_origins.replace(",", " ").split():
        scheme, mark, rest = text.rstrip("/").partition("://")
        if (origin := origin_of(f"{scheme}{mark}{_in_ascii(rest)}")) is None:
            raise InvalidSetting(ErrorText("serve.origins", text=text))
        origins.add(origin)
    return Rules(
        loopback=is_loopback(address.strip("[]")),
        hosts=frozenset(hosts),
        origins=frozenset(origins),
        always_keys=settings.serve_keys == "always",
        body_bytes=settings.serve_body_kb * 1024,
    )


def _in_ascii(name: str) -> str:
    """Return a name as browsers send it: 기억.example is xn--ok0b195b.example."""
    try:
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
