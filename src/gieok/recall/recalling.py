"""Answering a question from memory: hits with their scores, or a whole context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from gieok.domain.answer import Context, Found, Hit, Item, Where
from gieok.domain.budget import Caps
from gieok.domain.fading import FadingRates
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, RecencyRule, Weights
from gieok.domain.turn import Turn
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import Clock, Embedder, MemoryFilter, Store, View
from gieok.recall.assembling import Materials, assembled
from gieok.recall.gathering import gathered, nearest_facts
from gieok.recall.listing import present
from gieok.recall.question import Question, asked
from gieok.recall.ranking import Ranker, best
from gieok.recall.wording import WORDINGS

_KNOWN: Final = 100  #: facts that a context may fill up with


@dataclass(frozen=True, slots=True, kw_only=True)
class Recaller:
    """Answers questions. It never writes."""

    store: Store
    embedder: Embedder
    clock: Clock
    weights: Weights
    recency: RecencyRule
    fading: FadingRates
    caps: Caps
    search_turns: bool
    recent_turns: int
    language: str
    zone: tzinfo

    def recall(
        self, scope: Scope, query: str, *, k: int, at: datetime | None, where: Where, weights: Weights | None
    ) -> list[Hit]:
        """Return the `k` best answers from the scope and the canon it may read, best first."""
        if k < 1:
            raise InvalidQuery(f"k={k}: ask for at least one hit")
        question = asked(query, self.embedder)
        now = at
        hits: list[Hit] = []
        for readable, view in self._views(scope):
            now = now or present(view, self.clock)
            hits += self._hits(view, question, readable, now, where, weights or self.weights, k)
        return best(hits, k)

    def context(
        self, scope: Scope, query: str, *, budget: int, k: int, at: datetime | None, include: Iterable[str]
    ) -> Context:
        """Return what a model should see before it answers `query`; `include` names items to put in first."""
        if budget < 1:
            raise InvalidQuery(f"budget={budget}: a context needs at least one token")
        question = asked(query, self.embedder)
        wanted = tuple(include)
        now = at
        found: list[Hit] = []
        known: list[Hit] = []
        chosen: dict[str, Hit] = {}
        always: list[Memory] = []
        turns: list[Turn] = []
        for readable, view in self._views(scope):
            now = now or present(view, self.clock)
            found += self._hits(view, question, readable, now, Where(), self.weights, k)
            if readable == scope:
                known += self._known(view, question, scope, now)
            always += view.memories(MemoryFilter(pinned=True, current_at=now))
            chosen |= _included(view, readable, wanted)
            if readable == scope:
                turns = _without(
                    view.forgotten_words(), [turn for turn in view.turns(self.recent_turns) if turn.at <= now]
                )
        for item_id in wanted:
            if item_id not in chosen:
                raise UnknownMemory(item_id)
        materials = Materials(
            query=question.text,
            scope=scope,
            pinned=always,
            hits=[
                *(chosen[item_id] for item_id in wanted),
                *(hit for hit in best(found, k) if hit.item.id not in chosen),
            ],
            known=best(known, _KNOWN),
            turns=turns,
            zone=self.zone,
            degraded=question.degraded,
        )
        return assembled(materials, budget=budget, caps=self.caps, wording=WORDINGS[self.language])

    def _known(self, view: View, question: Question, scope: Scope, now: datetime) -> list[Hit]:
        """Return the facts about the user, nearest to the question first: they fill what room is left."""
        if question.vector is None:
            return []
        facts = nearest_facts(view, question, now, _KNOWN)
        ranker = Ranker(weights=self.weights, recency=self.recency, fading=self.fading)
        return ranker.hits(facts, now, scope, view.turn_number)

    def _views(self, scope: Scope) -> Iterator[tuple[Scope, View]]:
        """Yield the scope and the canon it may read, each in one snapshot; canon that was never written is left out."""
        for readable in scope.readable():
            with self.store.view(readable) as view:
                if readable == scope or view.version > 0:
                    yield readable, view

    def _hits(
        self, view: View, question: Question, scope: Scope, now: datetime, where: Where, weights: Weights, k: int
    ) -> list[Hit]:
        ranker = Ranker(weights=weights, recency=self.recency, fading=self.fading)
        candidates = gathered(view, question, now, where, search_turns=self.search_turns, weights=weights, k=k)
        return ranker.hits(candidates, now, scope, view.turn_number)


def _included(view: View, scope: Scope, item_ids: tuple[str, ...]) -> dict[str, Hit]:
    """Return those of the named items that `view` has, as hits."""
    if not item_ids:
        return {}
    refs = view.refs(item_ids)
    items = view.items(refs.values())
    silent = view.forgotten_words()
    return {
        item_id: Hit(item=items[ref], scope=scope, score=1.0, parts=Parts(), why=(Found(source="included", rank=rank),))
        for rank, (item_id, ref) in enumerate(refs.items(), start=1)
        if item_id not in silent and not _is_hidden(items[ref])
    }


def _is_hidden(item: Item) -> bool:
    return isinstance(item, Memory) and item.hidden


def _without(silent: frozenset[str], turns: list[Turn]) -> list[Turn]:
    """Return `turns` without the utterances in `silent`."""
    heard = (
        replace(turn, utterances=tuple(each for each in turn.utterances if each.id not in silent)) for turn in turns
    )
    return [turn for turn in heard if turn.utterances]
