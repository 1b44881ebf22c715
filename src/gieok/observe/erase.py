"""Erasing a part of a scope: afterwards everything is as if it had never been said, and no row holds it.

Later decisions are judged again without it, as after a rewind. Derived texts, such as a model's thoughts, are erased
where they hold a word that stands only in what is erased.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from gieok.domain.claim import Claim
from gieok.domain.erasure import (
    NO_THOUGHT,
    Certificate,
    ErasurePart,
    Words,
    erased_operation,
    folded_text,
    new_certificate,
    operation_without,
    request_without,
)
from gieok.domain.judgement import Moment
from gieok.domain.model_conclusions import insight_id
from gieok.domain.operation import Amend, Arrive, Direct, Erased, Join, Learn, Operation, Restore, Stage, Think, Undo
from gieok.domain.operation import Part as Parted
from gieok.domain.recognition import Imprint, statement_imprints, stored_turn_imprint, text_imprints
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.ids import new_id
from gieok.language.terms import telling_words
from gieok.observe.rewind import Rewinder, unless_moved
from gieok.ports import Clock, Entry, PlannedEntry, Removal, RewoundTurn, Store, View
from gieok.ports.store import insistently

_WHY = "erased"
_DIRECTOR_LOOKS_BACK = 10  #: turns that a director's note may tell of


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Erases parts of scopes."""

    store: Store
    rewinder: Rewinder
    clock: Clock

    def counts(self, scope: Scope, part: ErasurePart) -> dict[str, int]:
        """Return how much would be erased; empty: nothing."""
        with self.store.view(scope) as view:
            plan = ErasurePlan(view=view, part=part, documents=self._documents(scope, part))
            return plan.counts(self._entry(view, plan, view.latest_at)) if plan.any else {}

    def erase(self, scopes: Sequence[Scope], part: ErasurePart, *, by: str) -> dict[Scope, Certificate]:
        """Erase `part` of all `scopes`, or of none; return the certificates, not yet proven, of those that had it."""

        def erased() -> dict[Scope, Certificate]:
            planned = [each for scope in scopes if (each := self._planned(scope, part, by)) is not None]
            if planned:
                self.store.apply_together([plan for plan, _ in planned])
            return {plan.scope: certificate for plan, certificate in planned}

        return insistently(erased)

    def _planned(self, scope: Scope, part: ErasurePart, by: str) -> tuple[PlannedEntry, Certificate] | None:
        """Return what erases `part`, and the certificate; None: there is nothing to erase."""
        self.rewinder.indexer.warm()
        with self.store.view(scope) as view:
            view.provisions.check_hold(scope)
            plan = ErasurePlan(view=view, part=part, documents=self._documents(scope, part))
            if not plan.any:
                return None
            entry = self._entry(view, plan, view.latest_at)
            certificate = new_certificate(
                id=new_id(),
                at=self.clock.now(),
                by=by,
                salt=new_id(),
                scope=scope,
                part=part,
                counts=plan.counts(entry),
            )
            unmoved = unless_moved(view.version, replace(entry, removal=plan.gone(entry, certificate)))

        def unheld(now: View) -> Entry:  # a hold may have been put since
            now.provisions.check_hold(scope)
            return unmoved(now)

        return PlannedEntry(scope, unheld), certificate

    def _documents(self, scope: Scope, part: ErasurePart) -> bool:
        """Whether documents of the scope match."""
        if part.matching is None:
            return False
        own = (each for each in self.store.server.documents() if each.scope == scope)
        return any(part.matching in folded_text(json.dumps(json.loads(each.value), ensure_ascii=False)) for each in own)

    def _entry(self, view: View, plan: ErasurePlan, at: datetime | None) -> Entry:
        """Return the entry that undoes what is erased."""
        now = self.clock.now()
        if not plan.log:
            moment = Moment(at=at or now, recorded_at=now, turn_number=view.turn_number)
            nothing = Undo(operations=())
            asked = Operation(id=new_id(), kind="rewind", moment=moment, who="person", request=nothing, why=_WHY)
            return Entry(operation=asked, index={})
        entry = self.rewinder.without(view, plan.log, plan.removed, at or now, why=_WHY)
        return replace(entry, revised=tuple(map(plan.left_of, entry.revised)))


@dataclass(frozen=True, kw_only=True)
class ErasurePlan:
    """What is erased of a scope."""

    view: View
    part: ErasurePart
    documents: bool = False  #: some go, too: the store finds them

    @property
    def any(self) -> bool:
        return bool(self.log or self.taken_back or self._redacted or self.documents)

    @cached_property
    def turns(self) -> frozenset[str]:
        """The ids of the turns in force that are erased."""
        return frozenset(
            turn.id
            for turn in self._turns
            if self._fits(turn.id, turn.session, turn.at, [line.text for line in turn.utterances])
        )

    @cached_property
    def words(self) -> Words:
        return self._words([turn for turn in self._were_taken_back if self._asked_for(turn)])

    def _words(self, taken_back: Sequence[RewoundTurn]) -> Words:
        """Return the words that reveal what is erased, these rewound turns among it."""
        exact = () if self.part.matching is None else (self.part.matching,)
        gone: list[str] = []
        left: list[str] = []
        worded: list[str] = []
        for turn in self._turns:
            (gone if turn.id in self.turns else left).extend(line.text for line in turn.utterances)
        gone += [text for turn in taken_back for _, text in turn.lines]
        for operation in self._in_force:
            if self._goes(operation):
                gone += texts_of(operation)
                continue
            left += texts_of(operation) if _own_words(operation) else ()
            worded += [claim.content for claim in _claims(operation)]
        return Words(exact=exact, rare=telling_words(gone, left, worded))

    @cached_property
    def log(self) -> list[Operation]:
        """The operations in force from the first that is erased or changed, with the requests to judge again."""
        anew = [
            each if self._goes(each) else replace(each, request=request_without(each.request, self.words))
            for each in self._in_force
        ]
        touched = (
            at
            for at, (before, after) in enumerate(zip(self._in_force, anew, strict=True))
            if self._goes(before) or before.request != after.request
        )
        first = next(touched, None)
        return [] if first is None else anew[first:]

    @cached_property
    def removed(self) -> list[Operation]:
        """Those of them that are erased: asked for, or with nothing left of their request."""
        asked = {each.number: each.request for each in self._in_force}
        return [
            each
            for each in self.log
            if self._goes(each) or (isinstance(each.request, Erased) and asked[each.number] != each.request)
        ]

    @cached_property
    def taken_back(self) -> list[RewoundTurn]:
        """The turns that were rewound before and are erased, too."""
        return [
            each
            for each in self._were_taken_back
            if self._asked_for(each) or self.words.stand_in_any(text for _, text in each.lines)
        ]

    def left_of(self, operation: Operation) -> Operation:
        """Return what is left of an operation that was judged again; of an erased one, its turn's id for now."""
        if operation.undone:
            return replace(erased_operation(operation), turn_id=operation.turn_id, undone=True)
        request = operation.request
        if isinstance(request, Amend | Restore) and not operation.changes:
            return replace(erased_operation(operation), undone=True)  # what it put right is gone
        if isinstance(request, Think):
            return replace(operation, request=_effective(operation, request))
        return operation

    @cached_property
    def _back(self) -> frozenset[Imprint]:
        """The imprints of what was erased before, where that is meant."""
        if self.part.known is None:
            return frozenset()
        said = [(turn.id, [line.text for line in turn.utterances]) for turn in self._turns]
        said += [(turn.turn_id, [text for _, text in turn.lines]) for turn in self._were_taken_back]
        imprints = {stored_turn_imprint(turn_id, lines) for turn_id, lines in said}
        imprints.update(imprint for each in self._in_force if _own_words(each) for imprint in _imprints_of(each))
        return self.view.recognised(imprints, self.part.known)

    def gone(self, entry: Entry, certificate: Certificate) -> Removal:
        revised = {each.number: each for each in entry.revised}
        asked = {each.number: each.request for each in self._in_force}
        anew = [each for number, each in revised.items() if each.undone or each.request != asked[number]]
        bare = [erased_operation(each) if isinstance(each.request, Erased) else each for each in anew]
        exact = self.words.exact
        lost = (each.before for each in entry.memories if each.before is not None and each.after is None)
        imprints = {imprint for memory in lost for imprint in statement_imprints(memory)}
        imprints.update(imprint for each in self.removed if _own_words(each) for imprint in _imprints_of(each))
        return Removal(
            operations=(*bare, *self._redacted),
            turns=self.turns,
            taken_back=frozenset(each.place for each in self.taken_back),
            words=exact,
            imprints=frozenset(imprints),
            again=self.part.known is not None,
            certificate=certificate,
        )

    def counts(self, entry: Entry) -> dict[str, int]:
        said = sum(len(turn.utterances) for turn in self._turns if turn.id in self.turns)
        husks = sum(isinstance(each.request, Erased) for each in (*entry.revised, *self._redacted))
        return {
            "turns": len(self.turns) + len(self.taken_back),
            "utterances": said + sum(len(each.lines) for each in self.taken_back),
            "memories": sum(change.after is None for change in entry.memories),
            "rebuilt": sum(change.before is not None and change.after is not None for change in entry.memories),
            "operations": husks,
        }

    @cached_property
    def _operations(self) -> list[Operation]:
        return self.view.operations(in_force=False)

    @cached_property
    def _in_force(self) -> list[Operation]:
        return [each for each in self._operations if not each.undone and each.kind != "rewind"]

    @cached_property
    def _turns(self) -> list[Turn]:
        return self.view.turns(self.view.turn_number)

    @cached_property
    def _numbers(self) -> frozenset[int]:
        return frozenset(turn.number for turn in self._turns if turn.id in self.turns)

    @cached_property
    def _were_taken_back(self) -> list[RewoundTurn]:
        return self.view.rewound_turns()

    @cached_property
    def _redacted(self) -> list[Operation]:
        """The operations that were undone before and lose words by the erasure, as they are afterwards."""
        gone = {each.turn_id for each in self.taken_back}
        words = self._words(self.taken_back)  # also of turns that share a word with what was asked for
        undone = [each for each in self._operations if each.undone and not isinstance(each.request, Erased)]
        anew = [erased_operation(each) if each.turn_id in gone else operation_without(each, words) for each in undone]
        return [new for old, new in zip(undone, anew, strict=True) if new != old]

    def _asked_for(self, turn: RewoundTurn) -> bool:
        lines = [text for _, text in turn.lines]
        return turn.turn_id in self.turns or self._fits(turn.turn_id, turn.session, turn.at, lines)

    def _fits(self, turn_id: str, session: str | None, at: datetime, lines: Sequence[str]) -> bool:
        part = self.part
        return (
            part.turn in (None, turn_id)
            and part.session in (None, session)
            and part.covers(at)
            and (part.matching is None or any(part.matching in folded_text(line) for line in lines))
            and (part.known is None or stored_turn_imprint(turn_id, lines) in self._back)
        )

    def _goes(self, operation: Operation) -> bool:
        """Return whether an operation is erased: it belongs to an erased turn, or matches without a turn."""
        if operation.turn_id is not None:
            last = operation.moment.turn_number
            return operation.turn_id in self.turns or (
                isinstance(operation.request, Direct)
                and any(last - _DIRECTOR_LOOKS_BACK < number <= last for number in self._numbers)
            )
        part = self.part
        if part.session is not None or part.turn is not None or not _own_words(operation):
            return False
        if not part.covers(operation.moment.at):
            return False
        if part.known is not None and self._back.isdisjoint(_imprints_of(operation)):
            return False
        return part.matching is None or any(part.matching in folded_text(text) for text in texts_of(operation))


def texts_of(operation: Operation) -> Iterator[str]:
    """Yield the texts of an operation that a person made without a turn."""
    request = operation.request
    for claim in _claims(operation):
        yield from filter(None, (claim.content, claim.value, claim.surface))
    if isinstance(request, Amend):
        yield from filter(None, (request.content, request.value))
    if isinstance(request, Join | Parted):
        yield from (request.name, request.other)
    if isinstance(request, Arrive) and request.person is not None:
        yield from filter(None, (request.person.name, request.person.display_name, request.person.summary))
        yield from (note.text for note in (*request.person.interests, *request.person.personality))
    if isinstance(request, Stage):
        yield from filter(None, (request.place, request.daytime))


def _imprints_of(operation: Operation) -> Iterator[Imprint]:
    """Yield the imprints of an operation that a person made without a turn."""
    for claim in _claims(operation):
        yield from statement_imprints(claim)
    yield from text_imprints(texts_of(operation))


def _own_words(operation: Operation) -> bool:
    """Return whether a person stated it directly, without a turn."""
    return operation.turn_id is None and isinstance(operation.request, Learn | Amend | Join | Parted | Stage | Arrive)


def _claims(operation: Operation) -> tuple[Claim, ...]:
    return operation.request.claims if isinstance(operation.request, Learn) else ()


def _effective(operation: Operation, request: Think) -> Think:
    """Return a model's thoughts without those that changed nothing: their grounds may be erased."""
    changed = {change.memory_id for change in operation.changes}
    return replace(
        request,
        insights=tuple(
            each if insight_id(operation.id, number) in changed else NO_THOUGHT
            for number, each in enumerate(request.insights)
        ),
        retellings=tuple(each for each in request.retellings if each.ground.memory_id in changed),
    )
