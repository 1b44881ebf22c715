"""Whether a bank's file is in order, and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gieok.stores.sqlite.connection import Connection
from gieok.stores.tables import checkup


def contents(connection: Connection) -> dict[str, Any]:
    """Return the parts of a `BankInfo` that stand in the file."""
    return {"schema": connection.pragma("user_version"), **checkup.contents(connection)}


def size_on_disk(path: Path) -> int:
    """Return the bytes of the file and of the log beside it."""
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def problems(connection: Connection) -> list[str]:
    """Return what SQLite's own checks (rows, indexes, keyword index, references) and ours find."""
    # Ours come first: they open the keyword index, without which FTS5's check (not its search) would go by what it
    # cached in an earlier transaction of this connection, and report a false mismatch.
    found = [text for (text,) in connection.rows("find_inconsistencies")]
    found += [text for (text,) in connection.script("PRAGMA integrity_check") if text != "ok"]
    found += [
        f"row {row} of {table} points to a row of {parent} that is not there"
        for table, row, parent, _ in connection.script("PRAGMA foreign_key_check")
    ]
    return found
