"""Bringing letters to one webhook, in order, until they arrive.

Of several servers that share a bank, one at a time brings them: whoever holds the lease, for as long as there are any.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Final

import httpx2

from gieok.bank import MemoryBank
from gieok.domain.desk import Letter, Webhook
from gieok.errors import GieokError
from gieok.http.delivery import deliver

log = logging.getLogger(__name__)

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
