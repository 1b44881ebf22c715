"""Scores of candidates: six parts between 0 and 1, combined with free weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final, Literal

from gieok.errors import ErrorText, InvalidQuery

_DAY_SECONDS: Final = 86_400.0
RecencyCurve = Literal["exponential", "half_life"]
Since = Literal["said", "used"]
Combine = Literal["sum", "mean_of_sources"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a score, each 0–1."""

    recency: float = 0.0
    importance: float = 0.0
    relevance: float = 0.0  #: cosine with the query; for an utterance, including its neighbours
    keyword: float = 0.0  #: share of the query's words that it contains
    strength: float = 0.0
    graph: float = 0.0  #: its relation to the query by subject, person and time


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the score parts. They need not sum to 1."""

    recency: float = 0.03
    importance: float = 0.04
    relevance: float = 0.45
    keyword: float = 0.80
    strength: float = 0.02
    graph: float = 0.70

    def __post_init__(self) -> None:
        for field in fields(self):
            weight = getattr(self, field.name)
            if not math.isfinite(weight) or weight < 0:
                raise InvalidQuery(ErrorText("query.weight_value", name=field.name, weight=weight))

    def among(self, finders: Collection[str]) -> Weights:
        """Return the weights for candidates that only `finders` of relevance, keyword and graph found.

        The finders share the total weight of all three: these add up to their mean times their joint weight.
        """
        weights = {name: getattr(self, name) for name in SOURCE_PARTS}
        finding = sum(weights[name] for name in finders)
        flow = sum(weights.values()) / finding if finding > 0 else 0.0
        return replace(self, **{name: weight * flow * (name in finders) for name, weight in weights.items()})

    def of_any(self) -> Weights:
        """Return the weights for a search that may use a single finder: each gets the weight of all three."""
        together = sum(getattr(self, name) for name in SOURCE_PARTS)
        return replace(self, **{name: together for name in SOURCE_PARTS if getattr(self, name) > 0})

    def by_words(self) -> Weights:
        """Return the weights for a query without a vector: keyword gets the weight of relevance if its own is zero."""
        return self if self.keyword > 0 else replace(self, keyword=self.relevance)


PART_NAMES: Final = tuple(field.name for field in fields(Parts))
SOURCE_PARTS: Final = ("relevance", "keyword", "graph")  #: the parts that find candidates; the others only rank them


def weighed(
    weights: Weights, recency: float, importance: float, relevance: float, keyword: float, strength: float, graph: float
) -> float:
    """Return Σ weight × part. The parts are separate arguments: most candidates need no `Parts` object."""
    return (
        weights.recency * recency
        + weights.importance * importance
        + weights.relevance * relevance
        + weights.keyword * keyword
        + weights.strength * strength
        + weights.graph * graph
    )


def contributions(parts: Parts, weights: Weights) -> dict[str, float]:
    """Return weight × part for each part; they add up to `weighed`."""
    return {name: getattr(weights, name) * getattr(parts, name) for name in PART_NAMES}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecencyRule:
    """How recency falls with age: `exponential` exp(−days/scale), `half_life` ½ after `scale` days."""

    curve: RecencyCurve = "exponential"
    days: float = 30.0
    since: Since = "said"  #: start of the count: when it was said, or last used in a context


def recency(moment: datetime, now: datetime, rule: RecencyRule) -> float:
    """Return 1 for now and the future, falling towards 0 with the days since `moment`."""
    return recency_at(now, rule)(moment)


def recency_at(now: datetime, rule: RecencyRule) -> Callable[[datetime], float]:
    """Return a function that is `recency` for many moments."""
    decay = (math.log(2) if rule.curve == "half_life" else 1.0) / (rule.days * _DAY_SECONDS)

    def at(moment: datetime) -> float:
        seconds = (now - moment).total_seconds()
        return math.exp(-seconds * decay) if seconds > 0 else 1.0

    return at
