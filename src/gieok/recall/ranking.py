"""From candidates to hits: an utterance collapses into the memory it gave, each gets its parts, the best come first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.answer import Hit
from gieok.domain.fading import FadingRates, strength_now
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, RecencyRule, Weights, combined, recency
from gieok.language.text import fold
from gieok.recall.gathering import Candidate

_ASKED: Final = 0.5  #: a question is like the question that looks for its answer, and answers nothing
_SAID: Final = 0.3  #: strength of an utterance
_TELLS: Final = 0.6  #: importance of an utterance that tells something; of small talk: none


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """Gives candidates their parts and their score."""

    weights: Weights
    recency: RecencyRule
    fading: FadingRates

    def hits(self, candidates: list[Candidate], now: datetime, scope: Scope, turn_number: int) -> list[Hit]:
        """Return the candidates of one scope as hits, in no order."""
        return [self._hit(candidate, now, scope, turn_number) for candidate in _collapsed(candidates)]

    def _hit(self, candidate: Candidate, now: datetime, scope: Scope, turn_number: int) -> Hit:
        item, evidence = candidate.item, candidate.evidence
        if isinstance(item, Memory):
            said_at, importance = item.known_at, item.importance
            strength = strength_now(item, turn_number, self.fading)
        else:
            said_at, importance, strength = item.at, _TELLS if evidence.telling else 0.0, _SAID
            if item.text.rstrip().endswith("?"):
                evidence.relevance *= _ASKED
                evidence.keyword *= _ASKED
                evidence.topic *= _ASKED
        parts = Parts(
            recency=recency(said_at, now, self.recency),
            importance=importance,
            relevance=evidence.relevance,
            keyword=evidence.keyword,
            strength=strength,
            graph=evidence.graph,
            topic=evidence.topic,
        )
        return Hit(item=item, scope=scope, score=combined(parts, self.weights), parts=parts, why=tuple(evidence.found))


def best(hits: Iterable[Hit], k: int) -> list[Hit]:
    """Return the `k` best hits, each text once; ties go to the newer id."""
    ordered = sorted(hits, key=lambda hit: (-hit.score, hit.item.id))
    distinct: dict[str, Hit] = {}
    for hit in ordered:
        distinct.setdefault(fold(hit.text), hit)
        if len(distinct) == k:
            break
    return list(distinct.values())


def _collapsed(candidates: list[Candidate]) -> list[Candidate]:
    """Return `candidates` without the utterances that memories among them say all of; they inherit their support."""
    said = {candidate.item.id: candidate for candidate in candidates if not isinstance(candidate.item, Memory)}
    told: set[str] = set()
    for candidate in candidates:
        if not isinstance(candidate.item, Memory):
            continue
        for source in candidate.item.sources:
            utterance = said.get(source)
            if utterance is not None:
                if utterance.told:
                    told.add(source)
                own, theirs = candidate.evidence, utterance.evidence
                own.relevance = max(own.relevance, theirs.relevance)
                own.keyword = max(own.keyword, theirs.keyword)
                own.topic = max(own.topic, theirs.topic)
                own.found.extend(found for found in theirs.found if found not in own.found)
    return [candidate for candidate in candidates if candidate.item.id not in told]
