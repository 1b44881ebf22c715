"""Names of servers and of web pages, as they stand in the headers Host and Origin.

What is not spelt as browsers spell it is no name at all: no user, no path, no letters beyond ASCII. A trailing dot
makes it another name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

_NAME: Final = r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_.-])?)"
_HOST: Final = re.compile(rf"{_NAME}(?::([0-9]{{1,5}}))?")
_ORIGIN: Final = re.compile(rf"([a-z][a-z0-9+.-]{{0,30}})://{_NAME}(?::([0-9]{{1,5}}))?")
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_HIGHEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A server as a client calls it."""

    name: str  #: in small letters; an IPv6 address in its shortest form, without brackets
    port: int | None = None  #: None: the usual one

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a web page comes from."""

    scheme: str
    host: Host

    def is_of(self, host: Host, schemes: frozenset[str]) -> bool:
        """Whether the page comes from the server that is called `host` by one of `schemes`."""
        usual = _USUAL_PORTS.get(self.scheme)
        ports = (self.host.port or usual, host.port or usual)
        return self.scheme in schemes and self.host.name == host.name and ports[0] == ports[1]


def host_of(text: str) -> Host | None:
    """Return what a Host header names; None: nothing that is a name."""
    found = _HOST.fullmatch(text.lower()) if text.isascii() else None
    return _host(found[1], found[2]) if found else None


def origin_of(text: str) -> Origin | None:
    """Return what an Origin header names; None: no origin ("null") or nothing that is one."""
    found = _ORIGIN.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        return None
    host = _host(found[2], found[3])
    if host is None:
        return None
    if host.port == _USUAL_PORTS.get(found[1]):
        host = Host(name=host.name)
    return Origin(scheme=found[1], host=host)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
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
