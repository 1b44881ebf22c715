"""One scope, read in one transaction: the ground that every view stands on."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final, TypeVar

from gieok.domain.answer import Item
from gieok.domain.record import from_record
from gieok.domain.retention import NONE, Hold, Provisions, Retention
from gieok.domain.scope import Scope, Sharing
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.item_cache import ItemCache, Known
from gieok.stores.tables.moments import moment
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import first_id, last_id

Answer = TypeVar("Answer")

_FEW: Final = 256  #: items read at once that are kept for the next query


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a scope stands, and whose vectors its bank holds; 0 everywhere: it was never written to."""

    embedder: str
    dimension: int
    scope_id: int
    version: int
    next_seq: int
    turn_number: int
    operation_number: int
    index_epoch: int
    hold: str | None  #: JSON
    retention: str | None  #: JSON

    @property
    def provisions(self) -> Provisions:
        if self.hold is None and self.retention is None:
            return NONE
        return Provisions(
            hold=None if self.hold is None else from_record(Hold, json.loads(self.hold)),
            retention=None if self.retention is None else from_record(Retention, json.loads(self.retention)),
        )


def standing(connection: Connection, scope: Scope) -> Standing:
    row = connection.row("find_scope", **scope_key(scope))
    assert row is not None, "every bank has its row in the table bank"
    return Standing(*row)


def scope_key(scope: Scope) -> dict[str, str]:
    return {"user": scope.user or "", "character": scope.character or "", "world": scope.world or ""}


class Snapshot:
    """Answers queries until it is left. Threads may share it; their queries take turns."""

    def __init__(self, connection: Connection, scope: Scope, known: ItemCache) -> None:
        connection = connection.owned_by(scope.user or "")
        self._connection: Connection | None = connection
        self._packing = connection.packing
        self._scope = scope
        self._turn = Lock()
        self._standing = standing(connection, scope)
        self._first = first_id(self._standing.scope_id)
        self._last = last_id(self._standing.scope_id)
        self._known: Known = known.known(self._standing.scope_id, self._standing.version)  #: what was read already

    @property
    def version(self) -> int:
        return self._standing.version

    @property
    def turn_number(self) -> int:
        return self._standing.turn_number

    @property
    def latest_at(self) -> datetime | None:
        return self.kept("latest_at", self._latest_at)

    @property
    def provisions(self) -> Provisions:
        return self._standing.provisions

    def leave(self) -> None:
        """End the transaction and let go of the connection, once a query that is under way is done."""
        with self._turn:
            if self._connection is not None:
                self._connection.end()
                self._connection = None

    def kept(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        return _looked_up(self._known.answers, name, make)

    def begun(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        keys = {tuple(scope_key(scope).values()): scope for scope in scopes}
        return frozenset(keys[row] for row in self._rows("find_begun", keys=dump([*keys]))) if keys else frozenset()

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        named = self._scope.user if sharing == "user_facts" else self._scope.character
        if sharing == "none" or self._scope.is_canon or named is None:
            return []
        query = "find_siblings_of_user" if sharing == "user_facts" else "find_siblings_of_character"
        rows = self._rows(query, limit=limit, **scope_key(self._scope))
        return [Scope(user=user, character=character or None, world=world or None) for user, character, world in rows]

    def _lasting(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` returns, kept until a write upsets what goes by that `name`: see `upsetting`."""
        return _looked_up(self._known.lasting, name, make)

    def _listed(self, name: Hashable, make: Callable[[], list[int]]) -> list[int]:
        """Return the ids that `make` returns, kept until a memory comes, goes or becomes another."""
        return _looked_up(self._known.lists, name, make)

    def _latest_at(self) -> datetime | None:
        rows = self._rows("latest_moment", scope_id=self._standing.scope_id)
        return moment(*rows[0]) if rows else None

    def _rows(self, query: str, **values: Any) -> list[Row]:
        with self._turn:
            return self._held().rows(query, **values)

    def _ids(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._rows(query, **values)]

    def _loaded(self, query: str, ids: Iterable[int]) -> list[Row]:
        """Return the rows of `ids` that are in this scope."""
        return self._rows(query, ids=dump(list(ids)), low=self._first, high=self._last)

    def _items(self, query: str, make: Callable[[Row], Item], refs: Sequence[int]) -> dict[int, Item]:
        """Return those of `refs` that `query` finds or that were read before."""
        read = self._known.items
        missing = [ref for ref in refs if ref not in read]
        made = {row[0]: make(row) for row in self._loaded(query, missing)} if missing else {}
        if len(made) <= _FEW:
            read.update(made)
        return {ref: item for ref in refs if (item := made.get(ref) or read.get(ref)) is not None}

    def _held(self) -> Connection:
        if self._connection is None:
            raise RuntimeError("this view was left, or took its entry; enter the scope again")
        return self._connection


def _looked_up(answers: dict[Hashable, Any], name: Hashable, make: Callable[[], Answer]) -> Answer:
    try:
        found: Answer = answers[name]
    except KeyError:
        found = answers[name] = make()
    return found
