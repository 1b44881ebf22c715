"""A PostgreSQL server for the worker, and banks in files and on it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import gieok
from support.postgres import Server, running

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """The address of an empty database."""
    name = server.database()
    yield server.address(name)
    server.drop(name)


@pytest.fixture
def banks(tmp_path, database):
    with (
        gieok.open(tmp_path / "one.db", embedder="hashing") as one,
        gieok.open(tmp_path / "other.db", embedder="hashing") as other,
        gieok.open(database, embedder="hashing") as there,
    ):
        yield {"file": one, "other file": other, "server": there}


@pytest.fixture
def tell():
    """Tell a bank a story of two users (and a character), with a turn taken back and a memory forgotten."""

    def told(bank, *, canon=True):
        mind = bank.scope(user="민수", character="레티아")
        said = ("나 부산에 살아", "고양이를 키워", "나 서울로 이사했어", "c++ 공부해", "비밀 하나")
        for number, text in enumerate(said):
            context, at = mind.context("고양이"), NOW + timedelta(days=number)
            mind.observe(text, reply="그렇구나", at=at, turn_id=f"t{number}", context=context)
        mind.rewind("t4")
        mind.forget(mind.facts()[0].id)
        bank.scope(user="지훈", character="레티아").observe("나는 소방관이야", at=NOW)
        if canon:
            bank.scope(character="레티아").remember("레티아는 별의 학원에 다닌다", at=NOW)

    return told
