"""Bringing one letter to its webhook."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import time
from collections.abc import Iterable
from concurrent.futures import Executor
from typing import Final, Literal
from urllib.parse import urlsplit

import httpx2

from gieok.domain.desk import Letter, Webhook
from gieok.errors import InvalidQuery
from gieok.http.letters import signature

#: Metadata services outside the link-local ranges.
_METADATA: Final = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "fd00:ec2::254", "192.0.0.192")))
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")  #: the rest of such an address is one of IPv4 (NAT64)
_PORTS: Final = {"http": 80, "https": 443}
Outcome = Literal["delivered", "gone", "refused", "failed"]
_PATIENCE: Final = 10.0  #: seconds
_PASSING: Final = frozenset({408, 425, 429})  #: a later try may do


class Unreachable(Exception):
    """An address that has no way to it."""


class OffLimits(Unreachable):
    """An address that letters must not go to."""


async def checked_url(url: str, lookups: Executor) -> str:
    """Return `url`, if letters may be sent there. Raises `InvalidQuery`. Its name is looked up in `lookups`."""
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
        async with asyncio.timeout(_PATIENCE):
            await _looked_up(url, lookups)
    except OffLimits as trouble:
        raise InvalidQuery(f"url: {trouble}") from trouble
    except (Unreachable, TimeoutError):
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


async def _looked_up(url: str, lookups: Executor) -> tuple[str, list[str]]:
    """Return the host of `url` with its addresses. Whoever gives up waiting does not get the thread back."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    return host, await asyncio.get_running_loop().run_in_executor(lookups, found_addresses, host, port)


def _checked(addresses: Iterable[str]) -> None:
    for text in addresses:
        address = ipaddress.ip_address(text)
        if isinstance(address, ipaddress.IPv6Address):
            address = address.ipv4_mapped or address.sixtofour or _translated(address) or address
        if address.is_link_local or address.is_multicast or address.is_unspecified or address in _METADATA:
            raise OffLimits(f"{text} is an address of the machine's own network plumbing; letters do not go there")


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF) if address in _TRANSLATED else None


async def deliver(client: httpx2.AsyncClient, lookups: Executor, webhook: Webhook, letter: Letter) -> Outcome:
    """Send a letter once. `refused`: by a receiver who is there; `failed`: there was none, or one in trouble.

    The receiver's name is looked up in `lookups`.
    """
    try:
        async with asyncio.timeout(_PATIENCE):
            status = await _sent(client, lookups, webhook, letter)
    except (TimeoutError, Unreachable, httpx2.HTTPError, httpx2.InvalidURL, OSError):
        return "failed"
    if 200 <= status < 300:
        return "delivered"
    if status == 410:
        return "gone"
    return "refused" if 300 <= status < 500 and status not in _PASSING else "failed"


async def _sent(client: httpx2.AsyncClient, lookups: Executor, webhook: Webhook, letter: Letter) -> int:
    host, addresses = await _looked_up(webhook.url, lookups)
    # The address that was looked at is the one that is called: a name may answer otherwise a moment later.
    url = httpx2.URL(webhook.url).copy_with(host=addresses[0])
    body = letter.body.encode()
    headers = {
        "Host": httpx2.URL(webhook.url).netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "gieok",
        "X-Gieok-Event": json.loads(letter.body)["event"],
        "X-Gieok-Delivery": letter.event_id,
        "X-Gieok-Signature": signature(webhook.secret, letter.body, int(time.time())),
    }
    request = client.build_request("POST", url, content=body, headers=headers, extensions={"sni_hostname": host})
    response = await client.send(request, stream=True)
    await response.aclose()  # what it says is not read: it may have no end
    return response.status_code
