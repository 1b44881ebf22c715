"""Tables of somebody else's SQLite file: read without ever writing to it, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gieok.errors import InvalidImport
from gieok.interop.arriving.files import LARGEST_TABLES, checked_file
from gieok.interop.arriving.values import sound

if TYPE_CHECKING:
    import apsw

_MAGIC: Final = b"SQLite format 3\0"
_LONGEST: Final = 64 * 1024**2  #: bytes of one value
Row = dict[str, Any]


@contextmanager
def opened(path: Path, *, within: Path | None = None) -> Iterator[apsw.Connection]:
    """Open a file to read its tables; raises `InvalidImport` if it is none of SQLite's, or is damaged."""
    import apsw

    file = checked_file(path, within=within, most=LARGEST_TABLES)
    with file.open("rb") as head:
        if head.read(len(_MAGIC)) != _MAGIC:
            raise InvalidImport(f"{path.name!r} is no SQLite file, or is encrypted")
    logs = (file.with_name(file.name + ending) for ending in ("-wal", "-journal"))
    fresh = any(log.is_file() and log.stat().st_size for log in logs)  # not all of it stands in the file yet
    uri = file.resolve().as_uri() + ("?mode=ro" if fresh else "?mode=ro&immutable=1")
    connection = None
    try:
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield connection
    except (apsw.Error, UnicodeDecodeError) as cause:
        raise InvalidImport(f"{path.name!r} cannot be read as SQLite ({cause})") from cause
    finally:
        if connection is not None:
            connection.close()


def tables_of(connection: apsw.Connection) -> frozenset[str]:
    """Return the names of the tables that hold rows of their own: no views, nothing virtual."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    return frozenset(str(name) for (name,) in found)


def rows(connection: apsw.Connection, table: str, *, by: str = "id") -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table in order, each as it is called and by the names of its columns.

    `table` and `by` are names that the program knows, never the file's.
    """
    import apsw

    columns = [str(column[1]) for column in connection.execute(f"PRAGMA table_info({table})")]
    order = f" ORDER BY {by}" if by in columns else ""
    number = 0
    try:
        every = connection.execute(f"SELECT * FROM {table}{order}")  # noqa: S608  # the program's own names
        for number, values in enumerate(every, start=1):
            row = dict(zip(columns, values, strict=True))
            where = f"row {row.get('id', number)} of {table}"
            sound(row, where)
            yield where, row
    except apsw.Error as cause:
        raise InvalidImport(f"it cannot be read ({cause})", where=f"row {number + 1} of {table}") from cause
    except UnicodeDecodeError as cause:
        raise InvalidImport("it holds text that is no UTF-8", where=f"row {number + 1} of {table}") from cause
