"""A server that stops, is cut off or has no room: every acknowledged turn is there, once; nothing is half-written."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

import gieok
from gieok.errors import BankUnavailable
from support.postgres import Server, running

_ENOUGH = 40  #: turns


@pytest.fixture(scope="module")
def own_server():
    with running(safely=True) as server:
        yield server


@pytest.fixture
def address(own_server):
    name = own_server.database()
    yield own_server.address(name)
    own_server.drop(name)


def _wait_for(there: Callable[[], bool]) -> None:
    until = time.monotonic() + 90
    while not there():
        assert time.monotonic() < until, "nothing is written any more"
        time.sleep(0.02)


def opened(address: str, **settings: object) -> gieok.MemoryBank:
    return gieok.open(address, embedder="hashing", **settings)


def test_every_acknowledged_turn_survives_a_crash_and_none_is_doubled(own_server, address, counts):
    for number in range(counts(1, 5)):
        with opened(address, postgres_seconds=5.0) as bank, ThreadPoolExecutor(16) as pool:
            acknowledged = _talked_through_a_crash(own_server, bank, pool, number)
            for writer in range(16):
                turns = [turn.id for turn in bank.scope(user=f"u{writer}", character="레티아").turns(100_000)]
                assert len(turns) == len(set(turns))
                assert {turn for user, turn in acknowledged if user == f"u{writer}"} <= set(turns)
            assert bank.store.problems() == []


def _talked_through_a_crash(
    server: Server, bank: gieok.MemoryBank, pool: ThreadPoolExecutor, round_: int
) -> set[tuple[str, str]]:
    """Have sixteen users talk while the server crashes and comes back; return what was acknowledged."""
    acknowledged: set[tuple[str, str]] = set()
    over = threading.Event()

    def writing(writer: int) -> None:
        mind = bank.scope(user=f"u{writer}", character="레티아")
        number = 0
        while not over.is_set():
            turn = f"{round_}-{writer}-{number}"
            try:
                mind.observe(f"나 {number}번 버스 타고 다녀", turn_id=turn)
            except BankUnavailable:
                continue  # said again, under the same id
            acknowledged.add((f"u{writer}", turn))
            number += 1

    writers = [pool.submit(writing, writer) for writer in range(16)]
    _wait_for(lambda: len(acknowledged) >= _ENOUGH)
    server.crash()
    before = len(acknowledged)
    server.start()
    _wait_for(lambda: len(acknowledged) >= before + _ENOUGH)
    over.set()
    for writer in writers:
        writer.result(120)
    return acknowledged


def test_a_connection_that_is_cut_mid_turn_is_made_good_within_the_turn(address):
    with opened(address) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나 부산에 살아")

        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gieok'")
        observed = mind.observe("나 서울로 이사했어", turn_id="moved")

        assert observed.turn.id == "moved"
        assert [fact.value for fact in mind.facts(attribute="residence")] == ["서울"]
        assert len(mind.turns()) == 2


def cut_off(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'gieok'")


def test_a_connection_that_is_cut_while_a_scope_is_read_is_made_good(address):
    with opened(address) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나 부산에 살아", turn_id="first")
        with opened(address) as fresh, fresh.store.view(mind.key) as view:
            for question in (lambda: len(view.turns(9)), lambda: len(view.subjects())):
                cut_off(address)
                assert question() == 1


def test_what_is_read_is_of_one_moment_even_where_the_connection_is_cut(address):
    with opened(address) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나 부산에 살아", turn_id="first")
        with opened(address) as fresh, fresh.store.view(mind.key) as view:
            assert view.version
            mind.observe("나 서울로 이사했어")
            cut_off(address)
            with pytest.raises(BankUnavailable, match=r"another process wrote to .*ask again"):
                view.turns(9)


def test_what_is_read_of_the_whole_bank_is_asked_again(address):
    tries = []

    def question(connection):
        tries.append(len(tries))
        if len(tries) == 1:
            cut_off(address)
        return connection.rows("count_everything")

    with opened(address) as bank:
        bank.scope(user="민수", character="레티아").observe("나 부산에 살아")
        assert bank.store._read(question)[0][0] == 1
    assert tries == [0, 1]


def test_a_pool_without_a_free_connection_says_so(address):
    with opened(address, postgres_pool=1, postgres_seconds=1.0) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("안녕")
        with (
            bank.store.view(mind.key),
            pytest.raises(BankUnavailable, match=r"all 1 connections .* were busy for 1 s.*postgres_pool"),
        ):
            mind.facts()
        assert mind.facts() == []


def test_a_statement_that_takes_too_long_is_stopped_and_leaves_nothing(address):
    with opened(address, postgres_seconds=1.0) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("안녕", turn_id="first")
        with psycopg.connect(address) as other:  # keeps the row, as a careless operator might
            other.execute("UPDATE gieok.scopes SET world = world")
            with pytest.raises(BankUnavailable, match="held a lock"):
                mind.observe("나 부산에 살아", turn_id="second")
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute(
                "CREATE FUNCTION gieok.dawdle() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN PERFORM pg_sleep(5); RETURN NULL; END $$"
            )
            admin.execute("CREATE TRIGGER slow AFTER INSERT ON gieok.operations EXECUTE FUNCTION gieok.dawdle()")
            with pytest.raises(BankUnavailable, match="took too long"):
                mind.observe("나 부산에 살아", turn_id="second")
            admin.execute("DROP TRIGGER slow ON gieok.operations")
        assert [turn.id for turn in mind.turns()] == ["first"]
        assert mind.observe("나 부산에 살아", turn_id="second").turn.id == "second"


def test_a_full_disk_is_told_and_nothing_is_half_written(address):
    with opened(address) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("안녕", turn_id="first")
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute(
                "CREATE FUNCTION gieok.no_room() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$"
            )
            admin.execute("CREATE TRIGGER full_disk BEFORE INSERT ON gieok.operations EXECUTE FUNCTION gieok.no_room()")
            with pytest.raises(gieok.errors.DiskFull, match="nothing was written"):
                mind.observe("나 부산에 살아", turn_id="second")
            admin.execute("DROP TRIGGER full_disk ON gieok.operations")
        assert [turn.id for turn in mind.turns()] == ["first"]
        assert bank.store.problems() == []


def test_a_deadlock_is_tried_again(address):
    with opened(address) as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("안녕", turn_id="first")
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute("CREATE SEQUENCE gieok.tries")
            admin.execute(
                "CREATE FUNCTION gieok.in_the_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "IF nextval('gieok.tries') <= 2 THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '40P01'; END IF; "
                "RETURN NULL; END $$"
            )
            admin.execute(
                "CREATE TRIGGER crossing AFTER INSERT ON gieok.operations EXECUTE FUNCTION gieok.in_the_way()"
            )
        mind.observe("나 부산에 살아", turn_id="second")
        assert [turn.id for turn in mind.turns()] == ["first", "second"]
