"""A bank on a PostgreSQL server, as a store."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TypeVar

from gieok.errors import ErasureUnproven, ErrorText, GieokError
from gieok.ports import BankInfo
from gieok.ports.store import insistently
from gieok.stores.postgres import pgroonga
from gieok.stores.postgres.connection import (
    PLAIN,
    Address,
    Connection,
    Pool,
    address_of,
    connected,
    is_pooled,
    prepared,
)
from gieok.stores.postgres.parts import part, parts_of
from gieok.stores.postgres.replicas import Replicas, replicas_of
from gieok.stores.postgres.schema import FIRST, SERVER, bring_up_to_date, not_spread, number
from gieok.stores.tables.cache import DEFAULT_BYTES
from gieok.stores.tables.store import TableStore
from gieok.stores.tables.vectors import check_embedder
from gieok.stores.tables.view import StoredRoom, Work
from gieok.stores.tables.write import Written

MEANS: Final = "VACUUM (FULL, ANALYZE) of every table after the last older snapshot"
MEANS_IN_PARTS: Final = "VACUUM (FULL, ANALYZE) of every table, or its parts {parts}, after the last older snapshot"
#: Every table with words in it, or with rows that belong to such.
TABLES: Final = (
    "scopes", "turns", "items", "vectors", "staged_vectors", "keywords", "utterances", "memories", "operations",
    "candidates", "changes", "things", "moves", "traces", "provisions", "kept_answers", "letters", "documents",
    "chains", "audit",
)  # fmt: skip
#: Those that say nothing of anybody: keys and addresses of a server, counters, certificates, digests.
WORDLESS: Final = frozenset(
    {"bank", "leases", "model_calls", "access_keys", "key_uses", "webhooks", "certificates", "secrets", "erased"}
)
_PAUSE: Final = 0.05
_DROPS_SAMPLES: Final = 180_000  #: the first version of PostgreSQL in which the owner of a table may drop them
_VACUUM_SAMPLES: Final = "VACUUM FULL pg_catalog.pg_statistic"
log = logging.getLogger(__name__)


def _rid(connection: Connection, schema: str, seconds: float) -> str:
    """Rid the tables and indexes of what erased rows left there; return how, and where copies may be out of reach.

    Raises `ErasureUnproven` if somebody is in the way.
    """
    connection.end()
    _wait_for_onlookers(connection, seconds)
    tables, means = _written_anew(connection, schema)
    on_cluster = bool(connection.script(SERVER["find_citus"]))
    if on_cluster:
        spread = connection.script(SERVER["find_spread"].format(schema=schema))
        if hidden := sorted(table for table, size in spread if size and table in TABLES):
            raise ErasureUnproven(ErrorText("erase.hidden_copies", tables=", ".join(hidden)))
    pooled = is_pooled(connection.raw)  # then the server's own limits hold: what is set here would stay with others
    if not pooled:
        connection.script(f"SET statement_timeout = 0; SET lock_timeout = {int(seconds * 1000) or 1}")
    try:
        for table in tables:
            # PGroonga's files let go of words, and then of the index that FULL replaced, in a plain VACUUM only.
            kinds = ("", "(FULL, ANALYZE)", "") if table.startswith("keywords") else ("(FULL, ANALYZE)",)
            for kind in kinds:
                connection.script(f'VACUUM {kind} "{schema}"."{table}"')
        samples_left = _rid_of_samples(connection, schema, on_cluster=on_cluster)
    finally:
        if not pooled:
            connection.script("RESET statement_timeout; RESET lock_timeout")
    beyond = [where for (where,) in connection.script(SERVER["find_copies"])]
    if on_cluster:
        beyond.append("what the workers keep for older snapshots, standbys and archives of their own")
    return f"PostgreSQL: {means}; not proven for {', '.join([*beyond, *samples_left])}"


def _rid_of_samples(connection: Connection, schema: str, *, on_cluster: bool) -> list[str]:
    """Rid the planner's samples of what erased rows left there; return where this was not possible.

    ANALYZE leaves the samples of a table that is empty by now, and those that somebody had collected of a table with
    partitions.
    """
    left = []
    found = connection.script(SERVER["find_samples"].format(schema=schema))
    if connection.raw.info.server_version >= _DROPS_SAMPLES:
        for table, column, inherited in found:
            values = {"schema": schema, "table": table, "column": column, "inherited": inherited}
            connection.script(SERVER["drop_sample"].format_map(values))
    elif found and connection.script(SERVER["find_superuser"]):
        connection.script(SERVER["drop_samples"])
    else:
        left += sorted({f"the planner's samples of {table}" for table, _, _ in found})
    before = connection.script(SERVER["find_file_of_samples"])
    connection.script(_VACUUM_SAMPLES)  # warns without rights
    if connection.script(SERVER["find_file_of_samples"]) == before:
        left.append("pg_statistic, which only the owner of the database may rewrite")
    if on_cluster:
        was = _ask_workers(connection, SERVER["find_file_of_samples"])
        done = [_ask_workers(connection, each) for each in (SERVER["drop_samples"], _VACUUM_SAMPLES)]
        now = _ask_workers(connection, SERVER["find_file_of_samples"])
        bad = (each for each in was if now[each] in (None, was[each]) or any(answers[each] is None for answers in done))
        left += [f"pg_statistic of {worker}" for worker in bad]
    return left


def _ask_workers(connection: Connection, command: str) -> dict[str, str | None]:
    """Return what each worker answered; None: it could not."""
    asked = SERVER["ask_workers"].format(command=command.strip().rstrip(";").replace("'", "''"))
    return {worker: result or "" if success else None for worker, success, result in connection.script(asked)}


def _written_anew(connection: Connection, schema: str) -> tuple[list[str], str]:
    """Return the tables or partitions to rewrite, and how the certificate describes that."""
    cut = parts_of(connection, schema)
    if not cut:
        return [*TABLES], MEANS
    buckets = [bucket for (bucket,) in connection.script(SERVER["find_buckets"].format(schema=schema))]
    parts = {table: set(range(count)) for table, count in cut.items()}
    if None not in buckets:
        parts = {table: {bucket % count for bucket in buckets} for table, count in cut.items()}
    tables = [part(table, number) for table in TABLES if table in cut for number in sorted(parts[table])]
    told = ", ".join(map(str, sorted(parts[FIRST])))
    return [*(table for table in TABLES if table not in cut), *tables], MEANS_IN_PARTS.format(parts=told)


def _wait_for_onlookers(connection: Connection, seconds: float) -> None:
    """Wait for whoever looks at an earlier state: what they may see is not thrown away."""
    until = time.monotonic() + seconds
    ((mark,),) = connection.script("SELECT pg_current_xact_id()::xid::text")
    while True:
        onlookers = ", ".join(who for (who,) in connection.script(SERVER["find_onlookers"].format(mark=mark)))
        if not onlookers:
            return
        if time.monotonic() > until:
            raise ErasureUnproven(ErrorText("erase.onlookers", onlookers=onlookers, seconds=seconds))
        time.sleep(_PAUSE)


Result = TypeVar("Result")
POOL: Final = 16  #: connections of one process, at most
ALWAYS: Final = "on"
SECONDS: Final = 30.0  #: that one statement, or waiting for a connection, may take
STALENESS: Final = 5.0  #: seconds that what is read from a replica may be old


def open_store(
    location: str,
    *,
    embedder: str,
    dimension: int,
    create: bool = True,
    for_reindex: bool = False,
    cache_bytes: int = DEFAULT_BYTES,
    pool: int = POOL,
    seconds: float = SECONDS,
    keyword: str = pgroonga.AUTO,
    prepare: str = pgroonga.AUTO,
    replicas: Sequence[str] = (),
    staleness: float = STALENESS,
) -> PostgresStore:
    """Open the bank at an address; its tables are made if nothing is there, and brought up to date if they are older.

    `keyword` says whether PGroonga ranks words ("pgroonga"), nobody does ("tsvector"), or whoever is there ("auto");
    `prepare`, whether statements are prepared ("on", "off"), or unless a pooler stands in between ("auto"). Scopes are
    read from `replicas`, the addresses of standbys, as far as these are late by `staleness` seconds at most.

    Raises `BankUnavailable`, `NotABank` or `NewerSchema`. Raises `EmbedderMismatch` if the bank's vectors were made by
    another embedder, unless it is opened `for_reindex`.
    """
    address = address_of(location)
    with insistently(lambda: connected(address, seconds)) as raw:
        prepared(raw)
        raw.prepare_threshold = None  # each is sent once
        connection = Connection(raw, address.shown, settings=address.settings(seconds))
        bring_up_to_date(connection, address.schema, embedder=embedder, dimension=dimension, create=create)
        if not for_reindex:
            connection.begin()
            check_embedder(connection, embedder, dimension)
            connection.end()
        ranks = pgroonga.ready(connection, address.schema, keyword)
        if left := not_spread(connection, address.schema):
            log.warning("%s", ErrorText("postgres.not_spread", location=address.shown, tables=", ".join(left)))
        prepares = prepare == ALWAYS or (prepare == pgroonga.AUTO and not is_pooled(raw))
        in_parts = bool(parts_of(connection, address.schema))
    lending = Pool(address, size=pool, seconds=seconds, ranks=ranks, prepares=prepares, in_parts=in_parts)
    views = None
    if replicas:
        try:
            views = replicas_of(lending, replicas, schema=address.schema, size=pool, staleness=staleness)
        except GieokError:
            lending.close()
            raise
    return PostgresStore(address, lending, embedder=embedder, cache_bytes=cache_bytes, views=views)


class PostgresStore(TableStore):
    """Implements `gieok.ports.Store`. Threads may share it, and processes the bank."""

    def __init__(
        self,
        address: Address,
        pool: Pool,
        *,
        embedder: str,
        cache_bytes: int = DEFAULT_BYTES,
        views: Replicas | None = None,
    ) -> None:
        """Take over `pool` and `views`; use `open_store`."""
        self._address = address
        self._pool = pool
        self._replicas = views
        super().__init__(pool, pool, embedder=embedder, packing=PLAIN, cache_bytes=cache_bytes, views=views)

    def _lent_to_write(self) -> AbstractContextManager[Connection]:
        return self._pool.lent()

    def _commit(self, room: StoredRoom, work: Work) -> Written:
        written = work(room.held())
        room.held().script("COMMIT")
        room.leave()
        return written

    @property
    def location(self) -> str:
        return self._address.shown

    @property
    def schema(self) -> str:
        """The name of the PostgreSQL schema that its tables are in."""
        return self._address.schema

    def info(self) -> BankInfo:
        with self._pool.snapshot() as connection:
            ((engine, size),) = connection.script(SERVER["describe_server"].format(schema=self._address.schema))
            beside = " with PGroonga" if self._pool.ranks else ""
            if cut := parts_of(connection, self._address.schema):
                beside += f" in {cut[FIRST]} parts"
            if connection.script(SERVER["find_citus"]):
                asked = SERVER["describe_cluster"].format(schema=self._address.schema)
                ((shards, there),) = connection.script(asked)
                beside, size = f" with Citus, {shards} shards", size + there
            return BankInfo(
                location=self.location,
                engine=f"PostgreSQL {engine.split()[0]}{beside}",
                schema=number(connection, self._address.schema) or 0,
                encrypted=False,
                size_bytes=size,
                **self._contents(connection),
            )

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Lend a connection as ever, but without limits: copying a bank takes as long as it takes."""
        with self._pool.snapshot() as connection:
            connection.script("SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0")
            yield connection

    def problems(self) -> list[str]:
        with self._pool.snapshot() as connection:
            found = [text for (text,) in connection.rows("find_inconsistencies")]
            broken = connection.script(SERVER["find_broken_indexes"].format(schema=self._address.schema))
            if left := not_spread(connection, self._address.schema):
                found.append(ErrorText("postgres.not_spread", location=self.location, tables=", ".join(left)))
            return found + [f"index {name} is not valid; rebuild it: REINDEX INDEX {name}" for (name,) in broken]

    def on_its_own(self, act: Callable[[Connection], Result]) -> Result:
        """Have something done whose statements stand each for itself."""
        with self._pool.lent(None) as connection:
            return act(connection)

    @property
    def proves_quickly(self) -> bool:
        return False

    def _rid_of_remains(self, seconds: float) -> str:
        return self.on_its_own(lambda connection: _rid(connection, self._address.schema, seconds))

    def close(self) -> None:
        """Close all connections; more than once does no harm."""
        if self._replicas is not None:
            self._replicas.close()
        self._pool.close()
