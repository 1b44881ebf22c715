import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from gieok.access.keys import KeyAdmission, Keyring, RateLimiter, UsageCounter, create_key
from gieok.errors import BankUnavailable

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)


class Ledger:
    """What a desk does with uses, in memory."""

    def __init__(self) -> None:
        self.days: dict[str, Counter[str]] = {}
        self.broken = False

    def count_uses(self, day, uses):
        if self.broken:
            raise BankUnavailable("no disk")
        self.days.setdefault(day, Counter()).update(uses)

    def uses(self, day):
        return dict(self.days.get(day, {}))


def sent(pace, times, per_minute=60, key="k"):
    return [pace.wait(key, per_minute) == 0 for _ in range(times)].count(True)


def test_a_minutes_worth_passes_at_once_and_the_rest_evenly():
    clock = Clock()
    pace = RateLimiter(ticks=clock)
    assert sent(pace, 100) == 60
    clock.seconds = 10
    assert sent(pace, 100) == 10
    clock.seconds = 1_000_000
    assert sent(pace, 100) == 60


def test_it_says_how_long_to_wait_and_that_is_enough():
    clock = Clock()
    pace = RateLimiter(ticks=clock)
    sent(pace, 6, per_minute=6)
    wait = pace.wait("k", 6)
    assert wait == pytest.approx(10)
    clock.seconds = wait + 0.001
    assert pace.wait("k", 6) == 0


def test_one_key_does_not_use_up_what_another_may():
    pace = RateLimiter(ticks=Clock())
    assert sent(pace, 5, per_minute=2, key="a") == 2
    assert sent(pace, 5, per_minute=2, key="b") == 2


def test_what_another_process_counted_is_seen_after_a_flush():
    ledger = Ledger()
    one, other = UsageCounter(ledger, now=Clock().now), UsageCounter(ledger, now=Clock().now)
    one.read()
    other.read()
    one.count("k")
    other.count("k")
    one.flush()
    other.flush()
    assert (one.used("k"), other.used("k")) == (1, 2)
    one.flush()
    assert one.used("k") == 2


def test_what_cannot_be_kept_is_kept_later():
    ledger = Ledger()
    tally = UsageCounter(ledger, now=Clock().now)
    tally.read()
    tally.count("k")
    ledger.broken = True
    with pytest.raises(BankUnavailable):
        tally.flush()
    assert (tally.used("k"), tally.has_news) == (1, True)
    ledger.broken = False
    tally.flush()
    assert ledger.uses("2026-11-15") == {"k": 1}


def test_what_was_kept_counts_once_also_where_it_cannot_be_read_back(monkeypatch):
    ledger = Ledger()
    tally = UsageCounter(ledger, now=Clock().now)
    tally.read()
    tally.count("k")

    def unreadable(day):
        raise BankUnavailable("no disk")

    monkeypatch.setattr(ledger, "uses", unreadable)
    with pytest.raises(BankUnavailable):
        tally.flush()
    assert (tally.used("k"), tally.has_news) == (1, False)


def test_a_new_day_begins_with_nothing_and_the_old_one_keeps_its_count():
    ledger, clock = Ledger(), Clock()
    tally = UsageCounter(ledger, now=clock.now)
    tally.read()
    tally.count("k")
    assert tally.seconds_left() == 12 * 3600
    clock.seconds = 12 * 3600
    assert not tally.is_ready
    tally.read()
    assert tally.used("k") == 0
    tally.count("k")
    tally.flush()
    assert (ledger.uses("2026-11-15"), ledger.uses("2026-11-16")) == ({"k": 1}, {"k": 1})
    assert tally.used("k") == 1


def test_a_day_is_one_of_utc_whatever_the_clock_shows():
    seoul = datetime.fromisoformat("2026-11-16T01:00:00+09:00")
    tally = UsageCounter(Ledger(), now=lambda: seoul)
    assert tally.today == "2026-11-15"
    assert tally.seconds_left() == 8 * 3600


def test_a_key_is_known_while_every_thread_of_the_event_loop_is_busy():
    token, kept = create_key("봇", "writer", now=NOON)

    class Desk(Ledger):
        def access_keys(self):
            return [kept]

    async def run() -> None:
        desk, release = Desk(), Event()
        register = KeyAdmission(Keyring(desk), UsageCounter(desk), RateLimiter(), per_minute=0)
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        busy = loop.run_in_executor(None, release.wait, 30)
        try:
            assert await asyncio.wait_for(register.admit(token), 5) == kept
        finally:
            release.set()
            await busy
            register.shut()

    asyncio.run(run())
