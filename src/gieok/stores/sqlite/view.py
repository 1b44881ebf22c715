"""A room over one snapshot of the file."""

from __future__ import annotations

from collections.abc import Callable

from gieok.domain.scope import Scope
from gieok.stores.sqlite.writer import Writer
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.entry_writing import Written
from gieok.stores.tables.index_cache import IndexCache
from gieok.stores.tables.item_cache import ItemCache
from gieok.stores.tables.view import StoredRoom


class SqliteRoom(StoredRoom):
    """One scope, held; the one thread that writes takes its entry."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        *,
        embedder: str,
        cache: IndexCache,
        known: ItemCache,
        writer: Writer,
    ) -> None:
        super().__init__(connection, scope, embedder=embedder, cache=cache, known=known)
        self._writer = writer

    def _written(self, work: Callable[[Connection], Written]) -> Written:
        self.leave()  # a snapshot held during the write would keep SQLite from ever starting its log anew
        return self._writer.write(work)
