"""A new bank and a migrated one have the same schema."""

import apsw
import pytest

from gieok.domain.scope import Scope
from gieok.errors import GieokError
from gieok.stores.sqlite import open_store, schema
from gieok.stores.sqlite.connection import APPLICATION_ID, INT16, Connection
from gieok.stores.sqlite.schema import MIGRATIONS, SCHEMA
from gieok.testing import HashVectors, Scribe, day

#: One turn as the gieok with schema 1 wrote it, on the first day at nine.
OF_SCHEMA_1 = """
INSERT INTO scopes (id, user, character, world, version, next_seq, turn_number, operation_number)
VALUES (1, '민수', '레티아', '', 1, 3, 1, 1);
INSERT INTO turns (id, scope_id, public_id, number, present, at, utc_offset, recorded_at, unread)
VALUES (1 << 24 | 1, 1, 't1', 1, '[]', 1772323200000000, 540, 1772323200000000, 0);
INSERT INTO items (id, scope_id, public_id, kind, searchable, terms, vector)
VALUES (1 << 24 | 2, 1, 't1/0', 'utterance', 1, 2, :vector);
INSERT INTO utterances (id, turn, position, speaker, text, at, utc_offset)
VALUES (1 << 24 | 2, 1 << 24 | 1, 0, 'user', '라면 먹자', 1772323200000000, 540);
INSERT INTO keywords (rowid, terms) VALUES (1 << 24 | 2, '1x라면 1x먹자');
INSERT INTO operations
    (id, scope_id, public_id, kind, turn_id, at, utc_offset, recorded_at, turn_number, who, why, request)
VALUES (
    1 << 24 | 1, 1, 'o1', 'observe', 't1', 1772323200000000, 540, 1772323200000000, 1, 'person', '', '{"kind": "learn"}'
);
"""


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
        connection.execute(MIGRATIONS[step]).fetchall()
    connection.pragma("user_version", number)
    if number:
        connection.execute("INSERT INTO bank (id, embedder, dimension) VALUES (1, 'hash-32', 32)")
    connection.close()


def test_migrations_are_numbered_without_a_gap():
    assert list(MIGRATIONS) == list(range(1, SCHEMA + 1))


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


def test_what_was_kept_before_marks_bears_none_and_is_found_as_before(tmp_path):
    path = tmp_path / "기억.db"
    scope = Scope(user="민수", character="레티아")
    an_older_bank(path, 1)
    with apsw.Connection(str(path)) as old:
        old.execute(OF_SCHEMA_1, {"vector": INT16.packed(HashVectors(32).embed(["라면 먹자"]), 32)}).fetchall()
    old.close()

    store = open_store(path, embedder="hash-32", dimension=32)
    Scribe(store, scope, name="b").observe("라면 끓였어", id="t2", at=day(1))
    with store.view(scope) as view:
        layout = view.layout()
        [found] = view.occurrences(["라면"])
        assert (layout.marks.tolist(), layout.lengths.tolist(), layout.sittings.tolist()) == ([0, 0], [2, 2], [0, 0])
        assert (found.places.tolist(), found.times.tolist()) == ([0, 1], [1, 1])
        assert view.cosines(HashVectors(32).vector("라면 먹자"))[0] == pytest.approx(1, abs=1e-4)
        assert [each.id for each in view.turns(9)] == ["t1", "t2"]
    assert store.problems() == []
    store.close()


def test_what_was_kept_before_the_audit_log_is_there_and_the_log_begins_behind_it(tmp_path):
    path = tmp_path / "기억.db"
    scope = Scope(user="민수", character="레티아")
    an_older_bank(path, 1)
    with apsw.Connection(str(path)) as old:
        old.execute(OF_SCHEMA_1, {"vector": None}).fetchall()
    old.close()

    store = open_store(path, embedder="hash-32", dimension=32)
    [chain] = store.audit.chains()
    assert (chain.scope, chain.since, chain.length, chain.head) == (scope, 1, 0, "")
    assert store.audit.verify().findings == ()
    scribe = Scribe(store, scope, name="b")
    scribe.observe("라면 끓였어", id="t2", at=day(2))
    scribe.rewind("t1", at=day(3))
    assert [deed.act for deed in store.audit.deeds(scope)] == ["observe", "revise", "revise", "rewind"]
    assert store.audit.verify().findings == ()
    store.close()


def test_a_step_into_the_future_keeps_what_is_there(tmp_path, monkeypatch):
    path = tmp_path / "기억.db"
    scope = Scope(user="민수", character="레티아")
    store = open_store(path, embedder="hash-32", dimension=32)
    Scribe(store, scope).observe("안녕", id="t1")
    store.close()

    steps = MIGRATIONS | {SCHEMA + 1: "ALTER TABLE turns ADD COLUMN weather TEXT;"}
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
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
    steps = MIGRATIONS | {SCHEMA + 1: "CREATE TABLE half (x); CREATE TABLE half (x);"}
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 1)
    connection = schema_connection(path)
    with pytest.raises(GieokError):
        schema.bring_up_to_date(connection, embedder="hash-32", dimension=32)
    assert connection.pragma("user_version") == SCHEMA
    connection.close()
    assert shape(path) == before
