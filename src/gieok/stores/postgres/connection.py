"""One connection to the server, which speaks in named queries and in gieok's errors."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import pq
from psycopg.sql import SQL, Identifier, Placeholder

from gieok.errors import BankError, GieokError
from gieok.stores.postgres import pgroonga
from gieok.stores.postgres.packing import PLAIN, binary_rows, lexemes
from gieok.stores.postgres.troubles import in_our_words
from gieok.stores.tables.connection import Row, queries_in
from gieok.stores.tables.rows import dump

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from gieok.ports import Matrix

_PLACE: Final = re.compile(r"(?<![:\w]):([a-z]\w*)")  #: ":name", not "::type"
_HOLD: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_SHARE: Final = "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))"
_LONGEST_LEXEME: Final = 2_046  #: bytes
_BINARY: Final = frozenset({"load_index", "load_vectors", "copy_vectors"})  #: what holds vectors is read as it stands
#: A plan that is to serve all scopes reads the words of a large one five times as slowly as a plan of its own.
_PLANNED_EACH_TIME: Final = frozenset({"load_index", "word_postings", "all_postings", "load_words", "prefix_postings"})


def spelt(sql: str) -> bytes:
    """Return a query of ours as psycopg takes it."""
    return _PLACE.sub(r"%(\1)s", sql.replace("%", "%%")).encode()


QUERIES: Final = queries_in(Path(__file__).with_name("queries.sql").read_text(encoding="utf-8"))
_SPELT: Final = {name: spelt(sql) for name, sql in QUERIES.items()}
_WEIGHED: Final = spelt(pgroonga.QUERIES["word_weights"])


class Connection:
    """Implements `tables.connection.Connection`: what the rest of the store sees of the driver."""

    packing = PLAIN

    def __init__(
        self, raw: psycopg.Connection[Row], location: str, owner: str | None = None, *, ranks: bool = False
    ) -> None:
        self._raw = raw
        self._owner = {} if owner is None else {"owner": owner}
        self.location = location
        self.ranks = ranks  #: words are weighed by PGroonga

    def rows(self, query: str, /, **values: Any) -> list[Row]:
        with in_our_words(self.location):
            prepare = False if query in _PLANNED_EACH_TIME else None
            cursor = self._raw.execute(_SPELT[query], values | self._owner, prepare=prepare, binary=query in _BINARY)
            return cursor.fetchall() if cursor.description is not None else []

    def row(self, query: str, /, **values: Any) -> Row | None:
        rows = self.rows(query, **values)
        return rows[0] if rows else None

    def value(self, query: str, /, **values: Any) -> Any:
        """Return the first column of the first row, None without a row."""
        rows = self.rows(query, **values)
        return rows[0][0] if rows else None

    def run(self, query: str, /, **values: Any) -> None:
        self.rows(query, **values)

    def run_many(self, query: str, /, values: Iterable[dict[str, Any]]) -> None:
        rows = [row | self._owner for row in values]
        if not rows:
            return
        with in_our_words(self.location), self._raw.cursor() as cursor:
            cursor.executemany(_SPELT[query], rows)

    def update(self, table: str, row_id: int, values: Mapping[str, Any]) -> None:
        """Set some columns of one row; the names are our own."""
        columns = SQL(", ").join(SQL("{} = {}").format(Identifier(name), Placeholder(name)) for name in values)
        statement = SQL("UPDATE {} SET {} WHERE owner = %(owner)s AND id = %(row_id)s")
        with in_our_words(self.location):
            self._raw.execute(statement.format(Identifier(table), columns), {**values, **self._owner, "row_id": row_id})

    def read(self, table: str, columns: Sequence[str], by: str, low: int, high: int) -> list[Row]:
        names = SQL(", ").join(map(Identifier, columns))
        statement = SQL("SELECT {} FROM {} WHERE owner = %(owner)s AND {} BETWEEN %(low)s AND %(high)s")
        with in_our_words(self.location):
            asked = {**self._owner, "low": low, "high": high}
            return self._raw.execute(statement.format(names, Identifier(table), Identifier(by)), asked).fetchall()

    def highest(self, table: str, by: str, low: int, high: int) -> int | None:
        statement = SQL("SELECT max({by}) FROM {table} WHERE owner = %(owner)s AND {by} BETWEEN %(low)s AND %(high)s")
        with in_our_words(self.location):
            asked = {**self._owner, "low": low, "high": high}
            cursor = self._raw.execute(statement.format(by=Identifier(by), table=Identifier(table)), asked)
            found: int | None = cursor.fetchall()[0][0]
            return found

    def fill(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        with self._copy(table, [*rows[0], *self._owner]) as copy:
            for row in rows:
                copy.write_row([*row.values(), *self._owner.values()])

    def fill_items(self, rows: Sequence[Mapping[str, Any]], vectors: Mapping[int, Matrix], dimension: int) -> None:
        self.fill("items", [{**row, "embedded": row["id"] in vectors} for row in rows])
        with self._copy("vectors", ("owner", "id", "position", "embedding"), "(FORMAT binary)") as copy:
            copy.write(binary_rows(self._owner["owner"], vectors, dimension))

    def fill_keywords(self, rows: Sequence[tuple[int, Sequence[str]]]) -> None:
        words = ((id, self.keywords(terms)) for id, terms in rows)
        self.fill("keywords", [{"id": id, "terms": lexemes(some)} for id, some in words if some])

    @contextmanager
    def _copy(self, table: str, columns: Sequence[str], form: str = "") -> Iterator[psycopg.Copy]:
        names = SQL(", ").join(map(Identifier, columns))
        statement = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), names) + SQL(form)
        with in_our_words(self.location), self._raw.cursor() as cursor, cursor.copy(statement) as copy:
            yield copy

    def script(self, sql: str) -> list[Row]:
        """Run statements of our own."""
        with in_our_words(self.location):
            cursor = self._raw.execute(sql.encode())
            return cursor.fetchall() if cursor.description is not None else []

    def hold(self, name: str, *, shared: bool = False) -> None:
        """Wait until nobody else holds `name`, in whatever process, and hold it to the end of the transaction."""
        with in_our_words(self.location):
            self._raw.execute(_SHARE if shared else _HOLD, [f"gieok {name}"])

    def folded(self, term: str) -> str | None:
        """Return `term` as the keyword index spells it; None if it is too long to stand there."""
        small = term.lower()
        return small if len(small.encode(errors="replace")) <= _LONGEST_LEXEME else None

    def keywords(self, terms: Sequence[str]) -> list[str]:
        return [word for word in map(self.folded, terms) if word is not None]

    def weights(self, terms: Sequence[str], low: int, high: int, most: int) -> list[Row] | None:
        words = dump([pgroonga.quoted(term) for term in terms])
        self.script(pgroonga.QUERIES["before_weights"])
        try:
            with in_our_words(self.location):
                asked = {"words": words, "low": low, "high": high, "most": most, **self._owner}
                found = self._raw.execute(_WEIGHED, asked).fetchall()
        except BankError as trouble:
            if type(trouble) is not BankError:  # the server's own trouble, not PGroonga's
                raise
            log.warning("words are counted, since PGroonga fails (%s); try: REINDEX INDEX keywords_ranked", trouble)
            self.script(pgroonga.QUERIES["without_weights"])
            return None
        self.script(pgroonga.QUERIES["after_weights"])
        return found

    def owned_by(self, owner: str) -> Connection:
        return Connection(self._raw, self.location, owner, ranks=self.ranks)

    @property
    def in_transaction(self) -> bool:
        return self._raw.info.transaction_status not in (pq.TransactionStatus.IDLE, pq.TransactionStatus.UNKNOWN)

    @property
    def broken(self) -> bool:
        return self._raw.closed

    @property
    def raw(self) -> psycopg.Connection[Row]:
        """The driver's connection, for whoever lent it."""
        return self._raw

    def end(self) -> None:
        if not self._raw.closed and self.in_transaction:
            with suppress(GieokError):  # it is gone, and with it the transaction
                self.script("ROLLBACK")
