"""What the tables are read and written by: queries by their names, whatever the engine."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar

from gieok.ports.store import insistently
from gieok.stores.tables.columns import Row
from gieok.stores.tables.search_index import Packing

if TYPE_CHECKING:
    from gieok.ports import Matrix

EMBEDDER: Final = "the bank's embedder"  #: shared by those who write its vectors, held by whoever puts others in place
_NAMED: Final = re.compile(r"^-- name: (?P<name>\w+)\n-- .+\n(?P<sql>(?:(?!-- name: ).*\n)+)", re.MULTILINE)
_WINDOW: Final = 5_000  #: ids that are read at once
Result = TypeVar("Result")


def queries_in(file: Path) -> dict[str, str]:
    """Return the SQL of each name; the line after a name tells its intent and is left out."""
    found = _NAMED.finditer(file.read_text(encoding="utf-8"))
    return {each["name"]: each["sql"].strip() for each in found}


def migrations_in(folder: Path) -> dict[int, str]:
    """Return the SQL that leads to each schema number from the one before."""
    return {int(path.stem): path.read_text(encoding="utf-8") for path in sorted(folder.glob("[0-9]*.sql"))}


class Connection(ABC):
    """One connection. It takes named queries, and raises gieok's errors. Names of tables and columns are our own."""

    packing: Packing
    ranks: bool = False  #: the engine weighs words by a ranking of its own
    _ours: str = ""  #: begins the condition of a statement that is put together: whose rows are meant

    def __init__(self, location: str) -> None:
        self.location = location  #: without a password
        self._bound: dict[str, Any] = {}

    def bound(self, **values: Any) -> Self:
        """Return the same connection with values that all its queries get, unless they are given others.

        `owner` is the user whose rows are meant ('': nobody's, canon).
        """
        bound = object.__new__(type(self))  # several times for each view: `copy` takes five times as long
        bound.__dict__.update(self.__dict__, _bound=self._bound | values)
        return bound

    @abstractmethod
    def rows(self, query: str, /, **values: Any) -> list[Row]: ...

    def row(self, query: str, /, **values: Any) -> Row | None:
        rows = self.rows(query, **values)
        return rows[0] if rows else None

    def pinned(self, query: str, /, **values: Any) -> Row | None:
        """Return the only row of a query; what this connection reads from here on is as of then, until it `end`s."""
        return self.row(query, **values)

    def value(self, query: str, /, **values: Any) -> Any:
        """Return the first column of the first row, None without a row."""
        rows = self.rows(query, **values)
        return rows[0][0] if rows else None

    def run(self, query: str, /, **values: Any) -> None:
        self.rows(query, **values)

    @abstractmethod
    def run_many(self, query: str, /, values: Iterable[Mapping[str, Any]]) -> None: ...

    @abstractmethod
    def script(self, sql: str) -> list[Row]:
        """Run statements of our own."""

    @abstractmethod
    def _execute(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        """Run a statement that was put together here, with its values as `:name`."""

    @abstractmethod
    def _execute_many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None: ...

    def insert(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        left = iter(rows)
        if (first := next(left, None)) is not None:
            columns, places = ", ".join(f'"{name}"' for name in first), ", ".join(f":{name}" for name in first)
            self._execute_many(f"INSERT INTO {table} ({columns}) VALUES ({places})", chain([first], left))  # noqa: S608  # no name comes from outside

    @abstractmethod
    def insert_items(self, rows: Sequence[Mapping[str, Any]], vectors: Mapping[int, Matrix], dimension: int) -> None:
        """Put items into their table, with the vectors of those that have some, by their ids."""

    @abstractmethod
    def insert_keywords(self, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Put terms that carry their scope into the keyword index, by the ids of their items."""

    def update(self, table: str, row_id: int, values: Mapping[str, Any]) -> None:
        """Set some columns of one row. Indexes of other columns are left alone."""
        columns = ", ".join(f'"{name}" = :{name}' for name in values)
        self._execute(f"UPDATE {table} SET {columns} WHERE {self._ours}id = :row_id", {**values, "row_id": row_id})  # noqa: S608  # as above

    def read(self, table: str, columns: Sequence[str], by: str, low: int, high: int) -> list[Row]:
        """Return some columns of the rows whose `by` lies within a range, in that order."""
        names = ", ".join(f'"{name}"' for name in columns)
        sql = f"SELECT {names} FROM {table} WHERE {self._ours}{by} BETWEEN :low AND :high ORDER BY {by}"  # noqa: S608  # as above
        return self._execute(sql, {"low": low, "high": high})

    def windows(
        self, table: str, columns: Sequence[str], by: str, low: int, high: int, size: int = _WINDOW
    ) -> Iterator[list[Row]]:
        """Yield the rows whose `by` lies within a range, in that order, thousands at once; no batch is empty."""
        highest = f"SELECT max({by}) FROM {table} WHERE {self._ours}{by} BETWEEN :low AND :high"  # noqa: S608  # as above
        ((last,),) = self._execute(highest, {"low": low, "high": high})
        for first in range(low, low if last is None else last + 1, size):
            if rows := self.read(table, columns, by, first, min(first + size - 1, high)):
                yield rows

    @abstractmethod
    def folded(self, term: str) -> str | None:
        """Return `term` as the keyword index spells it; None if it is not exactly one word there."""

    @abstractmethod
    def weights(self, terms: Sequence[str], low: int, high: int, most: int) -> list[Row] | None:
        """Return the ids and the weights of up to `most` items with each of `terms`, as two comma-separated texts.

        The ids lie within a range. Only where the engine `ranks`, in a transaction; None: it fails at present.
        """

    @abstractmethod
    def hold(self, name: str, *, shared: bool = False) -> None:
        """Wait until nobody else holds `name`, in whatever process, and hold it to the end of the transaction.

        Those who share it do not wait for one another. A scope is held before the embedder, and both before any row.
        """

    @abstractmethod
    def end(self) -> None:
        """Roll back whatever transaction is open."""


class Reading(Protocol):
    """Lends connections that read."""

    def snapshot(self) -> AbstractContextManager[Connection]:
        """Lend a connection for one read transaction; what it sees stays the same from its first query on."""


def read(readers: Reading, question: Callable[[Connection], Result]) -> Result:
    """Return what `question` finds in a snapshot; it is asked again, in another one, if the bank broke off."""

    def attempt() -> Result:
        with readers.snapshot() as connection:
            return question(connection)

    return insistently(attempt)


class Writing(Protocol):
    """Has work done in a transaction of its own."""

    def write(self, work: Callable[[Connection], Result], /) -> Result:
        """Run `work`; return when all it wrote is on the disk. Raises what it raises; then nothing was written."""
