"""A bank behind a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

import gieok
from gieok.bank import MemoryBank
from gieok.serve.app import create_app
from gieok.serve.metrics import Metrics
from support.letter_box import LetterBox
from support.stand_in import with_stand_ins


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[MemoryBank]:
    with gieok.open(tmp_path / "bank.db", embedder="hashing", watch=Metrics()) as bank:
        yield bank


@pytest.fixture
def app(bank: MemoryBank) -> FastAPI:
    return with_stand_ins(create_app(bank))


@pytest.fixture
def box() -> Iterator[LetterBox]:
    """A receiver of webhooks."""
    with LetterBox() as box:
        yield box
