"""One at a time, and whoever waits is woken."""

import asyncio

from gieok.proxy.history import SessionLocks


def test_a_place_is_taken_once_and_another_is_free():
    floor = SessionLocks()
    assert floor.take("낮")
    assert not floor.take("낮")
    assert floor.take("밤")
    floor.leave("낮")
    assert floor.take("낮")


def test_whoever_waits_is_woken_when_it_is_left_in_another_thread():
    floor = SessionLocks()
    floor.take("낮")

    async def wait() -> None:
        waiting = [asyncio.ensure_future(floor.free("낮")) for _ in range(3)]
        waiting[0].cancel()
        await asyncio.to_thread(floor.leave, "낮")
        await asyncio.gather(*waiting[1:])
        await floor.free("낮")  # nobody has it: at once

    asyncio.run(asyncio.wait_for(wait(), 10))
