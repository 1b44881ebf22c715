"""Answering a question from memory: hits with their scores, or a whole context."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from gieok.domain.answer import Context, Found, Hit, Item, Where
from gieok.domain.budget import Caps
from gieok.domain.fading import FadingRates
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Combine, Parts, RecencyRule, Weights
from gieok.domain.turn import CHARACTER, USER, Turn, checked_text
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import Clock, Embedder, MemoryFilter, Store, Topic, View
from gieok.recall.assembling import assembled
from gieok.recall.diversity import chosen
from gieok.recall.gathering import gathered, nearest_facts
from gieok.recall.listing import present
from gieok.recall.materials import Materials
from gieok.recall.pages import Count
from gieok.recall.patience import Patience
from gieok.recall.question import Question, asked
from gieok.recall.ranking import Ranker
from gieok.recall.reading import Reading
from gieok.recall.recent import Recent
from gieok.recall.standing import rolling_summary, standing_lines
from gieok.recall.wording import WORDINGS

log = logging.getLogger(__name__)

_KNOWN: Final = 100  #: facts that a context may fill up with
_CALLED: Final = Topic(subject="user", subject_id="user", attributes=("name", "nickname"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recaller:
    """Answers questions. It never writes."""

    store: Store
    embedder: Embedder
    clock: Clock
    weights: Weights
    combine: Combine
    recency: RecencyRule
    fading: FadingRates
    caps: Caps
    search_turns: bool
    recent: Recent
    context_said: int
    language: str
    zone: tzinfo
    patience: Patience
    count: Count

    def recall(
        self,
        scope: Scope,
        query: str,
        *,
        k: int,
        at: datetime | None,
        where: Where,
        weights: Weights | None = None,
        explain: bool = False,
    ) -> list[Hit]:
        """Return the `k` best answers from the scope and the canon it may read, best first."""
        if k < 1:
            raise InvalidQuery(f"k={k}: ask for at least one hit")
        question, now = self._asked(scope, query, at)
        ranker = self._ranker(question, weights, explain=explain)
        hits: list[Hit] = []
        late: set[str] = set()
        for readable, reading in self._readings(scope):
            hits += self._hits(reading, question, readable, now, where, ranker, k)
            late.update(reading.late)
        for trouble in sorted(late):
            log.warning("recalling without a source: %s", trouble)
        return chosen(hits, k)

    def context(
        self,
        scope: Scope,
        query: str,
        *,
        budget: int,
        k: int,
        at: datetime | None,
        include: Iterable[str],
        weights: Weights | None = None,
        system: str = "",
        examples: Sequence[str] = (),
    ) -> Context:
        """Return what a model should see before it answers `query`; `include` names items to put in first."""
        if budget < 1:
            raise InvalidQuery(f"budget={budget}: a context needs at least one token")
        question, now = self._asked(scope, query, at)
        question = replace(question, wide=True)
        ranker = self._ranker(question, weights)
        wanted = tuple(include)
        found: list[Hit] = []
        known: list[Hit] = []
        picked: dict[str, Hit] = {}
        always: list[Memory] = []
        turns: list[Turn] = []
        people: list[str] = []
        summary = ""
        late: set[str] = set()
        for readable, reading in self._readings(scope):
            found += self._hits(reading, question, readable, now, Where(), ranker, k)
            if self.context_said < k:  # words that are not quoted must not crowd memories out
                found += self._hits(reading, question, readable, now, Where(kind="memory"), ranker, k)
            if readable == scope:
                known += self._known(reading, question, scope, now, ranker)
            late.update(reading.late)
            view = reading.view
            always += view.memories(MemoryFilter(pinned=True, current_at=now))
            picked |= _included(view, readable, wanted)
            if readable == scope:
                turns = _without(view.forgotten_words(), self.recent.of(view, now))
                people = standing_lines(view, scope, query, self.language, now.astimezone(self.zone))
                summary = rolling_summary(view, now)
        for item_id in wanted:
            if item_id not in picked:
                raise UnknownMemory(item_id)
        materials = Materials(
            query=question.text,
            scope=scope,
            pinned=always,
            hits=[
                *(picked[item_id] for item_id in wanted),
                *self._quotable(found, k, {*picked, *(each.id for turn in turns for each in turn.utterances)}),
            ],
            known=chosen(known, _KNOWN),
            turns=turns,
            now=now.astimezone(self.zone),
            system=system,
            examples=examples,
            people=people,
            summary=summary,
            degraded=(*question.degraded, *sorted(late)),
        )
        return assembled(materials, budget=budget, caps=self.caps, wording=WORDINGS[self.language], count=self.count)

    def _quotable(self, hits: Iterable[Hit], k: int, shown: Collection[str]) -> list[Hit]:
        """Return the `k` best that are not `shown` anyway; of what is in somebody's own words only the best few."""
        new = [hit for hit in hits if hit.item.id not in shown]
        ordered = chosen(new, len(new))
        said = [hit.item.id for hit in ordered if not isinstance(hit.item, Memory)]
        too_many = {*said[self.context_said :]}
        return [hit for hit in ordered if hit.item.id not in too_many][:k]

    def _ranker(self, question: Question, weights: Weights | None, *, explain: bool = False) -> Ranker:
        weights = weights or self.weights
        return Ranker(
            weights=weights if question.vector is not None else weights.by_words(),
            combine=self.combine,
            recency=self.recency,
            fading=self.fading,
            explain=explain,
        )

    def _asked(self, scope: Scope, query: str, at: datetime | None) -> tuple[Question, datetime]:
        """Return the question, and the moment it is asked at."""
        called = {CHARACTER: scope.character, USER: scope.user}
        names = {name: party for party, name in called.items() if name is not None}
        with self.store.view(scope) as view:
            now = at or present(view, self.clock)
            for told in view.memories_about([_CALLED]):
                if told.value and not told.hidden:
                    names[told.surface or told.value] = USER
            others = view.people(checked_text(query, "query")).keys() - names.keys()
        return asked(query, self.embedder, names, now, self.zone, others), now

    def _known(self, reading: Reading, question: Question, scope: Scope, now: datetime, ranker: Ranker) -> list[Hit]:
        """Return the facts about the user, nearest to the question first: they fill what room is left."""
        if question.vector is None:
            return []
        facts = nearest_facts(reading, question, now, _KNOWN)
        return ranker.hits(facts, now, scope, reading.view.turn_number)

    def _readings(self, scope: Scope) -> Iterator[tuple[Scope, Reading]]:
        """Yield the scope and the canon it may read, each in one snapshot; canon that was never written is left out."""
        for readable in scope.readable():
            with Reading(self.store, readable, self.patience) as reading:
                if readable == scope or reading.view.version > 0:
                    yield readable, reading

    def _hits(
        self, reading: Reading, question: Question, scope: Scope, now: datetime, where: Where, ranker: Ranker, k: int
    ) -> list[Hit]:
        candidates = gathered(
            reading, question, now, where, search_turns=self.search_turns, weights=ranker.finding, k=k
        )
        return ranker.hits(candidates, now, scope, reading.view.turn_number)


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
