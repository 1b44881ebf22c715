"""Opening the file: the writer's connection, and the readers'."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import apsw

from gieok.errors import BankClosed, BankUnavailable, ErrorText, GieokError
from gieok.stores.sqlite.connection import BUSY_SECONDS, Connection, there_is_a_bank, translated
from gieok.stores.sqlite.schema import SCHEMA, bring_up_to_date
from gieok.stores.tables.scopes import OwnProcess

_making: Final = Lock()
_KEPT: Final = 4


def open_for_writing(path: Path, key: str | None, *, embedder: str, dimension: int, create: bool) -> Connection:
    """Return the connection that writes, with the bank at today's schema.

    A file that is not ours, or from a later gieok, is left as it was.
    """
    known = there_is_a_bank(path, key, known_schema=SCHEMA)
    if not known and not create:
        raise BankUnavailable(ErrorText("bank.missing", path=path))
    if not known:
        # For its owner alone; SQLite gives the files beside it the same mode. What stands in the way SQLite will name.
        # One thread at a time: closing the descriptor would undo the locks of another that has already opened the file.
        with _making, suppress(OSError):
            os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection = connected(path, key, apsw.SQLITE_OPEN_READWRITE | (0 if known else apsw.SQLITE_OPEN_CREATE))
    try:
        if connection.read_only:
            raise BankUnavailable(ErrorText("bank.read_only", path=path))
        connection.pragma("secure_delete", 1)
        connection.pragma("synchronous", "FULL")
        bring_up_to_date(connection, embedder=embedder, dimension=dimension)
        deadline = time.monotonic() + BUSY_SECONDS
        while connection.pragma("journal_mode") != "wal":
            try:
                connection.pragma("journal_mode", "wal")
            except BankUnavailable:  # SQLite does not wait by itself while another process does the same
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
    except GieokError:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path, key: str | None) -> Connection:
    return connected(path, key, apsw.SQLITE_OPEN_READONLY)


def open_at_rest(path: Path, key: str | None) -> Connection:
    """Return a connection that reads a file which nobody writes to, such as a backup; it leaves nothing beside it."""
    there_is_a_bank(path, key, known_schema=SCHEMA)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return connected(path, key, flags, name=f"{path.absolute().as_uri()}?immutable=1")


def connected(
    path: Path, key: str | None, flags: int, *, name: str | None = None, busy_ms: int = BUSY_SECONDS * 1000
) -> Connection:
    try:
        raw = apsw.Connection(name or str(path), flags=flags)
        if key is not None:
            raw.pragma("key", key)
        raw.set_busy_timeout(busy_ms)
        # Without it SQLite looks at the values a statement is given while it plans, and so plans it anew each time:
        # that took most of the time of a query with a join.
        raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    except apsw.Error as error:
        raise translated(error, str(path)) from error
    connection = Connection(raw, str(path))
    connection.pragma("foreign_keys", 1)
    return connection


class Readers:
    """Connections that read; a few are kept for the next reader."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._process = OwnProcess()
        self._connect = connect
        self._idle: list[Connection] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def snapshot(self, *, begun: bool = True) -> Iterator[Connection]:
        """Lend a connection for one read transaction; what it sees stays the same from its first query on.

        One that is not `begun` begins with a query whose row is `pinned`.
        """
        connection = self.taken()
        try:
            if begun:
                connection.script("BEGIN")
            yield connection
        finally:
            if not self._process.left:
                connection.end()
                with self._lock:
                    keep = not self._closed and len(self._idle) < _KEPT and not connection.in_transaction
                    if keep:
                        self._idle.append(connection)
                if not keep:
                    connection.close()

    @property
    def of_scopes(self) -> ScopeReaders:
        return ScopeReaders(self)

    def close(self) -> None:
        """Lend no more; what is lent out is closed when it comes back. In a fork do nothing."""
        if self._process.left:
            return
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def taken(self) -> Connection:
        """Return a connection with no transaction begun, for the caller to close."""
        self._process.check()
        with self._lock:
            if self._closed:
                raise BankClosed
            if self._idle:
                return self._idle.pop()
        return self._connect()


@dataclass(frozen=True, slots=True)
class ScopeReaders:
    """Lends what views of scopes look at: they begin with the row of their scope."""

    readers: Readers

    def snapshot(self) -> AbstractContextManager[Connection]:
        return self.readers.snapshot(begun=False)
