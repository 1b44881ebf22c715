"""Connections that read: each in use by one snapshot at a time, a few kept for the next.

Opening an encrypted file costs tens of milliseconds, so connections are kept; more are opened while all are busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from gieok.errors import BankClosed
from gieok.stores.sqlite.connection import Connection, give_up
from gieok.stores.tables.scope_locks import OwnProcess

_KEPT: Final = 4


class Readers:
    """The pool."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._process = OwnProcess()
        self._connect = connect
        self._idle: list[Connection] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Lend a connection for one read transaction; what it sees stays the same from its first query on."""
        connection = self._taken()
        try:
            connection.script("BEGIN")
            yield connection
        finally:
            self._give_back(connection)

    def fresh(self) -> Connection:
        """Return a connection of the caller's own, with no transaction begun."""
        self._process.check()
        if self._closed:
            raise BankClosed
        return self._connect()

    def close(self) -> None:
        """Lend no more; what is lent out is closed when it comes back. In a fork do nothing."""
        if self._process.left:
            return
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _taken(self) -> Connection:
        self._process.check()
        with self._lock:
            if self._closed:
                raise BankClosed
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: Connection) -> None:
        if self._process.left:
            return
        give_up(connection)
        with self._lock:
            keep = not self._closed and len(self._idle) < _KEPT and not connection.in_transaction
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()
