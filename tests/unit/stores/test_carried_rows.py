"""Every column of every table that is carried has a kind, and it is the one that the schema says."""

from pathlib import Path

import apsw
import pytest

import gieok
from gieok.export import archive
from gieok.stores.tables import export
from gieok.stores.tables.columns import USER_TABLES

SCHEMA = Path(gieok.__file__).parent / "stores/sqlite/schema.sql"
LEFT_OUT = {"scope_id", "vector"}


def columns():
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA.read_text(encoding="utf-8")).fetchall()
    for table in USER_TABLES:
        for _, name, kind, not_null, _, key in connection.execute(f"PRAGMA table_info({table.name})"):
            if name not in LEFT_OUT:
                yield pytest.param(table, name, kind, bool(not_null or key), id=f"{table.name}.{name}")


VALUES = {"real": 0.5, "text": "말", "json": "[]"}


@pytest.mark.parametrize(("table", "name", "kind", "needed"), list(columns()))
def test_a_column_takes_what_the_schema_takes_and_nothing_else(table, name, kind, needed):
    assert name in table.columns
    assert (name not in table.nullable) is needed
    row = tuple(VALUES.get(sort, 1) for sort in table.kinds.values())
    told = export.record_of(table, table.plain(row))[name]
    assert export.flaw_of_column(table, name, told) is None
    for wrong in (object(), float("nan") if kind == "REAL" else 1.5, "\0" if kind != "TEXT" else 7, 2**70):
        assert export.flaw_of_column(table, name, wrong) is not None


def test_every_table_has_its_file_and_in_the_same_order():
    assert (export.SCOPES, *(table.name for table in USER_TABLES)) == archive.TABLES
