"""One connection to the server, which speaks in named queries and in gieok's errors."""

from __future__ import annotations

import logging
import os
import re
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

import numpy as np
import psycopg
from psycopg import pq
from psycopg.sql import SQL, Identifier
from psycopg.types.string import TextLoader
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from gieok.errors import BankClosed, BankError, BankInterrupted, BankUnavailable, ErrorText, GieokError
from gieok.stores.postgres import pgroonga
from gieok.stores.postgres.errors import in_our_words, why_unconnected
from gieok.stores.tables import connection as tables
from gieok.stores.tables.columns import Row, dump
from gieok.stores.tables.scopes import OwnProcess
from gieok.stores.tables.search_index import Packing, unit

if TYPE_CHECKING:
    from gieok.ports import Matrix


DEFAULT_SCHEMA: Final = "gieok"
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HOST: Final = re.compile(r"\[[^]]*\]|[^:]*")
_PORT: Final = re.compile(r"(:[0-9]*)?")
_NO_SIGN: Final = re.compile(r"%(?!(?!00)[0-9A-Fa-f]{2})")  #: a % that stands for nothing
_KEEPALIVE: Final = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
_WAITING: Final = 0.8  #: of the time of a statement, that it may wait for others: then it is known what it waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a bank is kept on a server."""

    conninfo: str  #: as libpq takes it; it may hold a password
    schema: str  #: that its tables are in
    shown: str  #: the same without a password

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    def settings(self, seconds: float, *, in_parts: bool = False) -> str:
        """Return what every transaction begins with and takes away; no statement may take longer than `seconds`.

        Poolers refuse settings in `options` when a connection is opened, and lend it to others after each transaction.
        A plan that is to serve all users locks all parts of a bank that is cut into parts: there each has its own.
        """
        times = {
            "statement_timeout": seconds,
            "lock_timeout": seconds * _WAITING,
            "idle_in_transaction_session_timeout": max(seconds, 60),
        }
        limits = "; ".join(f"SET LOCAL {name} = {int(time * 1000)}" for name, time in times.items())
        plans = "; SET LOCAL plan_cache_mode = force_custom_plan" if in_parts else ""
        return f'SET LOCAL search_path = "{self.schema}", public; {limits}{plans}'


def connected(address: Address, seconds: float) -> psycopg.Connection[Row]:
    """Open a connection. Raises `BankUnavailable`, which tells the cause."""
    try:
        return psycopg.connect(address.conninfo, **_opened_with(seconds))
    except psycopg.Error as error:
        raise why_unconnected(error, address.shown) from error


def _opened_with(seconds: float) -> dict[str, Any]:
    timeout = max(int(seconds), 2)
    return {"autocommit": True, "application_name": "gieok", "connect_timeout": timeout, **_KEEPALIVE}


def is_pooled(raw: psycopg.Connection[Row]) -> bool:
    """Whether a pooler stands in between: whoever it says that we speak to is another than the server says.

    Between two transactions nothing of a session can be relied on then, neither settings nor prepared statements.
    """
    ((pid,),) = raw.execute("SELECT pg_backend_pid()").fetchall()
    return bool(pid != raw.info.backend_pid)


def address_of(location: str, environment: Mapping[str, str] | None = None) -> Address:
    """Return the parts of an address. Raises `BankUnavailable`.

    A server on another machine is spoken to under TLS, unless the address (or PGSSLMODE) says otherwise.
    """
    try:
        parts = urlsplit(_quoted(location))
        query = parse_qsl(parts.query, keep_blank_values=True)
        hidden = parts.password
    except ValueError:  # its words may hold the password
        raise BankUnavailable(ErrorText("postgres.no_address")) from None
    if _is_cut(parts):
        raise BankUnavailable(ErrorText("postgres.address"))
    schema = dict(query).get("schema", DEFAULT_SCHEMA)
    if not _NAME.fullmatch(schema):
        raise BankUnavailable(ErrorText("postgres.schema_name"))
    handed_on = [(name, value) for name, value in query if name != "schema"]
    handed_on += _tls(parts.netloc, dict(handed_on), os.environ if environment is None else environment)
    rest = urlencode(handed_on, quote_via=quote)
    netloc = parts.netloc.replace(f":{hidden}@", "@", 1) if hidden else parts.netloc
    # Its two slashes stay, also where no host is named: a socket of this machine is meant.
    conninfo = f"{parts.scheme}://{parts.netloc}{parts.path}" + (f"?{rest}" if rest else "")
    shown = f"{parts.scheme}://{netloc}{parts.path}" + ("" if schema == DEFAULT_SCHEMA else f"?schema={schema}")
    return Address(conninfo=conninfo, schema=schema, shown=shown)


def _quoted(location: str) -> str:
    """Return an address whose signs mean to everybody what they mean to libpq, which takes # ? [ ] in a password."""
    scheme, _, rest = location.replace("#", "%23").partition("://")
    who, at, where = rest.partition("@")
    if at and "/" not in who:
        who = who.replace("?", "%3F").replace("[", "%5B").replace("]", "%5D")
    return f"{scheme}://{who}{at}{where}"


def _is_cut(parts: SplitResult) -> bool:
    """Whether a part of a password would be taken for something else: it would be shown, or libpq would quote it."""
    who, _, hosts = parts.netloc.rpartition("@")
    astray = "@" in who or "@" in parts.path or any("@" in each.partition("=")[0] for each in parts.query.split("&"))
    ports = (_HOST.sub("", each, count=1) for each in hosts.split(","))
    return astray or not all(map(_PORT.fullmatch, ports)) or _NO_SIGN.search(parts.netloc) is not None


def _tls(netloc: str, query: Mapping[str, str], environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what is to be added to an address so that nothing leaves this machine in plain."""
    if "sslmode" in query or "service" in query or environment.get("PGSSLMODE") or environment.get("PGSERVICE"):
        return []
    # The hosts that libpq would call, several of them where the address names several.
    named = [_without_port(each) for each in unquote(netloc.rpartition("@")[2]).split(",")]
    outright = query.get("hostaddr") or query.get("host")
    if outright is not None or not any(named):
        named = (outright or environment.get("PGHOSTADDR") or environment.get("PGHOST") or "").split(",")
    if all(map(_is_here, named)):
        return []
    proven = query.get("sslrootcert") or environment.get("PGSSLROOTCERT")
    return [("sslmode", "verify-full" if proven else "require")]


def _without_port(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_here(host: str) -> bool:
    """Whether it is this machine: a socket in a folder, no name at all, localhost or a loopback address."""
    if not host or host.startswith(("/", "@")) or host.lower() in ("localhost", "localhost."):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


_BEGIN: Final = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_END: Final = struct.pack(">h", -1)
_LAST_PLACE: Final = 16_383  #: of a lexeme in a tsvector


class PlainVectors(Packing):
    """Vectors as pgvector takes them, in a text, and as it sends them: how many numbers there are, then these."""

    number = np.dtype(">f4")
    head = 4

    def packed(self, vectors: Matrix, dimension: int) -> list[str]:
        return [f"[{','.join(map(repr, unit(row, dimension).tolist()))}]" for row in vectors]


PLAIN: Final = PlainVectors()


def binary_rows(owner: str, vectors: Mapping[int, Matrix], dimension: int) -> bytes:
    """Return rows of the table of vectors (owner, id, position, embedding) as COPY takes them in its binary form."""
    whose = owner.encode()
    begin = struct.pack(f">hi{len(whose)}s", 4, len(whose), whose)
    place = struct.Struct(">iqiii")
    width, head = PLAIN.width(dimension), struct.pack(">hh", dimension, 0)
    rows = [_BEGIN]
    for id, matrix in vectors.items():
        for position, row in enumerate(matrix):
            numbers = unit(row, dimension).astype(PLAIN.number).tobytes()
            rows.append(begin + place.pack(8, id, 4, position, width) + head + numbers)
    return b"".join([*rows, _END])


def lexemes(words: Iterable[str]) -> str:
    """Return words as a tsvector is written, as the function of that name in the schema does."""
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in words)
    return " ".join(f"'{word}':{min(place, _LAST_PLACE)}" for place, word in enumerate(quoted, start=1))


log = logging.getLogger(__name__)


_PLACE: Final = re.compile(r"(?<![:\w]):([a-z]\w*)")  #: ":name", not "::type"
_HOLD: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_SHARE: Final = "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))"
READ: Final = "REPEATABLE READ READ ONLY"
_WRITE: Final = "READ COMMITTED"
_LONGEST_LEXEME: Final = 2_046  #: bytes
_FEW: Final = 32  #: rows; more are copied
_BINARY: Final = frozenset({"load_index", "load_vectors", "copy_vectors"})  #: what holds vectors is read as it stands
#: A plan that is to serve all scopes reads the words of a large one five times as slowly as a plan of its own, and
#: looks for what was read from a few utterances in all items.
_PLANNED_EACH_TIME: Final = frozenset(
    {"load_index", "word_postings", "all_postings", "load_words", "prefix_postings", "find_read_from"}
)


@lru_cache(maxsize=1024)
def spelt(sql: str) -> bytes:
    """Return a query of ours as psycopg takes it."""
    return _PLACE.sub(r"%(\1)s", sql.replace("%", "%%")).encode()


QUERIES: Final = tables.queries_in(Path(__file__).with_name("queries.sql"))


class Connection(tables.Connection):
    """A connection to the server."""

    packing = PLAIN
    _ours = "owner = :owner AND "

    def __init__(
        self, raw: psycopg.Connection[Row], location: str, *, ranks: bool = False, settings: str = "SELECT"
    ) -> None:
        """`settings` is SQL that each transaction begins with: `Address.settings`."""
        super().__init__(location)
        self.raw = raw  #: the driver's connection, for whoever lent it
        self._settings = settings
        self.ranks = ranks  #: words are weighed by PGroonga

    @property
    def _owner(self) -> dict[str, Any]:
        return {"owner": self._bound["owner"]} if "owner" in self._bound else {}

    def rows(self, query: str, /, **values: Any) -> list[Row]:
        prepare = False if query in _PLANNED_EACH_TIME else None
        return self._fetched(spelt(QUERIES[query]), self._bound | values, prepare=prepare, binary=query in _BINARY)

    def _fetched(self, *asked: Any, **options: Any) -> list[Row]:
        with in_our_words(self.location):
            cursor = self.raw.execute(*asked, **options)
            return cursor.fetchall() if cursor.description is not None else []

    def run_many(self, query: str, /, values: Iterable[Mapping[str, Any]]) -> None:
        self._execute_many(QUERIES[query], (self._bound | {**row} for row in values))

    def _execute(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        return self._fetched(spelt(sql), {**values, **self._owner})

    def _execute_many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None:
        if listed := list(rows):
            with in_our_words(self.location), self.raw.cursor() as cursor:
                cursor.executemany(spelt(sql), listed)

    def insert(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        left = ({**row, **self._owner} for row in rows)
        few = list(islice(left, _FEW))
        if len(few) < _FEW:
            super().insert(table, few)
            return
        with self._copy(table, [*few[0]]) as copied:
            for row in chain(few, left):
                copied.write_row([*row.values()])

    def insert_items(self, rows: Sequence[Mapping[str, Any]], vectors: Mapping[int, Matrix], dimension: int) -> None:
        self.insert("items", ({**row, "embedded": row["id"] in vectors} for row in rows))
        if vectors:
            with self._copy("vectors", ("owner", "id", "position", "embedding"), "(FORMAT binary)") as copied:
                copied.write(binary_rows(self._owner["owner"], vectors, dimension))

    def insert_keywords(self, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        words = ((id, filter(None, map(self.folded, terms))) for id, terms in rows)
        self.insert("keywords", ({"id": id, "terms": lexemes(some)} for id, some in words))

    @contextmanager
    def _copy(self, table: str, columns: Sequence[str], form: str = "") -> Iterator[psycopg.Copy]:
        names = SQL(", ").join(map(Identifier, columns))
        statement = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), names) + SQL(form)
        with in_our_words(self.location), self.raw.cursor() as cursor, cursor.copy(statement) as copied:
            yield copied

    def script(self, sql: str) -> list[Row]:
        return self._fetched(sql.encode())

    def hold(self, name: str, *, shared: bool = False) -> None:
        self._fetched(_SHARE if shared else _HOLD, [f"gieok {name}"])

    def folded(self, term: str) -> str | None:
        small = term.lower()
        return small if len(small.encode(errors="replace")) <= _LONGEST_LEXEME else None

    def weights(self, terms: Sequence[str], low: int, high: int, most: int) -> list[Row] | None:
        words = dump([pgroonga.quoted(term) for term in terms])
        self.script(pgroonga.QUERIES["before_weights"])
        asked = {"words": words, "low": low, "high": high, "most": most}
        try:
            found = self._execute(pgroonga.QUERIES["word_weights"], asked)
        except BankError as trouble:
            if type(trouble) is not BankError:  # the server's own trouble, not PGroonga's
                raise
            log.warning("words are counted, since PGroonga fails (%s); try: REINDEX INDEX keywords_ranked", trouble)
            self.script(pgroonga.QUERIES["without_weights"])
            return None
        self.script(pgroonga.QUERIES["after_weights"])
        return found

    def begin(self, mode: str = _WRITE) -> None:
        """Begin a transaction, with its settings, in one message."""
        self._fetched(f"BEGIN ISOLATION LEVEL {mode}; {self._settings}".encode(), prepare=False)

    @property
    def in_transaction(self) -> bool:
        return self.raw.info.transaction_status not in (pq.TransactionStatus.IDLE, pq.TransactionStatus.UNKNOWN)

    def end(self) -> None:
        if not self.raw.closed and self.in_transaction:
            with suppress(GieokError):  # it is gone, and with it the transaction
                self.script("ROLLBACK")


Result = TypeVar("Result")
_PREPARED_AFTER: Final = 5  #: times that a statement was sent
_DIAGNOSIS: Final = 2.0  #: seconds, to find out why no connection can be made
_STALE: Final = 64  #: connections that a server left behind when it stopped, at most
_IDLE: Final = 300.0  #: seconds until a connection that nobody needs is closed


def prepared(raw: psycopg.Connection[Any]) -> None:
    """Make a new connection ready: documents are handed on as the texts that they are."""
    for kind in ("json", "jsonb"):
        raw.adapters.register_loader(kind, TextLoader)


class Pool:
    """Implements `tables.connection.Reading` and `Writing`."""

    def __init__(
        self,
        address: Address,
        *,
        size: int,
        seconds: float,
        ranks: bool = False,
        prepares: bool = True,
        in_parts: bool = False,
        patience: float | None = None,
    ) -> None:
        """`patience` is how long a connection is waited for; None: as long as a statement may take."""
        self.ranks = ranks
        self.wrote_at = float("-inf")  #: when something was last written, by time.monotonic
        self._prepares = prepares
        self._in_parts = in_parts
        self._patience = seconds if patience is None else patience
        self._process = OwnProcess()
        self._address = address
        self._location = address.shown
        self._settings = address.settings(seconds, in_parts=in_parts)
        self._size = size
        self._seconds = seconds
        self._pool: ConnectionPool[psycopg.Connection[Row]] = ConnectionPool(
            address.conninfo,
            min_size=0,
            max_size=size,
            timeout=seconds,
            max_idle=_IDLE,
            kwargs={**_opened_with(seconds), "prepare_threshold": _PREPARED_AFTER if prepares else None},
            configure=prepared,
            name="gieok",
            open=True,
        )

    def like(self, address: Address, *, size: int, patience: float) -> Pool:
        """Return a pool of the same bank on another server."""
        return Pool(
            address,
            size=size,
            seconds=self._seconds,
            ranks=self.ranks,
            prepares=self._prepares,
            in_parts=self._in_parts,
            patience=patience,
        )

    def snapshot(self) -> AbstractContextManager[Connection]:
        return self.lent(READ)

    def write(self, work: Callable[[Connection], Result], /) -> Result:
        """Run `work` in a transaction. Where the connection breaks off, it is not known whether it was kept."""
        with self.lent(_WRITE) as connection:
            result = work(connection)
            connection.script("COMMIT")
            return result

    @contextmanager
    def lent(self, mode: str | None = _WRITE) -> Iterator[Connection]:
        """Lend a connection with a transaction begun, or (None) without; what is not committed is rolled back."""
        connection = self._begun(mode)
        try:
            yield connection
        finally:
            if mode == _WRITE:
                self.wrote_at = time.monotonic()
            self._give_back(connection)

    def close(self) -> None:
        """Lend no more. In a fork do nothing."""
        if not self._process.left:
            self._pool.close(timeout=2.0)

    def _begun(self, mode: str | None) -> Connection:
        """Return a connection that answers: those which a server left behind when it stopped are thrown away."""
        until = time.monotonic() + self._patience
        for _ in range(_STALE):
            connection = self._taken(max(until - time.monotonic(), 0.05))
            try:
                connection.script("SELECT") if mode is None else connection.begin(mode)
            except BankInterrupted:
                self._give_back(connection)
                if time.monotonic() > until:
                    raise
                continue
            except BaseException:  # whatever it is, the connection goes back; it is raised again
                self._give_back(connection)
                raise
            return connection
        raise BankUnavailable(ErrorText("postgres.silent", location=self._location))

    def _taken(self, seconds: float) -> Connection:
        self._process.check()
        try:
            raw = self._pool.getconn(timeout=seconds)
            return Connection(raw, self._location, ranks=self.ranks, settings=self._settings)
        except PoolClosed as closed:
            raise BankClosed from closed
        except PoolTimeout as late:
            where, seconds = self._location, self._seconds
            if self._pool.get_stats().get("pool_size", 0) >= self._size:
                raise BankUnavailable(
                    ErrorText("postgres.busy", size=self._size, location=where, seconds=seconds)
                ) from late
            with suppress(BankInterrupted):  # it took too long to pass
                connected(self._address, min(self._seconds, _DIAGNOSIS)).close()
            raise BankUnavailable(ErrorText("postgres.no_answer", location=where, seconds=seconds)) from late

    def _give_back(self, connection: Connection) -> None:
        if self._process.left:
            return
        connection.end()
        try:
            self._pool.putconn(connection.raw)
        except PoolClosed:  # meanwhile: nobody will lend it again
            connection.raw.close()
