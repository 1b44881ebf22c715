"""A gate before the work on requests: one goes through at a time, and the event loop looks around in between.

Without it fifty callers who come at once are all begun in one go, and whatever else is due waits for the fifty.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Gate:
    """Lets one through in each round of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    async def pass_through(self) -> None:
        """Wait one's turn; where nobody else has come, not at all."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn, loop)
            return
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():  # whoever hung up meanwhile has no turn
                first.set_result(None)
                loop.call_soon(self._turn, loop)
                return
        self._turning = False
