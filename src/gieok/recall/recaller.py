"""Listing what is known, without ranking: true now, at another moment, by the beliefs of another moment, or ever."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Final, NamedTuple

from gieok.domain.answer import Caps, Context, Hit, Item, Where
from gieok.domain.memory import FadingRates, Memory
from gieok.domain.scope import Scope, Sharing
from gieok.domain.scoring import Combine, RecencyRule, Weights
from gieok.domain.turn import CHARACTER, USER, Turn, checked_text
from gieok.domain.upkeep import concluded
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import Clock, Embedder, MemoryFilter, Model, Store, Topic, View, Watch
from gieok.prompts.data import Language, Line
from gieok.recall.context import Count, Materials, Quoter, assembled, rolling_summary, state_lines, wording_in
from gieok.recall.gather import gathered, nearest_facts
from gieok.recall.model import RERANKED, RecallModel, compressed, last_lines, leans_on_talk, meant, reranked
from gieok.recall.question import Question, asked
from gieok.recall.rank import COMPARED, ContextParts, Ranked, Ranker, Sibling, chosen, heard, picked
from gieok.recall.reader import ScopeReader, Stopwatch
from gieok.recall.time_limit import TimeLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class Lister:
    """Lists facts. It never writes."""

    store: Store
    clock: Clock

    def present(self, scope: Scope) -> datetime:
        """Return the present of the story in `scope`."""
        with self.store.view(scope) as view:
            return present(view, self.clock)

    def facts(
        self, scope: Scope, which: MemoryFilter, *, as_of: datetime | None, known_at: datetime | None, history: bool
    ) -> list[Memory]:
        """Return the memories that `which` names: true now, at `as_of`, by the beliefs of `known_at`, or ever.

        Summaries, profiles and insights are listed only where their type is asked for.
        """
        found = self._listed(scope, which, as_of=as_of, known_at=known_at, history=history)
        return found if which.content_type else [memory for memory in found if not concluded(memory)]

    def _listed(
        self, scope: Scope, which: MemoryFilter, *, as_of: datetime | None, known_at: datetime | None, history: bool
    ) -> list[Memory]:
        with self.store.view(scope) as view:
            if known_at is not None:
                believed = [memory for memory in view.believed_at(known_at) if _within(memory, which)]
                moment = as_of or known_at
            else:
                moment = as_of or present(view, self.clock)
                if not history:
                    return view.memories(replace(which, current_at=moment))
                believed = view.memories(replace(which, include_faded=True))
        if history:
            return [memory for memory in believed if not memory.retracted and memory.forgotten_at is None]
        return [memory for memory in believed if memory.true_at(moment)]


def present(view: View, clock: Clock) -> datetime:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The last turns, or the last messages."""

    turns: int
    messages: int = 0  #: above 0: counted in messages, whatever the turns

    def of(self, view: View, now: datetime) -> list[Turn]:
        """Return the turns, oldest first; a turn that is in only by half keeps its newer half."""
        turns = [turn for turn in view.turns(self.messages or self.turns) if turn.at <= now]
        if not self.messages:
            return turns
        kept: list[Turn] = []
        left = self.messages
        for turn in reversed(turns):
            if left > 0:
                kept.append(replace(turn, utterances=turn.utterances[-left:]))
                left -= len(turn.utterances)
        return kept[::-1]


log = logging.getLogger(__name__)

_KNOWN: Final = 100  #: facts that a context may fill up with
_CALLED: Final = Topic(subject="user", subject_id="user", attributes=("name", "nickname"))


class _Asked(NamedTuple):
    questions: Sequence[Question]  #: as it was asked, and after it what it means where a model had to say so
    now: datetime  #: when it is asked
    advisor: RecallModel | None
    canon: Sequence[Scope]  #: that the scope may read, as far as it was ever written
    siblings: Sequence[Sibling]


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
    sharing: Sharing
    sharing_scopes: int
    recent: Recent
    context_said: int
    language: str
    zone: tzinfo
    time_limit: TimeLimit
    count: Count
    watch: Watch
    model: Model | None = None
    rerank: bool = False  #: it puts the best hits in order
    compress: bool = False  #: it shortens what does not fit into a context
    rewrite: bool = False  #: it says what a question means that leans on the talk

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
        """Return the `k` best answers from the scope and what else it may read, best first."""
        if k < 1:
            raise InvalidQuery(f"k={k}: ask for at least one hit")
        stopwatch = Stopwatch("recall", self.watch)
        questions, now, advisor, canon, siblings = self._asked(scope, query, at)
        stopwatch.question_ready()
        ranked = [(question, self._ranker(question, weights)) for question in questions]
        hits: list[Ranked] = []
        late: set[str] = set()
        for readable, reading in self._readings(scope, *canon):
            for question, ranker in ranked:
                hits += self._hits(reading, question, readable, now, where, ranker, k)
            late.update(reading.late)
            stopwatch.add(reading.took)
        for sibling, reading in self._glimpses(siblings):
            there = sibling.where(where)
            for question, ranker in ranked if there is not None else ():
                hits += sibling.seen(self._hits(reading, question, sibling.scope, now, there or where, ranker, k))
            late.update(reading.late)
            stopwatch.add(reading.took)
        best = self._best(hits, k, advisor, self._quotation(questions, scope, now), explain=explain)
        troubles = (*sorted(late), *(advisor.troubles if advisor else ()))
        for trouble in troubles:
            log.warning("recalling without a source: %s", trouble)
        stopwatch.recalled(best, (*_degraded(questions), *troubles))
        return best

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
        shown: Collection[str] | None = None,
        without: frozenset[str] = frozenset(),
    ) -> Context:
        """Return what a model should see before it answers `query`; `include` names items to put in first.

        `shown` are utterances that it sees anyway; without them (None) the last turns are quoted. `without` names
        blocks to leave out.
        """
        if budget < 1:
            raise InvalidQuery(f"budget={budget}: a context needs at least one token")
        stopwatch = Stopwatch("context", self.watch)
        questions, now, advisor, canon, siblings = self._asked(scope, query, at)
        stopwatch.question_ready()
        wanted = tuple(include)
        pile = self._pile(
            scope,
            canon,
            siblings,
            questions,
            now,
            stopwatch,
            weights=weights,
            k=k,
            wanted=wanted,
            quoting=shown is None,
        )
        for item_id in wanted:
            if item_id not in pile.picked:
                raise UnknownMemory(item_id)
        quotation = self._quotation(questions, scope, now)
        turns = () if "talk" in without else pile.turns
        quoted = {each.id for turn in turns for each in turn.utterances}
        best = self._quotable(pile.found, k, {*pile.picked, *(shown or ()), *quoted})
        materials = Materials(
            query=questions[0].text,
            scope=scope,
            pinned=pile.always,
            hits=[
                *(pile.picked[item_id] for item_id in wanted),
                *self._reranked(best, advisor, quotation),
            ],
            known=chosen(pile.known, _KNOWN),
            turns=pile.turns,
            now=now.astimezone(self.zone),
            system=system,
            examples=examples,
            people=pile.people,
            summary=pile.summary,
            degraded=(*_degraded(questions), *sorted(pile.late)),
        )
        whole = self._assembled(materials, budget, advisor, quotation, without)
        return replace(whole, took=stopwatch.assembled(whole))

    def items(self, scope: Scope, ids: Sequence[str]) -> dict[str, Item]:
        """Return those of the named items, of the scope and the canon it may read, that a context may quote."""
        found: dict[str, Hit] = {}
        canon = scope.readable()[1:]
        with self.store.view(scope) as view:
            found |= picked(view, scope, tuple(ids))
            begun = view.existing_scopes(canon)
            siblings = self._siblings(view)
        for readable in (each for each in canon if each in begun):
            with self.store.view(readable) as view:
                found |= picked(view, readable, tuple(ids))
        for sibling in siblings:
            with self.store.view(sibling.scope) as view:
                found |= picked(view, sibling.scope, tuple(ids), sibling)
        return {item_id: found[item_id].item for item_id in ids if item_id in found}

    def _pile(
        self,
        scope: Scope,
        canon: Sequence[Scope],
        siblings: Sequence[Sibling],
        questions: Sequence[Question],
        now: datetime,
        stopwatch: Stopwatch,
        *,
        weights: Weights | None,
        k: int,
        wanted: tuple[str, ...],
        quoting: bool,
    ) -> ContextParts:
        """Return all that a context may be made of, from the scope and what else it may read."""
        ranked = [(replace(question, wide=True), self._ranker(question, weights)) for question in questions]
        pile = ContextParts()
        for readable, reading in self._readings(scope, *canon):
            for question, ranker in ranked:
                pile.found += self._quotable_hits(reading, question, readable, now, ranker, k)
                if readable == scope:
                    pile.known += self._known(reading, question, scope, now, ranker)
            pile.late.update(reading.late)
            stopwatch.add(reading.took)
            view = reading.view
            pile.always += view.memories(MemoryFilter(pinned=True, current_at=now))
            pile.picked |= picked(view, readable, wanted)
            if readable == scope:
                if quoting:
                    pile.turns = heard(view.forgotten_words(), self.recent.of(view, now))
                asked_for = " ".join(question.text for question in questions)
                pile.people = state_lines(view, scope, asked_for, _spoken(self.language), now.astimezone(self.zone))
                pile.summary = rolling_summary(view, now)
        for sibling, reading in self._glimpses(siblings):
            self._add_glimpse(pile, sibling, reading, ranked, now, k=k, wanted=wanted)
            stopwatch.add(reading.took)
        return pile

    def _add_glimpse(
        self,
        pile: ContextParts,
        sibling: Sibling,
        reading: ScopeReader,
        ranked: Sequence[tuple[Question, Ranker]],
        now: datetime,
        *,
        k: int,
        wanted: tuple[str, ...],
    ) -> None:
        there, view = sibling.where(Where()), reading.view
        for question, ranker in ranked if there is not None else ():
            pile.found += sibling.seen(self._hits(reading, question, sibling.scope, now, there or Where(), ranker, k))
        pile.late.update(reading.late)
        if (standing := sibling.standing()) is not None:
            pile.always += view.memories(replace(standing, current_at=now))
        pile.picked |= picked(view, sibling.scope, wanted, sibling)

    def _assembled(
        self,
        materials: Materials,
        budget: int,
        advisor: RecallModel | None,
        quotation: Quoter,
        without: frozenset[str],
    ) -> Context:
        write = partial(
            assembled,
            budget=budget,
            caps=self.caps,
            wording=wording_in(_spoken(self.language)),
            count=self.count,
            without=without,
        )
        whole = write(materials)
        if advisor is None:
            return whole
        briefs = compressed(whole, materials, advisor, quotation) if self.compress else ()
        if briefs:
            fuller = write(replace(materials, briefs=briefs))
            whole = max(whole, fuller, key=lambda context: len(context.items))
        return replace(whole, degraded=(*whole.degraded, *advisor.troubles))

    def _best(
        self, hits: list[Ranked], k: int, advisor: RecallModel | None, quotation: Quoter, *, explain: bool
    ) -> list[Hit]:
        """Return the `k` best; a model that puts them in order chooses among more."""
        ordered = None
        if advisor is not None and self.rerank:
            more = [hit.hit(explain=explain) for hit in chosen(hits, max(k, RERANKED))]
            ordered = reranked(more, advisor, quotation)
        return [hit.hit(explain=explain) for hit in chosen(hits, k)] if ordered is None else ordered[:k]

    def _reranked(self, hits: list[Hit], advisor: RecallModel | None, quotation: Quoter) -> list[Hit]:
        ordered = reranked(hits, advisor, quotation) if advisor is not None and self.rerank else None
        return hits if ordered is None else ordered

    def _advisor(self) -> RecallModel | None:
        """Return the model's word on this recall, whose time runs from now on; None where it is not to be heard."""
        if self.model is None or not (self.rerank or self.compress or self.rewrite):
            return None
        return RecallModel(self.model, self.time_limit)

    def _quotation(self, questions: Sequence[Question], scope: Scope, now: datetime) -> Quoter:
        return Quoter(
            query=questions[-1].text, scope=scope, now=now.astimezone(self.zone), language=_spoken(self.language)
        )

    def _quotable_hits(
        self, reading: ScopeReader, question: Question, scope: Scope, now: datetime, ranker: Ranker, k: int
    ) -> list[Ranked]:
        hits = self._hits(reading, question, scope, now, Where(), ranker, k)
        if self.context_said < k:  # words that are not quoted must not crowd memories out
            hits += self._hits(reading, question, scope, now, Where(kind="memory"), ranker, k)
        return hits

    def _quotable(self, hits: Iterable[Ranked], k: int, shown: Collection[str]) -> list[Hit]:
        """Return the `k` best that are not `shown` anyway; of what is in somebody's own words only the best few."""
        new = [hit for hit in hits if hit.item.id not in shown]
        ordered = chosen(new, len(new) if self.context_said < k else max(k, COMPARED))
        said = [hit.item.id for hit in ordered if not isinstance(hit.item, Memory)]
        too_many = {*said[self.context_said :]}
        return [hit.hit() for hit in [hit for hit in ordered if hit.item.id not in too_many][:k]]

    def _ranker(self, question: Question, weights: Weights | None) -> Ranker:
        weights = weights or self.weights
        return Ranker(
            weights=weights if question.vector is not None else weights.by_words(),
            combine=self.combine,
            recency=self.recency,
            fading=self.fading,
        )

    def _asked(self, scope: Scope, query: str, at: datetime | None) -> _Asked:
        query = unicodedata.normalize("NFC", checked_text(query, "query"))
        called = {CHARACTER: scope.character, USER: scope.user}
        names = {name: party for party, name in called.items() if name is not None}
        leaning = self.model is not None and self.rewrite and leans_on_talk(query)
        before: list[Line] = []
        with self.store.view(scope) as view:
            now = at or present(view, self.clock)
            for told in view.memories_about([_CALLED]):
                if told.value and not told.hidden:
                    names[told.surface or told.value] = USER
            others = view.people(query).keys() - names.keys()
            readable = scope.readable()[1:]
            begun = view.existing_scopes(readable)
            siblings = self._siblings(view)
            if leaning:
                before = last_lines(heard(view.forgotten_words(), self.recent.of(view, now)), scope)
        questions = [asked(query, self.embedder, names, now, self.zone, others)]
        advisor = self._advisor()  # by now everything is loaded that takes long the first time
        if advisor is not None and before:
            today = now.astimezone(self.zone).date()
            full = meant(query, before, advisor, scope=scope, today=today, language=_spoken(self.language))
            if full is not None:
                with self.store.view(scope) as view:
                    others = view.people(full).keys() - names.keys()
                questions.append(asked(full, self.embedder, names, now, self.zone, others))
        return _Asked(questions, now, advisor, [canon for canon in readable if canon in begun], siblings)

    def _siblings(self, view: View) -> list[Sibling]:
        if self.sharing == "none":
            return []
        return [Sibling(scope=each, sharing=self.sharing) for each in view.siblings(self.sharing, self.sharing_scopes)]

    def _glimpses(self, siblings: Iterable[Sibling]) -> Iterator[tuple[Sibling, ScopeReader]]:
        """Yield each of `siblings` in one snapshot."""
        for sibling in siblings:
            with ScopeReader(self.store, sibling.scope, self.time_limit) as reading:
                yield sibling, reading

    def _known(
        self, reading: ScopeReader, question: Question, scope: Scope, now: datetime, ranker: Ranker
    ) -> list[Ranked]:
        """Return the facts about the user, nearest to the question first: they fill what room is left."""
        if question.vector is None:
            return []
        facts = nearest_facts(reading, question, now, _KNOWN)
        return ranker.ranked(facts, now, scope, reading.view.turn_number)

    def _readings(self, *scopes: Scope) -> Iterator[tuple[Scope, ScopeReader]]:
        """Yield each of `scopes` in one snapshot."""
        for readable in scopes:
            with ScopeReader(self.store, readable, self.time_limit) as reading:
                yield readable, reading

    def _hits(
        self,
        reading: ScopeReader,
        question: Question,
        scope: Scope,
        now: datetime,
        where: Where,
        ranker: Ranker,
        k: int,
    ) -> list[Ranked]:
        candidates = gathered(
            reading, question, now, where, search_turns=self.search_turns, weights=ranker.finding, k=k
        )
        return ranker.ranked(candidates, now, scope, reading.view.turn_number)


def _degraded(questions: Iterable[Question]) -> Iterable[str]:
    return dict.fromkeys(trouble for question in questions for trouble in question.degraded)


def _spoken(language: str) -> Language:
    return "en" if language == "en" else "ko"
