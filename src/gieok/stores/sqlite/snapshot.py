"""One scope, read in one transaction: the ground that every view stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final

from gieok.domain.answer import Item
from gieok.domain.scope import Scope
from gieok.stores.sqlite.connection import Connection, Row, give_up
from gieok.stores.sqlite.moments import moment
from gieok.stores.sqlite.rows import dump
from gieok.stores.sqlite.scope_ids import first_id, last_id

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


def standing(connection: Connection, scope: Scope) -> Standing:
    row = connection.row("find_scope", **scope_key(scope))
    assert row is not None, "every bank has its row in the table bank"
    return Standing(*row)


def scope_key(scope: Scope) -> dict[str, str]:
    return {"user": scope.user or "", "character": scope.character or "", "world": scope.world or ""}


class Snapshot:
    """Answers queries until it is left. Threads may share it; their queries take turns."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection: Connection | None = connection
        self._turn = Lock()
        self._standing = standing(connection, scope)
        self._first = first_id(self._standing.scope_id)
        self._last = last_id(self._standing.scope_id)
        self._read: dict[int, Item] = {}  #: what was read already
        self._silent: frozenset[str] | None = None  #: the forgotten words, once they were asked for

    @property
    def version(self) -> int:
        return self._standing.version

    @property
    def turn_number(self) -> int:
        return self._standing.turn_number

    @property
    def latest_at(self) -> datetime | None:
        rows = self._rows("latest_moment", scope_id=self._standing.scope_id)
        return moment(*rows[0]) if rows else None

    def leave(self) -> None:
        """End the transaction and let go of the connection, once a query that is under way is done."""
        with self._turn:
            if self._connection is not None:
                give_up(self._connection)
                self._connection = None

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
        missing = [ref for ref in refs if ref not in self._read]
        made = {row[0]: make(row) for row in self._loaded(query, missing)} if missing else {}
        if len(made) <= _FEW:
            self._read.update(made)
        return {ref: item for ref in refs if (item := made.get(ref) or self._read.get(ref)) is not None}

    def _held(self) -> Connection:
        if self._connection is None:
            raise RuntimeError("this view was left, or took its entry; enter the scope again")
        return self._connection
