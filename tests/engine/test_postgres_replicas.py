"""Scopes are read from a standby that is not too late, and a process never reads an earlier state than it saw."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

import gieok
from gieok.errors import BankUnavailable
from gieok.stores.postgres.connection import Pool
from support.postgres import Server, running

WHO = {"user": "민수", "character": "레티아"}


@pytest.fixture(scope="module")
def primary() -> Iterator[Server]:
    with running(safely=True) as server:
        yield server


@pytest.fixture(scope="module")
def standby(primary) -> Iterator[Server]:
    with primary.standby() as server:
        yield server


@pytest.fixture
def name(primary, standby):
    name = primary.database()
    gieok.open(primary.address(name), embedder="hashing").close()
    yield name
    replaying(standby, True)
    primary.drop(name)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """Where connections were lent from, one after the other."""
    lent: list[str] = []
    whole = Pool.lent

    @contextmanager
    def heard(self, mode="READ COMMITTED"):
        with whole(self, mode) as connection:
            if not (mode is None and "standby" not in self._address.conninfo):  # asking where the primary stands
                lent.append("standby" if "standby" in self._address.conninfo else "primary")
            yield connection

    monkeypatch.setattr(Pool, "lent", heard)
    return lent


def opened(primary, standby, name, **settings):
    where = standby.address(name)
    return gieok.open(primary.address(name), embedder="hashing", postgres_replicas=where, **settings)


def replaying(standby, goes_on):
    with psycopg.connect(standby.uri, autocommit=True) as connection:
        connection.execute(f"SELECT pg_wal_replay_{'resume' if goes_on else 'pause'}()")


def caught_up(primary, standby):
    """Wait until the standby has replayed all that the primary did."""
    with psycopg.connect(primary.uri, autocommit=True) as there, psycopg.connect(standby.uri, autocommit=True) as here:
        ((place,),) = there.execute("SELECT pg_current_wal_insert_lsn()").fetchall()
        until = time.monotonic() + 20
        while here.execute("SELECT pg_last_wal_replay_lsn() < %s", [place]).fetchone() == (True,):
            assert time.monotonic() < until, "the standby does not catch up"
            time.sleep(0.05)


def test_recall_context_and_facts_are_read_from_a_standby_that_is_there(primary, standby, name, asked):
    with opened(primary, standby, name) as bank:
        mind = bank.scope(**WHO)
        mind.observe("나 부산에 살아")
        caught_up(primary, standby)
        mind.facts()
        asked.clear()
        assert [fact.value for fact in mind.facts()] == ["부산"]
        assert mind.recall("어디 살아?")
        assert "부산" in mind.context("어디 살아?").text
        assert set(asked) == {"standby"}
        mind.observe("나 라면 좋아해")
        assert "primary" in asked


def test_a_process_reads_what_it_wrote_while_the_standby_stands_still(primary, standby, name):
    with opened(primary, standby, name) as bank:
        mind = bank.scope(**WHO)
        mind.observe("나 부산에 살아")
        caught_up(primary, standby)
        assert [fact.value for fact in mind.facts()] == ["부산"]
        replaying(standby, False)
        mind.observe("나 서울로 이사했어", turn_id="t2")
        assert [fact.value for fact in mind.facts()] == ["서울"]
        mind.rewind("t2")
        assert [fact.value for fact in mind.facts()] == ["부산"]


def test_what_others_wrote_is_read_within_the_bound_and_never_unread(primary, standby, name, asked):
    with (
        opened(primary, standby, name, postgres_staleness=1.0) as bank,
        gieok.open(primary.address(name), embedder="hashing") as other,
    ):
        mind, theirs = bank.scope(**WHO), other.scope(**WHO)
        theirs.observe("나 부산에 살아")
        caught_up(primary, standby)
        mind.facts()
        asked.clear()
        assert [fact.value for fact in mind.facts()] == ["부산"]
        assert asked == ["standby"]
        replaying(standby, False)
        theirs.observe("나 서울로 이사했어")
        until = time.monotonic() + 1.0
        seen = []
        while time.monotonic() < until + 0.5:
            seen += [fact.value for fact in mind.facts()]
            time.sleep(0.05)
        assert seen[-1] == "서울"
        assert seen == sorted(seen), "부산, then 서울, and not back"
        replaying(standby, True)
        caught_up(primary, standby)
        assert [fact.value for fact in mind.facts()] == ["서울"]


def test_a_standby_that_is_away_or_none_any_more_is_passed_over(primary, standby, name, caplog):
    nowhere = f"{standby.address(name)}-gone"
    with gieok.open(primary.address(name), embedder="hashing", postgres_replicas=nowhere) as bank:
        mind = bank.scope(**WHO)
        mind.observe("나 부산에 살아")
        assert [fact.value for fact in mind.facts()] == ["부산"]
        assert "a replica is passed over" in caplog.text
    itself = primary.address(name)  # a standby that was promoted goes its own way
    with gieok.open(primary.address(name), embedder="hashing", postgres_replicas=itself) as bank:
        assert [fact.value for fact in bank.scope(**WHO).facts()] == ["부산"]


def test_an_address_of_another_bank_is_refused(primary, standby, name):
    where = f"{standby.address(name)}&schema=other"
    with pytest.raises(BankUnavailable, match="another bank"):
        gieok.open(primary.address(name), embedder="hashing", postgres_replicas=where)
