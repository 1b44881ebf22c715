"""A bank whose tables are cut into parts by user: the same bank, of which an erasure writes one part anew."""

from __future__ import annotations

import re

import psycopg
import pytest

import gieok
from gieok.errors import BankUnavailable
from gieok.stores.copy import copy_bank
from gieok.stores.postgres import parts
from gieok.stores.postgres.connection import Connection, address_of
from gieok.stores.postgres.schema import BESIDE, FIRST
from gieok.testing import FixedClock, day
from support.postgres import connected

DESCRIBED = """
SELECT table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
FROM information_schema.columns WHERE table_schema = 'gieok' AND table_name !~ '_p[0-9]+$'
UNION ALL SELECT replace(indexdef, ' ONLY ', ' ') FROM pg_indexes
WHERE schemaname = 'gieok' AND tablename !~ '_p[0-9]+$'
UNION ALL SELECT relname || '.' || attname || ' is stored ' || attstorage::text FROM pg_attribute
JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'gieok'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND relname !~ '_p[0-9]+$'
UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint
WHERE connamespace = 'gieok'::regnamespace AND contype IN ('c', 'p', 'u') AND conrelid::regclass::text !~ '_p[0-9]+$'
UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'gieok'
"""


def described(location: str) -> list[str]:
    with psycopg.connect(location) as connection:
        return sorted(line for (line,) in connection.execute(DESCRIBED).fetchall())


def cut(bank: gieok.MemoryBank, count: int) -> None:
    bank.store.on_its_own(lambda connection: parts.cut(connection, "gieok", count))


@pytest.fixture
def in_parts(database):
    """The address of a new bank in four parts."""
    with gieok.open(database, embedder="hashing") as bank:
        cut(bank, 4)
    return database


def test_a_bank_in_parts_has_the_same_tables_and_holds_what_it_held(database, tell):
    with gieok.open(database, embedder="hashing") as bank:
        tell(bank)
        before = described(database)
        scopes = [each.scope for each in bank.scopes()]
        held = {scope: bank.store.fingerprint(scope) for scope in scopes}
        cut(bank, 4)
    assert described(database) == before
    with gieok.open(database, embedder="hashing") as bank:
        assert {scope: bank.store.fingerprint(scope) for scope in scopes} == held
        assert bank.info().engine.endswith("in 4 parts")
        assert bank.store.problems() == []
        assert bank.verify_audit().findings == ()
        tell(bank)
        assert bank.scope(user="민수", character="레티아").recall("어디 살아?")


def test_a_bank_is_copied_into_one_in_parts(in_parts, tmp_path, tell):
    with (
        gieok.open(tmp_path / "one.db", embedder="hashing") as source,
        gieok.open(in_parts, embedder="hashing") as there,
    ):
        tell(source)
        copied = copy_bank(source.store, there.store, now=day(1), progress=lambda *_: None)
        assert copied.is_whole
        assert {each.scope for each in there.scopes()} == {each.scope for each in source.scopes()}
        for each in source.scopes():
            assert there.store.fingerprint(each.scope) == source.store.fingerprint(each.scope)


def test_every_part_refers_to_its_own_part_alone(in_parts):
    with psycopg.connect(in_parts) as connection:
        found = connection.execute(
            "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint "
            "WHERE contype = 'f' AND connamespace = 'gieok'::regnamespace AND conparentid = 0"
        ).fetchall()
    numbers = {(re.sub(r".*_p", "", one), re.sub(r".*_p", "", other)) for one, other in found}
    assert numbers == {(each, each) for each in "0123"}


def test_a_user_is_looked_for_in_the_part_that_the_certificate_of_an_erasure_tells(in_parts):
    with gieok.open(in_parts, embedder="hashing") as bank:
        for number in range(12):
            mind = bank.scope(user=f"사람{number}", character="레티아")
            mind.observe("나 라면 좋아해", turn_id="t1")
            [(lies,)] = _asked(
                in_parts, "SELECT tableoid::regclass FROM gieok.scopes WHERE owner = %s", f"사람{number}"
            )
            mind.erase(turn="t1", prove=False)
            [(bucket,)] = _asked(in_parts, "SELECT bucket FROM gieok.certificates WHERE proven_at IS NULL")
            assert lies.endswith(f"scopes_p{bucket % 4}")
            bank.prove()
            assert bank.certificates()[0].means.startswith("PostgreSQL")
            assert f"or its parts {bucket % 4}, after" in bank.certificates()[0].means
        assert _asked(in_parts, "SELECT count(bucket) FROM gieok.certificates") == [(0,)]


def _asked(location, sql, *values):
    with psycopg.connect(location) as connection:
        return connection.execute(sql, values).fetchall()


def test_an_erasure_writes_one_part_anew_and_the_planners_samples_of_the_whole_go(in_parts, monkeypatch):
    sent = []
    with gieok.open(in_parts, embedder="hashing") as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("내 비밀은 보라색우산이야", turn_id="t1")
        with psycopg.connect(in_parts, autocommit=True) as connection:
            connection.execute("ANALYZE gieok.utterances")
        script = Connection.script
        monkeypatch.setattr(Connection, "script", lambda self, sql: (sent.append(sql), script(self, sql))[1])
        mind.erase(turn="t1")
    full = [sql for sql in sent if sql.startswith("VACUUM (FULL")]
    assert len({re.sub(r".*_p(\d+)\"", r"\1", sql) for sql in full if "_p" in sql}) == 1
    assert {name for name in (FIRST, *BESIDE) if any(f'"{name}_p' in sql for sql in full)} == {FIRST, *BESIDE} - {
        "leases"
    }
    samples = "SELECT count(*) FROM pg_statistic WHERE stainherit AND starelid = 'gieok.utterances'::regclass"
    assert _asked(in_parts, samples) == [(0,)]


def test_a_certificate_of_whom_nobody_knows_is_proven_by_all_parts(in_parts):
    with gieok.open(in_parts, embedder="hashing") as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나 라면 좋아해", turn_id="t1")
        mind.erase(turn="t1", prove=False)
        with psycopg.connect(in_parts, autocommit=True) as connection:
            connection.execute("UPDATE gieok.certificates SET bucket = NULL")
        bank.prove()
        assert "or its parts 0, 1, 2, 3, after" in bank.certificates()[0].means


def test_other_users_go_on_while_a_part_is_locked(in_parts):
    """No plan and no reference of a user's own statements touches another part."""
    with gieok.open(in_parts, embedder="hashing", postgres_seconds=2.0) as bank:
        mind = bank.scope(user="민수", character="레티아")
        bank.scope(character="레티아").remember("레티아는 별의 학원에 다닌다")  # canon is everybody's
        for number in range(8):  # often enough for plans that serve all
            mind.observe(f"나 라면 {number}개 먹었어")
        mine = {lies[-1] for (lies,) in _asked(in_parts, "SELECT DISTINCT tableoid::regclass::text FROM gieok.scopes")}
        with connected(address_of(in_parts)) as raw:
            raw.execute("BEGIN")
            others = [parts.part(name, at) for name in (FIRST, *BESIDE) for at in range(4) if str(at) not in mine]
            raw.execute(f"LOCK TABLE {', '.join(others)} IN ACCESS EXCLUSIVE MODE")
            assert mind.observe("나 부산에 살아", turn_id="t1").decisions
            assert mind.recall("어디 살아?")
            assert mind.context("라면 먹을까?").text
            assert mind.facts()
            mind.rewind("t1")
            raw.execute("ROLLBACK")


def test_a_bank_is_cut_once_and_into_parts_that_divide_the_buckets(in_parts):
    with gieok.open(in_parts, embedder="hashing") as bank:
        cut(bank, 4)
        with pytest.raises(BankUnavailable, match="4 partitions"):
            cut(bank, 8)
        for count in (0, 1, 3, 2_048):
            with pytest.raises(BankUnavailable, match="1024"):
                cut(bank, count)


def test_a_failure_leaves_the_bank_as_it_was(database, monkeypatch, tell):
    with gieok.open(database, embedder="hashing", clock=FixedClock(day(1))) as bank:
        tell(bank)
        before = described(database)
        script = Connection.script

        def fails(self, sql):
            if sql.startswith("CREATE VIEW"):
                raise RuntimeError
            return script(self, sql)

        monkeypatch.setattr(Connection, "script", fails)
        with pytest.raises(RuntimeError):
            cut(bank, 4)
        monkeypatch.undo()
        assert described(database) == before
        assert bank.scope(user="민수", character="레티아").facts()
