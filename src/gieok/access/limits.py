"""How much a key may ask for: so many requests a minute, so many a day."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

from gieok.ports import Desk

_MINUTE: Final = 60.0


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
