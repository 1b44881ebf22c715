"""What keeps a server answering: few threads, a heartbeat in its event loop, sweeping up while nobody waits."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

import anyio.to_thread

from gieok.serve.metrics import Metrics

Given = ParamSpec("Given")
Result = TypeVar("Result")
_BEAT: Final = 0.01  #: seconds
_NEVER: Final = 1_000_000  #: younger collections until the interpreter looks through everything by itself


class Pool(ThreadPoolExecutor):
    """Threads for what the event loop hands on. It is not waited for: the bank, when it closes, hangs up on models."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads, thread_name_prefix="gieok-serve")
        self.waiting = 0

    def submit(self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        self.waiting += 1

        def begun() -> Result:
            self.waiting -= 1
            return fn(*args, **kwargs)

        future = super().submit(begun)
        future.add_done_callback(self._given_up)
        return future

    def _given_up(self, future: Future[Any]) -> None:
        if future.cancelled():  # only what has not begun can be
            self.waiting -= 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=cancel_futures)


def bound_threads(threads: int, metrics: Metrics) -> None:
    """Have the running event loop use no more than `threads` for requests, and as many for what streams."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = threads
    pool = Pool(threads)
    asyncio.get_running_loop().set_default_executor(pool)

    def waiting() -> Any:
        return limiter.statistics().tasks_waiting + pool.waiting

    metrics.gauge("gieok_queue_depth", "Work that waits for a thread", waiting)
    metrics.gauge("gieok_threads_busy", "Requests that are worked on", lambda: limiter.borrowed_tokens)


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
