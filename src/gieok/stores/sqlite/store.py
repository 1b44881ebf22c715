"""A bank in one SQLite file, as a store."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, Final

import apsw

from gieok.errors import BankUnavailable, EmbedderMismatch, ErasureUnproven, ErrorText
from gieok.ports import BankInfo
from gieok.stores.sqlite.connection import INT16, Connection, checked_key
from gieok.stores.sqlite.file import Readers, open_for_reading, open_for_writing
from gieok.stores.sqlite.writer import LogLength, Writer
from gieok.stores.tables.cache import DEFAULT_BYTES
from gieok.stores.tables.store import TableStore
from gieok.stores.tables.vectors import check_embedder
from gieok.stores.tables.view import StoredRoom, Work
from gieok.stores.tables.write import Written
from gieok.stores.workplace import sweep


def size_on_disk(path: Path) -> int:
    """Return the bytes of the file and of the log beside it."""
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


MEANS: Final = "secure_delete, FTS5 optimize, VACUUM, wal_checkpoint(TRUNCATE)"
QUICK: Final = 256 * 1024 * 1024  #: bytes of a file that is written anew in passing
_PAUSE: Final = 0.05


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
        raise BankUnavailable(ErrorText("bank.address"))
    key = checked_key(key)
    place = Path(path).absolute()
    connection = open_for_writing(place, key, embedder=embedder, dimension=dimension, create=create)
    if not for_reindex:
        try:
            check_embedder(connection, embedder, dimension)
        except EmbedderMismatch:
            connection.close()
            raise
    sweep([place.parent])
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
        given: dict[str, Any] = {"embedder": embedder, "packing": INT16, "cache_bytes": cache_bytes}
        super().__init__(readers, self._file_writer, views=readers.of_scopes, **given)

    def _lent_to_write(self) -> AbstractContextManager[Connection]:
        return self._file_readers.snapshot(begun=False)  # the writer's connection takes what is written

    def _commit(self, room: StoredRoom, work: Work) -> Written:
        room.leave()  # a snapshot held during the write would keep SQLite from ever starting its log anew
        return self._file_writer.write(work)

    @property
    def location(self) -> str:
        return str(self._path)

    def info(self) -> BankInfo:
        with self._file_readers.snapshot() as connection:
            return BankInfo(
                location=self.location,
                engine=f"SQLite {apsw.sqlite_lib_version()}",
                encrypted=self._encrypted,
                size_bytes=size_on_disk(self._path),
                schema=connection.pragma("user_version"),
                **self._contents(connection),
            )

    def copy_into(self, path: Path, stopped: Callable[[], bool]) -> bool:
        """Write all there is to an empty file, encrypted with the same key; nobody who writes waits for it."""
        with closing(self._file_readers.taken()) as connection:
            connection.vacuum_into(str(path), shown=str(path), stopped=stopped)
        return True

    def problems(self) -> list[str]:
        """Return what SQLite's own checks (rows, indexes, keyword index, references) and ours find."""
        with self._file_readers.snapshot() as connection:
            # Ours come first: they open the keyword index, without which FTS5's check (not its search) would go by
            # what it cached in an earlier transaction of this connection, and report a false mismatch.
            found = [text for (text,) in connection.rows("find_inconsistencies")]
            found += [text for (text,) in connection.script("PRAGMA integrity_check") if text != "ok"]
            found += [
                f"row {row} of {table} points to a row of {parent} that is not there"
                for table, row, parent, _ in connection.script("PRAGMA foreign_key_check")
            ]
        return found

    @property
    def proves_quickly(self) -> bool:
        return size_on_disk(self._path) < QUICK

    def _rid_of_remains(self, seconds: float) -> str:
        until = time.monotonic() + seconds
        self._file_writer.write(lambda it: it.script("INSERT INTO keywords (keywords) VALUES ('optimize')"))
        self._file_writer.between(lambda connection: connection.script("VACUUM"))
        while not self._file_writer.between(lambda connection: LogLength(connection).empty()):
            if time.monotonic() > until:
                raise ErasureUnproven(ErrorText("erase.readers", location=self._path, seconds=seconds))
            time.sleep(_PAUSE)
        return f"SQLite {apsw.sqlite_lib_version()}: {MEANS}"

    def close(self) -> None:
        """Write what is waiting and close the file; more than once does no harm."""
        self._file_readers.close()
        self._file_writer.close()
