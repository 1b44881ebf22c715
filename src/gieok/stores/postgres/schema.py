"""Making a new bank, and bringing an older one to today's schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg import errors

from gieok.errors import BankUnavailable, ErrorText, NewerSchema, NotABank
from gieok.stores.postgres.connection import Connection
from gieok.stores.tables.connection import migrations_in, queries_in

_HERE: Final = Path(__file__).parent
_PLAIN_TO: Final = 1_900  #: numbers of a vector that still fits into a page


MIGRATIONS: Final = migrations_in(_HERE / "migrations")
SERVER: Final = queries_in(_HERE / "server.sql")
SCHEMA: Final = max(MIGRATIONS)  #: today's number


def bring_up_to_date(connection: Connection, schema: str, *, embedder: str, dimension: int, create: bool) -> None:
    """Make the bank's tables, or migrate those there are; on failure all is as it was.

    Of several processes that do it at once, one does it and the others wait. Raises `BankUnavailable` of a node of a
    cluster that is not its coordinator.
    """
    _check_node(connection)
    connection.begin()
    try:
        connection.hold(schema)
        found = number(connection, schema)
        if found is None:
            if not create:
                raise BankUnavailable(ErrorText("postgres.no_bank", location=connection.location))
            _make(connection, schema, embedder, dimension)
        elif found > SCHEMA:
            raise NewerSchema(found, SCHEMA)
        for number_to, sql in sorted(MIGRATIONS.items()):
            if found is not None and number_to > found:
                connection.script(sql)
                connection.script(f"UPDATE bank SET schema = {number_to}")  # noqa: S608  # our own number
        connection.script("COMMIT")
    finally:
        connection.end()


def _check_node(connection: Connection) -> None:
    """Each node gives out scope ids of its own, too large for ours, and knows only the locks that were taken there."""
    if connection.script(SERVER["find_citus"]) and connection.script(SERVER["find_node"]) != [(0,)]:
        raise BankUnavailable(ErrorText("postgres.not_coordinator", location=connection.location))


def number(connection: Connection, schema: str) -> int | None:
    """Return the schema number of the bank in a PostgreSQL schema; None: there is none."""
    tables = {name for (name,) in connection.script(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")}  # noqa: S608  # checked in Address
    if not tables:
        return None
    if not {"bank", "scopes", "memories"} <= tables:
        raise NotABank(ErrorText("postgres.not_a_bank", schema=schema, location=connection.location))
    ((found,),) = connection.script("SELECT schema FROM bank")
    return int(found)


def _make(connection: Connection, schema: str, embedder: str, dimension: int) -> None:
    connection.script(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
    ((meant,),) = connection.script("SELECT current_schema()")
    if meant != schema:  # whoever may not use it would have the tables made in the next of the search path
        raise BankUnavailable(
            ErrorText("postgres.wrong_schema", location=connection.location, schema=schema, found=meant or "")
        )
    if not connection.script("SELECT 1 FROM pg_extension WHERE extname = 'vector'"):
        try:
            connection.raw.execute("CREATE EXTENSION vector SCHEMA public")
        except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as trouble:
            raise BankUnavailable(ErrorText("postgres.pgvector", location=connection.location)) from trouble
    connection.script((_HERE / "schema.sql").read_text(encoding="utf-8"))
    for table in ("vectors", "staged_vectors"):
        storage = "PLAIN" if dimension <= _PLAIN_TO else "EXTERNAL"
        connection.script(f"ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE {storage}")
    connection.run("insert_bank", schema=SCHEMA, embedder=embedder, dimension=dimension)


FIRST: Final = "scopes"
BESIDE: Final = (
    "turns", "items", "vectors", "staged_vectors", "keywords", "utterances", "memories", "operations", "candidates",
    "changes", "things", "moves", "leases", "traces", "provisions", "chains", "audit",
)  # fmt: skip
EVERYWHERE: Final = ("bank",)
FUNCTIONS: Final = ("quoted_lexeme(text)", "lexemes(text[])", "lexeme_query(text, boolean)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One statement, and what it is for."""

    sql: str
    why: str
    done: bool  #: it was carried out already


def plan(connection: Connection, schema: str) -> list[Step]:
    """Return what is to be done, in order; what is done already is marked.

    Raises `BankUnavailable` without Citus, and of a bank in parts.
    """
    if not connection.script(SERVER["find_citus"]):
        raise BankUnavailable(ErrorText("postgres.citus", location=connection.location))
    if connection.script(SERVER["find_parts"].format(schema=schema)):
        raise BankUnavailable(ErrorText("postgres.spread_parts", location=connection.location))
    return steps(schema, _spread(connection, schema))


def not_spread(connection: Connection, schema: str) -> list[str]:
    """Return the tables of a bank that stay on the coordinator of a cluster; none where there is no cluster."""
    if not connection.script(SERVER["find_citus"]):
        return []
    spread = _spread(connection, schema)
    return [table for table in (*EVERYWHERE, FIRST, *BESIDE) if table not in spread]


def _spread(connection: Connection, schema: str) -> dict[str, int]:
    rows = connection.script(SERVER["find_spread"].format(schema=schema))
    return {str(table): int(size) for table, size in rows}


def steps(schema: str, spread: Mapping[str, int]) -> list[Step]:
    """Return all statements; `spread` has the tables that are spread, and how much of each is left where it was."""
    first = f"{schema}.{FIRST}"
    beside = f"create_distributed_table('{{}}', 'owner', colocate_with => '{first}')"
    wanted = [
        *((each, "create_reference_table('{}')", "a row that every node reads") for each in EVERYWHERE),
        (FIRST, "create_distributed_table('{}', 'owner')", "by user"),
        *((each, beside, "where its user's scopes are") for each in BESIDE),
        *((each, "create_distributed_function('{}')", "every node builds the keyword index") for each in FUNCTIONS),
    ]
    spreading = [
        Step(sql=f"SELECT {call.format(f'{schema}.{name}')}", why=why, done=name in spread)
        for name, call, why in wanted
    ]
    emptying = [
        Step(
            sql=f"SELECT truncate_local_data_after_distributing_table('{schema}.{name}')",
            why="what was spread is left on the coordinator, unseen",
            done=spread.get(name) == 0,
        )
        for name in (FIRST, *BESIDE)
    ]
    return [*spreading, *emptying]


def apply(connection: Connection, schema: str) -> list[Step]:
    """Carry out what is not done yet, and return it. Each statement stands for itself: what failed can go on later."""
    left = [step for step in plan(connection, schema) if not step.done]
    for step in left:
        connection.script(step.sql)
    return left
