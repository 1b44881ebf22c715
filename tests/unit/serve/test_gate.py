"""Many who come at once are begun one by one."""

import asyncio
from itertools import pairwise

from gieok.serve.front import Gate


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
