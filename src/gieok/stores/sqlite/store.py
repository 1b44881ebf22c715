"""A bank in one SQLite file, as a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from gieok.domain.scope import Scope
from gieok.errors import BankUnavailable, EmbedderMismatch
from gieok.ports import BankInfo
from gieok.stores.sqlite import checkup, proving
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.keys import checked_key
from gieok.stores.sqlite.opening import open_for_reading, open_for_writing
from gieok.stores.sqlite.packing import INT16
from gieok.stores.sqlite.readers import Readers
from gieok.stores.sqlite.view import SqliteRoom
from gieok.stores.sqlite.writer import Writer
from gieok.stores.tables.index_cache import DEFAULT_BYTES
from gieok.stores.tables.store import TableStore, check_embedder


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
    if not for_reindex:
        try:
            check_embedder(connection, embedder, dimension)
        except EmbedderMismatch:
            connection.close()
            raise
    readers = Readers(lambda: open_for_reading(place, key))  # a partial would show the key
    return SqliteStore(
        place, connection, readers, embedder=embedder, encrypted=key is not None, cache_bytes=cache_bytes
    )


class SqliteStore(TableStore):
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
        self._encrypted = encrypted
        self._file_readers = readers
        self._file_writer = Writer(connection)
        super().__init__(readers, self._file_writer, embedder=embedder, packing=INT16, cache_bytes=cache_bytes)

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[SqliteRoom]:
        with self._locks.held(scope), self._file_readers.snapshot() as connection:
            room = SqliteRoom(
                connection,
                scope,
                embedder=self._embedder,
                cache=self._cache,
                known=self._known,
                writer=self._file_writer,
            )
            try:
                yield room
            finally:
                room.leave()

    @property
    def location(self) -> str:
        return str(self._path)

    def info(self) -> BankInfo:
        with self._file_readers.snapshot() as connection:
            return BankInfo(
                location=self.location,
                engine=f"SQLite {apsw.sqlite_lib_version()}",
                encrypted=self._encrypted,
                size_bytes=checkup.size_on_disk(self._path),
                **checkup.contents(connection),
            )

    def copy_into(self, path: Path, stopped: Callable[[], bool]) -> bool:
        """Write all there is to an empty file, encrypted with the same key; nobody who writes waits for it."""
        connection = self._file_readers.fresh()
        try:
            connection.vacuum_into(str(path), shown=str(path), stopped=stopped)
        finally:
            connection.close()
        return True

    def problems(self) -> list[str]:
        with self._file_readers.snapshot() as connection:
            return checkup.problems(connection)

    @property
    def proves_quickly(self) -> bool:
        return checkup.size_on_disk(self._path) < proving.QUICK

    def _rid_of_remains(self, seconds: float) -> str:
        proving.rid_of_remains(self._file_writer, str(self._path), seconds)
        return f"SQLite {apsw.sqlite_lib_version()}: {proving.MEANS}"

    def close(self) -> None:
        """Write what is waiting and close the file; more than once does no harm."""
        self._file_readers.close()
        self._file_writer.close()
