"""A bank file in the test's own folder, and stores on it that are closed at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.stores.sqlite import SqliteStore, open_store
from gieok.testing import HashVectors, Scribe

VECTORS = HashVectors(32)
Open = Callable[..., SqliteStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "기억.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Open]:
    stores: list[SqliteStore] = []

    def open_one(at: Path = path, **how: Any) -> SqliteStore:
        how = {"embedder": VECTORS.name, "dimension": VECTORS.dimension} | how
        stores.append(open_store(at, **how))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Open) -> SqliteStore:
    return opened()


@pytest.fixture
def letia() -> Scope:
    return Scope(user="민수", character="레티아", world="아카데미")


@pytest.fixture
def scribe(store: SqliteStore, letia: Scope) -> Scribe:
    return Scribe(store, letia, vectors=VECTORS)
