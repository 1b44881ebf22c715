"""How well a remembered thing answers a question: seven parts between 0 and 1, and free weights."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final, Literal

from gieok.errors import InvalidQuery

_DAY_SECONDS: Final = 86_400.0
RecencyCurve = Literal["exponential", "half_life"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a score, each 0–1."""

    recency: float = 0.0
    importance: float = 0.0
    relevance: float = 0.0  #: cosine with the question
    keyword: float = 0.0  #: BM25, against the best of the list
    strength: float = 0.0
    graph: float = 0.0  #: support from what stands beside it
    topic: float = 0.0  #: whether it is about the attribute that is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each part counts. They need not sum to 1."""

    recency: float = 0.05
    importance: float = 0.20
    relevance: float = 0.45
    keyword: float = 0.40
    strength: float = 0.05
    graph: float = 0.10
    topic: float = 0.80

    def __post_init__(self) -> None:
        for field in fields(self):
            weight = getattr(self, field.name)
            if not math.isfinite(weight) or weight < 0:
                raise InvalidQuery(f"weight {field.name}={weight} must be a finite number of at least 0")


PART_NAMES: Final = tuple(field.name for field in fields(Parts))


def combined(parts: Parts, weights: Weights) -> float:
    """Return Σ weight × part."""
    return (
        weights.recency * parts.recency
        + weights.importance * parts.importance
        + weights.relevance * parts.relevance
        + weights.keyword * parts.keyword
        + weights.strength * parts.strength
        + weights.graph * parts.graph
        + weights.topic * parts.topic
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecencyRule:
    """How the past pales: `exponential` exp(−days/scale), `half_life` ½ after `scale` days."""

    curve: RecencyCurve = "exponential"
    days: float = 30.0


def recency(moment: datetime, now: datetime, rule: RecencyRule) -> float:
    """Return 1 for now (and the future), falling towards 0 with the days since `moment`."""
    days = max((now - moment).total_seconds() / _DAY_SECONDS, 0.0)
    if rule.curve == "half_life":
        return float(0.5 ** (days / rule.days))
    return math.exp(-days / rule.days)
