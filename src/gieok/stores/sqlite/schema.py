"""Making a new bank, and bringing an older one to today's schema."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gieok.errors import ErrorText, NewerSchema, NotABank
from gieok.stores.sqlite.connection import APPLICATION_ID, Connection
from gieok.stores.tables.connection import migrations_in

_HERE: Final = Path(__file__).parent


MIGRATIONS: Final = migrations_in(_HERE / "migrations")
SCHEMA: Final = max(MIGRATIONS)  #: today's number


def bring_up_to_date(connection: Connection, *, embedder: str, dimension: int) -> None:
    """Make the bank's tables, or migrate those there are; on failure the file is as it was.

    Also safe when two processes do it at once.
    """
    if connection.pragma("user_version") == SCHEMA:
        return
    connection.script("BEGIN EXCLUSIVE")
    try:
        found = connection.pragma("user_version")
        if found > SCHEMA:
            raise NewerSchema(found, SCHEMA)
        mark = connection.pragma("application_id")
        if not mark and not connection.script("SELECT name FROM sqlite_schema LIMIT 1"):  # it is empty
            connection.pragma("application_id", APPLICATION_ID)
            connection.script((_HERE / "schema.sql").read_text(encoding="utf-8"))
            connection.pragma("user_version", SCHEMA)
            connection.run("insert_bank", embedder=embedder, dimension=dimension)
        elif mark != APPLICATION_ID:
            raise NotABank(ErrorText("bank.database", location=connection.location))
        for number, sql in sorted(MIGRATIONS.items()):
            if connection.pragma("user_version") < number:
                connection.script(sql)
                connection.pragma("user_version", number)
        connection.script("COMMIT")
    finally:
        connection.end()
