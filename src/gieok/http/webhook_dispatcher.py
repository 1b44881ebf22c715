"""An event as a webhook is told of it: what happened, when, in whose memory, and to which memory.

What a memory says is left out unless the webhook asked for it: a letter may go far.
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
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import httpx2

from gieok.bank import MemoryBank
from gieok.bank.events import Event
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.relationship import Manners, Relationship, score
from gieok.domain.scene import Scene
from gieok.domain.server_state import Letter, Webhook
from gieok.errors import GieokError, InvalidQuery
from gieok.http.problems import Refused


def event_id(event: Event, place: int) -> str:
    """Return the id of the event at that place of its operation; it is the same however often it is told."""
    return f"{event.operation.id}-{place}"


def letter_body(event: Event, place: int, *, include_text: bool) -> str:
    """Return the JSON that a webhook gets."""
    operation, scope = event.operation, event.scope
    told = {
        "id": event_id(event, place),
        "event": event.name,
        "at": operation.moment.at.isoformat(),
        "recorded_at": operation.moment.recorded_at.isoformat(),
        "scope": {"user": scope.user, "character": scope.character, "world": scope.world},
        "operation": {"id": operation.id, "kind": operation.kind, "turn_id": operation.turn_id},
        "what": _shown(event.what, include_text=include_text),
        "before": _shown(event.before, include_text=include_text),
    }
    return json.dumps(told, ensure_ascii=False)


def wants(webhook: Webhook, event: Event) -> bool:
    return "*" in webhook.events or event.name in webhook.events


def signature(secret: str, body: str, seconds: int) -> str:
    """Return the header by which a receiver knows that a letter is from us, and not an old one."""
    signed = hmac.new(secret.encode(), f"{seconds}.{body}".encode(), sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def _shown(what: Any, *, include_text: bool) -> dict[str, Any] | None:
    match what:
        case None:
            return None
        case Memory():
            return _memory(what, include_text=include_text)
        case Relationship():
            return {"kind": "relationship", "level": what.level, "score": round(score(what), 1)}
        case Felt():
            return {
                "kind": "emotion",
                "speaker": what.speaker,
                "emotion": what.emotion,
                "intensity": round(what.intensity, 3),
            }
        case Scene():
            return {"kind": "scene", "id": what.id, **({"place": what.place} if include_text else {})}
        case Manners():
            return {"kind": "manners"}
        case tuple():
            return {"kind": "operations", "ids": list(what)}
    return {"kind": type(what).__name__.lower()}


def _memory(memory: Memory, *, include_text: bool) -> dict[str, Any]:
    shown = {
        "kind": "memory",
        "id": memory.id,
        "type": memory.content_type,
        "about": memory.subject,
        "attribute": memory.attribute,
        "version": memory.version,
    }
    return shown | {"content": memory.content, "value": memory.value} if include_text else shown


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


_DICE: Final = Random()  # its own: those of the program that uses this are not thrown
_AT_ONCE: Final = 50  #: letters that are taken along
_LEASE: Final = timedelta(seconds=75)  #: beyond a rest; longer than any, or else the one who asks takes it for stale
_SPARE: Final = timedelta(seconds=20)  #: … that is left of it when a letter is tried
_EARLY: Final = timedelta(milliseconds=5)  #: that an event loop may wake too early: the next letter must not go first


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """When a letter is tried again: after 5 s, 15 s, 45 s … an hour; for about nine hours."""

    first: float = 5.0  #: seconds; so often postmen and the office also look by themselves
    factor: float = 3.0
    longest: float = 3_600.0
    tries: int = 15
    rest: float = 60.0  #: the longest that letters behind it wait

    def delay(self, tries: int) -> float:
        """Return the seconds until the next try, some more or less, so that not all come at once."""
        return min(self.first * self.factor ** (tries - 1), self.longest) * _DICE.uniform(0.8, 1.2)


@dataclass(slots=True, kw_only=True)
class Postman:
    """Brings the letters to one webhook."""

    bank: MemoryBank
    webhook: Webhook
    client: httpx2.AsyncClient
    lookups: Executor  #: where names are looked up
    trying: Trying
    done: Callable[[Letter], None]  #: called with every letter that no longer waits
    gone: Callable[[], object]  #: called, in a thread, when the receiver wants no more letters
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _holder: str = field(default_factory=partial(secrets.token_hex, 8))
    _held: datetime | None = None  #: until when the lease is his

    def wake(self) -> None:
        """Have him look now, unless his receiver is in trouble."""
        self._woken.set()

    async def walk(self) -> None:
        """Bring letters until cancelled, or the receiver wants no more."""
        going = True
        try:
            while going:
                try:
                    going = await self._round()
                except Exception:  # the edge of a task: what goes wrong with one letter must not end the post
                    log.exception("letters to webhook %s are held up", self.webhook.id)
                    await asyncio.sleep(self.trying.first)
        finally:
            with suppress(GieokError):  # it runs out by itself
                await self._let_go()

    async def _round(self) -> bool:
        """Bring what is due, or wait for it; return whether the receiver wants more."""
        self._woken.clear()
        desk, soon = self.bank.store.desk, self.bank.clock.now() + _EARLY
        due = await asyncio.to_thread(desk.due_letters, self.webhook.id, soon, _AT_ONCE)
        if due and self._held is None:
            if not await self._hold():
                await asyncio.sleep(self.trying.first)
            return True  # to look again: another may have brought them until now
        for letter in due:
            if not await self._hold():
                return True
            outcome = await deliver(self.client, self.lookups, self.webhook, letter)
            if outcome == "gone":
                self.bank.watch.counted("webhooks", outcome)
                await asyncio.to_thread(self.gone)
                return False
            if outcome == "delivered":
                await self._drop(letter, outcome)
                continue
            delay = await self._put_off(letter)
            if outcome == "failed":  # so will the next one: they wait, and stay in order
                rest = min(delay, self.trying.rest)
                await self._hold(rest)
                await asyncio.sleep(rest)
                return True
        if not due:
            await self._let_go()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self.trying.first)
        return True

    async def _hold(self, rest: float = 0.0) -> bool:
        """Take the lease, or see that it outlasts a `rest`; False: another one has it, or had the time to."""
        now = self.bank.clock.now()
        rested = now + timedelta(seconds=rest)
        if self._held is not None and self._held <= now:
            self._held = None
            return False
        if self._held is not None and self._held >= rested + _SPARE:
            return True
        until = rested + _LEASE
        lease = partial(self.bank.store.desk.lease, self.webhook.id, self._holder, until=until, now=now)
        taking = asyncio.create_task(asyncio.to_thread(lease))
        try:
            await asyncio.wait([taking])
        finally:  # whoever is called back meanwhile must know what there is to give back
            await asyncio.wait([taking])
            self._held = until if taking.exception() is None and taking.result() else None
        return taking.result()

    async def _let_go(self) -> None:
        if self._held is not None:
            self._held = None
            await asyncio.to_thread(self.bank.store.desk.let_go, self.webhook.id, self._holder)

    async def _drop(self, letter: Letter, outcome: str) -> None:
        await asyncio.to_thread(self.bank.store.desk.drop_letter, letter.number)
        self.done(letter)
        self.bank.watch.counted("webhooks", outcome)

    async def _put_off(self, letter: Letter) -> float:
        """Keep a letter for later, or give it up; return the seconds until it is tried again."""
        tries = letter.tries + 1
        if tries >= self.trying.tries:
            log.warning("letter %s to webhook %s was given up", letter.event_id, self.webhook.id)
            await self._drop(letter, "given_up")
            return 0.0
        delay = self.trying.delay(tries)
        later = replace(letter, tries=tries, due_at=self.bank.clock.now() + timedelta(seconds=delay))
        await asyncio.to_thread(self.bank.store.desk.put_off, later)
        self.bank.watch.counted("webhooks", "put_off")
        return delay


log = logging.getLogger(__name__)

_MOST_WAITING: Final = 10_000  #: letters to one webhook
_MOST_WEBHOOKS: Final = 100
_CLOSING: Final = 3.0  #: seconds that postmen have to give their leases back
_LOOKUPS: Final = 8  #: names that are looked up at once; one that nobody knows takes long


class PostOffice:
    """The webhooks of a bank, and their letters."""

    def __init__(self, bank: MemoryBank, trying: Trying | None = None) -> None:
        self._bank = bank
        self._desk = bank.store.desk
        self._trying = trying or Trying()
        self.lookups = ThreadPoolExecutor(_LOOKUPS, "gieok-lookups")  #: where names are looked up
        self._lock = Lock()
        self._changing = RLock()  #: held over the bank and the list here: no look undoes what came after it
        self._webhooks: dict[str, Webhook] = {}
        self._waiting: Counter[str] = Counter()
        self._posting: Counter[str] = Counter()  #: those of them that the bank may not hold yet
        self._unfollow: Callable[[], None] | None = None
        self._open: _Open | None = None
        self.look()

    @property
    def waiting(self) -> int:
        """How many letters are not delivered yet."""
        with self._lock:
            return sum(self._waiting.values())

    def webhooks(self) -> list[Webhook]:
        with self._lock:
            return list(self._webhooks.values())

    def add(self, webhook: Webhook) -> None:
        """Tell `webhook` of events from now on. Raises `Refused` where there are too many."""
        with self._changing:
            self.look()
            if len(self.webhooks()) >= _MOST_WEBHOOKS:
                raise Refused(409, "too-many-webhooks", f"there are {_MOST_WEBHOOKS} webhooks; remove one first")
            self._desk.keep_webhook(webhook)  # first: a letter to one who is not there is dropped
            with self._lock:
                self._webhooks[webhook.id] = webhook
            self._follow_if_needed()
        self._wake([webhook.id])

    def remove(self, webhook_id: str) -> bool:
        """Drop a webhook with all letters to it; False: there is none."""
        with self._changing:
            with self._lock:
                self._webhooks.pop(webhook_id, None)
                self._waiting.pop(webhook_id, None)
            self._follow_if_needed()
            dropped = self._desk.drop_webhook(webhook_id)
        self._wake([webhook_id])
        return dropped

    def look(self) -> None:
        """Learn what other servers did: webhooks that came or went, letters that they posted or brought."""
        with self._changing:
            with self._lock:
                before = self._waiting.copy()
                before.subtract(self._posting)
            waiting = Counter(self._desk.waiting_letters())  # first: the webhooks of all these were kept before
            webhooks = {each.id: each for each in self._desk.webhooks()}
            for gone in waiting.keys() - webhooks.keys():  # posted by one who did not know yet that it was removed
                self._desk.drop_webhook(gone)
            with self._lock:
                waiting.update(self._waiting)
                waiting.subtract(before)  # what was counted here meanwhile still counts
                self._waiting = Counter({each: count for each, count in (+waiting).items() if each in webhooks})
                self._webhooks = webhooks
            self._follow_if_needed()
        self._wake(())

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Bring letters meanwhile, once. What happens afterwards is brought by the next office that opens."""
        async with httpx2.AsyncClient(follow_redirects=False, trust_env=False) as client:
            self._open = opened = _Open(asyncio.get_running_loop(), partial(self._postman, client))
            opened.send_out(self.webhooks())
            looking = asyncio.create_task(self._look_again_and_again(), name="gieok-post-office")
            try:
                yield
            finally:
                self._open = None
                looking.cancel()
                await asyncio.wait([looking])
                await opened.close()
                self.lookups.shutdown(wait=False, cancel_futures=True)

    async def _look_again_and_again(self) -> None:
        in_trouble = False
        while True:
            await asyncio.sleep(self._trying.first)
            try:
                await asyncio.to_thread(self.look)
                in_trouble = False
            except Exception:  # the edge of a task: the bank may answer the next time
                if not in_trouble:  # and tells of its trouble itself
                    log.exception("what other servers did with webhooks is not known")
                in_trouble = True

    def _postman(self, client: httpx2.AsyncClient, webhook: Webhook) -> Postman:
        return Postman(
            bank=self._bank,
            webhook=webhook,
            client=client,
            lookups=self.lookups,
            trying=self._trying,
            done=self._done,
            gone=partial(self.remove, webhook.id),
        )

    def _follow_if_needed(self) -> None:
        """Listen as long as there is a webhook: a bank that nobody listens to is faster."""
        with self._lock:
            if self._webhooks and self._unfollow is None:
                self._unfollow = self._bank.follow(self._heard)
            elif not self._webhooks and self._unfollow is not None:
                self._unfollow()
                self._unfollow = None

    def _heard(self, events: Sequence[Event]) -> None:
        letters = [
            self._letter(webhook, event, place)
            for webhook in self.webhooks()
            for place, event in enumerate(events)
            if wants(webhook, event)
        ]
        kept = [letter for letter in letters if self._has_room(letter)]
        if len(kept) < len(letters):
            self._bank.watch.counted("webhooks", "overflowed", len(letters) - len(kept))
        if kept:
            try:
                self._desk.post(kept)
            finally:
                self._posted(kept)
            self._wake({letter.webhook_id for letter in kept})

    def _letter(self, webhook: Webhook, event: Event, place: int) -> Letter:
        return Letter(
            webhook_id=webhook.id,
            event_id=event_id(event, place),
            body=letter_body(event, place, include_text=webhook.include_text),
            scope=event.scope,
            due_at=self._bank.clock.now(),
        )

    def _has_room(self, letter: Letter) -> bool:
        """Count a letter, if its webhook has not too many waiting."""
        with self._lock:
            if letter.webhook_id not in self._webhooks or self._waiting[letter.webhook_id] >= _MOST_WAITING:
                return False
            self._waiting[letter.webhook_id] += 1
            self._posting[letter.webhook_id] += 1
            return True

    def _posted(self, letters: Sequence[Letter]) -> None:
        with self._lock:
            self._posting.subtract(letter.webhook_id for letter in letters)
            self._posting = +self._posting

    def _done(self, letter: Letter) -> None:
        with self._lock:
            if self._waiting[letter.webhook_id] > 0:
                self._waiting[letter.webhook_id] -= 1

    def _wake(self, webhook_ids: Iterable[str]) -> None:
        opened = self._open
        if opened is not None:
            opened.wake(frozenset(webhook_ids), self.webhooks)


class _Open:
    """The postmen, while the office is open. They live in one event loop, whoever wakes them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, postman: Callable[[Webhook], Postman]) -> None:
        self._loop = loop
        self._postman = postman
        self._walks: dict[str, tuple[Postman, asyncio.Task[None]]] = {}
        self._closed = False

    def wake(self, webhook_ids: frozenset[str], webhooks: Callable[[], list[Webhook]]) -> None:
        """From any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self.send_out(webhooks(), webhook_ids))

    def send_out(self, webhooks: list[Webhook], woken: frozenset[str] = frozenset()) -> None:
        """See that every webhook has its postman, and none has who is no webhook any more."""
        if self._closed:
            return
        for webhook in webhooks:
            if webhook.id not in self._walks:
                postman = self._postman(webhook)
                self._walks[webhook.id] = (postman, self._loop.create_task(postman.walk()))
        for webhook_id in self._walks.keys() - {webhook.id for webhook in webhooks}:
            self._walks.pop(webhook_id)[1].cancel()
        for webhook_id in woken & self._walks.keys():
            self._walks[webhook_id][0].wake()

    async def close(self) -> None:
        self._closed = True
        walks = [walk for _, walk in self._walks.values()]
        for walk in walks:
            walk.cancel()
        if walks:
            await asyncio.wait(walks, timeout=_CLOSING)
