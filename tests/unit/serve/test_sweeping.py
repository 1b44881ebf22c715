"""What refers to itself is swept up between requests."""

import asyncio
import gc
import weakref

import pytest

from gieok.serve.runtime import GcIntervals, collecting_garbage


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
