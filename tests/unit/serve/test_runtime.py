"""The process around the application: requests begin one by one, threads, garbage collection and metrics."""

import asyncio
import gc
import re
import weakref
from itertools import pairwise
from threading import Event

import pytest

from gieok.domain.actor import Actor, acting_as
from gieok.http.webhooks import RetryPolicy
from gieok.serve.front import Gate
from gieok.serve.metrics import Metrics
from gieok.serve.runtime import GcIntervals, Pool, collecting_garbage


def test_those_who_come_at_once_pass_in_order_and_others_get_a_turn_in_between():
    seen = []

    async def caller(gate, number):
        await gate.wait_turn()
        seen.append(number)

    async def somebody_else():
        while len(seen) < 10:
            seen.append("else")
            await asyncio.sleep(0)

    async def all_at_once():
        gate = Gate()
        callers = [asyncio.create_task(caller(gate, number)) for number in range(5)]
        gone = asyncio.create_task(caller(gate, "gone"))
        last = asyncio.create_task(caller(gate, 5))
        other = asyncio.create_task(somebody_else())
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(*callers, last, other, gone, return_exceptions=True)
        await gate.wait_turn()  # it is open again

    asyncio.run(asyncio.wait_for(all_at_once(), 10))
    numbers = [each for each in seen if each != "else"]
    assert numbers == [0, 1, 2, 3, 4, 5]
    assert all("else" in seen[seen.index(a) : seen.index(b)] for a, b in pairwise(numbers[:5]))


SECONDS = 30


def test_work_that_is_given_up_before_it_begins_waits_no_longer() -> None:
    async def given_up(pool: Pool) -> tuple[int, int, int]:
        loop, release = asyncio.get_running_loop(), Event()
        entered = asyncio.Event()

        def busy() -> None:
            loop.call_soon_threadsafe(entered.set)
            release.wait(SECONDS)

        first = loop.run_in_executor(pool, busy)
        await asyncio.wait_for(entered.wait(), SECONDS)
        second, third = loop.run_in_executor(pool, int), loop.run_in_executor(pool, int)
        both = pool.waiting
        second.cancel()
        await asyncio.sleep(0)  # the pool hears of it from the loop
        one = pool.waiting
        release.set()
        await first
        await third
        return both, one, pool.waiting

    with Pool(1, each=1) as pool:
        assert asyncio.run(given_up(pool)) == (2, 1, 0)


def test_callers_get_threads_in_turn_however_many_wait_of_one():
    order, gate = [], Event()
    with Pool(1, each=1) as pool:
        pool.submit(gate.wait, SECONDS)
        asked = []
        for caller, count in (("a", 4), ("b", 2), ("c", 1)):
            with acting_as(Actor(kind="key", name=caller)):
                asked += [pool.submit(order.append, caller) for _ in range(count)]
        gate.set()
        for each in asked:
            each.result(SECONDS)
    assert order == ["a", "b", "c", "a", "b", "a", "a"]
    assert (pool.waiting, pool.busy) == (0, 0)


def test_a_caller_leaves_a_thread_to_others():
    gate = Event()
    with Pool(2, each=1) as pool:
        with acting_as(Actor(kind="key", name="slow")):
            slow = [pool.submit(gate.wait, SECONDS) for _ in range(20)]
        with acting_as(Actor(kind="key", name="other")):
            assert pool.submit(lambda: "answered").result(SECONDS) == "answered"
        assert not any(each.done() for each in slow)
        gate.set()
        assert all(each.result(SECONDS) for each in slow)


def test_what_a_thread_raises_reaches_whoever_waits_and_the_thread_goes_on():
    with Pool(1, each=1) as pool:
        failed, done = pool.submit(int, "no"), pool.submit(int, "1")
        with pytest.raises(ValueError, match="no"):
            failed.result(SECONDS)
        assert done.result(SECONDS) == 1


class Thing:
    pass


def ring() -> weakref.ref[Thing]:
    """Leave something behind that only a full collection throws away."""
    thing = Thing()
    thing.itself = thing
    gc.collect()
    return weakref.ref(thing)


async def gone(left: weakref.ref[Thing], looks: int) -> bool:
    for _ in range(looks):
        if left() is None:
            return True
        await asyncio.sleep(0.005)
    return False


@pytest.mark.parametrize(
    ("requests", "intervals"),
    [(0, GcIntervals(check=0.01, idle=0.01)), (1, GcIntervals(check=0.01, idle=9.0, busy=0.05))],
)
def test_it_is_swept_when_nobody_waits_and_seldom_when_somebody_always_does(requests, intervals):
    async def live() -> None:
        async with collecting_garbage(lambda: requests, intervals):
            assert await gone(ring(), looks=2_000)

    asyncio.run(live())


def test_nothing_is_swept_while_somebody_waits():
    async def live() -> None:
        async with collecting_garbage(lambda: 1, GcIntervals(check=0.001, idle=0.001, busy=60.0)):
            assert not await gone(ring(), looks=20)

    asyncio.run(live())


def value(metrics, line):
    found = re.search(rf"^{re.escape(line)} (\S+)$", metrics.text().decode(), re.MULTILINE)
    return None if found is None else float(found[1])


def test_a_word_of_two_parts_becomes_two_labels():
    metrics = Metrics()
    metrics.counted("model_calls", "extract/timeout")
    metrics.counted("model_calls", "extract/timeout", 2)
    assert value(metrics, 'gieok_model_calls_total{outcome="timeout",task="extract"}') == 3


def test_the_longest_hold_up_leaves_out_waits_for_a_processor():
    metrics = Metrics()
    for late, queued in ((0.02, 0.0), (0.2, 0.19), (0.001, 0.0)):
        metrics.beat(late, queued)
    assert value(metrics, "gieok_event_loop_blocked_longest_seconds") == 0.02
    assert value(metrics, 'gieok_event_loop_lag_seconds_bucket{le="0.05"}') == 2


@pytest.mark.parametrize(("tries", "least", "most"), [(1, 4, 6), (2, 12, 18), (3, 36, 54), (14, 2_880, 4_320)])
def test_letters_are_tried_again_ever_later_but_within_the_hour(tries, least, most):
    assert all(least <= RetryPolicy().delay(tries) <= most for _ in range(50))
