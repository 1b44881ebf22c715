"""What `gieok.ports` calls a view and a room, over one snapshot of the tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial

from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.ports import Entry
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.entry_writing import Written, write_entry
from gieok.stores.tables.index_cache import IndexCache
from gieok.stores.tables.item_cache import ItemCache
from gieok.stores.tables.living import Living
from gieok.stores.tables.log import Log
from gieok.stores.tables.remembering import Remembering
from gieok.stores.tables.rows import as_read
from gieok.stores.tables.searching import Searching


class StoredView(Searching, Remembering, Log, Living):
    """One scope, read in one snapshot."""


class StoredRoom(StoredView):
    """One scope, held. It takes one entry, and with that it is left: its snapshot would be of the past."""

    def __init__(
        self, connection: Connection, scope: Scope, *, embedder: str, cache: IndexCache, known: ItemCache
    ) -> None:
        super().__init__(connection, scope, embedder=embedder, cache=cache, known=known)
        self._items_known = known
        self._scope = scope

    def apply(self, entry: Entry) -> Operation:
        self._held()
        written = self._written(
            partial(write_entry, scope=self._scope, entry=entry, seen_version=self.version, embedder=self._embedder)
        )
        touched = {ref: None if memory is None else as_read(memory) for ref, memory in written.touched.items()}
        if entry.gone is not None:
            self._cache.drop(written.scope_id)
            self._items_known.drop(written.scope_id)
        self._items_known.written(written.scope_id, written.version, touched, written.upset)
        return written.operation

    @abstractmethod
    def _written(self, work: Callable[[Connection], Written]) -> Written:
        """Have an entry written, and leave."""
