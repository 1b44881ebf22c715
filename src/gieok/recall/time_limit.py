"""Calls that recall waits for only so long. They run in daemon threads; a late call finishes unheard."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from gieok.errors import EmbedderFailed
from gieok.ports import Embedder

if TYPE_CHECKING:
    from gieok.ports import Matrix

Result = TypeVar("Result")
_Jobs = SimpleQueue[tuple["Future[Any]", Callable[[], Any]]]

_IDLE_THREADS: Final = 8
_MOST_LATE: Final = 4  #: late calls of one source; until one of them returns, the source is not asked again


class SourceLate(Exception):
    """A source did not answer in time."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.source = source


class _Threads:
    """Daemon threads shared by all banks of this process. A source that hangs does not keep the program from ending."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all threads: after a fork they stay with the parent."""
        self._lock = Lock()
        self._idle: list[_Jobs] = []

    def start(self, work: Callable[[], Result]) -> Future[Result]:
        future: Future[Result] = Future()
        with self._lock:
            jobs = self._idle.pop() if self._idle else None
        if jobs is None:
            jobs = SimpleQueue()
            Thread(target=self._serve, args=(jobs,), name="gieok-recall", daemon=True).start()
        jobs.put((future, work))
        return future

    def _serve(self, jobs: _Jobs) -> None:
        stays = True
        while stays:
            future, work = jobs.get()
            try:
                answer = work()
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                future.set_exception(error)
            else:
                future.set_result(answer)
                del answer
            del future, work  # an idle thread must not keep a view or a bank alive
            with self._lock:
                stays = len(self._idle) < _IDLE_THREADS
                if stays:
                    self._idle.append(jobs)


_THREADS: Final = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THREADS.reset)


class TimeLimit:
    """How long recall waits for each of its sources."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late: Counter[str] = Counter()
        self._lock = Lock()

    def call(
        self,
        work: Callable[[], Result],
        running: Callable[[], tuple[str, float]],
        *,
        abandon: Callable[[Future[Result]], None] | None = None,
    ) -> Result:
        """Return what `work` returns, or raise `SourceLate` for the source that is late.

        `running` names the source that is being asked and since when; "" stands for none, which may take any time.
        `abandon` is told of a call that nobody waits for any more, before the error is raised.
        """
        source, since = running()
        if self._left(source, since) <= 0 or self.is_stuck(source):
            raise SourceLate(source)
        context = copy_context()
        future = _THREADS.start(lambda: context.run(work))
        try:
            while True:
                try:
                    return future.result(min(max(self._left(source, since), 0.0), TIMEOUT_MAX))
                except TimeoutError:
                    if future.done():  # the error is its own, or it ended just now
                        return future.result()
                source, since = running()
                if self._left(source, since) <= 0:
                    self._count_late(source, future)
                    raise SourceLate(source)
        finally:
            if abandon is not None and not future.done():
                abandon(future)

    def is_stuck(self, source: str) -> bool:
        """Return whether too many calls of `source` are late for another one to be worth a thread."""
        return self._late[source] >= _MOST_LATE

    def _left(self, source: str, since: float) -> float:
        return since + self.seconds - time.monotonic() if source else self.seconds

    def _count_late(self, source: str, future: Future[Any]) -> None:
        def returned(_: Future[Any]) -> None:
            with self._lock:
                self._late[source] -= 1

        with self._lock:
            self._late[source] += 1
        future.add_done_callback(returned)


@dataclass(slots=True)
class TimeLimitedEmbedder:
    """An embedder that fails when it takes too long over a question. Loading its model is not counted."""

    embedder: Embedder
    limit: TimeLimit
    _warm: bool = False

    @property
    def name(self) -> str:
        return self.embedder.name

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        self.warm()
        started = time.monotonic()
        try:
            return self.limit.call(lambda: self.embedder.embed(texts, purpose=purpose), lambda: ("embedder", started))
        except SourceLate as late:
            seconds = self.limit.seconds
            raise EmbedderFailed(f"embedder {self.name!r} did not answer within {seconds:g} s") from late

    def warm(self) -> None:
        if not self._warm:
            self.embedder.warm()
            self._warm = True
