"""A real bank in a real file, with the small deterministic embedder: these tests are about remembering, not vectors."""

import pytest

import gieok
from gieok.testing import FixedClock, day


@pytest.fixture
def clock():
    return FixedClock(day(1))


@pytest.fixture
def open_bank(tmp_path, clock):
    opened: list[gieok.MemoryBank] = []

    def open_it(name: str = "memories.db", **options: object) -> gieok.MemoryBank:
        bank = gieok.open(tmp_path / name, **{"embedder": "hashing", "clock": clock, **options})
        opened.append(bank)
        return bank

    yield open_it
    for bank in opened:
        bank.close()


@pytest.fixture
def bank(open_bank):
    return open_bank()


@pytest.fixture
def letia(bank):
    return bank.scope(user="minsu", character="letia", world="academy")
