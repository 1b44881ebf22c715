"""A bank with a real endpoint for a model, and a real server over it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import gieok
from support.chat_place import Place
from support.chatting import Chatter
from support.misbehaving import Misbehaving


@pytest.fixture
def model() -> Iterator[Misbehaving]:
    with Misbehaving() as model:
        yield model


@pytest.fixture
def place(tmp_path: Path, model: Misbehaving) -> Iterator[Place]:
    options = {"llm": "openai:small", "llm_url": model.url, "llm_retries": 0, "llm_seconds": 20.0}
    with (
        gieok.open(tmp_path / "memories.db", embedder="hashing", upkeep="off", **options) as bank,
        ExitStack() as rooms,
    ):
        yield Place(bank, rooms)


@pytest.fixture
def chatter(place: Place) -> Chatter:
    return place.serve()
