"""The threads of a server: few, so that they do not fight over the processor; what comes later waits its turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import anyio.to_thread

from gieok.serve.metrics import Metrics

Given = ParamSpec("Given")
Result = TypeVar("Result")


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

        return super().submit(begun)

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
