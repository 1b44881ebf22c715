"""Every column of every table that is carried has a kind, and it is the one that the schema says."""

from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

import gieok
from gieok.export import archive
from gieok.stores.tables import transfer
from gieok.stores.tables.transfer import THEIRS

SCHEMA = Path(gieok.__file__).parent / "stores/sqlite/schema.sql"
LEFT_OUT = {"scope_id", "vector"}


def columns():
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA.read_text(encoding="utf-8")).fetchall()
    for table in THEIRS:
        for _, name, kind, not_null, _, key in connection.execute(f"PRAGMA table_info({table.name})"):
            if name not in LEFT_OUT:
                yield pytest.param(table, name, kind, bool(not_null or key), id=f"{table.name}.{name}")


VALUES = {"INTEGER": 1, "REAL": 0.5, "TEXT": "말"}


@pytest.mark.parametrize(("table", "name", "kind", "needed"), list(columns()))
def test_a_column_takes_what_the_schema_takes_and_nothing_else(table, name, kind, needed):
    assert name in table.columns
    nullable = transfer.NULLABLE.get(table.name, frozenset())
    assert (name not in nullable) is needed
    told = transfer._told(table, name, VALUES[kind] if name not in table.documents else "[]")
    assert transfer._flaw_of_column(table, name, told) is None
    for wrong in (object(), float("nan") if kind == "REAL" else 1.5, "\0" if kind != "TEXT" else 7, 2**70):
        assert transfer._flaw_of_column(table, name, wrong) is not None


def test_every_table_has_its_file_and_in_the_same_order():
    assert (transfer.SCOPES, *(table.name for table in THEIRS)) == archive.TABLES


def test_a_moment_comes_back_to_the_microsecond():
    at = 1_772_323_200_123_456
    assert transfer.kept_moment(transfer.told_moment(at)) == at
    assert datetime.fromisoformat(transfer.told_moment(at)).tzinfo == UTC
