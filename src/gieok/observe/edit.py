"""Edits by a person: correct, pin, forget and restore memories, join people, set scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.attributes import attribute
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Memory
from gieok.domain.operation import (
    Amend,
    Confirm,
    Edit,
    Hide,
    Join,
    Operation,
    OperationKind,
    Part,
    Pin,
    Reject,
    Restore,
    Stage,
)
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, ScopeState
from gieok.errors import ErrorText, InvalidQuery, MemoryMoved, UnknownMemory
from gieok.ids import new_id
from gieok.observe.index import Indexer, beliefs_for
from gieok.ports import Clock, IndexEntry, Room, Store, Topic
from gieok.ports.store import entry, held


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """Corrects, pins, confirms, rejects, forgets and restores single memories."""

    store: Store
    indexer: Indexer
    clock: Clock
    carrier: OperationApplier

    def correct(
        self,
        scope: Scope,
        memory_id: str,
        content: str,
        *,
        value: str | None,
        surface: str | None,
        at: datetime,
        if_version: int | None = None,
    ) -> Memory:
        """Correct the words of a memory. `content` is masked already; the old words stay in the history."""
        request = Amend(memory_id=memory_id, content=content, value=value, surface=surface)
        with self.store.view(scope) as view:
            known = view.memories_by_id([memory_id]).get(memory_id)
        words = content if known is None else replace(known, content=content).findable
        return self._edit(scope, "correct", request, at, self.indexer.entries({memory_id: words}), if_version)

    def pin(self, scope: Scope, memory_id: str, *, pinned: bool, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "pin", Pin(memory_id=memory_id, pinned=pinned), at, {}, if_version)

    def confirm(self, scope: Scope, memory_id: str, *, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "confirm", Confirm(memory_id=memory_id), at, {}, if_version)

    def reject(self, scope: Scope, memory_id: str, *, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "reject", Reject(memory_id=memory_id), at, {}, if_version)

    def forget(self, scope: Scope, memory_id: str, *, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "forget", Hide(memory_id=memory_id), at, {}, if_version)

    def restore(
        self, scope: Scope, memory_id: str, operation_id: str, *, at: datetime, if_version: int | None = None
    ) -> Memory:
        """Restore a memory to its state after an operation of its history."""
        with self.store.view(scope) as view:
            happened = view.history(memory_id)
        if not happened:
            raise UnknownMemory(memory_id)
        then = next((change.after for operation, change in happened if operation.id == operation_id), None)
        if then is None or then.forgotten_at is not None:
            raise InvalidQuery(ErrorText("query.no_such_state", memory_id=memory_id, operation_id=operation_id))
        request = Restore(memory_id=memory_id, to=then)
        words = self.indexer.entries({memory_id: then.findable})
        return self._edit(scope, "correct", request, at, words, if_version, why=f"as after operation {operation_id}")

    def _edit(
        self,
        scope: Scope,
        kind: OperationKind,
        request: Edit,
        at: datetime,
        index: dict[str, IndexEntry],
        if_version: int | None,
        why: str = "",
    ) -> Memory:
        def edit(room: Room) -> Memory:
            known = room.memories_by_id([request.memory_id]).get(request.memory_id)
            if known is None or (known.forgotten_at is not None and not isinstance(request, Restore)):
                raise UnknownMemory(request.memory_id)
            if if_version not in (None, known.version):
                raise MemoryMoved(known.id, expected=if_version, found=known.version)
            if isinstance(request, Confirm | Reject) and not (known.doubtful and not known.hidden):
                raise InvalidQuery(ErrorText("query.not_doubtful", memory_id=known.id))
            if isinstance(request, Pin) and request.pinned and known.doubtful:
                raise InvalidQuery(ErrorText("query.pin_doubtful", memory_id=known.id))
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            meant = replace(request, saying=known.saying)
            asked = Operation(id=new_id(), kind=kind, moment=moment, who="person", request=meant, why=why)
            beliefs = _touched(room, known, request)
            present = WorkingState(
                beliefs=beliefs, life=ScopeState(room.state_records_by_key([("note", DIRECTOR)]).items())
            )
            done = room.apply(entry(self.carrier.carried_out(asked, present), index))
            after = done.changes[0].after
            assert after is not None, "editing never deletes"
            return after

        return held(self.store, scope, edit)


def _touched(room: Room, memory: Memory, request: Edit) -> Beliefs:
    """Return what an edit of `memory` may change: also conclusions from it, what replaced it and what it may close."""
    if isinstance(request, Pin):
        return beliefs_for(room, (), {}, [memory.id])
    beside = [memory.id, *(each.id for each in room.conclusions())]
    restoring = isinstance(request, Restore)
    if memory.attribute is not None and (restoring or memory.doubtful):  # what speaks against it, what that has closed
        values = (memory.value, request.to.value) if isinstance(request, Restore) else (memory.value,)
        rivals = Topic(
            subject=memory.subject,
            subject_id=memory.subject_id,
            attributes=(memory.attribute, *attribute(memory.attribute).opposes),
            values=tuple({value for value in values if value is not None}),
        )
        beside += [each.id for each in room.memories_about([rivals])]
    if restoring and memory.closed_by is not None:
        beside.append(memory.closed_by)
    return beliefs_for(room, (), {}, beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranger:
    """Joins and separates people, and sets scenes."""

    store: Store
    clock: Clock
    carrier: OperationApplier

    def arrange(
        self, scope: Scope, kind: Literal["people", "scene"], request: Join | Part | Stage, at: datetime
    ) -> Operation:
        def arrange(room: Room) -> Operation:
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            asked = Operation(id=new_id(), kind=kind, moment=moment, who="person", request=request)
            life = ScopeState(room.state_records("entity", "alias", "scene").items())
            return room.apply(entry(self.carrier.carried_out(asked, WorkingState(life=life)), {}))

        return held(self.store, scope, arrange)
