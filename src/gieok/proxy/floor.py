"""Whose turn it is: one request at a time in a sitting, many sittings at once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Hashable
from threading import Lock


class Floor:
    """Who speaks. It is taken and left in any thread, and waited for in an event loop."""

    def __init__(self) -> None:
        self._taken: set[Hashable] = set()
        self._guard = Lock()
        self._waiting: defaultdict[Hashable, list[asyncio.Future[None]]] = defaultdict(list)

    def take(self, place: Hashable) -> bool:
        """Take it if it is free; return whether it was."""
        with self._guard:
            if place in self._taken:
                return False
            self._taken.add(place)
            return True

    def leave(self, place: Hashable) -> None:
        with self._guard:
            self._taken.discard(place)
            waiting = self._waiting.pop(place, ())
        for each in waiting:
            each.get_loop().call_soon_threadsafe(_wake, each)

    async def free(self, place: Hashable) -> None:
        """Wait until whoever has it leaves; somebody else may be faster in taking it then."""
        with self._guard:
            if place not in self._taken:
                return
            left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[place].append(left)
        await left


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
