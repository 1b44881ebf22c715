"""Reading what is kept beside memories: things, what became of them, and what was noticed in turns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gieok.domain.noticed import EntityKind, Noticed
from gieok.domain.record import from_record
from gieok.domain.things import Key, Thing
from gieok.ports import Counts, Happened, TurnNoticed
from gieok.stores.tables.connection import Row
from gieok.stores.tables.moments import moment
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import MOST, number_of
from gieok.stores.tables.snapshot import Snapshot
from gieok.stores.tables.thing_rows import move_from, thing_from

if TYPE_CHECKING:
    from gieok.ports import Vector

_ALL: Final = -1  # SQLite's LIMIT for no limit
_FEW: Final = 8  #: turns of which it is kept what was noticed in them


class Living(Snapshot):
    """The part of a view that tells how things stand."""

    def things(self, kind: str | None = None) -> dict[Key, Thing]:
        scope_id = self._standing.scope_id
        if kind is None:
            return _things(self._rows("all_things", scope_id=scope_id))
        return {
            **self.kept(("things", kind), lambda: _things(self._rows("things_of_kind", scope_id=scope_id, kind=kind)))
        }

    def things_by_key(self, keys: Iterable[Key]) -> dict[Key, Thing]:
        wanted = tuple(keys)
        return {**self.kept(("things", wanted), lambda: self._things_by_key(wanted))}

    def _things_by_key(self, keys: Iterable[Key]) -> dict[Key, Thing]:
        wanted = dump([list(key) for key in keys])
        return _things(self._rows("things_by_key", scope_id=self._standing.scope_id, keys=wanted))

    def acquaintances(self) -> dict[str, EntityKind]:
        return dict(self._rows("names_of_people", scope_id=self._standing.scope_id))

    def last_things(self, kind: str, limit: int = 1) -> list[tuple[str, Thing]]:
        return [*self.kept(("last", kind, limit), lambda: self._last_things(kind, limit))]

    def _last_things(self, kind: str, limit: int) -> list[tuple[str, Thing]]:
        rows = self._rows("last_things", scope_id=self._standing.scope_id, kind=kind, limit=max(limit, 0))
        return [(public_id, thing) for (_, public_id), thing in _things(reversed(rows)).items()]

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[Happened]:
        asked = {
            "low": self._first,
            "high": self._last if before is None else self._first + min(max(before - 1, 0), MOST),
            "kind": kind,
            "limit": _ALL if limit is None else max(limit, 0),
        }
        if id is None:
            rows = self._rows("moves_of_kind", **asked)
        else:
            rows = self._rows("moves_of_thing", **asked, public_id=id)
        return [_happened(row) for row in reversed(rows)]

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[Happened]:
        named = dump([[part.partition(".")[0], part] for part in parts])
        rows = self._rows("turning_moves", low=self._first, high=self._last, kind=kind, public_id=id, parts=named)
        return [_happened(row) for row in rows]

    def spread(self, kind: str, ids: Sequence[str], most: int) -> list[Happened]:
        wanted = dump(list(dict.fromkeys(ids)))
        rows = self._rows(
            "spread_moves", low=self._first, high=self._last, kind=kind, public_ids=wanted, most=max(most, 2)
        )
        return [_happened(row) for row in rows]

    def noticed(self, *, since: int = 0, before: int | None = None, limit: int | None = None) -> list[TurnNoticed]:
        if limit is None or limit > _FEW or before is not None:
            return self._noticed(since, before, limit)
        return [*self.kept(("noticed", since, limit), lambda: self._noticed(since, None, limit))]

    def _noticed(self, since: int, before: int | None, limit: int | None) -> list[TurnNoticed]:
        rows = self._rows(
            "noticed_since",
            low=self._first,
            high=self._last,
            since=since,
            before=before,
            limit=_ALL if limit is None else max(limit, 0),
        )
        return [
            TurnNoticed(
                noticed=from_record(Noticed, json.loads(noticed)),
                turn_id=turn_id,
                turn_number=number,
                at=moment(at, offset),
            )
            for turn_id, number, at, offset, noticed in reversed(rows)
        ]

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        held = self._standing
        rows = self._rows("load_vectors", scope_id=held.scope_id, public_ids=dump(list(item_ids)))
        firsts = self._packing.firsts([column for _, column in rows], held.dimension)
        return {public_id: row for (public_id, _), row in zip(rows, firsts, strict=True)}

    def counts(self, *, learned_since: int, said_since: int) -> Counts:
        row = self._rows(
            "count_for_upkeep",
            scope_id=self._standing.scope_id,
            learned_since=learned_since,
            said_since=said_since,
        )[0]
        learned, letters, at, offset = row
        return Counts(learned=learned, letters=letters, began_at=None if at is None else moment(at, offset))


def _happened(row: Row) -> Happened:
    *move, turn_id, at, offset, turn_number, operation = row
    return Happened(
        move=move_from(*move),
        number=number_of(operation),
        at=moment(at, offset),
        turn_id=turn_id,
        turn_number=turn_number,
    )


def _things(rows: Iterable[Row]) -> dict[Key, Thing]:
    return {(kind, public_id): thing_from(kind, record) for kind, public_id, record in rows}
