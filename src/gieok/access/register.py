"""Keys as they are used: known again, held to what they may ask for, counted."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

from gieok.access import refusals
from gieok.access.keys import Keyring
from gieok.access.refusals import TurnedAway
from gieok.domain.desk import AccessKey
from gieok.errors import GieokError
from gieok.ports import Desk

_MINUTE: Final = 60.0
FLUSH_SECONDS: Final = 3.0
_log: Final = logging.getLogger("gieok.access")


class Pace:
    """Requests a minute, as a bucket for each key: it holds a minute's worth, and fills up evenly."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._buckets: dict[str, tuple[float, float]] = {}  #: how much was left, and when

    def wait(self, key_id: str, per_minute: int) -> float:
        """Return 0 and count a request, or return after how many seconds there is room for one."""
        now = self._ticks()
        left, since = self._buckets.get(key_id, (float(per_minute), now))
        left = min(left + (now - since) * per_minute / _MINUTE, per_minute)
        may = left >= 1
        self._buckets[key_id] = (left - 1 if may else left, now)
        return 0.0 if may else (1 - left) * _MINUTE / per_minute


def _now() -> datetime:
    return datetime.now(UTC)


class Tally:
    """Requests a day (UTC) by key: counted here, and brought to the desk now and then.

    A process that is killed loses what it had not brought there yet: a few seconds of requests, in favour of the key.
    """

    def __init__(self, desk: Desk, *, now: Callable[[], datetime] = _now) -> None:
        self._desk = desk
        self._now = now
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._day: str | None = None  #: that `_known` is about
        self._known: Counter[str] = Counter()  #: what the desk has
        self._new: Counter[tuple[str, str]] = Counter()  #: by day and key: what it has not

    @property
    def today(self) -> str:
        return self._now().astimezone(UTC).date().isoformat()

    @property
    def is_ready(self) -> bool:
        return self._day == self.today

    @property
    def has_news(self) -> bool:
        return bool(self._new)

    def read(self) -> None:
        """Learn what the desk knows of today. It waits for the bank: not for an event loop."""
        day = self.today
        known = Counter(self._desk.uses(day))
        with self._lock:
            self._day, self._known = day, known

    def used(self, key_id: str) -> int:
        """Return how often a key was used today."""
        with self._lock:
            return self._known[key_id] + self._new[self.today, key_id]

    def count(self, key_id: str) -> None:
        with self._lock:
            self._new[self.today, key_id] += 1

    def seconds_left(self) -> float:
        """Return how long today lasts."""
        now = self._now().astimezone(UTC)
        tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return (tomorrow - now).total_seconds()

    def flush(self) -> None:
        """Bring the counts to the desk, and learn what other processes counted. What fails is kept for next time."""
        with self._flushing:
            with self._lock:
                taken = Counter(self._new)
            for day in sorted({day for day, _ in taken}):
                counted = {key_id: count for (of, key_id), count in taken.items() if of == day}
                self._desk.count_uses(day, counted)
                self._brought(day, counted)
            self.read()

    def _brought(self, day: str, counted: dict[str, int]) -> None:
        with self._lock:
            for key_id, count in counted.items():
                self._new[day, key_id] -= count
            self._new = +self._new
            if day == self._day:
                self._known.update(counted)


class Register:
    """Admits those whose key opens, as often as it may be used. For one event loop, which never waits for the bank."""

    def __init__(self, keys: Keyring, tally: Tally, pace: Pace, *, per_minute: int) -> None:
        """Requests a minute count for keys that say nothing of their own; 0: as many as they like."""
        self._keys = keys
        self._tally = tally
        self._pace = pace
        self._per_minute = per_minute
        self._looking = asyncio.Lock()
        #: one of its own: all who have a key wait for the look at the keys, which waits behind nothing else
        self._thread = ThreadPoolExecutor(1, "gieok-keys")
        self._flush_due: asyncio.Task[None] | None = None

    async def admit(self, token: str) -> AccessKey:
        """Return the key that `token` is, and count a use of it. Raises `TurnedAway`."""
        await self._bring_up_to_date()
        key = self._keys.find(token)
        if key is None:
            raise TurnedAway(refusals.WRONG_KEY)
        self._hold_to_its_limits(key)
        self._count(key)
        return key

    async def known(self, key_id: str, *, counts: bool) -> AccessKey | None:
        """Return the key with this id as it is now; None: it opens nothing any more. Raises `TurnedAway`."""
        await self._bring_up_to_date()
        key = self._keys.by_id(key_id)
        if key is not None and counts:
            self._hold_to_its_limits(key)
            self._count(key)
        return key

    async def close(self) -> None:
        """Keep what was counted."""
        if self._tally.has_news:
            await self._flush()

    def shut(self) -> None:
        """Let the thread go: nobody comes any more."""
        self._thread.shutdown(wait=False)

    @property
    def _is_out_of_date(self) -> bool:
        return self._keys.is_stale or not self._tally.is_ready

    async def _bring_up_to_date(self) -> None:
        try:
            if self._is_out_of_date:
                await self._look()
        except GieokError as cause:
            _log.warning("keys cannot be read: %s", cause)
            raise TurnedAway(refusals.NO_BANK) from cause

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        async with self._looking:  # one looks for all who wait
            if self._keys.is_stale:
                await loop.run_in_executor(self._thread, self._keys.refresh)
            if not self._tally.is_ready:
                await loop.run_in_executor(self._thread, self._tally.read)

    def _hold_to_its_limits(self, key: AccessKey) -> None:
        if key.per_day is not None and self._tally.used(key.id) >= key.per_day:
            raise TurnedAway(refusals.used_up(key.per_day, self._tally.seconds_left()))
        per_minute = self._per_minute if key.per_minute is None else key.per_minute
        wait = self._pace.wait(key.id, per_minute) if per_minute > 0 else 0.0
        if wait > 0:
            raise TurnedAway(refusals.too_fast(per_minute, wait))

    def _count(self, key: AccessKey) -> None:
        self._tally.count(key.id)
        if self._flush_due is None or self._flush_due.done():
            self._flush_due = asyncio.create_task(self._flush_now_and_then())

    async def _flush_now_and_then(self) -> None:
        kept = True
        while kept and self._tally.has_news:  # what could not be kept waits for the next request
            await asyncio.sleep(FLUSH_SECONDS)
            kept = await self._flush()

    async def _flush(self) -> bool:
        try:
            await asyncio.to_thread(self._tally.flush)
        except GieokError as cause:
            _log.warning("uses of keys cannot be kept yet: %s", cause)
            return False
        return True
