"""One connection to the file, which speaks in named queries and in gieok's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import apsw

from gieok.errors import BankError, BankUnavailable, DiskFull, GieokError, InvalidQuery, InvalidText, NotABank
from gieok.stores.sqlite.packing import INT16
from gieok.stores.tables.connection import Row, queries_in

if TYPE_CHECKING:
    from gieok.ports import Matrix

BUSY_SECONDS: Final = 60  #: how long to wait for another process before giving up
#: A full disk may first be noticed when the file beside the bank, in which its users meet, cannot grow.
_NO_ROOM: Final = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMOPEN)
_SENTENCES: Final[list[tuple[type[apsw.Error], Callable[[str], GieokError], str]]] = [
    (apsw.FullError, DiskFull, "the disk of {} is full; nothing was written, free some space and try again"),
    (apsw.NotADBError, NotABank, "{} is not a gieok bank, or is encrypted with another key; nothing was changed"),
    (
        apsw.BusyError,
        BankUnavailable,
        f"another process kept {{}} locked for {BUSY_SECONDS} seconds; nothing was written, try again",
    ),
    (apsw.ReadOnlyError, BankUnavailable, "{} is read-only; make the file and its folder writable"),
    (apsw.PermissionsError, BankUnavailable, "{} may not be used; make the file and its folder writable"),
    (apsw.CantOpenError, BankUnavailable, "{} cannot be opened; check that its folder exists and is writable"),
    (apsw.CorruptError, BankUnavailable, "{} is damaged ({error}); restore it from a backup"),
    (apsw.IOError, BankUnavailable, "{} cannot be read or written ({error}); check the disk"),
]
Result = TypeVar("Result")
_STEPS: Final = 50_000  #: of the virtual machine, between two questions whether to go on
_TOKENIZER: Final = ["remove_diacritics", "0", "categories", "L* M* N* P* S* C*"]  # as in schema.sql


SQL: Final = queries_in(Path(__file__).with_name("queries.sql").read_text(encoding="utf-8"))


def translated(error: apsw.Error | UnicodeEncodeError | OverflowError, location: str) -> GieokError:
    """Return the error to raise `from` the driver's."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidText("a text holds a lone surrogate and cannot be stored; decode it with errors='replace'")
    if isinstance(error, OverflowError):
        return InvalidQuery("a number has more than 18 digits, which no limit, place or turn has; give a smaller one")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", None) in _NO_ROOM:
        return translated(apsw.FullError(str(error)), location)
    for kind, ours, sentence in _SENTENCES:
        if isinstance(error, kind):
            return ours(sentence.format(location, error=error))
    return BankError(f"{location}: {error}")


class Connection:
    """Implements `tables.connection.Connection`: what the rest of the store sees of the driver."""

    packing = INT16

    def __init__(self, raw: apsw.Connection, location: str) -> None:
        self._raw = raw
        self._tokenizer: apsw.FTS5Tokenizer | None = None
        self.location = location

    def rows(self, query: str, /, **values: Any) -> list[Row]:
        return self._execute(SQL[query], values)

    def row(self, query: str, /, **values: Any) -> Row | None:
        rows = self._execute(SQL[query], values)
        return rows[0] if rows else None

    def value(self, query: str, /, **values: Any) -> Any:
        """Return the first column of the first row, None without a row."""
        rows = self._execute(SQL[query], values)
        return rows[0][0] if rows else None

    def run(self, query: str, /, **values: Any) -> None:
        self._execute(SQL[query], values)

    def update(self, table: str, row_id: int, values: Mapping[str, Any]) -> None:
        """Set some columns of one row; the names are our own. Indexes of other columns are left alone."""
        columns = ", ".join(f"{name} = :{name}" for name in values)
        sql = f"UPDATE {table} SET {columns} WHERE id = :row_id"  # noqa: S608  # no name comes from outside
        self._execute(sql, {**values, "row_id": row_id})

    def read(self, table: str, columns: Sequence[str], by: str, low: int, high: int) -> list[Row]:
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {by} BETWEEN :low AND :high"  # noqa: S608  # as above
        return self._execute(sql, {"low": low, "high": high})

    def highest(self, table: str, by: str, low: int, high: int) -> int | None:
        sql = f"SELECT max({by}) FROM {table} WHERE {by} BETWEEN :low AND :high"  # noqa: S608  # as above
        found: int | None = self._execute(sql, {"low": low, "high": high})[0][0]
        return found

    def fill(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        names = list(rows[0])
        places = ", ".join(f":{name}" for name in names)
        sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"  # noqa: S608  # as above
        try:
            self._raw.executemany(sql, rows).fetchall()
        except (apsw.Error, UnicodeEncodeError, OverflowError) as error:
            raise translated(error, self.location) from error

    def fill_items(self, rows: Sequence[Mapping[str, Any]], vectors: Mapping[int, Matrix], dimension: int) -> None:
        packed = {id: self.packing.packed(rows, dimension) for id, rows in vectors.items()}
        self.fill("items", [{**row, "vector": packed.get(row["id"])} for row in rows])

    def fill_keywords(self, rows: Sequence[tuple[int, Sequence[str]]]) -> None:
        self.run_many("insert_keywords", ({"id": id, "terms": self.keywords(terms)} for id, terms in rows))

    def run_many(self, query: str, /, values: Iterable[dict[str, Any]]) -> None:
        try:
            self._raw.executemany(SQL[query], values).fetchall()
        except (apsw.Error, UnicodeEncodeError, OverflowError) as error:
            raise translated(error, self.location) from error

    def script(self, sql: str) -> list[Row]:
        """Run statements of our own; the driver stops at a row, so all rows are drained."""
        return self._execute(sql, None)

    def pragma(self, name: str, value: str | int | None = None) -> Any:
        try:
            return self._raw.pragma(name, value) if value is not None else self._raw.pragma(name)
        except apsw.Error as error:
            raise translated(error, self.location) from error

    def vacuum_into(self, name: str, *, shown: str, stopped: Callable[[], bool] | None = None) -> None:
        """Write all that this connection sees to a file that is empty or not there; it is told by its `shown` name.

        Others may go on writing. `stopped` is asked now and then, and ends it. A name may be a URI with a key: no error
        has it.
        """
        self._raw.set_progress_handler(stopped, _STEPS)
        failed: apsw.Error | None = None
        try:
            self._raw.execute("VACUUM INTO ?", (name,)).fetchall()
        except apsw.Error as error:
            failed = type(error)(f"while {shown} was written")  # what the driver says may hold the name
        finally:
            self._raw.set_progress_handler(None)
        if failed is not None:
            raise translated(failed, shown) from failed

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

    def keywords(self, terms: Sequence[str]) -> str:
        return " ".join(terms)

    @property
    def ranks(self) -> bool:
        return False

    def weights(self, terms: Sequence[str], low: int, high: int, most: int) -> list[Row] | None:
        raise NotImplementedError("words are counted here, and recall weighs them")

    def owned_by(self, owner: str) -> Self:
        """Return this connection: in one file a scope is found by its number alone."""
        return self

    def hold(self, name: str, *, shared: bool = False) -> None:
        """Do nothing: whoever writes to a file holds all of it."""

    def end(self) -> None:
        give_up(self)

    def close(self) -> None:
        try:
            self._raw.close()
        except apsw.Error as error:
            raise translated(error, self.location) from error

    def _execute(self, sql: str, values: dict[str, Any] | None) -> list[Row]:
        try:
            return self._raw.execute(sql, values).fetchall()
        except (apsw.Error, UnicodeEncodeError, OverflowError) as error:
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
