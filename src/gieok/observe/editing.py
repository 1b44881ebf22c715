"""Putting memories right by hand: correct, pin, forget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from gieok.domain.carrying import Carrier, Present
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.operation import Amend, Hide, Join, Operation, OperationKind, Part, Pin, Stage
from gieok.domain.scope import Scope
from gieok.domain.things import DIRECTOR, Life
from gieok.errors import MemoryMoved, UnknownMemory
from gieok.ids import new_id
from gieok.observe.grounds import beliefs_for
from gieok.observe.indexing import Indexer
from gieok.ports import Clock, IndexEntry, Masker, Room, Store
from gieok.ports.applying import entry, held


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """Changes single memories because a person said so."""

    store: Store
    indexer: Indexer
    mask: Masker
    clock: Clock
    carrier: Carrier

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
        """Put a memory's words right; what it said before stays in its history."""
        content = self.mask(content).text
        request = Amend(memory_id=memory_id, content=content, value=value, surface=surface)
        with self.store.view(scope) as view:
            known = view.memories_by_id([memory_id]).get(memory_id)
        words = content if known is None else replace(known, content=content).findable
        return self._edit(scope, "correct", request, at, self.indexer.entries({memory_id: words}), if_version)

    def pin(self, scope: Scope, memory_id: str, *, pinned: bool, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "pin", Pin(memory_id=memory_id, pinned=pinned), at, {}, if_version)

    def forget(self, scope: Scope, memory_id: str, *, at: datetime, if_version: int | None = None) -> Memory:
        return self._edit(scope, "forget", Hide(memory_id=memory_id), at, {}, if_version)

    def _edit(
        self,
        scope: Scope,
        kind: OperationKind,
        request: Amend | Pin | Hide,
        at: datetime,
        index: dict[str, IndexEntry],
        if_version: int | None,
    ) -> Memory:
        def edit(room: Room) -> Memory:
            known = room.memories_by_id([request.memory_id]).get(request.memory_id)
            if known is None or known.forgotten_at is not None:
                raise UnknownMemory(request.memory_id)
            if if_version not in (None, known.version):
                raise MemoryMoved(known.id, expected=if_version, found=known.version)
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            meant = replace(request, saying=known.saying)
            asked = Operation(id=new_id(), kind=kind, moment=moment, who="person", request=meant)
            concluded = room.concluded() if kind != "pin" else []
            beliefs = beliefs_for(room, (), {}, [known.id, *(memory.id for memory in concluded)])
            present = Present(beliefs=beliefs, life=Life(room.things_by_key([("note", DIRECTOR)]).items()))
            done = room.apply(entry(self.carrier.carried_out(asked, present), index))
            after = done.changes[0].after
            assert after is not None, "editing never deletes"
            return after

        return held(self.store, scope, edit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranger:
    """Tells people apart or together, and sets scenes."""

    store: Store
    clock: Clock
    carrier: Carrier

    def arrange(
        self, scope: Scope, kind: Literal["people", "scene"], request: Join | Part | Stage, at: datetime
    ) -> Operation:
        def arrange(room: Room) -> Operation:
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            asked = Operation(id=new_id(), kind=kind, moment=moment, who="person", request=request)
            life = Life([*room.things("entity").items(), *room.things("alias").items(), *room.things("scene").items()])
            return room.apply(entry(self.carrier.carried_out(asked, Present(life=life)), {}))

        return held(self.store, scope, arrange)
