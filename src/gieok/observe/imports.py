"""Imports from other systems, one record at a time, each of them once.

The journal remembers what moved in. An operation has an id made of what it brings, which stays when it is undone,
forgotten, scrubbed or erased, so that a second import of the same finds it there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gieok.domain.apply import PAIR, OperationApplier, WorkingState
from gieok.domain.claim import Claim
from gieok.domain.entity import entity_id
from gieok.domain.judgement import Moment
from gieok.domain.operation import Arrive, Learn, Operation
from gieok.domain.scope import Scope
from gieok.domain.state import Alias, Key, ScopeState
from gieok.observe.index import Indexer, learned
from gieok.ports import Clock, Room, Store, View
from gieok.ports.store import entry, held

if TYPE_CHECKING:
    from gieok.ports import Matrix


_SIGN: Final = "import-"  #: what the id of such an operation begins with
_WHO: Final = "import"


def mark_of(scope: Scope, source: str, origin: str) -> str:
    """Return the id of the operation that brings `origin` of a kind of `source` into a scope; it tells none of them."""
    names = (scope.user, scope.character, scope.world, source)
    key = "".join("-" if name is None else f"{len(name)}:{name}" for name in names) + origin
    return _SIGN + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_mark(id: str) -> bool:
    """Whether an operation or a turn has its id from an import."""
    return id.startswith(_SIGN)


@dataclass(slots=True)
class ImportedIds:
    """The ids of the operations that were imported into one scope."""

    scope: Scope
    marks: set[str] = field(default_factory=set)
    upto: int = 0  #: number of the newest operation that is among them

    def catch_up(self, view: View) -> None:
        """Read what other processes have imported meanwhile."""
        for number, mark in view.imported_operations(self.upto + 1):
            self.marks.add(mark)
            self.upto = number


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Imports records into scopes."""

    store: Store
    indexer: Indexer
    clock: Clock
    carrier: OperationApplier

    def arrived(self, scope: Scope) -> ImportedIds:
        """Return what was imported into `scope` so far."""
        found = ImportedIds(scope)
        with self.store.view(scope) as view:
            found.catch_up(view)
        return found

    def remember(
        self,
        arrived: ImportedIds,
        mark: str,
        claim: Claim,
        at: datetime,
        *,
        why: str,
        vector: Sequence[float] | None = None,
    ) -> bool:
        """Import a memory; False: it was imported before. `vector`: that of its words, if it is known."""
        index = (
            self.indexer.entries({claim.id: claim.findable})
            if vector is None
            else {claim.id: self.indexer.entry(claim.findable, _row(vector))}
        )

        def learn(room: Room) -> bool:
            asked = self._asked(room, arrived, mark, Learn(claims=(claim,)), at, why)
            if asked is not None:
                learned(room, asked, index, indexer=self.indexer, carrier=self.carrier)
            return asked is not None

        return held(self.store, arrived.scope, learn)

    def note(self, arrived: ImportedIds, mark: str, request: Arrive, at: datetime, *, why: str) -> bool:
        """Import a person, a relationship, or that a source is complete; False: it was imported before."""

        def arrive(room: Room) -> bool:
            asked = self._asked(room, arrived, mark, request, at, why)
            if asked is not None:
                room.apply(entry(self.carrier.carried_out(asked, WorkingState(life=_life_for(room, request))), {}))
            return asked is not None

        return held(self.store, arrived.scope, arrive)

    def _asked(
        self, room: Room, arrived: ImportedIds, mark: str, request: Learn | Arrive, at: datetime, why: str
    ) -> Operation | None:
        arrived.catch_up(room)
        if mark in arrived.marks:
            return None
        moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
        kind: Final = "remember" if isinstance(request, Learn) else "arrive"
        return Operation(id=mark, kind=kind, moment=moment, who=_WHO, request=request, why=why)


def _row(vector: Sequence[float]) -> Matrix:
    """Return a vector as the one row of its text, of length 1."""
    import numpy as np

    row = np.asarray(vector, dtype=np.float32).reshape(1, -1)
    return row / np.linalg.norm(row)


def _life_for(room: Room, request: Arrive) -> ScopeState:
    """Return the state that the request may change: the person, also under another name, and the relationship."""
    keys: list[Key] = [("relationship", PAIR)]
    if request.person is not None:
        own = entity_id(request.person.name, request.person.channel)
        keys += [("entity", own), ("alias", own)]
    things = room.state_records_by_key(keys)
    others: list[Key] = [("entity", thing.of) for thing in things.values() if isinstance(thing, Alias)]
    return ScopeState([*things.items(), *(room.state_records_by_key(others) if others else {}).items()])
