"""Answering a question from memory: hits with their scores, or a whole context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from gieok.domain.answer import Context, Found, Hit, Where
from gieok.domain.budget import Caps
from gieok.domain.fading import FadingRates
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, RecencyRule, Weights
from gieok.domain.turn import Turn
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import Clock, Embedder, MemoryFilter, Store, View
from gieok.recall.assembling import Materials, assembled
from gieok.recall.gathering import gathered
from gieok.recall.question import Question, asked
from gieok.recall.ranking import Ranker, best
from gieok.recall.wording import WORDINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Recaller:
    """Answers questions and lists facts. It never writes."""

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
            now = now or _now(view, self.clock)
            hits += self._hits(view, question, readable, now, where, weights)
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
        chosen: dict[str, Hit] = {}
        always: list[Memory] = []
        turns: list[Turn] = []
        for readable, view in self._views(scope):
            now = now or _now(view, self.clock)
            found += self._hits(view, question, readable, now, Where(), None)
            always += view.memories(MemoryFilter(pinned=True, current_at=now))
            chosen |= _included(view, readable, wanted)
            if readable == scope:
                turns = [turn for turn in view.turns(self.recent_turns) if turn.at <= now]
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
            turns=turns,
            degraded=question.degraded,
        )
        return assembled(materials, budget=budget, caps=self.caps, wording=WORDINGS[self.language])

    def facts(
        self, scope: Scope, which: MemoryFilter, *, as_of: datetime | None, known_at: datetime | None, history: bool
    ) -> list[Memory]:
        """Return the memories that `which` names: true now, at `as_of`, by the beliefs of `known_at`, or ever."""
        with self.store.view(scope) as view:
            if known_at is not None:
                believed = [memory for memory in view.believed_at(known_at) if _within(memory, which)]
                moment = as_of or known_at
            else:
                moment = as_of or _now(view, self.clock)
                if not history:
                    return view.memories(replace(which, current_at=moment))
                believed = view.memories(which)
        if history:
            return [memory for memory in believed if not memory.hidden]
        return [memory for memory in believed if memory.true_at(moment)]

    def _views(self, scope: Scope) -> Iterator[tuple[Scope, View]]:
        """Yield the scope and the canon it may read, each in one snapshot; canon that was never written is left out."""
        for readable in scope.readable():
            with self.store.view(readable) as view:
                if readable == scope or view.version > 0:
                    yield readable, view

    def _hits(
        self, view: View, question: Question, scope: Scope, now: datetime, where: Where, weights: Weights | None
    ) -> list[Hit]:
        ranker = Ranker(weights=weights or self.weights, recency=self.recency, fading=self.fading)
        candidates = gathered(view, question, now, where, search_turns=self.search_turns)
        return ranker.hits(candidates, now, scope, view.turn_number)


def _included(view: View, scope: Scope, item_ids: tuple[str, ...]) -> dict[str, Hit]:
    """Return those of the named items that `view` has, as hits."""
    if not item_ids:
        return {}
    refs = view.refs(item_ids)
    items = view.items(refs.values())
    return {
        item_id: Hit(item=items[ref], scope=scope, score=1.0, parts=Parts(), why=(Found(source="included", rank=rank),))
        for rank, (item_id, ref) in enumerate(refs.items(), start=1)
    }


def _now(view: View, clock: Clock) -> datetime:
    """Return the present of the story: its newest turn, unless the clock is further."""
    return max(filter(None, (view.latest_at, clock.now())))


def _within(memory: Memory, which: MemoryFilter) -> bool:
    return (
        which.subject in (None, memory.subject)
        and which.subject_id in (None, memory.subject_id)
        and which.speaker in (None, memory.speaker)
        and which.content_type in (None, memory.content_type)
        and which.attribute in (None, memory.attribute)
        and (which.learned_since is None or memory.known_at >= which.learned_since)
    )
