"""One scope, read for one question. A source that is late is left out and named; the others answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self, TypeVar

import numpy as np

from gieok.domain.answer import Context, Hit
from gieok.domain.scope import Scope
from gieok.ports import Layout, Match, Occurrences, Store, View, Watch, WordWeights
from gieok.recall.time_limit import SourceLate, TimeLimit

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector

Result = TypeVar("Result")
SOURCES: Final = ("layout", "dense", "keyword", "topic")


class Searchable(Protocol):
    """The part of a view that searches."""

    def layout(self) -> Layout: ...
    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]: ...
    def cosines(self, vector: Vector) -> Scores: ...
    def occurrences(self, words: Sequence[str]) -> list[Occurrences]: ...
    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]: ...
    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None: ...
    def tagged(self, tags: Sequence[str]) -> list[Occurrences]: ...
    def people(self, text: str) -> dict[str, list[int]]: ...


class ScopeReader(AbstractContextManager["ScopeReader"]):
    """A snapshot of one scope, searched under a time limit."""

    def __init__(self, store: Store, scope: Scope, limit: TimeLimit) -> None:
        self._store = store
        self._scope = scope
        self._limit = limit
        self._off = {source for source in SOURCES if limit.is_stuck(source)}
        self._snapshot: AbstractContextManager[View] | None = None
        self.took: dict[str, float] = {}  #: seconds by source

    def __exit__(self, *exception: object) -> None:
        if self._snapshot is not None:
            self._snapshot.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    @property
    def view(self) -> View:
        """The scope as it is read now. A search in which a source was late begins another snapshot."""
        if self._snapshot is None:
            self._snapshot = self._store.view(self._scope)
            self._view = self._snapshot.__enter__()
        return self._view

    @property
    def late(self) -> list[str]:
        """What was left out, in words."""
        reason = f"no answer within {self._limit.seconds:g} s"
        names = {source: f"{source} search" for source in SOURCES} | {"layout": "search"}
        return [f"{name} is off: {reason}" for source, name in names.items() if source in self._off]

    def search(self, work: Callable[[Searchable], Result]) -> Result:
        """Return what `work` finds; sources that are late find nothing. `work` may be done more than once."""
        while True:
            try:
                return self._search_once(work, _Sources(self.view, frozenset(self._off)))
            except SourceLate as late:
                self._off.add(late.source)
                self._add_times({late.source: self._limit.seconds})

    def _search_once(self, work: Callable[[Searchable], Result], sources: _Sources) -> Result:
        found: Result = self._limit.call(lambda: work(sources), sources.now_running, abandon=self._leave_snapshot)
        self._add_times(sources.took)
        return found

    def _leave_snapshot(self, late: Future[Any]) -> None:
        """Leave the snapshot to the late call that still reads from it."""
        snapshot, self._snapshot = self._snapshot, None
        if snapshot is not None:
            late.add_done_callback(lambda _: snapshot.__exit__(None, None, None))

    def _add_times(self, took: Mapping[str, float]) -> None:
        for source, seconds in took.items():
            self.took[source] = self.took.get(source, 0.0) + seconds


class _Sources:
    """A view's searches. It knows which one is running, and answers with nothing for those that are off."""

    def __init__(self, view: View, off: frozenset[str]) -> None:
        self._view = view
        self._off = off
        self._layout: Layout | None = None
        self._running = ("", 0.0)
        self.took: dict[str, float] = {}

    def now_running(self) -> tuple[str, float]:
        return self._running

    def layout(self) -> Layout:
        if self._layout is None:
            self._layout = self._ask("layout", self._view.layout, _empty_layout)
        return self._layout

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        return self._ask("dense", lambda: self._view.dense(vector, limit, memories_only=memories_only), list)

    def cosines(self, vector: Vector) -> Scores:
        return self._ask(
            "dense", lambda: self._view.cosines(vector), lambda: np.full(len(self.layout().refs), -1, np.float32)
        )

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return self._ask("keyword", lambda: self._view.occurrences(words), lambda: _nowhere(words))

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return self._ask("keyword", lambda: self._view.prefix_occurrences(prefixes), lambda: _nowhere(prefixes))

    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None:
        ranking = getattr(self._view, "word_weights", None)  # a plugged-in store may not rank words
        return self._ask("keyword", lambda: ranking(words) if ranking is not None else None, lambda: None)

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        return self._ask("topic", lambda: self._view.tagged(tags), lambda: _nowhere(tags))

    def people(self, text: str) -> dict[str, list[int]]:
        return self._ask("topic", lambda: self._view.people(text), dict)

    def _ask(self, source: str, search: Callable[[], Result], nothing: Callable[[], Result]) -> Result:
        if source in self._off or "layout" in self._off:
            return nothing()
        started = time.monotonic()
        self._running = (source, started)
        try:
            return search()
        finally:
            self._running = ("", 0.0)
            self.took[source] = self.took.get(source, 0.0) + time.monotonic() - started


def _nowhere(words: Sequence[str]) -> list[Occurrences]:
    nothing = Occurrences(places=np.zeros(0, np.intp), times=np.zeros(0, np.intp))
    return [nothing for _ in words]


def _empty_layout() -> Layout:
    types = {"refs": np.int64, "is_memory": np.bool_, "lengths": np.int32, "marks": np.uint8}
    types |= {"parties": np.uint8, "moments": np.int64, "sittings": np.int32}
    return Layout(**{field.name: np.zeros(0, types[field.name]) for field in fields(Layout)})


class Stopwatch:
    """Measures one recall or context, and reports it to whoever watches."""

    def __init__(self, what: Literal["recall", "context"], watch: Watch) -> None:
        self._what = what
        self._watch = watch
        self._started = time.perf_counter()
        self._parts: dict[str, float] = {}

    def question_ready(self) -> None:
        """Note that the question is read and has its vector."""
        self._parts["question"] = time.perf_counter() - self._started

    def add(self, took: Mapping[str, float]) -> None:
        for source, seconds in took.items():
            self._parts[source] = self._parts.get(source, 0.0) + seconds

    def recalled(self, hits: list[Hit], degraded: Iterable[str]) -> None:
        self._report(len(hits), degraded)

    def assembled(self, context: Context) -> tuple[tuple[str, float], ...]:
        """Return what each source took, and all together."""
        for block in context.blocks:
            self._watch.counted("tokens", block.name, block.tokens)
        return self._report(len(context.hits), context.degraded)

    def _report(self, hits: int, degraded: Iterable[str]) -> tuple[tuple[str, float], ...]:
        self._parts["whole"] = time.perf_counter() - self._started
        for source, seconds in self._parts.items():
            self._watch.took(self._what, source, seconds)
        self._watch.counted("hits", self._what, hits)
        for each in degraded:
            self._watch.counted("degraded", each.partition(" ")[0])  # "dense search is off: …"
        return tuple(self._parts.items())
