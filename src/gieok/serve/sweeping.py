"""Sweeping up what the interpreter cannot throw away at once, when nobody waits for an answer.

Looking through everything that is alive stops all threads, for a tenth of a second where many memories are at hand.
Python would do it in the middle of a request; here it is done between two, and among many callers seldom.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

_NEVER: Final = 1_000_000  #: younger collections until the interpreter looks through everything by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeps:
    """How often, in seconds."""

    look: float = 1.0
    idle: float = 30.0  #: … at the most, when nobody is there
    busy: float = 600.0  #: … when somebody always is


@asynccontextmanager
async def sweeping(visitors: Callable[[], int], sweeps: Sweeps | None = None) -> AsyncIterator[None]:
    """Sweep meanwhile; `visitors` says how many wait for an answer."""
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], _NEVER)
    task = asyncio.create_task(_sweep(visitors, sweeps or Sweeps()), name="gieok-sweeping")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.set_threshold(*before)


async def _sweep(visitors: Callable[[], int], sweeps: Sweeps) -> None:
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(sweeps.look)
        if loop.time() - last >= (sweeps.busy if visitors() else sweeps.idle):
            gc.collect()
            last = loop.time()
