"""Waiting for a source only so long. What is late is left alone: it finishes in the background, and nobody listens.

The work is done by a thread that is kept for the next one: handing over costs some 20 µs, starting a thread 100.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import copy_context
from dataclasses import dataclass, fields
from threading import TIMEOUT_MAX, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, Self, TypeVar

import numpy as np

from gieok.domain.answer import Context, Hit
from gieok.domain.scope import Scope
from gieok.errors import EmbedderFailed
from gieok.ports import Embedder, Layout, Match, Occurrences, Store, View, Watch, Weighed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gieok.ports import Matrix, Scores, Vector


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


SOURCES: Final = ("layout", "dense", "keyword", "topic")
_NOBODY: Final = ("", 0.0)


class Searchable(Protocol):
    """The part of a view that searches."""

    def layout(self) -> Layout: ...
    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]: ...
    def cosines(self, vector: Vector) -> Scores: ...
    def occurrences(self, words: Sequence[str]) -> list[Occurrences]: ...
    def beginnings(self, prefixes: Sequence[str]) -> list[Occurrences]: ...
    def weighed(self, words: Sequence[str]) -> list[Weighed] | None: ...
    def tagged(self, tags: Sequence[str]) -> list[Occurrences]: ...
    def people(self, text: str) -> dict[str, list[int]]: ...


class Reading(AbstractContextManager["Reading"]):
    """One scope, read for one question."""

    def __init__(self, store: Store, scope: Scope, patience: Patience) -> None:
        self._store = store
        self._scope = scope
        self._patience = patience
        self._without = {source for source in SOURCES if patience.hangs(source)}
        self._lease = _Lease(store.view(scope))
        self.took: dict[str, float] = {}  #: seconds by source

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._lease.release()

    @property
    def view(self) -> View:
        """The scope as it is read now; another one after a `search` in which a source was late."""
        return self._lease.view

    @property
    def late(self) -> list[str]:
        """What was left out, in words."""
        reason = f"no answer within {self._patience.seconds:g} s"
        named = {source: f"{source} search is off: {reason}" for source in SOURCES}
        named["layout"] = f"search is off: {reason}"
        return [words for source, words in named.items() if source in self._without]

    def search(self, work: Callable[[Searchable], Result]) -> Result:
        """Return what `work` finds; sources that are late find nothing. `work` may be done more than once."""
        while True:
            try:
                return self._attempt(work)
            except Late as late:
                self._without.add(late.source)
                self._note({late.source: self._patience.seconds})
                held, self._lease = self._lease, _Lease(self._store.view(self._scope))
                held.release()

    def _attempt(self, work: Callable[[Searchable], Result]) -> Result:
        watched = _Watched(self.view, frozenset(self._without))
        found = self._patience.call(self._lease.held_for(lambda: work(watched)), lambda: watched.running)
        self._note(watched.took)
        return found

    def _note(self, took: Mapping[str, float]) -> None:
        for source, seconds in took.items():
            self.took[source] = self.took.get(source, 0.0) + seconds


class _Lease:
    """A view that is left when its last user lets go of it."""

    def __init__(self, stay: AbstractContextManager[View]) -> None:
        self._stay = stay
        self._users = 1
        self._lock = Lock()
        self.view = stay.__enter__()

    def held_for(self, work: Callable[[], Result]) -> Callable[[], Result]:
        """Return `work` as another user's, who lets go when it is done."""
        with self._lock:
            self._users += 1

        def done_by_another() -> Result:
            try:
                return work()
            finally:
                self.release()

        return done_by_another

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self._stay.__exit__(None, None, None)


class _Watched:
    """A view's searches: says which is under way, and leaves out those that were late."""

    def __init__(self, view: View, without: frozenset[str]) -> None:
        self._view = view
        self._without = without
        self._layout: Layout | None = None
        self.running = _NOBODY
        self.took: dict[str, float] = {}

    def layout(self) -> Layout:
        if self._layout is None:
            self._layout = self._asked("layout", self._view.layout, _empty_layout)
        return self._layout

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        return self._asked("dense", lambda: self._view.dense(vector, limit, memories_only=memories_only), list)

    def cosines(self, vector: Vector) -> Scores:
        return self._asked(
            "dense", lambda: self._view.cosines(vector), lambda: np.full(len(self.layout().refs), -1, np.float32)
        )

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return self._asked("keyword", lambda: self._view.occurrences(words), lambda: _nowhere(words))

    def beginnings(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return self._asked("keyword", lambda: self._view.beginnings(prefixes), lambda: _nowhere(prefixes))

    def weighed(self, words: Sequence[str]) -> list[Weighed] | None:
        ranking = getattr(self._view, "weighed", None)  # a store that somebody plugged in may not know the question
        return self._asked("keyword", lambda: ranking(words) if ranking is not None else None, lambda: None)

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        return self._asked("topic", lambda: self._view.tagged(tags), lambda: _nowhere(tags))

    def people(self, text: str) -> dict[str, list[int]]:
        return self._asked("topic", lambda: self._view.people(text), dict)

    def _asked(self, source: str, ask: Callable[[], Result], without: Callable[[], Result]) -> Result:
        if source in self._without or "layout" in self._without:
            return without()
        begun = time.monotonic()
        self.running = (source, begun)
        try:
            return ask()
        finally:
            self.running = _NOBODY
            self.took[source] = self.took.get(source, 0.0) + time.monotonic() - begun


def _nowhere(words: Sequence[str]) -> list[Occurrences]:
    nothing = Occurrences(places=np.zeros(0, np.intp), times=np.zeros(0, np.intp))
    return [nothing for _ in words]


def _empty_layout() -> Layout:
    types = {"refs": np.int64, "is_memory": np.bool_, "lengths": np.int32, "marks": np.uint8}
    types |= {"parties": np.uint8, "moments": np.int64, "sittings": np.int32}
    return Layout(**{field.name: np.zeros(0, types[field.name]) for field in fields(Layout)})


What = Literal["recall", "context"]


class Stopwatch:
    """Runs while one question is answered."""

    def __init__(self, what: What, watch: Watch) -> None:
        self._what = what
        self._watch = watch
        self._begun = time.perf_counter()
        self._parts: dict[str, float] = {}

    def understood(self) -> None:
        """Note that the question is read, and has its vector."""
        self._parts["question"] = time.perf_counter() - self._begun

    def add(self, took: Mapping[str, float]) -> None:
        for source, seconds in took.items():
            self._parts[source] = self._parts.get(source, 0.0) + seconds

    def recalled(self, hits: list[Hit], troubles: Iterable[str]) -> None:
        self._told(len(hits), troubles)

    def assembled(self, context: Context) -> tuple[tuple[str, float], ...]:
        """Return what each source took, and all together."""
        for block in context.blocks:
            self._watch.counted("tokens", block.name, block.tokens)
        return self._told(len(context.hits), context.degraded)

    def _told(self, hits: int, troubles: Iterable[str]) -> tuple[tuple[str, float], ...]:
        self._parts["whole"] = time.perf_counter() - self._begun
        for source, seconds in self._parts.items():
            self._watch.took(self._what, source, seconds)
        self._watch.counted("hits", self._what, hits)
        for trouble in troubles:
            self._watch.counted("degraded", trouble.partition(" ")[0])  # "dense search is off: …"
        return tuple(self._parts.items())
