"""Webhooks: the routes of /v1/webhooks, and the queue that posts events to them.

The dispatcher queues a delivery for each event, and one worker per webhook posts them in order. The queue is in the
bank, so that a restart loses nothing. Where several servers share a bank, the worker of one of them holds the lease of
a webhook. A delivery leaves out what a memory says unless the webhook asked for it: it leaves the machine.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from random import Random
from threading import Lock, RLock
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import httpx2
from fastapi import Path, Request, Response

from gieok.bank import MemoryBank
from gieok.bank.events import Event
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.relationship import Manners, Relationship, score
from gieok.domain.scene import Scene
from gieok.domain.server_state import Webhook, WebhookDelivery
from gieok.errors import GieokError, InvalidQuery
from gieok.http.bodies import NewWebhook
from gieok.http.problems import HTTPProblem
from gieok.http.router import WholeBank, routes_of
from gieok.http.schemas import answer
from gieok.records import Record, Shape, record

#: Metadata services outside the link-local ranges: Alibaba, AWS, Oracle, Azure, Google.
_METADATA: Final = frozenset(
    map(ipaddress.ip_address, ("100.100.100.200", "fd00:ec2::254", "192.0.0.192", "168.63.129.16", "fd20:ce::254"))
)
#: Addresses of IPv6 that stand for one of IPv4, which something on the way calls instead: compatible, mapped and
#: translated ones, NAT64 (of everybody and of one network), Teredo, 6to4.
_STAND_FOR_IPV4: Final = tuple(
    map(
        ipaddress.IPv6Network,
        ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"),
    )
)
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})  #: before the address of IPv4 that such an address ends with
_PORTS: Final = {"http": 80, "https": 443}
_TIMEOUT: Final = 10.0  #: seconds
_TEMPORARY: Final = frozenset({408, 425, 429})  #: a later attempt may succeed
_MEMORY: Final = Shape(Memory, "id type=content_type about=subject attribute version")
Outcome = Literal["delivered", "gone", "refused", "failed"]


def event_id(event: Event, place: int) -> str:
    """Return the id of the event at that place of its operation; it is the same for every webhook and attempt."""
    return f"{event.operation.id}-{place}"


def event_body(event: Event, place: int, *, include_text: bool) -> str:
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
        if isinstance(address, ipaddress.IPv6Address) and _stands_for_ipv4(address):
            raise Forbidden(f"{text} stands for an address of IPv4; events are posted to that itself, or not at all")
        if (
            address.is_link_local
            or address.is_multicast
            or address.is_unspecified
            or address in _METADATA
            or (isinstance(address, ipaddress.IPv4Address) and address.is_reserved)
        ):
            raise Forbidden(f"{text} is an address of the network's own services; events are not posted there")
    return addresses


def _stands_for_ipv4(address: ipaddress.IPv6Address) -> bool:
    within = any(address in network for network in _STAND_FOR_IPV4) and not address.is_loopback
    return within or (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP


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


log = logging.getLogger(__name__)

_RANDOM: Final = Random()  # its own: the program's random numbers stay as they are
_BATCH: Final = 50  #: deliveries that a worker reads at once
_LEASE: Final = timedelta(seconds=75)  #: beyond a pause; longer than any, or another worker takes it for stale
_LEASE_MARGIN: Final = timedelta(seconds=20)  #: that must be left of it when a delivery is posted
_EARLY: Final = timedelta(milliseconds=5)  #: that an event loop may wake too early: deliveries stay in order
_MOST_WAITING: Final = 10_000  #: deliveries to one webhook
_MOST_WEBHOOKS: Final = 100
_CLOSE_SECONDS: Final = 3.0  #: that workers have to give their leases back
_LOOKUP_THREADS: Final = 8  #: a name that nobody knows takes long


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """When a delivery is tried again: after 5 s, 15 s, 45 s … an hour; for about nine hours."""

    first: float = 5.0  #: seconds; workers and the dispatcher also look for news this often
    factor: float = 3.0
    longest: float = 3_600.0
    tries: int = 15
    pause: float = 60.0  #: the longest that the deliveries behind a failed one wait

    def delay(self, tries: int) -> float:
        """Return the seconds until the next try, varied so that not all come at once."""
        return min(self.first * self.factor ** (tries - 1), self.longest) * _RANDOM.uniform(0.8, 1.2)


@dataclass(slots=True, kw_only=True)
class WebhookWorker:
    """Posts the deliveries of one webhook."""

    bank: MemoryBank
    webhook: Webhook
    client: httpx2.AsyncClient
    lookups: Executor  #: for host names
    retry: RetryPolicy
    done: Callable[[WebhookDelivery], None]  #: called with every delivery that no longer waits
    gone: Callable[[], object]  #: called in a thread when the receiver wants no more
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _holder: str = field(default_factory=partial(secrets.token_hex, 8))
    _leased_until: datetime | None = None  #: None: the lease is not ours

    def wake(self) -> None:
        """Look for deliveries now, unless the receiver is in trouble."""
        self._woken.set()

    async def run(self) -> None:
        """Post deliveries until cancelled, or until the receiver wants no more."""
        going = True
        try:
            while going:
                try:
                    going = await self._round()
                except Exception:  # the edge of a task: a problem with one delivery must not end the worker
                    log.exception("deliveries to webhook %s are delayed", self.webhook.id)
                    await asyncio.sleep(self.retry.first)
        finally:
            with suppress(GieokError):  # the lease expires by itself
                await self._release()

    async def _round(self) -> bool:
        """Post what is due, or wait for it; return whether the receiver wants more."""
        self._woken.clear()
        desk, soon = self.bank.store.server, self.bank.clock.now() + _EARLY
        due = await asyncio.to_thread(desk.due_deliveries, self.webhook.id, soon, _BATCH)
        if due and self._leased_until is None:
            if not await self._lease():
                await asyncio.sleep(self.retry.first)
            return True  # read again: another worker may have posted them meanwhile
        for delivery in due:
            if not await self._lease():
                return True
            outcome = await deliver(self.client, self.lookups, self.webhook, delivery)
            if outcome == "gone":
                self.bank.watch.counted("webhooks", outcome)
                await asyncio.to_thread(self.gone)
                return False
            if outcome == "delivered":
                await self._drop(delivery, outcome)
                continue
            delay = await self._postpone(delivery)
            if outcome == "failed":  # the next ones would fail, too: they wait, and stay in order
                pause = min(delay, self.retry.pause)
                await self._lease(pause)
                await asyncio.sleep(pause)
                return True
        if not due:
            await self._release()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self.retry.first)
        return True

    async def _lease(self, pause: float = 0.0) -> bool:
        """Take or extend the lease so that it outlasts a `pause`; False: another worker has it, or may have it."""
        now = self.bank.clock.now()
        resumed = now + timedelta(seconds=pause)
        if self._leased_until is not None and self._leased_until <= now:
            self._leased_until = None
            return False
        if self._leased_until is not None and self._leased_until >= resumed + _LEASE_MARGIN:
            return True
        until = resumed + _LEASE
        lease = partial(self.bank.store.server.lease, self.webhook.id, self._holder, until=until, now=now)
        taking = asyncio.create_task(asyncio.to_thread(lease))
        try:
            await asyncio.wait([taking])
        finally:  # also when cancelled: `run` must know whether there is a lease to give back
            await asyncio.wait([taking])
            self._leased_until = until if taking.exception() is None and taking.result() else None
        return taking.result()

    async def _release(self) -> None:
        if self._leased_until is not None:
            self._leased_until = None
            await asyncio.to_thread(self.bank.store.server.release, self.webhook.id, self._holder)

    async def _drop(self, delivery: WebhookDelivery, outcome: str) -> None:
        await asyncio.to_thread(self.bank.store.server.drop_delivery, delivery.number)
        self.done(delivery)
        self.bank.watch.counted("webhooks", outcome)

    async def _postpone(self, delivery: WebhookDelivery) -> float:
        """Keep a delivery for later, or give it up; return the seconds until its next try."""
        tries = delivery.tries + 1
        if tries >= self.retry.tries:
            log.warning("delivery %s to webhook %s was given up", delivery.event_id, self.webhook.id)
            await self._drop(delivery, "given_up")
            return 0.0
        delay = self.retry.delay(tries)
        later = replace(delivery, tries=tries, due_at=self.bank.clock.now() + timedelta(seconds=delay))
        await asyncio.to_thread(self.bank.store.server.postpone_delivery, later)
        self.bank.watch.counted("webhooks", "put_off")
        return delay


class WebhookDispatcher:
    """The webhooks of a bank, and the deliveries that wait for them."""

    def __init__(self, bank: MemoryBank, retry: RetryPolicy | None = None) -> None:
        self.tell_others: Callable[[], None] = lambda: None  #: that webhooks changed; returns when they know
        self._bank = bank
        self._server = bank.store.server
        self._retry = retry or RetryPolicy()
        self.lookups = ThreadPoolExecutor(_LOOKUP_THREADS, "gieok-lookups")  #: for host names
        self._lock = Lock()
        self._changing = RLock()  #: held over bank and memory together: a refresh does not undo a later change
        self._webhooks: dict[str, Webhook] = {}
        self._waiting: Counter[str] = Counter()
        self._queueing: Counter[str] = Counter()  #: those of them that the bank may not hold yet
        self._unfollow: Callable[[], None] | None = None
        self._workers: _Workers | None = None  #: while it runs
        self.refresh()

    @property
    def waiting(self) -> int:
        """How many deliveries have not succeeded yet."""
        with self._lock:
            return sum(self._waiting.values())

    def webhooks(self) -> list[Webhook]:
        with self._lock:
            return list(self._webhooks.values())

    def add(self, webhook: Webhook) -> None:
        """Post events to `webhook` from now on. Raises `HTTPProblem` where there are too many."""
        with self._changing:
            self.refresh()
            if len(self.webhooks()) >= _MOST_WEBHOOKS:
                raise HTTPProblem(409, "too-many-webhooks", f"there are {_MOST_WEBHOOKS} webhooks; remove one first")
            self._server.keep_webhook(webhook)  # first: a delivery to an unknown webhook is dropped
            with self._lock:
                self._webhooks[webhook.id] = webhook
            self._follow_if_needed()
        self._wake([webhook.id])
        self.tell_others()

    def remove(self, webhook_id: str) -> bool:
        """Drop a webhook with all its deliveries; False: there is none."""
        with self._changing:
            with self._lock:
                self._webhooks.pop(webhook_id, None)
                self._waiting.pop(webhook_id, None)
            self._follow_if_needed()
            dropped = self._server.drop_webhook(webhook_id)
        self._wake([webhook_id])
        self.tell_others()
        return dropped

    def refresh(self) -> None:
        """Read what other servers did: webhooks that were added or removed, deliveries they queued or posted."""
        with self._changing:
            with self._lock:
                before = self._waiting.copy()
                before.subtract(self._queueing)
            waiting = Counter(self._server.waiting_deliveries())  # first: the webhooks of all these were stored before
            webhooks = {each.id: each for each in self._server.webhooks()}
            for gone in waiting.keys() - webhooks.keys():  # queued by a server that did not know of the removal yet
                self._server.drop_webhook(gone)
            with self._lock:
                waiting.update(self._waiting)
                waiting.subtract(before)  # what was counted here meanwhile still counts
                self._waiting = Counter({each: count for each, count in (+waiting).items() if each in webhooks})
                self._webhooks = webhooks
            self._follow_if_needed()
        self._wake(())

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Post deliveries meanwhile; only once. Later ones are posted by the next dispatcher that runs."""
        async with httpx2.AsyncClient(follow_redirects=False, trust_env=False) as client:

            def worker(webhook: Webhook) -> WebhookWorker:
                return WebhookWorker(
                    bank=self._bank,
                    webhook=webhook,
                    client=client,
                    lookups=self.lookups,
                    retry=self._retry,
                    done=self._done,
                    gone=partial(self.remove, webhook.id),
                )

            self._workers = workers = _Workers(asyncio.get_running_loop(), worker)
            workers.update(self.webhooks())
            refreshing = asyncio.create_task(self._refresh_regularly(), name="gieok-webhooks")
            try:
                yield
            finally:
                self._workers = None
                refreshing.cancel()
                await asyncio.wait([refreshing])
                await workers.close()
                self.lookups.shutdown(wait=False, cancel_futures=True)

    async def _refresh_regularly(self) -> None:
        failed = False
        while True:
            await asyncio.sleep(self._retry.first)
            try:
                await asyncio.to_thread(self.refresh)
                failed = False
            except Exception:  # the edge of a task: the bank may answer the next time
                if not failed:  # the bank logs its own trouble
                    log.exception("the webhooks of other servers cannot be read")
                failed = True

    def _follow_if_needed(self) -> None:
        """Listen to the bank while there is a webhook: a bank without listeners is faster."""
        with self._lock:
            if self._webhooks and self._unfollow is None:
                self._unfollow = self._bank.follow(self._queue)
            elif not self._webhooks and self._unfollow is not None:
                self._unfollow()
                self._unfollow = None

    def _queue(self, events: Sequence[Event]) -> None:
        """Queue the events for every webhook that wants them, as long as it has not too many waiting."""
        wanted = [
            WebhookDelivery(
                webhook_id=webhook.id,
                event_id=event_id(event, place),
                body=event_body(event, place, include_text=webhook.include_text),
                scope=event.scope,
                due_at=self._bank.clock.now(),
            )
            for webhook in self.webhooks()
            for place, event in enumerate(events)
            if "*" in webhook.events or event.name in webhook.events
        ]
        queued = [delivery for delivery in wanted if self._has_room(delivery)]
        if len(queued) < len(wanted):
            self._bank.watch.counted("webhooks", "overflowed", len(wanted) - len(queued))
        if queued:
            try:
                self._server.add_deliveries(queued)
            finally:
                with self._lock:
                    self._queueing.subtract(delivery.webhook_id for delivery in queued)
                    self._queueing = +self._queueing
            self._wake({delivery.webhook_id for delivery in queued})

    def _has_room(self, delivery: WebhookDelivery) -> bool:
        """Count a delivery, unless its webhook has too many waiting."""
        with self._lock:
            if delivery.webhook_id not in self._webhooks or self._waiting[delivery.webhook_id] >= _MOST_WAITING:
                return False
            self._waiting[delivery.webhook_id] += 1
            self._queueing[delivery.webhook_id] += 1
            return True

    def _done(self, delivery: WebhookDelivery) -> None:
        with self._lock:
            if self._waiting[delivery.webhook_id] > 0:
                self._waiting[delivery.webhook_id] -= 1

    def _wake(self, webhook_ids: Iterable[str]) -> None:
        workers = self._workers
        if workers is not None:
            workers.wake(frozenset(webhook_ids), self.webhooks)


class _Workers:
    """The workers of a dispatcher that runs. They live in one event loop, whichever thread wakes them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, make: Callable[[Webhook], WebhookWorker]) -> None:
        self._loop, self._make = loop, make
        self._running: dict[str, tuple[WebhookWorker, asyncio.Task[None]]] = {}
        self._closed = False

    def wake(self, webhook_ids: frozenset[str], webhooks: Callable[[], list[Webhook]]) -> None:
        """Wake the workers of some webhooks, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self.update(webhooks(), webhook_ids))

    def update(self, webhooks: list[Webhook], woken: frozenset[str] = frozenset()) -> None:
        """Start workers for new webhooks, and stop those of removed ones."""
        if self._closed:
            return
        for webhook in webhooks:
            if webhook.id not in self._running:
                worker = self._make(webhook)
                self._running[webhook.id] = (worker, self._loop.create_task(worker.run()))
        for webhook_id in self._running.keys() - {webhook.id for webhook in webhooks}:
            self._running.pop(webhook_id)[1].cancel()
        for webhook_id in woken & self._running.keys():
            self._running[webhook_id][0].wake()

    async def close(self) -> None:
        self._closed = True
        tasks = [task for _, task in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_CLOSE_SECONDS)


routes = routes_of("webhooks")


@answer()
@dataclass(frozen=True, slots=True)
class Webhooks:
    """All webhooks, oldest first."""

    webhooks: list[Webhook]


@answer("**webhook secret", name="MadeWebhook")
@dataclass(frozen=True, slots=True)
class WebhookWithSecret:
    """A webhook with its secret."""

    webhook: Webhook
    secret: str


@routes.write("POST", "/webhooks", "Create a webhook", 400, 409, status_code=201)
async def create_webhook(wanted: NewWebhook, request: Request, bank: WholeBank) -> WebhookWithSecret:
    """Post events to a URL from now on, signed with a secret that is shown only this once."""
    dispatcher: WebhookDispatcher = request.app.state.webhook_dispatcher
    webhook = Webhook(
        id=secrets.token_hex(8),
        url=await checked_url(wanted.url, dispatcher.lookups),
        events=tuple(dict.fromkeys(wanted.events)),
        secret=wanted.secret or f"whsec_{secrets.token_urlsafe(32)}",
        include_text=wanted.include_text,
        created_at=bank.clock.now(),
    )
    await asyncio.to_thread(dispatcher.add, webhook)
    return WebhookWithSecret(webhook, webhook.secret)


@routes.get("/webhooks", summary="List the webhooks")
def list_webhooks(bank: WholeBank) -> Webhooks:
    """List all webhooks, without their secrets."""
    return Webhooks(list(bank.store.server.webhooks()))


@routes.write("DELETE", "/webhooks/{webhook_id}", "Delete a webhook", 404, status_code=204, response_class=Response)
def delete_webhook(webhook_id: Annotated[str, Path(max_length=100)], request: Request, bank: WholeBank) -> Response:
    """Stop posting to it. Deliveries that are still waiting are dropped."""
    if not request.app.state.webhook_dispatcher.remove(webhook_id):
        detail = "no webhook has that id; GET /v1/webhooks lists those there are"
        raise HTTPProblem(404, "unknown-webhook", detail)
    return Response(status_code=204)
