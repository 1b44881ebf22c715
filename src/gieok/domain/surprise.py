"""How surprising a free sentence is, compared with what is already remembered.

For claims without an attribute only. Similarity is a hint, never a proof: the encoder puts 고양이를 좋아함 and
고양이를 싫어함 at 0.89, so sentences that differ in subject, polarity, number, date or name are never the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class SurpriseRules:
    """Where likeness ends and surprise begins."""

    same: float = 0.85  #: at or above: the same thing said again
    predictable: float = 0.60  #: at or above: nothing much new
    worth_keeping: float = 0.70  #: predictable news is kept from this importance on …
    dampened: float = 0.70  #: … at this share of it
    boost: float = 0.30  #: what full surprise adds to importance


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """What to do with a free claim, and the importance it then has."""

    verdict: Literal["same", "predictable", "new"]
    importance: float


def surprise(claim: Claim, nearest: Memory | None, similarity: float, rules: SurpriseRules) -> Surprise:
    """Weigh `claim` against `nearest`, the most similar memory of the same subject."""
    if nearest is None or similarity < rules.predictable:
        boosted = claim.importance + (1.0 - max(similarity, 0.0)) * rules.boost
        return Surprise(verdict="new", importance=min(boosted, 1.0))
    if differs(claim, nearest):
        return Surprise(verdict="new", importance=claim.importance)
    if similarity >= rules.same:
        return Surprise(verdict="same", importance=claim.importance)
    if claim.importance >= rules.worth_keeping:
        return Surprise(verdict="new", importance=claim.importance * rules.dampened)
    return Surprise(verdict="predictable", importance=claim.importance)


def differs(claim: Claim, memory: Memory) -> bool:
    """Whether the two cannot mean the same, however alike they sound."""
    return (
        (claim.subject, claim.subject_id) != (memory.subject, memory.subject_id)
        or claim.polarity != memory.polarity
        or frozenset(claim.details) != frozenset(memory.details)
    )
