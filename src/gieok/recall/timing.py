"""How long the sources of an answer took, and what whoever watches is told of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Literal

from gieok.domain.answer import Context, Hit
from gieok.ports import Watch

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
