"""The write path: a turn is read, judged against what is known, and stored with what became of it."""

from __future__ import annotations

import logging
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from gieok.domain.answer import Observed
from gieok.domain.apply import OperationApplier
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision
from gieok.domain.judgement import Moment
from gieok.domain.memory import NOTHING_KNOWN, Background, Memory, Needs
from gieok.domain.operation import Learn, Operation
from gieok.domain.personal import Flags, Masked, join_masked, no_flags
from gieok.domain.relationship import Manners
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_text
from gieok.errors import TurnChanged, UnknownTurn
from gieok.ids import new_id
from gieok.language.budget import ReadingTooLong, reading_within
from gieok.observe.background import background_of, needs_of, of_pets_known
from gieok.observe.index import Indexer, fill_in_vectors, learned, learning
from gieok.observe.noticed import Acquaintance, acquaintance, manners_of, noticed_in, state_for
from gieok.observe.questions import (
    doubtful_in,
    plan_to_ask_about,
    plans_of_user,
    question_about_plan,
    questions_about,
)
from gieok.observe.said import FailedTurns, Said, after_storing, completed, without_answers
from gieok.ports import Clock, Entry, Extractor, IndexEntry, Masker, PlannedEntry, Room, Store, View, Watch
from gieok.ports.store import held, insistently
from gieok.words import Language

log = logging.getLogger(__name__)

_TURNS_BEFORE = 3
_CATCH_UP = 2  #: turns kept unread that one observe goes back to
_UNREAD = 200  #: of how many it chooses; some may have been given up
_READING = 10.0  #: seconds of processor time that reading a turn may take; one that takes longer is kept unread
_READING_AGAIN = 20.0  #: … when it is tried once more
_SPOKEN_OF = 60  #: turns in which a plan may have been spoken of after its day
Result = TypeVar("Result")
FIRST_WORDS = ("나 고양이 좋아해. 어제 부산에 다녀왔는데 좋았어!", "I moved to Seoul last week, and I love cats.")


_NOTHING = Learn(claims=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A turn that was read."""

    scope: Scope
    what: Said
    turn: Turn
    logged: Turn  #: as the log keeps it
    personal: Masked
    stored: Observed | None = None  #: what was stored of it before; then it is not read again
    request: Learn = _NOTHING
    index: Mapping[str, IndexEntry] = field(default_factory=dict)
    unread: bool = False  #: the extractor failed
    left_open: bool = False  #: a model is to read it
    waiting: bool = False  #: items of the scope wait for their vectors

    def learned(self, done: Operation) -> Observed:
        return _observed(replace(self.logged, number=done.moment.turn_number), done, unread=self.unread)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Learns from turns, and from what is said outright."""

    store: Store
    indexer: Indexer
    extractor: Extractor
    mask: Masker
    log_mask: Masker | None = None  #: how the log keeps what was said; None: masked, as everything else
    flags: Flags = no_flags
    clock: Clock
    carrier: OperationApplier
    watch: Watch
    failures: FailedTurns = field(default_factory=FailedTurns)  #: of the extractor
    model_reads: bool = False  #: whether turns wait for a model to read them
    traces: int = 0  #: how many turns of a scope keep how they came about
    language: Language = "ko"  #: of questions

    def observe(
        self,
        scope: Scope,
        what: Said,
        *,
        beside: Sequence[tuple[Scope, Said]] = (),
        first: Callable[[], Sequence[PlannedEntry]] | None = None,
    ) -> Observed:
        """Learn from what was said. The turn is kept even when nothing in it is worth remembering.

        `beside`: others heard the same exchange, and learn from it in the same transaction. `first`: what is written in
        that transaction before; it is asked again if somebody else wrote meanwhile.
        """
        begun = time.perf_counter()
        if beside or first is not None:
            heard = [(scope, what), *beside]
            learned = insistently(lambda: self._learned_together(heard, first() if first is not None else ()))
        else:
            reading = self._reading(scope, what)
            learned = [(reading, reading.stored or held(self.store, scope, lambda room: self._learn(room, reading)))]
        reading, observed = learned[0]
        personal = reading.personal
        questions = observed.questions
        with after_storing():
            for each, became in learned:
                self._report(each, became, begun)
            if observed.again or beside or first is not None:  # else it was asked before the turn was stored
                with self.store.view(scope) as view:
                    questions = self._questions(view, observed.decisions, observed.turn.at)
        return replace(observed, pii=personal.flags, ask=personal.asked, questions=questions)

    def _reading(self, scope: Scope, what: Said, after: Sequence[PlannedEntry] = ()) -> _Reading:
        """Read what was said; after what is planned, as if it were written."""
        turn, logged, personal = self._turn(what)

        def look(view: View) -> tuple[Observed | None, list[Utterance], list[Turn], Background, Acquaintance, bool]:
            before = [utterance for each in view.turns(_TURNS_BEFORE) for utterance in each.utterances]
            missed = [each for each in view.unread_turns(_UNREAD) if self.failures.worth_trying(each)][:_CATCH_UP]
            background = background_of(view, self._needs(turn, before))
            known = acquaintance(view, scope, background.names)
            stored = self._stored(view, turn, logged, given=what.turn_id is not None)
            return stored, before, missed, background, known, bool(view.vectorless(1))

        if after:
            found = self.store.look_after(after, scope, look)
        else:
            with self.store.view(scope) as view:
                found = look(view)
        stored, before, missed, background, known, waiting = found
        reading = _Reading(scope=scope, what=what, turn=turn, logged=logged, personal=personal, stored=stored)
        if stored is not None:
            return reading
        read = replace(turn, utterances=turn.utterances[:-1]) if what.scripted else turn
        with reading_within(_READING):
            claims, unread = self._read(read, scope, before, background)
            noticed = _tried(
                lambda: noticed_in(turn, scope, claims, known, what.felt),
                None,
                "nothing is noticed in turn %s",
                turn.id,
            )
        if not unread and not after:
            for older in missed:
                self._catch_up(scope, older)
        request = replace(self._request(scope, what, turn), claims=claims, noticed=noticed)
        texts = {utterance.id: utterance.text for utterance in turn.utterances}
        return replace(
            reading,
            request=request,
            index=self.indexer.entries(texts | {claim.id: claim.findable for claim in claims}),
            unread=unread,
            left_open=self.model_reads and bool(read.utterances),
            waiting=waiting,
        )

    def _learned_together(
        self, heard: Sequence[tuple[Scope, Said]], first: Sequence[PlannedEntry]
    ) -> list[tuple[_Reading, Observed]]:
        return self._written([self._reading(scope, what, first) for scope, what in heard], first)

    def _written(
        self, readings: Sequence[_Reading], first: Sequence[PlannedEntry] = ()
    ) -> list[tuple[_Reading, Observed]]:
        """Write turns in one transaction that begins with `first`; return what became of each."""
        done = self.store.apply_together(
            [*first, *(PlannedEntry(each.scope, partial(self._entry, each)) for each in readings)]
        )
        learned = []
        for reading, operation in zip(readings, done[len(first) :], strict=True):
            if operation is not None:
                learned.append((reading, reading.learned(operation)))
            else:
                with self.store.view(reading.scope) as view:
                    learned.append((reading, _recorded(view, reading.turn)))
        return learned

    def store_unread(self, scope: Scope, exchanges: Sequence[Said]) -> list[Observed]:
        """Store exchanges in one transaction, oldest first, for `read_unread`. What is stored already stays."""
        turns = [(what, *self._turn(what)) for what in exchanges]
        texts = {utterance.id: utterance.text for _, turn, _, _ in turns for utterance in turn.utterances}
        index = self.indexer.entries(texts)
        readings = [
            _Reading(
                scope=scope,
                what=what,
                turn=turn,
                logged=logged,
                personal=personal,
                request=self._request(scope, what, turn),
                index={utterance.id: index[utterance.id] for utterance in turn.utterances},
                unread=True,
                left_open=self.model_reads,
            )
            for what, turn, logged, personal in turns
        ]
        return [observed for _, observed in insistently(lambda: self._written(readings))]

    def read_unread(self, scope: Scope, most: int) -> int:
        """Read the oldest `most` turns that were stored unread, in order; return how many could be read."""
        with self.store.view(scope) as view:
            waiting = [each for each in view.unread_turns(_UNREAD) if self.failures.worth_trying(each)][:most]
        prepare = getattr(self.extractor, "prepare", None)
        if prepare is not None:
            said = [utterance for turn in waiting for utterance in turn.utterances]
            _tried(lambda: prepare(said), None, "extractor %s cannot prepare", self.extractor.name)
        return sum(self._catch_up(scope, turn) for turn in waiting)

    def _request(self, scope: Scope, what: Said, turn: Turn) -> Learn:
        """Return what is known of a turn before it is read."""
        return Learn(
            claims=(),
            used=what.used,
            session=turn.session,
            participants=_participants(scope, turn),
            character=scope.character,
        )

    def _learn(self, room: Room, reading: _Reading) -> Observed:
        entry = self._entry(reading, room)
        if entry is None:
            return _recorded(room, reading.turn)
        nothing: tuple[str, ...] = ()
        questions = _tried(
            lambda: self._questions(room, entry.operation.decisions, reading.turn.at, entry),
            nothing,
            "nothing is asked after turn %s",
            reading.turn.id,
        )
        return replace(reading.learned(room.apply(entry)), questions=questions)

    def _report(self, reading: _Reading, observed: Observed, begun: float) -> None:
        if observed.again:
            return
        self.watch.took("observe", "whole", time.perf_counter() - begun)
        self.watch.counted("turns", "unread" if observed.unread else "read")
        for decision in observed.decisions:
            self.watch.counted("decisions", type(decision).__name__)
        if any(each.vectors is None for each in reading.index.values()):
            self.watch.counted("degraded", "vectors")
        elif reading.waiting:  # the embedder answers again
            fill_in_vectors(self.store, self.indexer.embedder, reading.scope)

    def _questions(
        self, view: View, decisions: Sequence[Decision], now: datetime, to_come: Entry | None = None
    ) -> tuple[str, ...]:
        """Return at most one question: about what is doubtful now, or else about a plan whose day has passed.

        `to_come` is what is written next: it counts as written.
        """
        changed = {change.memory_id: change.after for change in to_come.memories} if to_come else {}
        doubtful = doubtful_in(decisions)
        known = view.memories_by_id(doubtful) if not changed.keys() >= set(doubtful) else {}
        latest = (changed.get(each, known.get(each)) for each in doubtful)
        asked = questions_about([memory for memory in latest if memory is not None], self.language)
        if asked:
            return asked
        plan = plan_to_ask_about(plans_of_user(view, now, changed), now)
        if plan is None:
            return ()
        turns = [*view.turns(_SPOKEN_OF), *([to_come.turn] if to_come and to_come.turn else [])]
        said = [utterance for turn in turns for utterance in turn.utterances]
        moved = next((m.after for m in to_come.moves if isinstance(m.after, Manners)), None) if to_come else None
        question = question_about_plan(plan, said, now, moved or manners_of(view), self.language)
        return () if question is None else (question,)

    def _entry(self, reading: _Reading, view: View) -> Entry | None:
        """Return what is believed of what was read, and the turn; None: the turn was stored meanwhile."""
        turn, what, noticed = reading.turn, reading.what, reading.request.noticed
        if self._stored(view, turn, reading.logged, given=what.turn_id is not None) is not None:
            return None
        moment = Moment(
            at=turn.at, recorded_at=turn.recorded_at, turn_number=view.turn_number + 1, channel=turn.channel
        )
        asked = Operation(
            id=what.operation_id or new_id(),
            kind="observe",
            moment=moment,
            who=self.extractor.name,
            request=replace(reading.request, noticed=without_answers(noticed)),
            why=what.why,
            turn_id=turn.id,
        )
        return learning(
            view,
            asked,
            reading.index,
            indexer=self.indexer,
            carrier=self.carrier,
            life=state_for(view, noticed, moment),
            turn=replace(reading.logged, number=moment.turn_number),
            unread=reading.unread,
            left_open=reading.left_open,
            trace=lambda changes: completed(what.trace, noticed, changes),
            traces=self.traces,
        )

    def warm(self) -> None:
        """Load what reading a turn takes, in both languages; nothing is written."""
        scope = Scope(user=USER, character=CHARACTER)
        known = Acquaintance(known={}, user=(USER,), character=(CHARACTER,), called=())
        for line in FIRST_WORDS:
            turn, _, _ = self._turn(Said(lines=((USER, line), (CHARACTER, line))))
            claims, _ = self._read(turn, scope, (), NOTHING_KNOWN)
            noticed_in(turn, scope, claims, known)

    def observed(self, scope: Scope, turn_id: str) -> Observed:
        """Return what became of a turn, as it is in force now, with the personal data in it. Raises `UnknownTurn`."""
        with self.store.view(scope) as view:
            known = view.turn(turn_id)
            if known is None:
                raise UnknownTurn(turn_id)
            observed = _recorded(view, known)
            asking = self._questions(view, observed.decisions, known.at)
        lines = [each.text for each in known.utterances]
        shown = {flag for line in lines for flag in self.flags(line)}
        asked = {flag for line in lines for flag in self.mask(line).asked}
        return replace(observed, pii=tuple(sorted(shown)), ask=tuple(sorted(asked)), questions=asking)

    def _catch_up(self, scope: Scope, turn: Turn) -> bool:
        """Read a turn that was stored unread, as if nothing had been said since; return whether it could be read.

        If the extractor has just read another turn and fails now, it is for this turn.
        """
        with self.store.view(scope) as view:
            before = [line for each in view.turns(_TURNS_BEFORE, before=turn.number) for line in each.utterances]
            background = background_of(view, self._needs(turn, before))
            known = acquaintance(view, scope, background.names)
            # feelings and relationships go on from the newest turn that was noticed
            newest = view.noticed(limit=1)
            in_order = not newest or newest[-1].turn_number < turn.number
        noticed = None
        with reading_within(_READING_AGAIN):
            claims, still_unread = self._read(turn, scope, before, background)
            if still_unread:
                self.failures.give_up(turn)
                return False
            if in_order:
                noticed = _tried(
                    lambda: noticed_in(turn, scope, claims, known), None, "nothing is noticed in turn %s", turn.id
                )
        index = self.indexer.entries({claim.id: claim.findable for claim in claims})
        request = Learn(
            claims=claims,
            noticed=noticed,
            session=turn.session,
            participants=_participants(scope, turn),
            character=scope.character,
        )

        def learn(room: Room) -> None:
            if not room.is_unread(turn.id):
                return
            moment = Moment(at=turn.at, recorded_at=self.clock.now(), turn_number=turn.number, channel=turn.channel)
            asked = Operation(
                id=new_id(),
                kind="read",
                moment=moment,
                who=self.extractor.name,
                request=request,
                turn_id=turn.id,
            )
            life = state_for(room, noticed, moment)
            learned(room, asked, index, indexer=self.indexer, carrier=self.carrier, life=life, caught_up=turn.id)

        held(self.store, scope, learn)
        return True

    def reread(
        self, scope: Scope, memory: Memory, content: str, at: datetime, consent: tuple[str, ...] = ()
    ) -> Claim | None:
        """Read `content` as the speaker of `memory` would have said it; return the claim about its attribute."""
        if memory.attribute is None:
            return None
        turn, _, _ = self._turn(Said(lines=((memory.speaker, content),), at=at, consent=consent))
        claims, _ = self._read(turn, scope, (), NOTHING_KNOWN)
        return next((claim for claim in claims if claim.attribute == memory.attribute), None)

    def remember(self, scope: Scope, claim: Claim, at: datetime) -> Decision:
        """Believe what a person or an import says outright; its words are masked by now."""
        index = self.indexer.entries({claim.id: claim.findable})

        def learn(room: Room) -> Decision:
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            claims = of_pets_known(room, (claim,))
            asked = Operation(
                id=new_id(), kind="remember", moment=moment, who=claim.origin, request=Learn(claims=claims)
            )
            return learned(room, asked, index, indexer=self.indexer, carrier=self.carrier).decisions[0]

        return held(self.store, scope, learn)

    def _turn(self, what: Said) -> tuple[Turn, Turn, Masked]:
        """Return the exchange masked, and as the log keeps it; and what was found in it."""
        lines = [(speaker, unicodedata.normalize("NFC", text)) for speaker, text in what.lines]
        masked = [self.mask(text, what.consent) for _, text in lines]
        recorded_at = self.clock.now()
        at = recorded_at if what.at is None else checked_moment(what.at)
        turn_id = new_id() if what.turn_id is None else checked_text(what.turn_id, "turn_id")
        logged = turn = Turn(
            id=turn_id,
            utterances=tuple(
                Utterance(
                    id=new_id(),
                    turn_id=turn_id,
                    speaker=speaker,
                    text=hidden.text,
                    at=at,
                    position=position,
                    session=what.session,
                )
                for position, ((speaker, _), hidden) in enumerate(zip(lines, masked, strict=True))
            ),
            at=at,
            recorded_at=recorded_at,
            session=what.session,
            channel=what.channel,
            present=what.present,
            cut_off=what.cut_off,
        )
        if self.log_mask is not None and any(each.flags for each in masked):
            kept = (self.log_mask(text, what.consent).text for _, text in lines)
            said = zip(turn.utterances, kept, strict=True)
            logged = replace(turn, utterances=tuple(replace(each, text=text) for each, text in said))
        return turn, logged, join_masked(masked)

    def _needs(self, turn: Turn, before: Sequence[Utterance]) -> Needs:
        told = ("extractor %s does not say what it needs for turn %s", self.extractor.name, turn.id)
        return _tried(lambda: needs_of(self.extractor, turn, before), Needs(), *told)

    def _read(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background
    ) -> tuple[tuple[Claim, ...], bool]:
        """Return the claims of `turn` and whether reading it failed."""
        try:
            return tuple(self.extractor.claims(turn, scope, before, background)), False
        except ReadingTooLong:
            self.failures.failed(turn)
            log.warning("turn %s is kept unread: reading it takes too long", turn.id)
            return (), True
        except Exception:  # extractors are plug-ins: whatever they raise, the turn itself must be kept
            news = self.failures.failed(turn) == 1
            log.error("turn %s is kept unread: extractor %s failed", turn.id, self.extractor.name, exc_info=news)
            return (), True

    def _stored(self, view: View, turn: Turn, logged: Turn, *, given: bool) -> Observed | None:
        """Return what was stored for this turn id; raise `TurnChanged` if its words were others.

        An id that was not `given` by a caller is new, and nothing is looked up.
        What was masked then and is not now, or the other way round, are the same words.
        """
        known = view.turn(turn.id) if given else None
        if known is None:
            return None

        def masked(turn: Turn) -> Turn:
            lines = (replace(each, text=self.mask(each.text).text) for each in turn.utterances)
            return replace(turn, utterances=tuple(lines))

        if not (known.says(logged) or known.says(turn) or masked(known).says(masked(turn))):
            raise TurnChanged(turn.id)
        return _recorded(view, known)


def _participants(scope: Scope, turn: Turn) -> tuple[str, ...]:
    names = {CHARACTER: scope.character or CHARACTER}
    spoke = (names.get(utterance.speaker, utterance.speaker) for utterance in turn.utterances)
    return tuple(dict.fromkeys((*spoke, *turn.present)))


def _recorded(view: View, turn: Turn) -> Observed:
    operation = view.operation_of(turn.id)
    return _observed(turn, operation, unread=view.is_unread(turn.id), again=True)


def _observed(turn: Turn, operation: Operation | None, *, unread: bool, again: bool = False) -> Observed:
    if operation is None:
        return Observed(turn=turn, decisions=(), unread=unread, again=again)
    noticed = operation.request.noticed if isinstance(operation.request, Learn) else None
    return Observed(
        turn=turn,
        decisions=operation.decisions,
        emotions=noticed.felt if noticed is not None else (),
        moves=operation.moves,
        unread=unread,
        again=again,
    )


def _tried(work: Callable[[], Result], otherwise: Result, message: str, *about: object) -> Result:
    """Return what `work` returns, or `otherwise` if it fails: whatever it raises, the turn itself must be kept."""
    try:
        return work()
    except ReadingTooLong:
        log.warning("%s: reading it takes too long", message % about)
        return otherwise
    except Exception:  # extractors are plug-ins and may raise anything
        log.exception(message, *about)
        return otherwise
