"""Answering a question from memory: hits with their scores, or a whole context."""

from __future__ import annotations

from collections.abc import Iterable
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
from gieok.recall.gathering import gathered, pinned
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
        return self._best(scope, self._asked(scope, query, at), k=k, where=where, weights=weights)

    def context(
        self, scope: Scope, query: str, *, budget: int, k: int, at: datetime | None, include: Iterable[str]
    ) -> Context:
        """Return what a model should see before it answers `query`; `include` names items to put in first."""
        if budget < 1:
            raise InvalidQuery(f"budget={budget}: a context needs at least one token")
        question = self._asked(scope, query, at)
        found = self._best(scope, question, k=k, where=Where(), weights=None)
        chosen = self._included(scope, tuple(include))
        always: list[Memory] = []
        turns: list[Turn] = []
        for readable in scope.readable():
            with self.store.view(readable) as view:
                always.extend(pinned(view, question))
                if readable == scope:
                    turns = [turn for turn in view.turns(self.recent_turns) if turn.at <= question.now]
        first = {hit.item.id for hit in chosen}
        materials = Materials(
            query=question.text,
            scope=scope,
            pinned=always,
            hits=[*chosen, *(hit for hit in found if hit.item.id not in first)],
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

    def _asked(self, scope: Scope, query: str, at: datetime | None) -> Question:
        if at is None:
            with self.store.view(scope) as view:
                at = _now(view, self.clock)
        return asked(query, at, self.embedder)

    def _best(self, scope: Scope, question: Question, *, k: int, where: Where, weights: Weights | None) -> list[Hit]:
        ranker = Ranker(weights=weights or self.weights, recency=self.recency, fading=self.fading)
        hits: list[Hit] = []
        for readable in scope.readable():
            with self.store.view(readable) as view:
                candidates = gathered(view, question, where, search_turns=self.search_turns)
                hits.extend(ranker.hits(candidates, question, readable, view.turn_number))
        return best(hits, k)

    def _included(self, scope: Scope, item_ids: tuple[str, ...]) -> list[Hit]:
        """Return the named items as hits, in the order given; raise `UnknownMemory` for one that cannot be read."""
        known: dict[str, Hit] = {}
        for readable in scope.readable():
            with self.store.view(readable) as view:
                refs = view.refs(item_ids)
                items = view.items(refs.values())
            for rank, (item_id, ref) in enumerate(refs.items(), start=1):
                why = (Found(source="included", rank=rank),)
                known[item_id] = Hit(item=items[ref], scope=readable, score=1.0, parts=Parts(), why=why)
        for item_id in item_ids:
            if item_id not in known:
                raise UnknownMemory(item_id)
        return [known[item_id] for item_id in item_ids]


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
