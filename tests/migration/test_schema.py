"""A new bank and a migrated one have the same schema."""

import apsw
import pytest

from gieok.domain.scope import Scope
from gieok.errors import GieokError
from gieok.stores.sqlite import open_store, schema
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.file_check import APPLICATION_ID
from gieok.stores.sqlite.schema import SCHEMA, migrations
from gieok.testing import Scribe


def shape(path):
    """Tables with their columns, indexes and views, without the layout of the SQL that made them."""
    with apsw.Connection(str(path)) as connection:
        objects = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        ).fetchall()
        columns = {
            name: connection.execute(
                'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)', (name,)
            ).fetchall()
            for kind, name, _, _ in objects
            if kind in ("table", "view")
        }
        keys = {
            name: connection.execute(
                'SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY 1, 2', (name,)
            ).fetchall()
            for kind, name, _, _ in objects
            if kind == "table"
        }
        others = [(kind, name, table, " ".join(sql.split())) for kind, name, table, sql in objects if kind != "table"]
        strict = connection.execute("SELECT name, strict, wr FROM pragma_table_list ORDER BY name").fetchall()
        settings = connection.execute("SELECT k, v FROM keywords_config ORDER BY k").fetchall()
    connection.close()
    return {"columns": columns, "keys": keys, "others": others, "strict": strict, "settings": settings}


def an_older_bank(path, number):
    """A bank as the gieok with that schema left it."""
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", APPLICATION_ID)
    for step in range(1, number + 1):
        connection.execute(migrations()[step]).fetchall()
    connection.pragma("user_version", number)
    if number:
        connection.execute("INSERT INTO bank (id, embedder, dimension) VALUES (1, 'hash-32', 32)")
    connection.close()


def test_migrations_are_numbered_without_a_gap():
    assert list(migrations()) == list(range(1, SCHEMA + 1))


def test_the_schema_and_the_migrations_meet(tmp_path):
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    open_store(new, embedder="hash-32", dimension=32).close()
    an_older_bank(old, SCHEMA)
    assert shape(old) == shape(new)


@pytest.mark.parametrize("number", range(SCHEMA))
def test_an_older_bank_is_brought_up_to_date(tmp_path, number):
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    open_store(new, embedder="hash-32", dimension=32).close()
    an_older_bank(old, number)
    connection = schema_connection(old)
    schema.bring_up_to_date(connection, embedder="hash-32", dimension=32)
    connection.close()
    assert shape(old) == shape(new)


def schema_connection(path):
    return Connection(apsw.Connection(str(path)), str(path))


def test_a_step_into_the_future_keeps_what_is_there(tmp_path, monkeypatch):
    path = tmp_path / "기억.db"
    scope = Scope(user="민수", character="레티아")
    store = open_store(path, embedder="hash-32", dimension=32)
    Scribe(store, scope).observe("안녕", id="t1")
    store.close()

    steps = migrations() | {SCHEMA + 1: "ALTER TABLE turns ADD COLUMN weather TEXT;"}
    monkeypatch.setattr(schema, "migrations", lambda: steps)
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 1)
    connection = schema_connection(path)
    schema.bring_up_to_date(connection, embedder="hash-32", dimension=32)
    assert connection.pragma("user_version") == SCHEMA + 1
    assert connection.script("SELECT public_id, weather FROM turns") == [("t1", None)]
    connection.close()


def test_a_step_that_fails_leaves_the_bank_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "기억.db"
    open_store(path, embedder="hash-32", dimension=32).close()
    before = shape(path)
    steps = migrations() | {SCHEMA + 1: "CREATE TABLE half (x); CREATE TABLE half (x);"}
    monkeypatch.setattr(schema, "migrations", lambda: steps)
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 1)
    connection = schema_connection(path)
    with pytest.raises(GieokError):
        schema.bring_up_to_date(connection, embedder="hash-32", dimension=32)
    assert connection.pragma("user_version") == SCHEMA
    connection.close()
    assert shape(path) == before
