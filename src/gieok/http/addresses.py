"""Where letters may go: anywhere that speaks HTTP, but not to the addresses by which clouds hand out their secrets."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from gieok.errors import InvalidQuery

#: Metadata services outside the link-local ranges.
_METADATA: Final = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "fd00:ec2::254", "192.0.0.192")))
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")  #: the rest of such an address is one of IPv4 (NAT64)
_PORTS: Final = {"http": 80, "https": 443}


class Unreachable(Exception):
    """An address that has no way to it."""


class OffLimits(Unreachable):
    """An address that letters must not go to."""


def checked_url(url: str) -> str:
    """Return `url`, if letters may be sent there. Raises `InvalidQuery`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as cause:
        raise InvalidQuery(f"url: {cause}; give one like https://bot.example/gieok") from cause
    if parts.scheme not in _PORTS or not parts.hostname or port == 0:
        raise InvalidQuery("url: give one that begins with http:// or https:// and names a host")
    if parts.username is not None or parts.password is not None:
        raise InvalidQuery("url: leave name and password out; a letter is known by its signature")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidQuery("url: write it in ASCII, with other letters encoded (%EA%B0%80, xn--…)")
    try:
        found_addresses(*place_of(url))
    except OffLimits as trouble:
        raise InvalidQuery(f"url: {trouble}") from trouble
    except Unreachable:
        pass  # it may be there later; it is looked up anew for every letter
    return url


def found_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of `host`. Raises `Unreachable`, also where one of them must not be written to."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as cause:
        raise Unreachable(f"{host} is not known") from cause
    addresses = [str(address[0]).partition("%")[0] for *_, address in found]
    _checked(addresses)
    return addresses


def place_of(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _checked(addresses: Iterable[str]) -> None:
    for text in addresses:
        address = ipaddress.ip_address(text)
        if isinstance(address, ipaddress.IPv6Address):
            address = address.ipv4_mapped or address.sixtofour or _translated(address) or address
        if address.is_link_local or address.is_multicast or address.is_unspecified or address in _METADATA:
            raise OffLimits(f"{text} is an address of the machine's own network plumbing; letters do not go there")


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF) if address in _TRANSLATED else None
