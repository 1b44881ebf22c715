"""What is erased on a server stands in none of its tables, indexes and statistics any more, byte for byte."""

from pathlib import Path

import psycopg
import pytest

import gieok
from gieok.errors import ErasureUnproven
from gieok.stores.postgres.store import TABLES, WORDLESS
from gieok.testing import FixedClock, day
from support.erasures import erased_again_and_again
from support.postgres import Server, running


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


def test_random_erasures_leave_nothing_in_the_files_of_the_database(server, counts):
    for seed in range(counts(2, 40)):
        name = server.database()
        clock = FixedClock(day(1))
        with gieok.open(server.address(name), embedder="hashing", clock=clock) as bank:
            erased_again_and_again(bank, clock, seed, lambda name=name: raw(server, name), rounds=3)
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
        with psycopg.connect(server.address(name)) as onlooker:
            onlooker.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            onlooker.execute("SELECT count(*) FROM gieok.utterances")
            with pytest.raises(ErasureUnproven, match="no certificate"):
                letia.erase(turn="t1")
        [waiting] = bank.certificates()
        assert not waiting.proven
        assert letia.turns() == []
        bank.scrub()
        [certificate] = bank.certificates()
        assert certificate.intact
        assert "보라색우산".encode() not in raw(server, name)
    server.drop(name)
