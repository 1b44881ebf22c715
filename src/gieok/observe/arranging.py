"""Carrying out what a person says of people and scenes outright."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gieok.domain.carrying import Carrier, Present
from gieok.domain.judgement import Moment
from gieok.domain.operation import Join, Operation, Part, Stage
from gieok.domain.scope import Scope
from gieok.domain.things import Life
from gieok.ids import new_id
from gieok.ports import Clock, Room, Store
from gieok.ports.applying import entry, held


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
