"""Work in a thread of its own: one can stop waiting for it, and Ctrl-C does not tear it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def elsewhere(work: Callable[[], Result], *, must_end: bool) -> Future[Result]:
    """Begin `work`; a program that ends waits for what `must_end`, and for nothing else."""
    future: Future[Result] = Future()
    context = copy_context()

    def do() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            future.set_exception(error)

    Thread(target=do, name="gieok-talk", daemon=not must_end).start()
    return future


def finished(work: Callable[[], Result]) -> Result:
    """Return what `work` returns. Ctrl-C waits until it is done, and is raised then."""
    try:
        future = elsewhere(work, must_end=True)
    except RuntimeError:  # no thread is to be had, as when the interpreter ends: better here than not at all
        return work()
    try:
        return future.result()
    except KeyboardInterrupt:
        future.exception()
        raise
