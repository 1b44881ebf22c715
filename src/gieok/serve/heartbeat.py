"""A heart that beats in the event loop, and tells how long the loop was held up.

A beat may be late because this process was at something else, or because the machine had no processor for it. Where
the system tells how long a thread waited for a processor (Linux), the two are told apart.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

_BEAT: Final = 0.01  #: seconds


@asynccontextmanager
async def heartbeat(beat: Callable[[float, float], None]) -> AsyncIterator[None]:
    """Call `beat` again and again with how late it was, and for how long of that no processor was free."""
    beating = asyncio.create_task(_beat(beat), name="gieok-heartbeat")
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


async def _beat(beat: Callable[[float, float], None]) -> None:
    loop, queue = asyncio.get_running_loop(), RunQueue()
    try:
        while True:
            begun, waited = loop.time(), queue.waited()
            await asyncio.sleep(_BEAT)
            late = max(loop.time() - begun - _BEAT, 0.0)
            beat(late, min(queue.waited() - waited, late))
    finally:
        queue.close()


class RunQueue:
    """How long this thread has waited for a processor so far; 0 where the system does not tell."""

    def __init__(self) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def waited(self) -> float:
        if self._file is None:
            return 0.0
        try:
            return int(os.pread(self._file, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
