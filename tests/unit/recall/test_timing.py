"""Whoever watches is told how long each source took, how much was found, and what had to be done without."""

from __future__ import annotations

from typing import Any

from gieok.domain.answer import Block, Context
from gieok.recall.reader import Stopwatch


class Watching:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, str], float] = {}
        self.counts: list[tuple[Any, ...]] = []

    def took(self, what: str, source: str, seconds: float) -> None:
        self.times[what, source] = seconds

    def counted(self, what: str, name: str, count: int = 1) -> None:
        self.counts.append((what, name, count))

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"nobody should tell of {name}")


def test_a_recall_tells_its_sources_times_its_hits_and_its_troubles() -> None:
    watching = Watching()
    stopwatch = Stopwatch("recall", watching)  # type: ignore[arg-type]  # it only listens
    stopwatch.question_ready()
    stopwatch.add({"dense": 0.25, "keyword": 0.5})
    stopwatch.add({"dense": 0.5})
    stopwatch.recalled([], ["dense search is off: no answer", "model is late"])

    assert watching.times.keys() == {("recall", name) for name in ("question", "dense", "keyword", "whole")}
    assert watching.times["recall", "dense"] == 0.75
    assert watching.times["recall", "keyword"] == 0.5
    assert 0 <= watching.times["recall", "question"] <= watching.times["recall", "whole"] < 60
    assert watching.counts == [("hits", "recall", 0), ("degraded", "dense", 1), ("degraded", "model", 1)]


def test_a_context_tells_the_tokens_of_its_blocks_and_returns_the_times() -> None:
    watching = Watching()
    blocks = (Block(name="talk", text="가", tokens=3), Block(name="message", text="나", tokens=2))
    whole = Context(query="나", blocks=blocks, messages=(), hits=(), budget=9, degraded=("keyword search is off",))
    stopwatch = Stopwatch("context", watching)  # type: ignore[arg-type]  # it only listens
    stopwatch.add({"topic": 0.5})
    took = dict(stopwatch.assembled(whole))

    assert took.keys() == {"topic", "whole"}
    assert took["topic"] == 0.5
    assert watching.counts == [
        ("tokens", "talk", 3), ("tokens", "message", 2), ("hits", "context", 0), ("degraded", "keyword", 1),
    ]  # fmt: skip
