"""One connection to the file, which speaks in named queries and in gieok's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

import apsw

from gieok.errors import GieokError
from gieok.stores.sqlite.driver_errors import translated
from gieok.stores.sqlite.named_queries import SQL

Row = tuple[Any, ...]
Result = TypeVar("Result")

_TOKENIZER: Final = ["remove_diacritics", "0", "categories", "L* M* N* P* S* C*"]  # as in schema.sql


class Connection:
    """What the rest of the store sees of the driver."""

    def __init__(self, raw: apsw.Connection, location: str) -> None:
        self._raw = raw
        self._tokenizer: apsw.FTS5Tokenizer | None = None
        self.location = location

    def rows(self, query: str, **values: Any) -> list[Row]:
        return self._execute(SQL[query], values)

    def row(self, query: str, **values: Any) -> Row | None:
        rows = self._execute(SQL[query], values)
        return rows[0] if rows else None

    def value(self, query: str, **values: Any) -> Any:
        """Return the first column of the first row, None without a row."""
        rows = self._execute(SQL[query], values)
        return rows[0][0] if rows else None

    def run(self, query: str, **values: Any) -> None:
        self._execute(SQL[query], values)

    def update(self, table: str, row_id: int, values: Mapping[str, Any]) -> None:
        """Set some columns of one row; the names are our own. Indexes of other columns are left alone."""
        columns = ", ".join(f"{name} = :{name}" for name in values)
        sql = f"UPDATE {table} SET {columns} WHERE id = :row_id"  # noqa: S608  # no name comes from outside
        self._execute(sql, {**values, "row_id": row_id})

    def run_many(self, query: str, values: Iterable[dict[str, Any]]) -> None:
        try:
            self._raw.executemany(SQL[query], values).fetchall()
        except (apsw.Error, UnicodeEncodeError) as error:
            raise translated(error, self.location) from error

    def script(self, sql: str) -> list[Row]:
        """Run statements of our own; the driver stops at a row, so all rows are drained."""
        return self._execute(sql, None)

    def pragma(self, name: str, value: str | int | None = None) -> Any:
        try:
            return self._raw.pragma(name, value) if value is not None else self._raw.pragma(name)
        except apsw.Error as error:
            raise translated(error, self.location) from error

    @property
    def in_transaction(self) -> bool:
        return self._raw.in_transaction

    @property
    def read_only(self) -> bool:
        return self._raw.readonly("main")

    def folded(self, term: str) -> str | None:
        """Return `term` as the keyword index spells it; None if it is not exactly one word there."""
        if self._tokenizer is None:
            self._tokenizer = self._raw.fts5_tokenizer("unicode61", _TOKENIZER)
        reason = apsw.FTS5_TOKENIZE_QUERY
        words = list(self._tokenizer(term.encode(), reason, None, include_offsets=False, include_colocated=False))
        return str(words[0]) if len(words) == 1 else None

    def close(self) -> None:
        try:
            self._raw.close()
        except apsw.Error as error:
            raise translated(error, self.location) from error

    def _execute(self, sql: str, values: dict[str, Any] | None) -> list[Row]:
        try:
            return self._raw.execute(sql, values).fetchall()
        except (apsw.Error, UnicodeEncodeError) as error:
            raise translated(error, self.location) from error


def in_savepoint(connection: Connection, work: Callable[[Connection], Result]) -> Result:
    """Return what `work` returns; if it fails, what it wrote is gone and the transaction goes on.

    Where SQLite could not keep the rest, the whole transaction is gone: see `in_transaction` after a failure.
    """
    try:
        connection.script("SAVEPOINT job")
        result = work(connection)
        connection.script("RELEASE job")
    except BaseException:  # whatever ends the work, also Ctrl-C: nothing of it stays; it is raised again
        if connection.in_transaction:
            try:
                connection.script("ROLLBACK TO job; RELEASE job")
            except GieokError:
                give_up(connection)
        raise
    return result


def give_up(connection: Connection) -> None:
    """Roll back whatever transaction is open."""
    if connection.in_transaction:
        with suppress(GieokError):  # SQLite may be rolling back by itself
            connection.script("ROLLBACK")
