"""A new bank on a server, and one that came by all migrations, have the same tables."""

import psycopg
import pytest

import gieok
from gieok.errors import NewerSchema, NotABank
from gieok.stores.postgres.schema import MIGRATIONS, SCHEMA
from support.postgres import Server

DESCRIBED = """
SELECT table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
FROM information_schema.columns WHERE table_schema = 'gieok'
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'gieok'
UNION ALL
SELECT conrelid::regclass || ' ' || pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint
JOIN pg_namespace ON pg_namespace.oid = connamespace WHERE nspname = 'gieok'
UNION ALL
SELECT pg_get_functiondef(pg_proc.oid) FROM pg_proc
JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = 'gieok'
"""


def described(address: str) -> list[str]:
    with psycopg.connect(address) as connection:
        return sorted(line for (line,) in connection.execute(DESCRIBED).fetchall())


def test_the_schema_and_the_migrations_meet(server: Server):
    made, migrated = server.database(), server.database()
    gieok.open(server.address(made), embedder="hashing").close()
    with psycopg.connect(server.address(migrated), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE SCHEMA gieok")
        connection.execute("SET search_path = gieok, public")
        for _, sql in sorted(MIGRATIONS.items()):
            connection.execute(sql.encode())

    assert described(server.address(made)) == described(server.address(migrated))
    assert len(described(server.address(made))) > 200
    for name in (made, migrated):
        server.drop(name)


def test_a_later_banks_tables_are_left_alone(database):
    gieok.open(database, embedder="hashing").close()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE gieok.bank SET schema = %s", [SCHEMA + 1])
    with pytest.raises(NewerSchema):
        gieok.open(database, embedder="hashing")


def test_somebody_elses_tables_are_no_bank(database):
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA gieok")
        connection.execute("CREATE TABLE gieok.other (id int)")
    with pytest.raises(NotABank, match="schema=NAME"):
        gieok.open(database, embedder="hashing")
