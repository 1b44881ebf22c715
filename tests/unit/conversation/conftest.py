"""A real bank in a real file, and a mind in it to talk to."""

from datetime import datetime

import pytest

import gieok
from gieok.testing import FixedClock, day


class Ticking(FixedClock):
    """A clock that moves on a second at every look."""

    def now(self) -> datetime:
        return self.advance(seconds=1)


@pytest.fixture
def open_bank(tmp_path):
    opened: list[gieok.MemoryBank] = []
    clock = Ticking(day(1))

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
