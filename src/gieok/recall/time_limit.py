"""Calls that recall waits for only so long. They run in daemon threads; a late call finishes unheard.

A scope is searched the same way: a source that is late is left out and named, and the others answer.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Lock, Thread
from typing import TYPE_CHECKING, Any, Concatenate, Final, Literal, ParamSpec, Self, TypeVar

from gieok.domain.scope import Scope
from gieok.errors import EmbedderFailed, ErrorText
from gieok.ports import Embedder, Store, View

if TYPE_CHECKING:
    from gieok.ports import Matrix

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
_Jobs = SimpleQueue[tuple["Future[Any]", Callable[[], Any]]]

_IDLE_THREADS: Final = 8
_MOST_LATE: Final = 4  #: late calls of one source; until one of them returns, the source is not asked again
SOURCES: Final = {"layout": "search", **{each: f"{each} search" for each in ("dense", "keyword", "topic")}}


class SourceLate(Exception):
    """A source did not answer in time."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.source = source


def _started(work: Callable[[], Result]) -> Future[Result]:
    """Begin `work` in a daemon thread: a source that hangs does not keep the program from ending."""
    future: Future[Result] = Future()
    try:
        jobs = _IDLE.pop()
    except IndexError:
        jobs = SimpleQueue()
        Thread(target=_serve, args=(jobs,), name="gieok-recall", daemon=True).start()
    jobs.put((future, work))
    return future


def _serve(jobs: _Jobs) -> None:
    while True:
        future, work = jobs.get()
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            future.set_exception(error)
        del future, work  # an idle thread must not keep a view or a bank alive
        if len(_IDLE) >= _IDLE_THREADS:
            return
        _IDLE.append(jobs)


_IDLE: Final[list[_Jobs]] = []  #: threads of all banks that wait for work: a new one takes ten times as long
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # they stay with the parent


class Running:
    """Which source a piece of work is asking, and since when; "": none, which may take any time."""

    def __init__(self, source: str = "") -> None:
        self.now = (source, time.monotonic())


class TimeLimit:
    """How long recall waits for each of its sources."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._late: Counter[str] = Counter()
        self._lock = Lock()

    def call(
        self, work: Callable[[], Result], running: Running, *, abandon: Callable[[Future[Result]], None] | None = None
    ) -> Result:
        """Return what `work` returns, or raise `SourceLate` for the source that is late.

        `work` keeps `running` up to date. `abandon` is told of a call that nobody waits for any more, before the
        error is raised.
        """
        source, left = self._left(running)
        if left <= 0 or self.is_stuck(source):
            raise SourceLate(source)
        future = _started(partial(copy_context().run, work))
        try:
            while left > 0:
                try:
                    return future.result(min(left, TIMEOUT_MAX))
                except TimeoutError:
                    if future.done():  # the error is its own, or it ended just now
                        return future.result()
                source, left = self._left(running)
            self._count_late(source, future)
            raise SourceLate(source)
        finally:
            if abandon is not None and not future.done():
                abandon(future)

    def _left(self, running: Running) -> tuple[str, float]:
        """Return the source that is asked, and the seconds that it has left."""
        source, since = running.now
        return source, since + self.seconds - time.monotonic() if source else self.seconds

    def is_stuck(self, source: str) -> bool:
        """Return whether too many calls of `source` are late for another one to be worth a thread."""
        return self._late[source] >= _MOST_LATE

    def _count_late(self, source: str, future: Future[Any]) -> None:
        def returned(_: Future[Any]) -> None:
            with self._lock:
                self._late[source] -= 1

        with self._lock:
            self._late[source] += 1
        future.add_done_callback(returned)


class TimeLimitedEmbedder:
    """An embedder that fails when it takes too long over a question. Loading its model is not counted."""

    def __init__(self, embedder: Embedder, limit: TimeLimit) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._limit = limit
        self._warm = False

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        if not self._warm:
            self.warm()
        try:
            return self._limit.call(partial(self._embedder.embed, texts, purpose=purpose), Running("embedder"))
        except SourceLate as late:
            seconds = self._limit.seconds
            raise EmbedderFailed(ErrorText("embedder.late", name=self.name, seconds=seconds)) from late

    def warm(self) -> None:
        self._embedder.warm()
        self._warm = True


@dataclass(slots=True)
class Search(Running):
    """The searches of one view, for one piece of work."""

    view: View
    off: frozenset[str] = frozenset()
    took: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    now: tuple[str, float] = ("", 0.0)

    def ask(
        self, source: str, search: Callable[Arguments, Result], *arguments: Arguments.args, **options: Arguments.kwargs
    ) -> Result | None:
        """Return what `search` finds; None: its source is off."""
        if source in self.off or "layout" in self.off:
            return None
        started = time.monotonic()
        self.now = (source, started)
        try:
            return search(*arguments, **options)
        finally:
            self.now = ("", 0.0)
            self.took[source] += time.monotonic() - started


@dataclass(slots=True)
class ScopeReader:
    """A snapshot of one scope, searched under a time limit."""

    store: Store
    scope: Scope
    limit: TimeLimit
    took: defaultdict[str, float]  #: seconds by source, of all readers of one call
    view: View = field(init=False)  #: the snapshot; a search in which a source is late begins another one
    _snapshot: AbstractContextManager[View] = field(init=False)
    off: set[str] = field(default_factory=set)  #: sources that are not asked

    def __enter__(self) -> Self:
        self.off.update(source for source in SOURCES if self.limit.is_stuck(source))
        self._snapshot = self.store.view(self.scope)
        self.view = self._snapshot.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._snapshot.__exit__(None, None, None)

    def search(
        self,
        work: Callable[Concatenate[Search, Arguments], Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Return what `work` finds; it may be done more than once."""
        while True:
            search = Search(self.view, frozenset(self.off))
            try:
                found: Result = self.limit.call(
                    partial(work, search, *arguments, **options), search, abandon=self._abandon
                )
            except SourceLate as late:
                self.off.add(late.source)
                self.took[late.source] += self.limit.seconds
                continue
            for source, seconds in search.took.items():
                self.took[source] += seconds
            return found

    def late(self) -> list[str]:
        """Return what was left out, in words."""
        reason = f"no answer within {self.limit.seconds:g} s"
        return [f"{name} is off: {reason}" for source, name in SOURCES.items() if source in self.off]

    def _abandon(self, late: Future[Any]) -> None:
        """Leave the snapshot to the late call that still reads from it, and begin another one."""
        snapshot, self._snapshot = self._snapshot, nullcontext(self.view)
        late.add_done_callback(lambda _: snapshot.__exit__(None, None, None))
        self.__enter__()
