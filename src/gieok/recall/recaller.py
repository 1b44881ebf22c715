"""Answers questions: what comes to mind, and whole contexts."""

from __future__ import annotations

import logging
import time
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Final, Literal

from gieok.domain.answer import Caps, Context, Hit, Item, Where
from gieok.domain.memory import FadingRates, Memory
from gieok.domain.scope import Scope, Sharing
from gieok.domain.scoring import Combine, RecencyRule, Weights
from gieok.domain.turn import CHARACTER, USER, Turn, checked_text
from gieok.errors import ErrorText, InvalidQuery, UnknownMemory
from gieok.ports import Clock, Embedder, MemoryFilter, Model, Store, Topic, View, Watch
from gieok.prompts.data import Language
from gieok.recall.context import Count, Materials, Quoter, assembled, rolling_summary, state_lines, wording_in
from gieok.recall.gather import Candidate, Evidence, evidence, gathered, nearest_facts
from gieok.recall.model import RERANKED, RecallModel, compressed, last_lines, leans_on_talk, reranked, rewritten
from gieok.recall.question import Question, read_question
from gieok.recall.rank import COMPARED, Ranker, Sibling, chosen, picked
from gieok.recall.time_limit import ScopeReader, TimeLimit

log = logging.getLogger(__name__)

_KNOWN: Final = 100  #: facts that a context may fill up with
_CALLED: Final = Topic(subject="user", subject_id="user", attributes=("name", "nickname"))


@dataclass(slots=True)
class _Call:
    """One recall or context on its way."""

    scope: Scope
    now: datetime  #: when it is asked
    canon: Sequence[Scope]  #: that the scope may read, as far as it was ever written
    siblings: Sequence[Sibling]
    questions: Sequence[Question] = ()  #: as it was asked, and after it what it means where a model had to say so
    rankers: Sequence[Ranker] = ()  #: one for each question
    model: RecallModel | None = None
    quoter: Quoter | None = None  #: where there is a model
    started: float = field(default_factory=time.perf_counter)
    took: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))  #: seconds by source
    degraded: tuple[str, ...] = ()  #: what the questions lack, in words …
    late: set[str] = field(default_factory=set)  #: … and what was left out of the search


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
    canon: bool  #: what canon the scope may read is read, too
    sharing: Sharing
    sharing_scopes: int
    recent_turns: int
    recent_messages: int  #: above 0: the last messages are quoted, whatever the turns
    context_said: int
    language: Language
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
            raise InvalidQuery(ErrorText("query.k", k=k))
        call = self._asked(scope, query, at, weights or self.weights)
        found: list[Candidate] = []
        for reading, sibling in self._readings(call):
            there = where if sibling is None else sibling.where(where)
            if there is not None:
                found += self._found(call, reading, self._evidence(call, reading, there), sibling, there, k)
        best = None
        if call.model is not None and call.quoter is not None and self.rerank:  # it chooses among more
            more = [each.hit(explain=explain) for each in chosen(found, max(k, RERANKED))]
            best = reranked(more, call.model, call.quoter)
        best = [each.hit(explain=explain) for each in chosen(found, k)] if best is None else best[:k]
        troubles = (*sorted(call.late), *(call.model.troubles if call.model else ()))
        for trouble in troubles:
            log.warning("recalling without a source: %s", trouble)
        self._report("recall", call, len(best), (*call.degraded, *troubles))
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
            raise InvalidQuery(ErrorText("query.budget", budget=budget))
        call = self._asked(scope, query, at, weights or self.weights, wide=True)
        wanted = tuple(include)
        parts = _Parts()
        for reading, sibling in self._readings(call):
            self._add_parts(parts, call, reading, sibling, k=k, wanted=wanted, quoting=shown is None)
        for item_id in wanted:
            if item_id not in parts.picked:
                raise UnknownMemory(item_id)
        quoted = {each.id for turn in parts.turns for each in turn.utterances} if "talk" not in without else ()
        found = self._quotable(parts.found, k, {*parts.picked, *(shown or ()), *quoted})
        best: Sequence[Candidate | Hit] = found
        if call.model is not None and call.quoter is not None and self.rerank:
            best = reranked([each.hit() for each in found], call.model, call.quoter) or found
        materials = Materials(
            query=call.questions[0].text,
            scope=scope,
            pinned=parts.always,
            hits=[*(parts.picked[item_id] for item_id in wanted), *best],
            known=chosen(parts.known, _KNOWN),
            turns=parts.turns,
            now=call.now.astimezone(self.zone),
            system=system,
            examples=examples,
            people=parts.people,
            summary=parts.summary,
            degraded=(*call.degraded, *sorted(call.late)),
        )
        whole = self._assembled(materials, budget, call, without)
        for block in whole.blocks:
            self.watch.counted("tokens", block.name, block.tokens)
        self._report("context", call, len(whole.hits), whole.degraded)
        return replace(whole, took=tuple(call.took.items()))

    def items(self, scope: Scope, ids: Sequence[str]) -> dict[str, Item]:
        """Return those of the named items, of the scope and the canon it may read, that a context may quote."""
        found: dict[str, Hit] = {}
        canon = self._canon(scope)
        with self.store.view(scope) as view:
            found |= picked(view, scope, tuple(ids))
            existing = view.existing_scopes(canon)
            siblings = self._siblings(view) if self.sharing != "none" else ()
        for readable in (each for each in canon if each in existing):
            with self.store.view(readable) as view:
                found |= picked(view, readable, tuple(ids))
        for sibling in siblings:
            with self.store.view(sibling.scope) as view:
                found |= picked(view, sibling.scope, tuple(ids), sibling)
        return {item_id: found[item_id].item for item_id in ids if item_id in found}

    def _asked(self, scope: Scope, query: str, at: datetime | None, weights: Weights, *, wide: bool = False) -> _Call:
        """Return the question, ready to be looked for in all that the scope may read."""
        started = time.perf_counter()
        query = unicodedata.normalize("NFC", checked_text(query, "query"))
        names = {name: party for party, name in ((CHARACTER, scope.character), (USER, scope.user)) if name is not None}
        leaning = self.model is not None and self.rewrite and leans_on_talk(query)
        canon = self._canon(scope)
        with self.store.view(scope) as view:
            now = at or max(filter(None, (view.latest_at, self.clock.now())))  # the present of the story
            for told in view.memories_about([_CALLED]):
                if told.value and not told.hidden:
                    names[told.surface or told.value] = USER
            others = view.people(query).keys() - names.keys()
            existing = view.existing_scopes(canon)
            before = last_lines(self._last_turns(view, now), scope) if leaning else []
            call = _Call(
                scope,
                now,
                [each for each in canon if each in existing],
                self._siblings(view) if self.sharing != "none" else (),
                started=started,
            )
        ask = partial(read_question, embedder=self.embedder, names=names, now=now, zone=self.zone, wide=wide)
        call.questions = [ask(query, others=others)]
        if self.model is not None and (self.rerank or self.compress or self.rewrite):
            call.model = RecallModel(self.model, self.time_limit)  # its time runs from now on: the rest is loaded
            today = now.astimezone(self.zone)
            full = None
            if before:
                full = rewritten(query, before, call.model, scope=scope, today=today.date(), language=self.language)
            if full is not None:
                with self.store.view(scope) as view:
                    others = view.people(full).keys() - names.keys()
                call.questions = [*call.questions, ask(full, others=others)]
            call.quoter = Quoter(query=call.questions[-1].text, scope=scope, now=today, language=self.language)
        call.rankers = [
            Ranker(
                weights=weights if question.vector is not None else weights.by_words(),
                combine=self.combine,
                recency=self.recency,
                fading=self.fading,
                query=question.text,
            )
            for question in call.questions
        ]
        call.degraded = tuple(dict.fromkeys(trouble for each in call.questions for trouble in each.degraded))
        call.took["question"] = time.perf_counter() - started
        return call

    def _canon(self, scope: Scope) -> tuple[Scope, ...]:
        return scope.readable()[1:] if self.canon else ()

    def _siblings(self, view: View) -> list[Sibling]:
        return [Sibling(scope=each, sharing=self.sharing) for each in view.siblings(self.sharing, self.sharing_scopes)]

    def _readings(self, call: _Call) -> Iterator[tuple[ScopeReader, Sibling | None]]:
        """Yield the scope, its canon and its siblings, each in one snapshot."""
        own = ((scope, None) for scope in (call.scope, *call.canon))
        for scope, sibling in (*own, *((each.scope, each) for each in call.siblings)):
            with ScopeReader(self.store, scope, self.time_limit, call.took) as reading:
                yield reading, sibling
                if reading.off:
                    call.late.update(reading.late())

    def _evidence(self, call: _Call, reading: ScopeReader, where: Where) -> list[Evidence | None]:
        """Return what speaks for the items of one scope, for each question."""
        return [reading.search(evidence, question, where.without) for question in call.questions]

    def _found(
        self,
        call: _Call,
        reading: ScopeReader,
        known: Sequence[Evidence | None],
        sibling: Sibling | None,
        where: Where,
        k: int,
    ) -> list[Candidate]:
        """Return what is found in one scope, ranked; `known` is what speaks for its items, for each question."""
        found: list[Candidate] = []
        view = reading.view
        for question, ranker, speaks in zip(call.questions, call.rankers, known, strict=True):
            # Where the mean of the finders counts, each is looked for as if it were the only one.
            weights = ranker.weights if self.combine == "sum" else ranker.weights.of_any()
            if self.combine != "sum" and speaks is not None and speaks.near is not None:
                speaks.near.measure_all()  # what counts is how far up the whole list each stands
            candidates = gathered(
                view, speaks, question, call.now, where, search_turns=self.search_turns, weights=weights, k=k
            )
            found += ranker.ranked(
                candidates, call.now, reading.scope, view.turn_number, questions=where.kind == "utterance"
            )
        return found if sibling is None else sibling.seen(found)

    def _add_parts(
        self,
        parts: _Parts,
        call: _Call,
        reading: ScopeReader,
        sibling: Sibling | None,
        *,
        k: int,
        wanted: tuple[str, ...],
        quoting: bool,
    ) -> None:
        """Add what a context may hold from one scope."""
        now, scope = call.now, reading.scope
        anywhere = Where() if sibling is None else sibling.where(Where()) or Where()
        # words that are not quoted must not crowd memories out
        only_memories = sibling is None and self.context_said < k
        known = self._evidence(call, reading, anywhere)
        view = reading.view
        for where in (anywhere, Where(kind="memory")) if only_memories else (anywhere,):
            parts.found += self._found(call, reading, known, sibling, where, k)
        if scope == call.scope:
            for question, ranker, speaks in zip(call.questions, call.rankers, known, strict=True):
                facts = nearest_facts(view, speaks, question, now, _KNOWN)
                parts.known += ranker.ranked(facts, now, scope, view.turn_number)
        standing = MemoryFilter(pinned=True) if sibling is None else sibling.standing()
        if standing is not None:
            parts.always += view.memories(replace(standing, current_at=now))
        parts.picked |= picked(view, scope, wanted, sibling)
        if scope == call.scope:
            if quoting:
                parts.turns = self._last_turns(view, now)
            asked_for = " ".join(question.text for question in call.questions)
            parts.people = state_lines(view, scope, asked_for, self.language, now.astimezone(self.zone))
            parts.summary = rolling_summary(view, now)

    def _last_turns(self, view: View, now: datetime) -> list[Turn]:
        """Return the turns to quote, oldest first; one that is in only by half keeps its newer half."""
        turns = [turn for turn in view.turns(self.recent_messages or self.recent_turns) if turn.at <= now]
        if self.recent_messages:
            newest_first, turns, left = turns[::-1], [], self.recent_messages
            for turn in newest_first:
                if left > 0:
                    turns.insert(0, replace(turn, utterances=turn.utterances[-left:]))
                    left -= len(turn.utterances)
        silent = view.forgotten_words()
        told = (replace(turn, utterances=tuple(u for u in turn.utterances if u.id not in silent)) for turn in turns)
        return [turn for turn in told if turn.utterances]

    def _quotable(self, found: Iterable[Candidate], k: int, shown: Collection[str]) -> list[Candidate]:
        """Return the `k` best that are not `shown` anyway; of what is in somebody's own words only the best few."""
        new = [each for each in found if each.item.id not in shown]
        ordered = chosen(new, len(new) if self.context_said < k else max(k, COMPARED))
        said = [each.item.id for each in ordered if not isinstance(each.item, Memory)]
        too_many = {*said[self.context_said :]}
        return [each for each in ordered if each.item.id not in too_many][:k]

    def _assembled(self, materials: Materials, budget: int, call: _Call, without: frozenset[str]) -> Context:
        write = partial(
            assembled,
            budget=budget,
            caps=self.caps,
            wording=wording_in(self.language),
            count=self.count,
            without=without,
        )
        whole = write(materials)
        if call.model is None or call.quoter is None:
            return whole
        briefs = compressed(whole, materials, call.model, call.quoter) if self.compress else ()
        if briefs:
            fuller = write(replace(materials, briefs=briefs))
            whole = max(whole, fuller, key=lambda context: len(context.items))
        return replace(whole, degraded=(*whole.degraded, *call.model.troubles))

    def _report(self, what: Literal["recall", "context"], call: _Call, hits: int, degraded: Iterable[str]) -> None:
        """Tell whoever watches what was found, how long it took and what was missing."""
        call.took["whole"] = time.perf_counter() - call.started
        for source, seconds in call.took.items():
            self.watch.took(what, source, seconds)
        self.watch.counted("hits", what, hits)
        for each in degraded:
            self.watch.counted("degraded", each.partition(" ")[0])  # "dense search is off: …"


@dataclass(slots=True)
class _Parts:
    """What a context may be made of, while it is gathered."""

    found: list[Candidate] = field(default_factory=list)
    known: list[Candidate] = field(default_factory=list)
    picked: dict[str, Hit] = field(default_factory=dict)  #: what was asked for by id
    always: list[Memory] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    summary: str = ""
