"""Whoever watches is told how long each source took, how much was found, and what had to be done without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gieok
from unit.recall.conftest import BrokenEncoder, told


class Watching:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, str], float] = {}
        self.counts: list[tuple[Any, ...]] = []

    def took(self, what: str, part: str, seconds: float) -> None:
        self.times[what, part] = seconds

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        self.counts.append((what, part, by))


def test_a_recall_and_a_context_tell_their_times_what_they_found_and_their_troubles(
    open_mind: Callable[..., gieok.Mind],
) -> None:
    watching = Watching()
    mind = told(open_mind(embedder=BrokenEncoder(), watch=watching))
    watching.times.clear()
    watching.counts.clear()
    hits = mind.recall("고양이", k=2)

    assert watching.times.keys() == {("recall", name) for name in ("question", "layout", "topic", "keyword", "whole")}
    assert 0 < watching.times["recall", "question"] < watching.times["recall", "whole"] < 60
    assert watching.counts == [("hits", "recall", len(hits)), ("degraded", "dense", 1.0)]
    watching.counts.clear()
    context = mind.context("고양이")

    assert dict(context.took) == {name: each for (what, name), each in watching.times.items() if what == "context"}
    tokens = [("tokens", block.name, block.tokens) for block in context.blocks]
    assert watching.counts == [*tokens, ("hits", "context", len(context.hits)), ("degraded", "dense", 1.0)]
