"""Whoever cannot connect to a server is told why, in plain words, and to try again only where that helps."""

import re
import socket
from pathlib import Path

import psycopg
import pytest

import gieok
from gieok.errors import BankInterrupted, BankUnavailable
from gieok.stores.postgres.connection import Pool, address_of
from gieok.stores.postgres.errors import why_unconnected
from gieok.words import words_in
from support.postgres import Server, running

CAUSES = {
    "database": ("/nowhere?", r"no such database .* createdb", "그런 데이터베이스가 없어요"),
    "user": ("ghost@", "does not know this user", "이 사용자를 몰라요"),
    "rights": ("barred@", "refuses this user", "접속을 허락하지 않아요"),
    "full": ("crowded@", r"accepts no more connections .*max_connections", "연결을 더 받지 않아요"),
    "password": ("locked:wrong@", r"password .* is wrong or missing.*\.pgpass", "비밀번호가 틀렸거나 없어요"),
    "no password": ("locked@", r"password .* is wrong or missing", "비밀번호가 틀렸거나 없어요"),
}
ELSEWHERE = {
    "host": ("no-such-host.invalid", 5432, "the host in .* is unknown", "컴퓨터를 찾을 수 없어요"),
    "port": ("127.0.0.1", 1, "cannot be reached .*Connection refused", "연결할 수 없어요"),
}
#: What servers and poolers say that cannot be had here.
SAID = {
    '치명적오류:  "nowhere" 데이터베이스 없음': "postgres.no_database",
    '치명적오류:  "ghost" 롤(role) 없음': "postgres.no_role",
    '치명적오류:  사용자 "minsu"의 password 인증을 실패했습니다': "postgres.password",
    "치명적오류:  최대 동시 접속자 수를 초과했습니다.": "postgres.full",
    "FATAL:  sorry, too many clients already": "postgres.full",
    "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute": "postgres.full",
    "FATAL:  no more connections allowed (max_client_conn)": "postgres.full",
    'FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption': "postgres.not_let_in",
    "FATAL:  no such database: nowhere": "postgres.no_database",
    "FATAL:  SASL authentication failed": "postgres.password",
    "FATAL:  the database system is starting up": "postgres.starting",
    "치명적오류:  데이터베이스 시스템이 새로 가동 중입니다.": "postgres.starting",
    "timeout expired": "postgres.unreachable",
}


@pytest.fixture(scope="module")
def server():
    with running() as server:
        with psycopg.connect(server.uri, autocommit=True) as admin:
            admin.execute("CREATE ROLE barred NOLOGIN")
            admin.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
            admin.execute("CREATE ROLE locked LOGIN PASSWORD 'right'")
            rules = Path(server.process.pgdata) / "pg_hba.conf"
            rules.write_text(f"local all locked scram-sha-256\n{rules.read_text()}")
            admin.execute("SELECT pg_reload_conf()")
        yield server


def address(server: Server, change: str) -> str:
    """Return the address of the server with another user or database."""
    folder = re.search(r"host=([^&]+)", server.uri)
    assert folder
    who, name = (change, "/postgres?") if change.endswith("@") else ("postgres@", change)
    return f"postgresql://{who}{name}host={folder[1]}"


@pytest.mark.parametrize("cause", CAUSES)
def test_the_cause_is_told_in_both_languages_and_nobody_is_to_try_again(server, cause, monkeypatch):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    change, english, korean = CAUSES[cause]
    with pytest.raises(BankUnavailable, match=english) as refused:
        gieok.open(address(server, change), embedder="hashing")
    told = refused.value.in_language(words_in("ko"))
    assert korean in told
    assert "try again" not in str(refused.value)
    assert "다시" not in told
    assert "wrong@" not in str(refused.value)
    assert not isinstance(refused.value, BankInterrupted), "it is not tried again: it would be the same"


@pytest.mark.parametrize("cause", ELSEWHERE)
def test_a_server_that_is_not_there_is_told_from_one_that_refuses(cause):
    host, port, english, korean = ELSEWHERE[cause]
    with pytest.raises(BankUnavailable, match=english) as refused:
        gieok.open(f"postgresql://minsu@{host}:{port}/games", embedder="hashing")
    assert korean in refused.value.in_language(words_in("ko"))
    assert "try again" not in str(refused.value)


@pytest.mark.parametrize("said", SAID)
def test_what_others_say_is_understood(said):
    where = 'connection to server at "10.0.0.2", port 5432 failed: '
    trouble = why_unconnected(psycopg.OperationalError(f"connection failed: {where}{said}"), "there")
    assert trouble.args[0].key == SAID[said]
    assert isinstance(trouble, BankInterrupted) == (SAID[said] == "postgres.starting")


def test_a_bank_that_is_open_tells_the_cause_too(server):
    pool = Pool(address_of(address(server, "locked:wrong@")), size=2, seconds=1.0)
    try:
        with pytest.raises(BankUnavailable, match="password"), pool.snapshot():
            pass
    finally:
        pool.close()


def test_a_silent_port_is_no_mystery():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(BankUnavailable, match="cannot be reached"):
            gieok.open(f"postgresql://minsu@127.0.0.1:{port}/games", embedder="hashing", postgres_seconds=1.0)
