"""From candidates to hits: an utterance collapses into the memory it gave, and each gets its parts and its score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.answer import Found, Hit, Item, Source
from gieok.domain.memory import FadingRates, Memory, strength_now
from gieok.domain.scope import Scope
from gieok.domain.scoring import Combine, Parts, RecencyRule, Weights, contributions, recency, weighed
from gieok.domain.upkeep import by_upkeep
from gieok.recall.gathering import Candidate, Support

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


@dataclass(slots=True)
class Ranked:
    """A candidate with its score. Many are ranked for every one that is chosen: only that one becomes a hit."""

    item: Item
    score: float
    _scope: Scope
    _support: Support
    _weights: Weights
    _recency: float
    _importance: float
    _strength: float

    @property
    def why(self) -> tuple[Found, ...]:
        return tuple(self._support.found)

    def hit(self, *, explain: bool = False) -> Hit:
        support = self._support
        parts = Parts(
            recency=self._recency,
            importance=self._importance,
            relevance=support.relevance,
            keyword=support.keyword,
            strength=self._strength,
            graph=support.graph,
        )
        return Hit(
            item=self.item,
            scope=self._scope,
            score=self.score,
            parts=parts,
            why=self.why,
            contributions=contributions(parts, self._weights) if explain else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """Gives candidates their parts and their score."""

    weights: Weights
    recency: RecencyRule
    fading: FadingRates
    combine: Combine

    @property
    def finding(self) -> Weights:
        """The weights by which candidates are looked for, before it is known who finds them."""
        return self.weights if self.combine == "sum" else self.weights.of_any()

    def ranked(self, candidates: list[Candidate], now: datetime, scope: Scope, turn_number: int) -> list[Ranked]:
        """Return the candidates of one scope with their scores, in no order."""
        rule, fading, weights, by_sum = self.recency, self.fading, self.weights, self.combine == "sum"
        ranked = []
        for candidate in _collapsed(candidates):  # one loop: hundreds pass here for every question
            item, support = candidate.item, candidate.support
            if isinstance(item, Memory):
                said_at = item.known_at if rule.since == "said" else _counted_from(item, now)
                importance, strength = item.importance, strength_now(item, turn_number, fading)
            else:
                said_at, importance, strength = item.at, support.importance, _SAID
            if not by_sum:
                weights = self.weights.among(_finders(support.found))
            fresh = recency(said_at, now, rule)
            score = weighed(weights, fresh, importance, support.relevance, support.keyword, strength, support.graph)
            ranked.append(Ranked(item, score, scope, support, weights, fresh, importance, strength))
        return ranked


def _counted_from(memory: Memory, now: datetime) -> datetime:
    used = memory.last_used_at
    return memory.known_at if used is None or used > now else max(memory.known_at, used)


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
