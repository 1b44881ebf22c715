"""Promotion: whether a claim is worth storing, from six score parts and the surprise of a free sentence."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal

from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim
from gieok.domain.memory import Memory

TYPE_IMPORTANCE: Final[dict[ContentType, float]] = {
    "promise": 1.0, "constraint": 1.0, "decision": 0.8, "todo": 0.8, "profile": 0.8, "personal": 0.8,
    "preference": 0.6, "fact": 0.6, "event": 0.6, "timeline": 0.6, "insight": 0.6, "summary": 0.6,
    "trait": 0.5, "opinion": 0.5, "note": 0.3,
}  # fmt: skip
FUTURE_IMPACT_OF_FREE_TEXT: Final = 0.3
OFTEN: Final = 3  #: repetitions at which recurrence reaches 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionWeights:
    """Weights of the parts; the score is the weighted mean."""

    type_importance: float = 0.30
    confidence: float = 0.25
    future_impact: float = 0.15
    emotion: float = 0.10
    recurrence: float = 0.10
    novelty: float = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """The six parts, each 0–1, and their weighted mean."""

    type_importance: float
    confidence: float
    future_impact: float
    emotion: float
    recurrence: float
    novelty: float
    score: float


def promotion(claim: Claim, *, heard_before: int, novelty: float, weights: PromotionWeights) -> Promotion:
    """Score `claim`, heard `heard_before` times before; `novelty` is 1 if nothing similar is known."""
    schema = attribute(claim.attribute) if claim.attribute else None
    parts = {
        "type_importance": max(TYPE_IMPORTANCE[claim.content_type], schema.importance if schema else 0.0),
        "confidence": _unit(claim.certainty),
        "future_impact": schema.future_impact if schema else FUTURE_IMPACT_OF_FREE_TEXT,
        "emotion": _unit(claim.emotion_intensity),
        "recurrence": min(heard_before / OFTEN, 1.0),
        "novelty": _unit(novelty),
    }
    weight_of = {field.name: getattr(weights, field.name) for field in fields(weights)}
    total = sum(weight_of.values())
    score = sum(weight_of[name] * part for name, part in parts.items()) / total if total > 0 else 0.0
    return Promotion(**parts, score=score)


def _unit(number: float) -> float:
    return min(max(number, 0.0), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurpriseRules:
    """Similarity thresholds for repeated and predictable claims."""

    same: float = 0.85  #: at or above: a repetition
    predictable: float = 0.60  #: at or above: predictable
    worth_keeping: float = 0.70  #: predictable claims are kept from this importance on …
    dampened: float = 0.70  #: … with their importance multiplied by this
    boost: float = 0.30  #: added to importance at full surprise


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """What to do with a free claim, and its resulting importance."""

    verdict: Literal["same", "predictable", "new"]
    importance: float


def surprise(claim: Claim, nearest: Memory | None, similarity: float, rules: SurpriseRules) -> Surprise:
    """Compare `claim` with `nearest`, the most similar memory of the same subject."""
    if nearest is None or similarity < rules.predictable:
        boosted = claim.importance + (1.0 - max(similarity, 0.0)) * rules.boost
        return Surprise(verdict="new", importance=min(boosted, 1.0))
    if cannot_be_same(claim, nearest):
        return Surprise(verdict="new", importance=claim.importance)
    if similarity >= rules.same:
        return Surprise(verdict="same", importance=claim.importance)
    if claim.importance >= rules.worth_keeping:
        return Surprise(verdict="new", importance=claim.importance * rules.dampened)
    return Surprise(verdict="predictable", importance=claim.importance)


def cannot_be_same(claim: Claim, memory: Memory) -> bool:
    """Return whether the two differ in meaning, however similar their texts are."""
    return (
        (claim.subject, claim.subject_id) != (memory.subject, memory.subject_id)
        or claim.polarity != memory.polarity
        or frozenset(claim.details) != frozenset(memory.details)
    )
