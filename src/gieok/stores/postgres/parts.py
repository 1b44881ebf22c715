"""Partitions by user for large banks, so that the proof of an erasure rewrites and locks one partition only.

All tables with an owner are partitioned alike: the rows of a user lie in the partition of the same number in each table
and refer to no other.
"""

from __future__ import annotations

import re
from typing import Final

from gieok.errors import BankUnavailable, ErrorText
from gieok.stores.postgres.connection import Connection
from gieok.stores.postgres.schema import BESIDE, FIRST, SERVER

BUCKETS: Final = 1_024  #: what the number of parts divides; `certificates.bucket` tells a user's
_BEFORE: Final = "gieok_before_parts"  #: the schema that the tables are in while they are cut
_REFERENCE: Final = re.compile(r"REFERENCES (\w+)\(")


def parts_of(connection: Connection, schema: str) -> dict[str, int]:
    """Return the partitioned tables, with the number of their partitions."""
    return {str(table): int(count) for table, count in connection.script(SERVER["find_parts"].format(schema=schema))}


def part(table: str, number: int) -> str:
    return f"{table}_p{number}"


def cut(connection: Connection, schema: str, parts: int) -> None:
    """Partition all tables with an owner. A failure leaves the bank unchanged.

    Nobody can use the bank meanwhile, and the disk holds it twice. Raises `BankUnavailable` on a Citus cluster, if the
    bank has another number of partitions, and if `parts` does not divide the number of buckets.
    """
    where = connection.location
    if parts < 2 or BUCKETS % parts:
        raise BankUnavailable(ErrorText("postgres.parts", parts=parts, most=BUCKETS))
    if connection.script(SERVER["find_citus"]):
        raise BankUnavailable(ErrorText("postgres.parts_on_cluster", location=where))
    connection.begin()
    try:
        connection.script("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        connection.hold(schema)
        there = parts_of(connection, schema)
        if set(there.values()) - {parts}:
            raise BankUnavailable(ErrorText("postgres.parts_otherwise", location=where, parts=there[FIRST]))
        whole = [table for table in (FIRST, *BESIDE) if table not in there]
        if whole:
            _cut(connection, schema, whole, parts)
        connection.script("COMMIT")
    finally:
        connection.end()


def _cut(connection: Connection, schema: str, tables: list[str], parts: int) -> None:
    script = connection.script
    names = ", ".join(f"'{table}'" for table in tables)
    belongings = script(SERVER["describe_tables"].format(schema=schema, tables=names))
    views = script(SERVER["describe_views"].format(schema=schema))
    script(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
    script(f'CREATE SCHEMA "{_BEFORE}"')
    for view, _ in views:
        script(f'DROP VIEW "{view}"')
    for table in tables:
        script(f'ALTER TABLE "{table}" SET SCHEMA "{_BEFORE}"')
    for table in tables:
        like = "INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE"
        script(f'CREATE TABLE "{table}" (LIKE "{_BEFORE}"."{table}" {like}) PARTITION BY HASH (owner)')
        for number in range(parts):
            within = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {number})"
            script(f'CREATE TABLE "{part(table, number)}" PARTITION OF "{table}" {within}')
        script(f'INSERT INTO "{table}" SELECT * FROM "{_BEFORE}"."{table}"')  # noqa: S608  # names of our own
    script(f'DROP SCHEMA "{_BEFORE}" CASCADE')
    for _, table, kind, name, definition in sorted(belongings):
        if kind == "index":
            script(definition)
        elif kind == "key":
            script(f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" {definition}')
        else:
            for number in range(parts):
                own = _REFERENCE.sub(rf'REFERENCES "\1_p{number}"(', definition)
                script(f'ALTER TABLE "{part(table, number)}" ADD CONSTRAINT "{name}" {own}')
    for view, definition in views:
        script(f'CREATE VIEW "{view}" AS {definition}')
    script("ANALYZE " + ", ".join(f'"{part(table, number)}"' for table in tables for number in range(parts)))
