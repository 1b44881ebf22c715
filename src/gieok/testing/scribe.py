"""`Scribe` writes to one scope as the engine does, without reading language.

Claims are given ready, judged by the real rules against all memories of the scope, and indexed by their words. It is
slow and simple on purpose: stores are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import count, dropwhile
from typing import Any

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.claim import Claim
from gieok.domain.judgement import Beliefs, Moment, Policy
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import (
    Amend,
    Arrive,
    Confirm,
    Direct,
    Hide,
    Learn,
    Operation,
    OperationKind,
    Pin,
    Reject,
    Request,
    Think,
    Undo,
)
from gieok.domain.scope import Scope
from gieok.domain.state import ScopeState, net_moves
from gieok.domain.turn import Turn
from gieok.ports import Entry, IndexEntry, MemoryFilter, Room, ScopeMoved, Store
from gieok.testing.builders import DAY_1, WALL, index_of
from gieok.testing.builders import turn as make_turn
from gieok.testing.stand_ins import FixedClock, HashVectors

EVERYTHING = MemoryFilter(include_hidden=True)


class Scribe:
    """Writes to `scope`. Its clock advances by a minute after each entry, unless `at` is given."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        *,
        name: str = "",
        clock: FixedClock | None = None,
        vectors: HashVectors | None = None,
        policy: Policy | None = None,
    ) -> None:
        """`name` makes the ids of several scribes of one scope differ."""
        self.store, self.scope = store, scope
        self.clock = clock or FixedClock(DAY_1)
        self.vectors = vectors or HashVectors()
        self.carrier = OperationApplier(policy=policy or Policy())
        self._ids = (f"{name}{number}" for number in count(1))

    def observe(
        self,
        *lines: str | tuple[str, str],
        claims: Iterable[Claim] = (),
        used: Iterable[str] = (),
        id: str | None = None,
        at: datetime | None = None,
        unread: bool = False,
        left_open: bool = False,
        index: Mapping[str, IndexEntry] | None = None,
        **fields: Any,
    ) -> Operation:
        """Log a turn of `lines` and learn `claims`, said in its first line; `fields` are those of `turn`."""
        moment = at or self.clock.now()
        turn = make_turn(*lines, id=id or f"t{next(self._ids)}", at=moment, **fields)
        source = turn.utterances[0].id if turn.utterances else None
        said = tuple(replace(claim, source_id=claim.source_id or source) for claim in claims)
        request = Learn(claims=said, used=tuple(used))
        return self._write("observe", request, at=at, turn=turn, unread=unread, left_open=left_open, index=index)

    def remember(self, *claims: Claim, at: datetime | None = None, id: str | None = None) -> Operation:
        return self._write("remember", Learn(claims=claims), at=at, id=id)

    def arrive(self, request: Arrive, *, at: datetime | None = None, id: str | None = None) -> Operation:
        return self._write("arrive", request, at=at, id=id)

    def correct(self, memory_id: str, content: str, *, at: datetime | None = None, **fields: Any) -> Operation:
        return self._write("correct", Amend(memory_id=memory_id, content=content, **fields), at=at)

    def pin(self, memory_id: str, pinned: bool = True, *, at: datetime | None = None) -> Operation:
        return self._write("pin", Pin(memory_id=memory_id, pinned=pinned), at=at)

    def confirm(self, memory_id: str, *, at: datetime | None = None) -> Operation:
        return self._write("confirm", Confirm(memory_id=memory_id), at=at)

    def reject(self, memory_id: str, *, at: datetime | None = None) -> Operation:
        return self._write("reject", Reject(memory_id=memory_id), at=at)

    def forget(self, memory_id: str, *, at: datetime | None = None) -> Operation:
        return self._write("forget", Hide(memory_id=memory_id), at=at)

    def think(self, request: Think, *, at: datetime | None = None) -> Operation:
        return self._write("pass", request, at=at)

    def direct(self, turn_id: str, request: Direct, *, at: datetime | None = None) -> Operation:
        return self._write("direct", request, at=at, after=turn_id)

    def memory(self, memory_id: str) -> Memory:
        with self.store.view(self.scope) as view:
            return view.memories_by_id([memory_id])[memory_id]

    def rewind(self, *turn_ids: str, at: datetime | None = None) -> Operation:
        with self.store.view(self.scope) as view:
            known = [view.operation_of(turn_id) for turn_id in turn_ids]
        return self.undo(*(operation.id for operation in known if operation is not None), at=at)

    def undo(self, *operation_ids: str, at: datetime | None = None) -> Operation:
        return self._write("rewind", Undo(operations=operation_ids), at=at)

    def _write(
        self,
        kind: OperationKind,
        request: Request,
        *,
        at: datetime | None,
        turn: Turn | None = None,
        after: str | None = None,
        unread: bool = False,
        left_open: bool = False,
        index: Mapping[str, IndexEntry] | None = None,
        id: str | None = None,
    ) -> Operation:
        moment = at or self.clock.now()
        operation_id = id or f"o{next(self._ids)}"
        while True:
            with self.store.locked(self.scope) as room:
                operation = Operation(
                    id=operation_id,
                    kind=kind,
                    moment=Moment(at=moment, recorded_at=WALL, turn_number=room.turn_number + (turn is not None)),
                    who="person",
                    request=request,
                    turn_id=turn.id if turn else after,
                )
                entry = self._undoing(room, operation) if kind == "rewind" else self._judged(room, operation)
                texts = index if index is not None else index_of(turn, entry.memories, self.vectors)
                try:
                    applied = room.apply(replace(entry, turn=turn, unread=unread, left_open=left_open, index=texts))
                except ScopeMoved:
                    continue
            if at is None:
                self.clock.advance(minutes=1)
            return applied

    def _judged(self, room: Room, operation: Operation) -> Entry:
        known = _known(room)
        claims = operation.request.claims if isinstance(operation.request, Learn) else ()
        beliefs = Beliefs(known.values(), heard=room.times_heard([claim.saying for claim in claims]))
        things = room.state_records()
        present = WorkingState(beliefs=beliefs, life=ScopeState(things.items()))
        done = self.carrier.carried_out(operation, present)
        return Entry(
            operation=done,
            index={},
            memories=net_changes(known, beliefs.all()),
            moves=net_moves(things, present.life.items()),
        )

    def _undoing(self, room: Room, operation: Operation) -> Entry:
        assert isinstance(operation.request, Undo), "only a rewind takes back"
        undo = frozenset(operation.request.operations)
        log = list(dropwhile(lambda each: each.id not in undo, room.operations()))
        if not log:
            return Entry(operation=operation, index={})
        known = _known(room)
        learned = [each.request for each in log if isinstance(each.request, Learn)]
        sayings = [claim.saying for request in learned for claim in request.claims]
        beliefs = Beliefs(known.values(), heard=room.times_heard(sayings, before=log[0].number))
        turns_before = log[0].moment.turn_number - (log[0].kind == "observe")
        things = room.state_records()
        present = WorkingState(beliefs=beliefs, life=ScopeState(things.items()))
        revised = self.carrier.rewound(log, undo, present, turn_number=turns_before)
        changes = net_changes(known, beliefs.all())
        moves = net_moves(things, present.life.items())
        return Entry(operation=operation, index={}, revised=tuple(revised), memories=changes, moves=moves)


def net_changes(before: Mapping[str, Memory], after: Mapping[str, Memory]) -> tuple[Change, ...]:
    return tuple(
        Change(before=before.get(memory_id), after=after.get(memory_id))
        for memory_id in dict.fromkeys((*before, *after))
        if before.get(memory_id) != after.get(memory_id)
    )


def replayed(
    operations: Iterable[Operation],
    policy: Policy,
    *,
    similarity: Mapping[tuple[str, str], float] | None = None,
) -> tuple[Beliefs, list[Operation]]:
    """Apply `operations` in order to an empty scope; return the beliefs and the outcomes."""
    beliefs = Beliefs(similarity=similarity)
    present, carrier = WorkingState(beliefs=beliefs), OperationApplier(policy=policy)
    outcomes = []
    turn_number = 0
    for operation in operations:
        turn_number += operation.kind == "observe"
        outcomes.append(carrier.carried_out(operation, present, turn_number=turn_number))
    return beliefs, outcomes


def _known(room: Room) -> dict[str, Memory]:
    return {memory.id: memory for memory in room.memories(EVERYTHING)}
