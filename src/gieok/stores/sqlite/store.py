"""A bank in one SQLite file, as a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from gieok.domain.desk import Bounds
from gieok.domain.model import CallSum, ModelCall
from gieok.domain.scope import Scope
from gieok.errors import BankUnavailable, EmbedderMismatch
from gieok.ports import BankInfo, Holdings, ScopeSummary, Unembedded
from gieok.stores.sqlite import checkup, erasing, leasing, model_calls, reindexing, scope_list
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.desk import SqliteDesk
from gieok.stores.sqlite.index_cache import DEFAULT_BYTES, IndexCache
from gieok.stores.sqlite.item_cache import ItemCache
from gieok.stores.sqlite.keys import checked_key
from gieok.stores.sqlite.opening import open_for_reading, open_for_writing
from gieok.stores.sqlite.readers import Readers
from gieok.stores.sqlite.scope_locks import ScopeLocks
from gieok.stores.sqlite.view import SqliteRoom, SqliteView
from gieok.stores.sqlite.writer import Writer

if TYPE_CHECKING:
    from gieok.ports import Matrix

Result = TypeVar("Result")


def open_store(
    path: str | os.PathLike[str],
    *,
    embedder: str,
    dimension: int,
    key: str | None = None,
    create: bool = True,
    for_reindex: bool = False,
    cache_bytes: int = DEFAULT_BYTES,
) -> SqliteStore:
    """Open the bank at `path`, which is made if nothing is there; with a `key` the whole file is encrypted.

    Raises `NotABank`, `NewerSchema` or `BankUnavailable`, and leaves such a file untouched. Raises `EmbedderMismatch`
    if the bank's vectors were made by another embedder, unless it is opened `for_reindex`.
    """
    if str(path) in ("", ":memory:") or "://" in str(path):
        raise BankUnavailable(
            "a bank is kept in a file; give its path (a temporary one will do for trying), not an address"
        )
    key = checked_key(key)
    place = Path(path).absolute()
    connection = open_for_writing(place, key, embedder=embedder, dimension=dimension, create=create)
    held = reindexing.bank_vectors(connection)
    if not for_reindex and (held.embedder, held.dimension) != (embedder, dimension):
        connection.close()
        raise _mismatch(held, embedder, dimension)
    readers = Readers(lambda: open_for_reading(place, key))  # a partial would show the key
    return SqliteStore(
        place, connection, readers, embedder=embedder, encrypted=key is not None, cache_bytes=cache_bytes
    )


def _mismatch(held: reindexing.BankVectors, embedder: str, dimension: int) -> EmbedderMismatch:
    if held.embedder != embedder:
        return EmbedderMismatch(built_with=held.embedder, configured=embedder)
    return EmbedderMismatch(built_with=f"{embedder} ({held.dimension} d)", configured=f"{embedder} ({dimension} d)")


class SqliteStore:
    """Implements `gieok.ports.Store`. Threads may share it, and processes the file."""

    def __init__(
        self,
        path: Path,
        connection: Connection,
        readers: Readers,
        *,
        embedder: str,
        encrypted: bool,
        cache_bytes: int = DEFAULT_BYTES,
    ) -> None:
        """Take over `connection`, which from here on belongs to the writer thread; use `open_store`."""
        self._path = path
        self._writer = Writer(connection)
        self._readers = readers
        self._embedder = embedder
        self._encrypted = encrypted
        self._cache = IndexCache(cache_bytes)
        self._known = ItemCache()
        self._locks = ScopeLocks()
        self.desk = SqliteDesk(self._writer, readers)
        self._embedded_to = 0  # where `unembedded` goes on looking

    @contextmanager
    def view(self, scope: Scope) -> Iterator[SqliteView]:
        with self._readers.snapshot() as connection:
            view = SqliteView(connection, scope, embedder=self._embedder, cache=self._cache, known=self._known)
            try:
                yield view
            finally:
                view.leave()

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[SqliteRoom]:
        with self._locks.held(scope), self._readers.snapshot() as connection:
            room = SqliteRoom(
                connection, scope, embedder=self._embedder, cache=self._cache, known=self._known, writer=self._writer
            )
            try:
                yield room
            finally:
                room.leave()

    def scopes(self) -> list[ScopeSummary]:
        return self._read(checkup.summaries)

    def latest_scopes(
        self, limit: int, *, after: ScopeSummary | None = None, words: Sequence[str] = (), within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        return self._read(partial(scope_list.latest, limit=limit, after=after, words=words, within=within))

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        return self._read(partial(scope_list.newest, within=within))

    def holdings(self, scope: Scope, present: datetime) -> Holdings:
        return self._read(partial(erasing.holdings, scope=scope, present=present))

    def erase(self, scope: Scope, present: datetime) -> Holdings:
        with self._locks.held(scope):
            scope_id, held = self._writer.write(partial(erasing.erase, scope=scope, present=present))
        self._cache.drop(scope_id)
        self._known.drop(scope_id)
        return held

    def lease(self, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
        return self._writer.write(partial(leasing.take, scope=scope, holder=holder, until=until, now=now))

    def let_go(self, scope: Scope, holder: str) -> None:
        self._writer.write(partial(leasing.let_go, scope=scope, holder=holder))

    def note_call(self, call: ModelCall) -> None:
        self._writer.write(partial(model_calls.note, call=call))

    def model_calls(self) -> list[CallSum]:
        return self._read(model_calls.sums)

    def info(self) -> BankInfo:
        return BankInfo(
            location=str(self._path),
            engine=f"SQLite {apsw.sqlite_lib_version()}",
            encrypted=self._encrypted,
            size_bytes=checkup.size_on_disk(self._path),
            **self._read(checkup.contents),
        )

    def problems(self) -> list[str]:
        return self._read(checkup.problems)

    def begin_reindex(self, embedder: str, dimension: int) -> int:
        self._embedded_to = 0
        return self._writer.write(partial(reindexing.begin, embedder=embedder, dimension=dimension))

    def unembedded(self, limit: int) -> list[Unembedded]:
        found = self._read(partial(reindexing.unembedded, after=self._embedded_to, limit=limit))
        if len(found) < limit and self._embedded_to:  # at the end: look again for what came in behind
            self._embedded_to = 0
            found = self._read(partial(reindexing.unembedded, after=0, limit=limit))
        return found

    def put_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        self._writer.write(partial(reindexing.put, keys=keys, vectors=vectors, embedder=self._embedder))
        self._embedded_to = max(keys, default=0)

    def fill_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        self._writer.write(partial(reindexing.fill, keys=keys, vectors=vectors, embedder=self._embedder))

    def finish_reindex(self) -> None:
        """From here on this store takes the new embedder's vectors."""
        self._embedder = self._writer.write(reindexing.finish)

    def close(self) -> None:
        """Write what is waiting and close the file; more than once does no harm."""
        self._readers.close()
        self._writer.close()

    def _read(self, question: Callable[[Connection], Result]) -> Result:
        with self._readers.snapshot() as connection:
            return question(connection)
