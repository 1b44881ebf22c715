"""A real bank in a real file, with the small deterministic embedder: these tests are about remembering, not vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gieok
from gieok.testing import FixedClock, day


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(day(1))


@pytest.fixture
def open_bank(tmp_path: Path, clock: FixedClock) -> Iterator[Callable[..., gieok.MemoryBank]]:
    opened: list[gieok.MemoryBank] = []

    def open_it(name: str = "memories.db", **options: object) -> gieok.MemoryBank:
        bank = gieok.open(tmp_path / name, **{"embedder": "hashing", "clock": clock, **options})
        opened.append(bank)
        return bank

    yield open_it
    for bank in opened:
        bank.close()


@pytest.fixture
def bank(open_bank: Callable[..., gieok.MemoryBank]) -> gieok.MemoryBank:
    return open_bank()


@pytest.fixture
def letia(bank: gieok.MemoryBank) -> gieok.Mind:
    return bank.scope(user="minsu", character="letia", world="academy")
