"""Waiting for a source only so long. What is late is left alone: it finishes in the background, and nobody listens.

The work is done by a thread that is kept for the next one: handing over costs some 20 µs, starting a thread 100.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from threading import TIMEOUT_MAX, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from gieok.errors import EmbedderFailed
from gieok.ports import Embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gieok.ports import Matrix

Result = TypeVar("Result")

_KEPT: Final = 8  #: idle threads
_MOST_LATE: Final = 4  #: calls of one source that may hang at a time; until one returns, it is not asked again


class Late(Exception):
    """A source did not answer in time."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.source = source


class Task(Generic[Result]):
    """Work in another thread."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._context = copy_context()
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._finished = False
        self._late: Callable[[], None] | None = None
        self._guard = Lock()
        self._done = Lock()
        self._done.acquire()

    def do(self) -> None:
        try:
            self._result = self._context.run(self._work)
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            self._error = error
        with self._guard:
            self._finished = True
            late = self._late
        if late is not None:
            late()
        self._done.release()

    def done_within(self, seconds: float) -> bool:
        return self._done.acquire(timeout=min(max(seconds, 0.0), TIMEOUT_MAX))

    def abandon(self, afterwards: Callable[[], None]) -> None:
        """Call `afterwards` once it is done after all."""
        with self._guard:
            if not self._finished:
                self._late = afterwards
                return
        afterwards()

    def result(self) -> Result:
        """Return what the work returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]  # it is done, and did not fail


class _Worker:
    def __init__(self, crew: _Crew) -> None:
        self._crew = crew
        self._task: Task[Any] | None = None
        self._called = Lock()
        self._called.acquire()
        # A daemon: a source that never answers must not keep the program from ending.
        Thread(target=self._serve, name="gieok-source", daemon=True).start()

    def take(self, task: Task[Any]) -> None:
        self._task = task
        self._called.release()

    def _serve(self) -> None:
        stays = True
        while stays:
            self._called.acquire()
            task, self._task = self._task, None
            assert task is not None
            finish = task.do
            del task
            finish()
            del finish  # an idle thread must not keep a view or a bank alive
            stays = self._crew.back(self)


class _Crew:
    """The threads of this process, shared by all banks."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._idle: list[_Worker] = []

    def start(self, task: Task[Any]) -> None:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        (worker or _Worker(self)).take(task)

    def back(self, worker: _Worker) -> bool:
        with self._lock:
            stays = len(self._idle) < _KEPT
            if stays:
                self._idle.append(worker)
            return stays

    def forget(self) -> None:
        """After a fork: the threads stayed with the parent."""
        self._lock = Lock()
        self._idle = []


_CREW: Final = _Crew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_CREW.forget)


class Patience:
    """How long recall waits for each of its sources."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late: Counter[str] = Counter()
        self._lock = Lock()

    def call(self, work: Callable[[], Result], running: Callable[[], tuple[str, float]]) -> Result:
        """Return what `work` returns, or raise `Late` for the source that keeps it waiting.

        `running` names the source that is being asked ("": none, and that may take its time) and since when.
        """
        task = Task(work)
        source, since = running()
        wait = self._left(source, since)
        if wait <= 0 or self.hangs(source):
            raise Late(source)
        _CREW.start(task)
        while not task.done_within(wait):
            source, since = running()
            wait = self._left(source, since)
            if wait <= 0:
                self._abandon(task, source)
        return task.result()

    def _left(self, source: str, since: float) -> float:
        return since + self.seconds - time.monotonic() if source else self.seconds

    def hangs(self, source: str) -> bool:
        """Whether too many calls of `source` hang for another one to be worth its thread."""
        return self._late[source] >= _MOST_LATE

    def _abandon(self, task: Task[Any], source: str) -> None:
        with self._lock:
            self._late[source] += 1
        task.abandon(lambda: self._returned(source))
        raise Late(source)

    def _returned(self, source: str) -> None:
        with self._lock:
            self._late[source] -= 1


@dataclass(slots=True)
class PatientEmbedder:
    """An embedder that fails when it takes too long over a question. Loading its model is not counted."""

    embedder: Embedder
    patience: Patience
    _warm: bool = False

    @property
    def name(self) -> str:
        return self.embedder.name

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        if not self._warm:
            self.embedder.warm()
            self._warm = True
        started = time.monotonic()
        try:
            return self.patience.call(
                lambda: self.embedder.embed(texts, purpose=purpose), lambda: ("embedder", started)
            )
        except Late as late:
            seconds = self.patience.seconds
            raise EmbedderFailed(f"embedder {self.name!r} did not answer within {seconds:g} s") from late

    def warm(self) -> None:
        self.embedder.warm()
        self._warm = True
