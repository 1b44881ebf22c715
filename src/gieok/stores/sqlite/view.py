"""What `gieok.ports` calls a view and a room, over one snapshot of the file."""

from __future__ import annotations

from functools import partial

from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.ports import Entry
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.entry_writing import write_entry
from gieok.stores.sqlite.index_cache import IndexCache
from gieok.stores.sqlite.item_cache import ItemCache
from gieok.stores.sqlite.living import Living
from gieok.stores.sqlite.log import Log
from gieok.stores.sqlite.remembering import Remembering
from gieok.stores.sqlite.rows import as_read
from gieok.stores.sqlite.searching import Searching
from gieok.stores.sqlite.writer import Writer


class SqliteView(Searching, Remembering, Log, Living):
    """One scope, read in one snapshot."""


class SqliteRoom(SqliteView):
    """One scope, held. It takes one entry, and with that it is left: its snapshot would be of the past."""

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
        self._items_known = known
        self._scope = scope
        self._writer = writer

    def apply(self, entry: Entry) -> Operation:
        self._held()
        self.leave()  # a snapshot held during the write would keep SQLite from ever starting its log anew
        written = self._writer.write(
            partial(write_entry, scope=self._scope, entry=entry, seen_version=self.version, embedder=self._embedder)
        )
        touched = {ref: None if memory is None else as_read(memory) for ref, memory in written.touched.items()}
        self._items_known.written(written.scope_id, written.version, touched, written.upset)
        return written.operation
