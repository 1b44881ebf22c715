"""Reading one scope while a question is answered, from sources that may be slow.

A source that takes too long is cut: its call goes on in the background, with the view that it uses, and the search is
done once more in a fresh view without it. So no later query waits behind the late one, and its view is left only when
nobody uses it any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar

import numpy as np

from gieok.domain.scope import Scope
from gieok.ports import Layout, Match, Occurrences, Store, View, Weighed
from gieok.recall.patience import Late, Patience

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector

Result = TypeVar("Result")

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
