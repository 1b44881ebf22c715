"""Whatever was lived through, the audit log is sound; whatever is changed in it afterwards is found."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import apsw
import psycopg
import pytest

from gieok.domain.actor import LIBRARY, Actor, acting_as
from gieok.domain.erasure import EVERYTHING, new_certificate
from gieok.domain.memory import Hold, Retention
from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Document, Webhook
from gieok.domain.state import Note
from gieok.ports import MemoryFilter, Store
from gieok.stores import open_store
from gieok.stores.tables.audit import chain_end_of
from gieok.stores.tables.columns import AUDIT
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.scopes import find_scope
from gieok.testing import Scribe, claim, day
from gieok.testing.builders import WALL
from gieok_contract.base import LETIA, SERA, VECTORS
from gieok_contract.state import move, write

Run = Callable[..., list[tuple[Any, ...]]]
WORDS = ("라면", "김밥", "고양이", "강아지", "서울", "부산")
NAMES = (Actor(kind="key", name="서버 (ab12)"), Actor(kind="person", name="운영자 김"), Actor(kind="library"))
JOURNAL = (
    ("operations", "who"), ("operations", "request"), ("operations", "recorded_at"), ("changes", "after"),
    ("candidates", "claim"), ("utterances", "text"),
)  # fmt: skip


@pytest.fixture
def file(tmp_path):
    """A bank in a file, and a way to its rows past the store."""
    path = tmp_path / "기억.db"
    store = open_store(str(path), embedder=VECTORS.name, dimension=VECTORS.dimension)
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(10_000)
    yield store, lambda sql, *values: connection.execute(sql, values).fetchall()
    connection.close()
    store.close()


@pytest.fixture(params=["file", "server"])
def place(request):
    """The same, in a file and on a server."""
    if request.param == "file":
        yield request.getfixturevalue("file")
        return
    address = request.getfixturevalue("database")
    store = open_store(address, embedder=VECTORS.name, dimension=VECTORS.dimension)
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("SET search_path = gieok, public")

        def run(sql: str, *values: Any) -> list[tuple[Any, ...]]:
            cursor = raw.execute(sql.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description is not None else []

        yield store, run
    store.close()


def two_ages(store: Store) -> Scribe:
    scribe = Scribe(store, LETIA, vectors=VECTORS)
    scribe.observe("나는 25살", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
    scribe.observe("나는 26살", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
    return scribe


def a_life(store: Store, dice: random.Random, steps: int) -> None:
    """Live through random turns, corrections, rewinds, reads and erasures, in two scopes."""
    life = f"{dice.random()}-"
    scribes = {scope: Scribe(store, scope, vectors=VECTORS, name=life) for scope in (LETIA, SERA)}
    turns: dict[Any, list[str]] = {LETIA: [], SERA: []}
    for number in range(steps):
        scope = dice.choice((LETIA, LETIA, SERA))
        with acting_as(dice.choice(NAMES)):
            _step(scribes[scope], turns[scope], number, life, dice)


def _step(scribe: Scribe, turns: list[str], number: int, life: str, dice: random.Random) -> None:
    store, scope, at = scribe.store, scribe.scope, day(1) + timedelta(hours=number)
    with store.view(scope) as view:
        known = [memory.id for memory in view.memories(MemoryFilter())]
    act = dice.random()
    if act < 0.5 or not known:
        said = dice.choice(WORDS)
        turn = f"{life}t{number}"
        attribute = dice.choice(("likes", "residence"))
        scribe.observe(f"{said} 이야기", id=turn, claims=[claim(attribute, said, id=f"{life}c{number}")], at=at)
        turns.append(turn)
    elif act < 0.6:
        scribe.correct(dice.choice(known), f"{dice.choice(WORDS)}을 좋아함", at=at)
    elif act < 0.7:
        scribe.pin(dice.choice(known), dice.random() < 0.5, at=at)
    elif act < 0.75:
        scribe.forget(dice.choice(known), at=at)
    elif act < 0.87 and turns:
        gone = dice.choice(turns)
        turns.remove(gone)
        scribe.rewind(gone, at=at)
    elif act < 0.93:
        store.audit.note_read(scope, dice.choice(NAMES), "GET /v1/facts", WALL)
    elif act < 0.97:
        strip(store, scope, [dice.randint(1, 1 + number)])
    else:
        store.erase(scope, at)
        turns.clear()


def strip(store: Any, scope: Any, numbers: Sequence[int]) -> int:
    """Erase what the audit log tells of operations, as whoever erases their texts does."""
    return store._writer.write(partial(_strip, scope=scope, numbers=numbers))


def _strip(connection: Connection, scope: Scope, numbers: Sequence[int]) -> int:
    here = find_scope(connection, scope)
    if not here.scope_id:
        return 0
    end = chain_end_of(here)
    stripped = end.strip(numbers, at=WALL, actor=LIBRARY)
    end.close()
    return stripped


def changed(value: Any, dice: random.Random) -> Any:
    """Return a value that differs in a byte, or in a letter."""
    if isinstance(value, int):
        return value ^ (1 << dice.randrange(20))
    if not value:
        return "x"
    place = dice.randrange(len(value))
    return value[:place] + dice.choice([each for each in "0a가" if each != value[place]]) + value[place + 1 :]


def rows_of(run: Run, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns of a table, and all its rows."""
    try:
        names = [name for (name,) in run(f"SELECT name FROM pragma_table_info('{table}')")]
    except psycopg.Error:
        asked = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'gieok' AND table_name = ?"
        names = [name for (name,) in run(asked, table)]
    return names, run(f"SELECT {', '.join(names)} FROM {table} ORDER BY 1, 2")


def filled(run: Run, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    run(f"DELETE FROM {table}")
    for row in rows:
        run(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(row))})", *row)


Rows = list[dict[str, Any]]


def change_a_byte(rows: Rows, dice: random.Random) -> None:
    row = dice.choice(rows)
    column = dice.choice([name for name in AUDIT.columns if row[name] is not None and name != "id"])
    row[column] = changed(row[column], dice)


def change_an_id(rows: Rows, dice: random.Random) -> None:
    ids, row = {row["id"] for row in rows}, dice.choice(rows)
    row["id"] = next(new for _ in range(100) if (new := row["id"] ^ (1 << dice.randrange(24))) not in ids)


def drop_rows(rows: Rows, dice: random.Random) -> None:
    """Drop one row somewhere, or the end of a chain."""
    scope_id = dice.choice(rows)["id"] >> 24
    chain = sorted((row for row in rows if row["id"] >> 24 == scope_id), key=lambda row: row["id"])
    gone = [dice.choice(chain)] if dice.random() < 0.6 else chain[-dice.randint(1, len(chain)) :]
    rows[:] = [row for row in rows if row not in gone]


def add_a_row(rows: Rows, dice: random.Random) -> None:
    row = dice.choice(rows)
    last = max(each["id"] for each in rows if each["id"] >> 24 == row["id"] >> 24)
    rows.append(row | {"id": last + 1})


def swap_rows(rows: Rows, dice: random.Random) -> None:
    one, other = dice.sample(rows, 2)
    one["id"], other["id"] = other["id"], one["id"]


def take_the_salt(rows: Rows, dice: random.Random) -> None:
    """Take what a row tells, as an erasure would, but without telling of it."""
    dice.choice([row for row in rows if row["salt"] is not None]).update(targets=None, why=None, record=None, salt=None)


def change_the_end(rows: Rows, dice: random.Random) -> None:
    row, column = dice.choice([row for row in rows if row["length"]]), dice.choice(("mark", "since", "length", "head"))
    row[column] = changed(row[column], dice)


TAMPERINGS = (
    *[("audit", each) for each in (change_a_byte, change_a_byte, change_a_byte, change_an_id, drop_rows, add_a_row)],
    *[("audit", each) for each in (swap_rows, take_the_salt)],
    ("chains", change_the_end),
)  # fmt: skip


def tamper(store: Store, run: Run, dice: random.Random) -> None:
    """Change something in the audit log, have it found, and put it back."""
    table, act = dice.choice(TAMPERINGS)
    names, before = rows_of(run, table)
    rows = [dict(zip(names, row, strict=True)) for row in before]
    act(rows, dice)
    filled(run, table, names, [tuple(row.values()) for row in rows])
    found = store.audit.verify().findings
    filled(run, table, names, before)
    assert found, f"{act.__name__} was not noticed"


def test_a_random_life_is_sound_and_every_tampering_with_what_is_told_of_it_is_found(place, counts):
    store, run = place
    for seed in range(counts(2, 12)):
        dice = random.Random(seed)
        a_life(store, dice, 30)
        assert store.audit.verify().findings == ()
        for _ in range(counts(12, 150)):
            tamper(store, run, dice)
        assert store.audit.verify().findings == (), "all was put back as it was"


@pytest.mark.parametrize("column", [name for name in AUDIT.columns if name != "id"])
def test_no_column_is_left_out(file, column):
    store, run = file
    two_ages(store).rewind("t1", at=day(3))
    strip(store, LETIA, [2])
    [(id, value), *_] = run(f"SELECT id, {column} FROM audit WHERE {column} IS NOT NULL")
    run(f"UPDATE audit SET {column} = ? WHERE id = ?", changed(value, random.Random(1)), id)
    assert not store.audit.verify().sound
    if column not in ("recorded_at", "act", "names", "digest", "link"):
        run(f"UPDATE audit SET {column} = NULL WHERE id = ?", id)
        assert not store.audit.verify().sound


@pytest.mark.parametrize(("table", "column"), JOURNAL)
def test_a_journal_or_a_word_that_was_changed_is_found(place, table, column):
    store, run = place
    two_ages(store)
    value = run(f"SELECT {column} FROM {table}")[0][0]
    kept = value if isinstance(value, int | str) else json.dumps(value)
    new = kept + 1 if isinstance(kept, int) else kept.replace("25", "52").replace("p", "q")
    if new == kept:
        new = kept.replace('"kind"', '"kinds"')
    where = "id" if table != "changes" and table != "candidates" else "operation"
    first = run(f"SELECT min({where}) FROM {table}")[0][0]
    run(f"UPDATE {table} SET {column} = ? WHERE {where} = ?", new, first)
    [finding] = store.audit.verify().findings
    assert finding.number == 1
    assert "was changed" in finding.what


@pytest.mark.parametrize(("table", "column"), [("audit", "why"), ("changes", "after")])
def test_bytes_that_are_no_text_are_found(file, table, column):
    store, run = file
    two_ages(store)
    run(f"UPDATE {table} SET {column} = CAST(x'ff41' AS TEXT)")
    assert not store.audit.verify().sound


def test_an_operation_that_was_slipped_in_or_taken_out_is_found(file):
    store, run = file
    two_ages(store)
    names = ", ".join(rows_of(run, "operations")[0])
    own = names.replace("id, scope_id, public_id", "id + 1, scope_id, 'slipped in'", 1)
    run(f"INSERT INTO operations ({names}) SELECT {own} FROM operations ORDER BY id DESC LIMIT 1")
    assert ["not in the audit log" in each.what for each in store.audit.verify().findings] == [True]
    run("DELETE FROM operations WHERE public_id = 'slipped in'")
    assert store.audit.verify().sound
    run("PRAGMA foreign_keys = 0")
    run("DELETE FROM operations WHERE id = (SELECT min(id) FROM operations)")
    assert any("missing in the journal" in each.what for each in store.audit.verify().findings)


def test_a_chain_that_is_gone_with_all_its_rows_is_missed(place):
    store, run = place
    Scribe(store, LETIA, vectors=VECTORS).observe("안녕", id="t1")
    run("DELETE FROM chains")
    assert len(store.audit.verify().findings) == 2, "the scope has no chain, and its row no place"
    run("DELETE FROM audit")
    [finding] = store.audit.verify().findings
    assert finding.what == f"[{LETIA}] exists, but its chain is missing"


def test_what_is_wrong_is_told_with_the_row_and_the_last_moment_to_rely_on(place):
    store, run = place
    scribe = Scribe(store, LETIA, vectors=VECTORS)
    for number in range(5):
        scribe.observe("안녕", id=f"t{number}")
    [(first,)] = run("SELECT min(id) FROM audit")
    run("DELETE FROM audit WHERE id = ?", first + 2)
    missing, unknown = store.audit.verify(LETIA).findings
    assert (missing.number, missing.since, missing.what) == (3, WALL, "row 3 is missing")
    assert unknown.what == "operation 3 is in the journal, but not in the audit log"
    assert store.audit.verify(SERA).sound


def test_texts_that_are_erased_go_from_the_file_and_the_chain_holds(file):
    store, _ = file
    with acting_as(NAMES[1]):
        two_ages(store).rewind("t1", at=day(3))
    before = store.audit.deeds(LETIA)
    assert strip(store, LETIA, [1, 99]) == 2
    assert strip(store, LETIA, [1]) == 0
    after = store.audit.deeds(LETIA)
    assert [deed.number for deed in after if deed.is_bare] == [1, 3]
    assert [(deed.actor, deed.who, deed.act) for deed in after[:-1]] == [
        (deed.actor, deed.who, deed.act) for deed in before
    ]
    assert (after[-1].act, after[-1].covered) == ("erase", ((1, 1), (3, 3)))
    assert store.audit.verify().sound


def served_by(store: Store) -> None:
    """Fill a bank with all that is served beside memories: keys, a webhook, a document, holds, a certificate."""
    store.server.keep_key(AccessKey(id="reader", name="읽기", role="reader", digest="00", created_at=WALL))
    store.server.keep_webhook(Webhook(id="w1", url="https://a.example", secret="s", created_at=WALL))
    about = {"value": '{"text": "코코"}', "scope": LETIA, "created_at": WALL, "updated_at": WALL}
    store.server.put_document(Document(namespace=("users", "민수"), key="pet", **about))
    store.put_hold(LETIA, Hold(since=WALL, by="운영자", why="다툼"))
    store.put_retention(LETIA, Retention(days={"fact": 30.0}))
    store.put_retention(SERA, Retention(days={"fact": 3.0}))
    for number in (1, 2):
        made = {"by": "운영자", "salt": "s", "scope": SERA, "part": EVERYTHING, "counts": {"turns": number}}
        store.keep_certificate(new_certificate(id=f"proof {number}", at=WALL, **made))


SERVED = (
    ("a memory's sentence", "UPDATE memories SET content = '다른 말'"),
    ("a memory's value", "UPDATE memories SET value = '99' WHERE value = '26'"),
    ("when a memory was true", "UPDATE memories SET valid_at = valid_at + 60000000"),
    ("when a memory was learned", "UPDATE memories SET known_at = known_at - 60000000"),
    ("on whose clock", "UPDATE memories SET utc_offset = utc_offset + 60"),
    ("that a memory was forgotten", "UPDATE memories SET forgotten_at = known_at WHERE value = '26'"),
    ("which are hidden", "UPDATE items SET searchable = NOT searchable WHERE kind = 'memory'"),
    ("which words are found", "UPDATE items SET searchable = NOT searchable WHERE kind = 'utterance'"),
    ("the id of a memory", "UPDATE memories SET public_id = public_id || 'x'"),
    ("a memory less", "DELETE FROM memories WHERE value = '26'"),
    ("whose a memory is", "UPDATE memories SET scope_id = (SELECT max(id) FROM scopes)"),
    ("a state record", "UPDATE things SET record = replace(record, '사과', '포도')"),
    ("state records less", "DELETE FROM things"),
    ("when a turn was", "UPDATE turns SET at = at + 60000000"),
    ("in which session", "UPDATE turns SET session = 'another'"),
    ("a turn taken back", "UPDATE turns SET rewound = NOT rewound WHERE public_id = 't2'"),
    ("the order of turns", "UPDATE turns SET number = 7 - number"),
    ("when the story went on", "UPDATE scopes SET latest_at = latest_at + 1 WHERE turn_number > 0"),
    ("whose a scope is", "UPDATE scopes SET character = character || 'x'"),
    ("a hold less", "DELETE FROM provisions WHERE kind = 'hold'"),
    ("why a hold stands", "UPDATE provisions SET record = replace(record, '다툼', '놀이')"),
    ("for how long", "UPDATE provisions SET record = replace(record, '30.0', '31.0')"),
    ("a retention less", "DELETE FROM provisions WHERE kind = 'retention'"),
    ("what a key may", "UPDATE access_keys SET record = replace(record, '읽기', '관리')"),
    ("a key less", "DELETE FROM access_keys"),
    ("an admin key more", "INSERT INTO access_keys (id, created_at, record) SELECT 'evil', 1, record FROM access_keys"),
    ("where a webhook goes", "UPDATE webhooks SET record = replace(record, 'a.example', 'b.example')"),
    ("a webhook less", "DELETE FROM webhooks"),
    ("a document", "UPDATE documents SET record = replace(record, '코코', '보리')"),
    ("a document less", "DELETE FROM documents"),
    ("a certificate", "UPDATE certificates SET record = replace(record, '운영자', '아무개')"),
    ("a certificate less", "DELETE FROM certificates WHERE id = 'proof 1'"),
    ("a certificate more", "INSERT INTO certificates (id, at, record) SELECT id || 'x', at, record FROM certificates"),
)  # fmt: skip


@pytest.mark.parametrize("sql", [sql for _, sql in SERVED], ids=[name for name, _ in SERVED])
def test_what_is_served_cannot_be_changed_unnoticed(place, sql):
    store, run = place
    served_by(store)
    scribe = two_ages(store)
    scribe.observe("나 민수야", id="t3", session="아침", at=day(3))
    Scribe(store, SERA, vectors=VECTORS, name="s").observe(
        "안녕", id="s1", claims=[claim("age", "7", id="s")], at=day(1)
    )
    note = Note(text="사과", turn_number=3, at=day(3), by="director/1")
    write(store, move("note", "director", note), at=day(3))
    assert store.audit.verify().findings == ()
    if store.location.startswith("postgres") and ("things" in sql or "provisions" in sql):
        sql = re.sub(r"replace\(record, (.*)\)$", r"replace(record::text, \1)::jsonb", sql)
    run(sql)
    assert not store.audit.verify().sound


def test_names_that_two_scopes_swap_are_found(place):
    store, run = place
    two_ages(store)
    Scribe(store, SERA, vectors=VECTORS, name="s").observe("안녕", id="s1", at=day(1))
    run("UPDATE scopes SET character = 'nobody' WHERE character = ?", LETIA.character)
    run("UPDATE scopes SET character = ? WHERE character = ?", LETIA.character, SERA.character)
    run("UPDATE scopes SET character = ? WHERE character = 'nobody'", SERA.character)
    assert [each.chain.scope for each in store.audit.verify().findings if each.chain] == [SERA, LETIA]
