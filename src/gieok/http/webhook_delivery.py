"""One delivery to a webhook: the JSON of an event, its signature, and the request that posts it.

The JSON leaves out what a memory says unless the webhook asked for it: it leaves the machine.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import socket
import time
from concurrent.futures import Executor
from hashlib import sha256
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import httpx2

from gieok.bank.events import Event
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.relationship import Manners, Relationship, score
from gieok.domain.scene import Scene
from gieok.domain.server_state import Webhook, WebhookDelivery
from gieok.errors import InvalidQuery
from gieok.records import Record, Shape, record

#: Metadata services outside the link-local ranges.
_METADATA: Final = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "fd00:ec2::254", "192.0.0.192")))
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  #: the rest of such an address is one of IPv4
_PORTS: Final = {"http": 80, "https": 443}
_TIMEOUT: Final = 10.0  #: seconds
_TEMPORARY: Final = frozenset({408, 425, 429})  #: a later attempt may succeed
_MEMORY: Final = Shape(Memory, "id type=content_type about=subject attribute version")
Outcome = Literal["delivered", "gone", "refused", "failed"]


def event_id(event: Event, place: int) -> str:
    """Return the id of the event at that place of its operation; it is the same for every webhook and attempt."""
    return f"{event.operation.id}-{place}"


def event_body(event: Event, place: int, *, include_text: bool) -> str:
    """Return the JSON that a webhook gets."""
    operation = event.operation
    body = {
        "id": event_id(event, place),
        "event": event.name,
        "at": operation.moment.at.isoformat(),
        "recorded_at": operation.moment.recorded_at.isoformat(),
        "scope": record(event.scope),
        "operation": {"id": operation.id, "kind": operation.kind, "turn_id": operation.turn_id},
        "what": _subject(event.what, include_text=include_text),
        "before": _subject(event.before, include_text=include_text),
    }
    return json.dumps(body, ensure_ascii=False)


def signature(secret: str, body: str, seconds: int) -> str:
    """Return the header by which a receiver knows that a delivery is ours, and not an old one sent again."""
    signed = hmac.new(secret.encode(), f"{seconds}.{body}".encode(), sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def _subject(what: Any, *, include_text: bool) -> Record | None:
    match what:
        case None:
            return None
        case Memory():
            text = {"content": what.content, "value": what.value} if include_text else {}
            return {"kind": "memory", **_MEMORY.record(what), **text}
        case Relationship():
            return {"kind": "relationship", "level": what.level, "score": round(score(what), 1)}
        case Felt():
            felt = {"speaker": what.speaker, "emotion": what.emotion, "intensity": round(what.intensity, 3)}
            return {"kind": "emotion", **felt}
        case Scene():
            return {"kind": "scene", "id": what.id, **({"place": what.place} if include_text else {})}
        case Manners():
            return {"kind": "manners"}
        case tuple():
            return {"kind": "operations", "ids": list(what)}
    return {"kind": type(what).__name__.lower()}


class Unreachable(Exception):
    """A host that has no address."""


class Forbidden(Unreachable):
    """An address that must not be called."""


async def checked_url(url: str, lookups: Executor) -> str:
    """Return `url` if events may be posted there. Raises `InvalidQuery`. Its host is looked up in `lookups`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as cause:
        raise InvalidQuery(f"url: {cause}; give one like https://bot.example/gieok") from cause
    if parts.scheme not in _PORTS or not parts.hostname or port == 0:
        raise InvalidQuery("url: give one that begins with http:// or https:// and names a host")
    if parts.username is not None or parts.password is not None:
        raise InvalidQuery("url: leave user name and password out; a delivery is authenticated by its signature")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidQuery("url: write it in ASCII, with other letters encoded (%EA%B0%80, xn--…)")
    try:
        async with asyncio.timeout(_TIMEOUT):
            await _look_up(url, lookups)
    except Forbidden as cause:
        raise InvalidQuery(f"url: {cause}") from cause
    except (Unreachable, TimeoutError):
        pass  # it may be there later; it is looked up again for every delivery
    return url


def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of `host`. Raises `Unreachable`, also where one of them must not be called."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as cause:
        raise Unreachable(f"{host} is not known") from cause
    addresses = [str(address[0]).partition("%")[0] for *_, address in found]
    for text in addresses:
        address = ipaddress.ip_address(text)
        if isinstance(address, ipaddress.IPv6Address):
            embedded = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF) if address in _NAT64 else None
            address = address.ipv4_mapped or address.sixtofour or embedded or address
        if address.is_link_local or address.is_multicast or address.is_unspecified or address in _METADATA:
            raise Forbidden(f"{text} is an address of the network's own services; events are not posted there")
    return addresses


async def _look_up(url: str, lookups: Executor) -> tuple[str, list[str]]:
    """Return the host of `url` with its addresses. A caller who times out does not free the thread."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    return host, await asyncio.get_running_loop().run_in_executor(lookups, addresses_of, host, port)


async def deliver(
    client: httpx2.AsyncClient, lookups: Executor, webhook: Webhook, delivery: WebhookDelivery
) -> Outcome:
    """Post a delivery once. `refused`: by a receiver that works; `failed`: there was none, or one in trouble."""
    try:
        async with asyncio.timeout(_TIMEOUT):
            status = await _post(client, lookups, webhook, delivery)
    except (TimeoutError, Unreachable, httpx2.HTTPError, httpx2.InvalidURL, OSError):
        return "failed"
    if 200 <= status < 300:
        return "delivered"
    if status == 410:
        return "gone"
    return "refused" if 300 <= status < 500 and status not in _TEMPORARY else "failed"


async def _post(client: httpx2.AsyncClient, lookups: Executor, webhook: Webhook, delivery: WebhookDelivery) -> int:
    host, addresses = await _look_up(webhook.url, lookups)
    # The address that was checked is the one that is called: the name may resolve to another a moment later.
    url = httpx2.URL(webhook.url).copy_with(host=addresses[0])
    headers = {
        "Host": httpx2.URL(webhook.url).netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "gieok",
        "X-Gieok-Event": json.loads(delivery.body)["event"],
        "X-Gieok-Delivery": delivery.event_id,
        "X-Gieok-Signature": signature(webhook.secret, delivery.body, int(time.time())),
    }
    request = client.build_request(
        "POST", url, content=delivery.body.encode(), headers=headers, extensions={"sni_hostname": host}
    )
    response = await client.send(request, stream=True)
    await response.aclose()  # its body is not read: it may have no end
    return response.status_code
