"""Making a new bank, and bringing an older one to today's schema."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from psycopg import errors

from gieok.errors import BankUnavailable, NewerSchema, NotABank
from gieok.stores.postgres.connection import Connection

_HERE: Final = Path(__file__).parent
_PLAIN_TO: Final = 1_900  #: numbers of a vector that still fits into a page


def migrations(folder: Path = _HERE / "migrations") -> dict[int, str]:
    """Return the SQL that leads to each schema number from the one before."""
    return {int(path.stem): path.read_text(encoding="utf-8") for path in sorted(folder.glob("[0-9]*.sql"))}


SCHEMA: Final = max(migrations())  #: today's number


def bring_up_to_date(connection: Connection, schema: str, *, embedder: str, dimension: int, create: bool) -> None:
    """Make the bank's tables, or migrate those there are; on failure all is as it was.

    Of several processes that do it at once, one does it and the others wait.
    """
    connection.script("BEGIN")
    try:
        connection.hold(schema)
        found = number(connection, schema)
        if found is None:
            if not create:
                raise BankUnavailable(
                    f"there is no bank at {connection.location}; check the address (--bank or GIEOK_BANK)"
                )
            _make(connection, schema, embedder, dimension)
        elif found > SCHEMA:
            raise NewerSchema(found, SCHEMA)
        else:
            _migrate(connection, found)
        connection.script("COMMIT")
    finally:
        connection.end()


def number(connection: Connection, schema: str) -> int | None:
    """Return the schema number of the bank in a PostgreSQL schema; None: there is none."""
    tables = {name for (name,) in connection.script(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")}  # noqa: S608  # checked in Address
    if not tables:
        return None
    if not {"bank", "scopes", "memories"} <= tables:
        raise NotABank(
            f"the schema {schema!r} of {connection.location} is not a gieok bank; name another: ?schema=NAME"
        )
    ((found,),) = connection.script("SELECT schema FROM bank")
    return int(found)


def _make(connection: Connection, schema: str, embedder: str, dimension: int) -> None:
    connection.script(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
    _ask_for_pgvector(connection)
    connection.script((_HERE / "schema.sql").read_text(encoding="utf-8"))
    for table in ("vectors", "staged_vectors"):
        storage = "PLAIN" if dimension <= _PLAIN_TO else "EXTERNAL"
        connection.script(f"ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE {storage}")
    connection.run("insert_bank", schema=SCHEMA, embedder=embedder, dimension=dimension)


def _ask_for_pgvector(connection: Connection) -> None:
    ((there,),) = connection.script("SELECT count(*) FROM pg_extension WHERE extname = 'vector'")
    if there:
        return
    try:
        connection.raw.execute("CREATE EXTENSION vector SCHEMA public")
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as trouble:
        raise BankUnavailable(
            f"{connection.location} lacks pgvector; install it on the server, and let its owner run: "
            "CREATE EXTENSION vector"
        ) from trouble


def _migrate(connection: Connection, found: int) -> None:
    for number, sql in sorted(migrations().items()):
        if number > found:
            connection.script(sql)
            connection.script(f"UPDATE bank SET schema = {number}")  # noqa: S608  # our own number
