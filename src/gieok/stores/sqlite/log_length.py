"""Keeping the write-ahead log short.

SQLite moves the log into the file by itself, but starts it anew only when nobody reads from it. With many readers
that moment may never come, and the log would grow without end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gieok.stores.sqlite.connection import Connection

LONG: Final = 64 * 1024 * 1024
_PATIENCE_MS: Final = 1_000


class LogLength:
    """Waits for a moment without old readers once the log is long."""

    def __init__(self, connection: Connection, long: int = LONG) -> None:
        self._connection = connection
        self._log = Path(f"{connection.location}-wal")
        self._long = long
        self._bearable = long

    def check(self) -> None:
        """To be called between transactions; seldom takes up to a second."""
        length = self._length()
        if length > self._bearable:
            moved = self.empty()
            self._bearable = self._long if moved else length + self._long

    def empty(self) -> bool:
        """Move the whole log into the file; False if a reader of old pages was in the way for a second."""
        usual = self._connection.pragma("busy_timeout")
        self._connection.pragma("busy_timeout", _PATIENCE_MS)
        try:
            blocked: int = self._connection.pragma("wal_checkpoint", "TRUNCATE")
        finally:
            self._connection.pragma("busy_timeout", usual)
        return not blocked

    def _length(self) -> int:
        try:
            return self._log.stat().st_size
        except FileNotFoundError:
            return 0
