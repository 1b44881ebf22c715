"""What `peers.py` found; `--json` writes it with these keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from figures import Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How well the turns that answer a question are found."""

    questions: int
    recall_at_10: float
    mrr: float
    recall_by_category: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One peer at one size; milliseconds, megabytes."""

    size: int
    added: int
    cut: bool  #: it took longer than it may
    add_wall: Spread
    add_cpu: Spread
    search_wall: Spread
    search_cpu: Spread
    peak_mb: float | None
    disk_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """All of one contender; `trouble` says what went wrong, and what was measured before stays."""

    name: str
    how: str
    finding: Finding | None = None
    stages: tuple[Stage, ...] = ()
    trouble: str | None = None

    def at(self, size: int) -> Stage | None:
        return next((stage for stage in self.stages if stage.size == size), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run."""

    embedder: str
    conversations: int
    turns: int
    sizes: tuple[int, ...]
    limit_seconds: float
    results: tuple[Result, ...]

    def of(self, name: str) -> Result | None:
        return next((result for result in self.results if result.name == name), None)


def stage_from(told: dict[str, Any]) -> Stage:
    """Return a stage as a worker tells it."""
    spreads = {name: Spread(**value) for name, value in told.items() if isinstance(value, dict)}
    return Stage(**{**told, **spreads})
