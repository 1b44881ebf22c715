"""The threads of a server: what waits for one is counted."""

import asyncio
from threading import Event

from gieok.serve.runtime import Pool

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

    with Pool(1) as pool:
        assert asyncio.run(given_up(pool)) == (2, 1, 0)
