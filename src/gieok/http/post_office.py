"""Letters to webhooks: written when something happens, kept in the bank, and brought until they arrive.

A letter is in the bank before the caller who caused it gets an answer, so neither a restart nor a crash loses it; it
may arrive twice, under the same id. Every webhook has a postman of its own: none waits for the receiver of another.
Several servers may share a bank: each looks every few seconds what the others did.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from threading import Lock, RLock
from typing import Final

import httpx2

from gieok.bank import MemoryBank
from gieok.bank.events import Event
from gieok.domain.desk import Letter, Webhook
from gieok.http.letters import event_id, letter_body, wants
from gieok.http.postman import Postman, Trying
from gieok.http.problems import Refused

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
