"""A room over the transaction that holds its scope."""

from __future__ import annotations

from collections.abc import Callable

from gieok.domain.scope import Scope
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.entry_writing import Written
from gieok.stores.tables.index_cache import IndexCache
from gieok.stores.tables.item_cache import ItemCache
from gieok.stores.tables.view import StoredRoom


class PostgresRoom(StoredRoom):
    """One scope, held: all others who want to write to it wait for the lock of this transaction."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        *,
        embedder: str,
        cache: IndexCache,
        known: ItemCache,
        commit: Callable[[], object],
    ) -> None:
        super().__init__(connection, scope, embedder=embedder, cache=cache, known=known)
        self._commit = commit

    def _written(self, work: Callable[[Connection], Written]) -> Written:
        written = work(self._held())
        self._commit()
        self.leave()
        return written
