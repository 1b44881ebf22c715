"""A bank behind a real server."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

import gieok
from gieok.bank import MemoryBank
from gieok.serve.app import create_app, guarded_app
from gieok.serve.metrics import Metrics
from support.api import asking
from support.letter_box import LetterBox
from support.serving import served
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


@pytest.fixture
def at(app: FastAPI) -> Iterator[httpx2.Client]:
    """The whole server, behind its guard."""
    with (
        served(guarded_app(app)) as address,
        httpx2.Client(base_url=address, trust_env=False, timeout=60) as client,
    ):
        yield client


@pytest.fixture
def client(bank: MemoryBank) -> Iterator[httpx2.Client]:
    """The API without a guard, asked about one scope by somebody on this machine."""
    with asking(bank) as client:
        yield client
