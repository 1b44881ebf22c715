"""What is erased leaves the audit log: its rows tell nothing of it, and still vouch for all the rest."""

import random
from collections.abc import Callable
from typing import Any, get_args

import apsw
import psycopg
import pytest
from psycopg.types.json import Jsonb

import gieok
from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.attributes import ContentType
from gieok.domain.scope import Scope
from gieok.stores.tables.columns import AUDIT
from gieok.testing import FixedClock, day
from support.erasures import Story, remains
from support.postgres import Server, running

Run = Callable[..., list[tuple[Any, ...]]]
Place = tuple[gieok.MemoryBank, FixedClock, Run]
SCOPES = [Scope(user="minsu", character="letia"), Scope(user="지영")]
ROUNDS = 4
STEPS = 9
JOURNAL = (
    ("operations", "kind"), ("operations", "recorded_at"), ("operations", "request"), ("operations", "undone"),
    ("changes", "memory_id"), ("candidates", "why"), ("utterances", "text"),
)  # fmt: skip


@pytest.fixture(scope="module")
def server():
    with running() as server:
        yield server


@pytest.fixture(params=["file", "server"])
def place(request, tmp_path):
    """A bank, its clock, and a way to its rows past the store."""
    clock = FixedClock(day(1))
    if request.param == "file":
        path = tmp_path / "memories.db"
        with gieok.open(path, embedder="hashing", clock=clock) as bank:
            connection = apsw.Connection(str(path))
            connection.set_busy_timeout(10_000)
            yield bank, clock, lambda sql, *values: connection.execute(sql, values).fetchall()
            connection.close()
        return
    server: Server = request.getfixturevalue("server")
    name = server.database()
    with (
        gieok.open(server.address(name), embedder="hashing", clock=clock) as bank,
        psycopg.connect(server.address(name), autocommit=True) as raw,
    ):
        raw.execute("SET search_path = gieok, public")

        def run(sql: str, *values: Any) -> list[tuple[Any, ...]]:
            cursor = raw.execute(sql.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description is not None else []

        yield bank, clock, run
    server.drop(name)


def rows(run: Run) -> list[dict[str, Any]]:
    return [
        dict(zip(AUDIT.columns, row, strict=True))
        for row in run(f"SELECT {', '.join(AUDIT.columns)} FROM audit ORDER BY id")
    ]


def told(run: Run) -> bytes:
    """Return everything that stands in the tables of the audit log."""
    return repr([*rows(run), *run("SELECT * FROM chains")]).encode()


def changed(value: Any, dice: random.Random) -> Any:
    if isinstance(value, int):
        return value ^ (1 << dice.randrange(16))
    if not value:
        return "x"
    at = dice.randrange(len(value))
    return value[:at] + dice.choice([each for each in "0a가" if each != value[at]]) + value[at + 1 :]


def test_random_histories_with_erasures_verify_and_every_changed_byte_is_still_found(place, counts):
    bank, clock, run = place
    for seed in range(counts(2, 25)):
        dice = random.Random(seed)
        story = Story(bank=bank, clock=clock, chance=dice, scopes=[Scope(user=f"{each}{seed}") for each in "ab"])
        for _ in range(ROUNDS):
            story.play(STEPS)
            story.rewind(bank.mind(dice.choice(story.scopes)))
            story.erase()
            assert bank.verify_audit().findings == (), f"seed {seed}"
            assert remains(told(run), story.gone) == [], f"seed {seed}"
        for _ in range(counts(12, 60)):
            row = dice.choice(rows(run))
            column = dice.choice([name for name, value in row.items() if value is not None and name != "id"])
            run(f"UPDATE audit SET {column} = ? WHERE id = ?", changed(row[column], dice), row["id"])
            assert bank.verify_audit().findings, f"seed {seed}: {column} of row {row['id']} was changed"
            run(f"UPDATE audit SET {column} = ? WHERE id = ?", row[column], row["id"])
        assert bank.verify_audit().findings == (), f"seed {seed}"


def test_what_a_rewind_had_replaced_goes_with_what_it_repeats(place):
    """The record of a revised operation holds what it said of a turn that was taken back before."""
    bank, _, run = place
    mind = bank.scope(user="minsu", character="letia")
    mind.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    mind.observe("나 보라숲흙에 살아", turn_id="비밀회전", at=day(2))
    mind.observe("나 부산에 살아", turn_id="t3", at=day(3))
    mind.rewind("비밀회전", at=day(4))
    assert "숲흙".encode() in told(run)
    assert any(row["record"] is not None for row in rows(run))
    mind.erase(matching="보라숲흙")
    assert remains(told(run), {"보라숲흙", "비밀회전"}) == []
    assert bank.verify_audit().findings == ()
    deeds = bank.audit(mind)
    assert [deed.is_bare for deed in deeds if deed.operation == 1] == [False], "what came before is left alone"


@pytest.mark.parametrize(("table", "column"), JOURNAL)
def test_what_is_left_of_the_journal_is_still_vouched_for(place, table, column):
    bank, _, run = place
    mind = bank.scope(user="minsu", character="letia")
    mind.observe("나 서울에 살아", turn_id="t1", at=day(1))
    mind.observe("내 비밀은 보라숲흙이야", turn_id="t2", at=day(2))
    mind.observe("나 고양이 좋아해", reply="나도", turn_id="t3", at=day(3))
    mind.erase(turn="t1")
    mind.forget(mind.facts()[0].id, at=day(4))
    mind.scrub()
    assert bank.verify_audit().findings == ()
    keys = ("operation", "position") if table in ("changes", "candidates") else ("id",)
    here, there = " AND ".join(f"{key} = ?" for key in keys), ", ".join(keys)
    for *row, value in run(f"SELECT {there}, {column} FROM {table}"):
        kept = Jsonb(value) if isinstance(value, dict | list) else value
        run(f"UPDATE {table} SET {column} = ? WHERE {here}", other(column, value), *row)
        assert not bank.verify_audit().sound, f"{column} of {row} was changed"
        run(f"UPDATE {table} SET {column} = ? WHERE {here}", kept, *row)
    assert bank.verify_audit().findings == ()


def other(column: str, value: Any) -> Any:
    if column == "request":
        return '{"kind": "other"}'
    if column == "undone":
        return not value if isinstance(value, bool) else 1 - value
    if value is None:
        return "x"
    return f"{value}x" if isinstance(value, str) else value + 1


def test_who_had_it_erased_is_told_and_who_looked_when_it_expired_is_not(place):
    bank, clock, run = place
    mind = bank.scope(user="minsu", character="letia")
    mind.observe("내 비밀은 보라숲흙이야", turn_id="t1", at=day(1))
    with bank.acting_as("운영자 김"):
        mind.erase(turn="t1")
        mind.remember("나무숲흙 이야기", at=day(2))
        bank.keep_for(mind.key, dict.fromkeys(get_args(ContentType), 1.0))
        clock.advance(minutes=60 * 24 * 90)
        mind.facts()
    deeds = bank.audit(mind)
    by = {deed.act: deed.actor for deed in deeds}
    operator = Actor(kind="person", name="운영자 김")
    assert by["erase"] == by["rewind"] == by["revise"] == by["retain"] == operator
    assert (deeds[-1].act, deeds[-1].actor) == ("pass", LIBRARY)
    with bank.acting_as("운영자 김"):
        bank.erase(mind.key)
    assert (rows(run)[-1]["act"], rows(run)[-1]["actor"]) == ("erased", "운영자 김")
    assert bank.verify_audit().findings == ()
