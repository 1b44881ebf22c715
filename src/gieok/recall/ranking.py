"""From candidates to hits: an utterance collapses into the memory it gave, each gets its parts, the best come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.answer import Found, Hit, Source
from gieok.domain.fading import FadingRates, strength_now
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Combine, Parts, RecencyRule, Weights, combined, contributions, recency
from gieok.domain.upkeep import by_upkeep
from gieok.recall.gathering import Candidate

_SAID: Final = 0.3  #: strength of an utterance
_PART_OF: Final[Mapping[Source, str]] = {
    "dense": "relevance",
    "keyword": "keyword",
    "topic": "graph",
    "speaker": "graph",
    "person": "graph",
    "period": "graph",
    "value": "graph",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """Gives candidates their parts and their score."""

    weights: Weights
    recency: RecencyRule
    fading: FadingRates
    combine: Combine
    explain: bool = False  #: also say what each part contributes

    @property
    def finding(self) -> Weights:
        """The weights by which candidates are looked for, before it is known who finds them."""
        return self.weights if self.combine == "sum" else self.weights.of_any()

    def hits(self, candidates: list[Candidate], now: datetime, scope: Scope, turn_number: int) -> list[Hit]:
        """Return the candidates of one scope as hits, in no order."""
        return [self._hit(candidate, now, scope, turn_number) for candidate in _collapsed(candidates)]

    def _hit(self, candidate: Candidate, now: datetime, scope: Scope, turn_number: int) -> Hit:
        item, support = candidate.item, candidate.support
        if isinstance(item, Memory):
            said_at, importance = self._counted_from(item, now), item.importance
            strength = strength_now(item, turn_number, self.fading)
        else:
            said_at, importance, strength = item.at, support.importance, _SAID
        parts = Parts(
            recency=recency(said_at, now, self.recency),
            importance=importance,
            relevance=support.relevance,
            keyword=support.keyword,
            strength=strength,
            graph=support.graph,
        )
        weights = self.weights if self.combine == "sum" else self.weights.among(_finders(support.found))
        return Hit(
            item=item,
            scope=scope,
            score=combined(parts, weights),
            parts=parts,
            why=tuple(support.found),
            contributions=contributions(parts, weights) if self.explain else None,
        )

    def _counted_from(self, memory: Memory, now: datetime) -> datetime:
        used = memory.last_used_at
        if self.recency.since == "said" or used is None or used > now:
            return memory.known_at
        return max(memory.known_at, used)


def _finders(found: Iterable[Found]) -> set[str]:
    return {_PART_OF[each.source] for each in found if each.source in _PART_OF}


def _collapsed(candidates: list[Candidate]) -> list[Candidate]:
    """Return `candidates` without the utterances that memories among them say all of; they inherit their support."""
    said = {candidate.item.id: candidate for candidate in candidates if not isinstance(candidate.item, Memory)}
    told: set[str] = set()
    for candidate in candidates:
        if not isinstance(candidate.item, Memory) or by_upkeep(candidate.item):
            continue  # what was concluded from many words is not what each of them says
        for source in candidate.item.sources:
            utterance = said.get(source)
            if utterance is not None:
                if utterance.told:
                    told.add(source)
                candidate.support.take_over(utterance.support)
    return [candidate for candidate in candidates if candidate.item.id not in told]
