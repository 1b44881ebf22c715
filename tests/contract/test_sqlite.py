"""SQLite keeps the store contract; an encrypted file keeps what touches the file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gieok.ports import Store
from gieok.stores.sqlite import open_store
from gieok.testing.contract.journal import Journal
from gieok.testing.contract.lifetime import Lifetime
from gieok.testing.contract.rewinding import Rewinding
from gieok.testing.contract.turn_log import TurnLog
from gieok.testing.stand_ins import HashVectors
from gieok.testing.store_contract import VECTORS, Reopen, StoreContract


class SqliteFixtures:
    """One bank file in the test's own folder; every handle is closed at the end."""

    key: str | None = None

    @pytest.fixture
    def handle(self, tmp_path: Path) -> Iterator[Callable[[HashVectors], Store]]:
        opened: list[Store] = []

        def open_one(vectors: HashVectors = VECTORS) -> Store:
            path = tmp_path / "기억.db"
            opened.append(open_store(path, embedder=vectors.name, dimension=vectors.dimension, key=self.key))
            return opened[-1]

        yield open_one
        for store in opened:
            store.close()

    @pytest.fixture
    def store(self, handle: Callable[..., Store]) -> Store:
        return handle()

    @pytest.fixture
    def reopen(self, store: Store, handle: Callable[..., Store]) -> Reopen:
        current = [store]

        def again(vectors: HashVectors = VECTORS) -> Store:
            current.pop().close() if current else None
            current.append(handle(vectors))
            return current[-1]

        return again

    @pytest.fixture
    def second_handle(self, store: Store, handle: Callable[..., Store]) -> Store:
        return handle()

    @pytest.fixture
    def rounds(self, counts: Callable[[int, int], int]) -> int:
        return counts(15, 400)


class TestSqlite(SqliteFixtures, StoreContract):
    pass


class TestEncryptedSqlite(SqliteFixtures, TurnLog, Journal, Rewinding, Lifetime):
    key = "우리만의 비밀 열쇠"

    def test_the_file_tells_nothing_to_who_has_no_key(self, scribe, tmp_path):
        scribe.observe("비밀 이야기")
        assert scribe.store.info().encrypted
        scribe.store.close()
        raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert "비밀".encode() not in raw
        assert b"SQLite format 3" not in raw
