"""What is erased on a server stands in none of its tables, indexes and statistics any more, byte for byte."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest

import gieok
from gieok.errors import ErasureUnproven
from gieok.stores.postgres import parts
from gieok.stores.postgres import schema as postgres_schema
from gieok.stores.postgres.connection import Connection, address_of
from gieok.stores.postgres.schema import SERVER
from gieok.stores.postgres.store import TABLES, WORDLESS
from gieok.testing import FixedClock, day
from support.erasures import Story, erased_again_and_again
from support.postgres import Server, connected, running


@pytest.fixture(scope="module")
def server():
    with running() as server:
        yield server


def raw(server: Server, name: str) -> bytes:
    """Return every file of a database: tables, indexes, what is stored out of line, the catalogue."""
    with psycopg.connect(server.address(name), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        [(oid,)] = connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchall()
    folder = Path(server.process.pgdata) / "base" / str(oid)
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


_FOUND = """
WITH files AS MATERIALIZED (
    SELECT pg_read_binary_file(folder || '/' || name, 0, 1000000000, true) AS bytes
    FROM (SELECT 'base/' || oid AS folder FROM pg_database WHERE datname = current_database()) AS here,
         pg_ls_dir(folder) AS name
)
SELECT string_agg(word, ' ') FROM unnest(%s::text[]) AS word
WHERE EXISTS (SELECT FROM files WHERE position(convert_to(right(word, 2), 'UTF8') IN bytes) > 0)
"""


def found(address: str, words: set[str]) -> list[str]:
    """Return the words that stand in a file of the database, on any node of a cluster; its own functions read them."""
    with psycopg.ClientCursor(psycopg.connect(address, autocommit=True)) as asked, asked.connection:
        look = asked.mogrify(_FOUND, [sorted(words)])
        if asked.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
            asked.execute("CHECKPOINT")
            told = asked.execute(look).fetchall()
        else:
            asked.execute("SELECT run_command_on_all_nodes('CHECKPOINT')")
            rows = asked.execute("SELECT success, result FROM run_command_on_all_nodes(%s)", [look]).fetchall()
            assert all(success for success, _ in rows), rows
            told = [(result,) for _, result in rows]
    return sorted({word for (text,) in told for word in (text or "").split()})


@contextmanager
def reading(address: str, schema: str = "gieok") -> Iterator[None]:
    """Somebody who goes on seeing the state of this moment."""
    with psycopg.connect(address) as onlooker:
        onlooker.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        onlooker.execute(f"SELECT count(*) FROM {schema}.utterances")
        yield


def play(server: Server, seed: int, parted: int = 0) -> Story:
    name = server.database()
    address, clock = server.address(name), FixedClock(day(1))
    with gieok.open(address, embedder="hashing", clock=clock, erase_seconds=0.3) as bank:
        if parted:
            bank.store.on_its_own(lambda connection: parts.cut(connection, "gieok", parted))
        story = erased_again_and_again(
            bank, clock, seed, lambda gone: found(address, gone), reader=lambda: reading(address), rounds=3
        )
        means = [certificate.means for certificate in bank.certificates()]
        assert not parted or any("0, 1, 2, 3" not in each for each in means), "a part at a time"
    server.drop(name)
    return story


def test_what_is_there_is_found(server):
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing") as bank:
        bank.scope(user="minsu").observe("내 비밀은 보라색우산이야")
    assert found(server.address(name), {"보라색우산", "도라에몽"}) == ["보라색우산"]
    server.drop(name)


def test_random_erasures_leave_nothing_in_the_files_of_the_database(server, counts):
    assert sum(play(server, seed).held_up for seed in range(counts(2, 100))) > counts(-1, 20)


def test_random_erasures_leave_nothing_in_the_files_of_a_bank_in_parts(server, counts):
    for seed in range(1_000, 1_000 + counts(2, 100)):
        play(server, seed, parted=4)


@pytest.mark.parametrize("name", ["GIEOK_TEST_PGROONGA_URL", "GIEOK_TEST_CITUS_URL"])
def test_random_erasures_leave_nothing_on_other_servers(name, counts):
    if (url := os.environ.get(name)) is None:
        pytest.skip(f"{name} names no server")
    for seed in range(2_000, 2_000 + counts(2, 200)):
        schema, clock = f"gieok_{uuid.uuid4().hex[:12]}", FixedClock(day(1))
        location = f"{url}{'&' if '?' in url else '?'}schema={schema}"
        try:
            if name == "GIEOK_TEST_CITUS_URL":
                gieok.open(location, embedder="hashing").close()
                with connected(address_of(location)) as raw:
                    assert postgres_schema.apply(Connection(raw, "there"), schema)
            with gieok.open(location, embedder="hashing", clock=clock, erase_seconds=0.3) as bank:
                erased_again_and_again(
                    bank, clock, seed, lambda gone: found(url, gone), reader=partial(reading, url, schema), rounds=3
                )
        finally:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@pytest.mark.parametrize("version", [180_000, 190_000], ids=["by its owner", "by a superuser"])
def test_the_planners_samples_of_tables_that_are_empty_by_now_go(server, monkeypatch, version):
    monkeypatch.setattr("gieok.stores.postgres.store._DROPS_SAMPLES", version)
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing") as bank:
        mind = bank.scope(user="minsu")
        mind.observe("내 비밀은 보라색우산이야")
        with psycopg.connect(server.address(name), autocommit=True) as admin:
            admin.execute("ANALYZE")
            assert found(server.address(name), {"보라색우산"})
        bank.erase(user="minsu")
        assert "planner" not in bank.certificates()[0].means
    assert found(server.address(name), {"보라색우산"}) == []
    server.drop(name)


@pytest.mark.parametrize("version", [180_000, 190_000])
def test_a_role_that_may_not_rewrite_the_samples_has_them_named(server, monkeypatch, version):
    monkeypatch.setattr("gieok.stores.postgres.store._DROPS_SAMPLES", version)
    name = server.database()
    with psycopg.connect(server.address(name), autocommit=True) as admin:
        admin.execute("CREATE EXTENSION vector SCHEMA public")
        admin.execute("CREATE ROLE tenant LOGIN")
        admin.execute(f'GRANT CREATE ON DATABASE "{name}" TO tenant')
    address = server.address(name).replace("postgres:@", "tenant:@")
    with gieok.open(address, embedder="hashing") as bank:
        mind = bank.scope(user="minsu")
        mind.observe("내 비밀은 보라색우산이야")
        with psycopg.connect(server.address(name), autocommit=True) as admin:
            admin.execute("ANALYZE")
        bank.erase(user="minsu")
        [certificate] = bank.certificates()
    named = certificate.means.partition("; not proven for ")[2]
    assert "pg_statistic, which only the owner of the database may rewrite" in named
    assert ("the planner's samples of utterances" in named) == (version > 180_000)
    with psycopg.connect(server.address(name), autocommit=True) as admin:
        admin.execute("DROP OWNED BY tenant")
        admin.execute("DROP ROLE tenant")
    server.drop(name)


def test_every_table_is_written_anew_or_says_nothing_of_anybody(server):
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing"), psycopg.connect(server.address(name)) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'gieok'").fetchall()
    assert {table for (table,) in found} == {*TABLES, *WORDLESS}
    server.drop(name)


def test_what_the_audit_log_told_of_a_rewind_goes_with_what_was_said(server):
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 이름은 김민수야", turn_id="t1")
        letia.observe("내 이름은 도라에몽이야", turn_id="t2")
        letia.rewind("t1", following=False)
        assert "revise" in [deed.act for deed in bank.audit(letia)], "what the second turn came to before is told"
        letia.erase(turn="t2")
        assert "도라에몽".encode() not in raw(server, name)
        assert bank.verify_audit().sound
    server.drop(name)


def test_nothing_is_certified_while_somebody_may_still_see_it(server):
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing", erase_seconds=0.3) as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 비밀은 보라색우산이야", turn_id="t1")
        with reading(server.address(name)), pytest.raises(ErasureUnproven, match="no certificate"):
            letia.erase(turn="t1")
        [waiting] = bank.certificates()
        assert not waiting.proven
        assert letia.turns() == []
        bank.scrub()
        [certificate] = bank.certificates()
        assert certificate.intact
        assert "보라색우산".encode() not in raw(server, name)
    server.drop(name)


@pytest.fixture(scope="module")
def archiving():
    """A server that archives what it logs, and may have slots."""
    with running() as server:
        with psycopg.connect(server.uri, autocommit=True) as admin:
            for setting in ("wal_level = logical", "archive_mode = on", "archive_command = 'true'"):
                admin.execute(f"ALTER SYSTEM SET {setting}")
        server.crash()
        server.start()
        yield server


def test_nothing_is_certified_while_a_replication_slot_keeps_it_and_copies_elsewhere_are_named(archiving):
    name = archiving.database()
    with (
        gieok.open(archiving.address(name), embedder="hashing", erase_seconds=0.3) as bank,
        psycopg.connect(archiving.address(name), autocommit=True) as admin,
    ):
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 비밀은 보라색우산이야", turn_id="t1")
        admin.execute("SELECT pg_create_logical_replication_slot('behind', 'pgoutput')")
        with pytest.raises(ErasureUnproven, match=r"replication slot behind.*no certificate"):
            letia.erase(turn="t1")
        assert not bank.certificates()[0].proven
        admin.execute("SELECT pg_drop_replication_slot('behind')")
        admin.execute("SELECT pg_create_physical_replication_slot('spare', true)")
        bank.scrub()
        [certificate] = bank.certificates()
        assert certificate.intact
        assert "보라색우산".encode() not in raw(archiving, name)
        admin.execute("SELECT pg_drop_replication_slot('spare')")
    named = certificate.means.partition("; not proven for ")[2]
    for copy in ("pg_wal, until it is recycled", "the archive of pg_wal", "pg_wal kept for the replication slot spare"):
        assert copy in named
    archiving.drop(name)


def test_standbys_slots_and_prepared_transactions_are_onlookers(server):
    """With rows of catalogues that cannot be had here."""
    with psycopg.connect(server.uri, autocommit=True) as connection:
        ((mark,),) = connection.execute("SELECT pg_current_xact_id()::xid::text").fetchall()
        older, newer = int(mark) - 1, int(mark) + 1
        connection.execute("CREATE SCHEMA stand_in")
        for view, rows in {
            "pg_stat_replication (pid, application_name, backend_xmin)": (
                f"(1, 'late', '{older}'), (2, 'fresh', '{newer}')"
            ),
            "pg_replication_slots (slot_name, xmin, catalog_xmin, restart_lsn)": (
                f"('rows', '{older}', NULL, '0/1'), ('catalogue', NULL, '{older}', NULL), "
                f"('new', '{newer}', NULL, NULL)"
            ),
            "pg_prepared_xacts (gid, database, transaction)": f"('half', current_database(), '{older}')",
            "pg_stat_activity (pid, application_name, datname, backend_type, query, backend_xmin)": (
                f"(3, 'hidden', current_database(), NULL, '', '{older}'), (4, '', 'elsewhere', NULL, '', '{older}'), "
                f"(5, '', NULL, 'walsender', '', '{older}'), (1, 'late', NULL, 'walsender', '', '{older}')"
            ),
        }.items():
            table, columns = view[:-1].split(" (")
            typed = ", ".join(
                f"{each}::xid" if each in ("xmin", "catalog_xmin", "backend_xmin", "transaction") else each
                for each in columns.split(", ")
            )
            named = ", ".join(f'"{each}"' if each == "xmin" else each for each in columns.split(", "))
            connection.execute(f"CREATE VIEW stand_in.{table} AS SELECT {typed} FROM (VALUES {rows}) AS r ({named})")
        connection.execute("SET search_path = stand_in, pg_catalog")
        asked = Connection(connection, "there")
        found = {who for (who,) in asked.script(SERVER["find_onlookers"].format(mark=mark))}
        copies = {where for (where,) in asked.script(SERVER["find_copies"])}
        connection.execute("DROP SCHEMA stand_in CASCADE")
    assert found == {
        "standby late", "replication slot rows", "replication slot catalogue", "prepared transaction half",
        "pid 3 (hidden)", "pid 5",
    }  # fmt: skip
    assert copies >= {"the standby late", "the standby fresh", "pg_wal kept for the replication slot rows"}


def test_a_plain_vacuum_goes_before_and_after_the_keywords_are_written_anew(server, monkeypatch):
    """PGroonga's files let go of words then, and of the index that was replaced."""
    sent = []
    script = Connection.script
    monkeypatch.setattr(Connection, "script", lambda self, sql: (sent.append(sql), script(self, sql))[1])
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 비밀은 보라색우산이야", turn_id="t1")
        letia.erase(turn="t1")
    assert [sql.split('"')[0].strip() for sql in sent if sql.endswith('"gieok"."keywords"')] == [
        "VACUUM", "VACUUM (FULL, ANALYZE)", "VACUUM",
    ]  # fmt: skip
    server.drop(name)
