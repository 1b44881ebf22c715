"""SQLite keeps the store contract; an encrypted file keeps what touches the file."""

from pathlib import Path

import pytest

from gieok.stores.sqlite import open_store
from gieok_contract import StoreContract
from gieok_contract.bank import Lifetime
from gieok_contract.journal import Journal, Rewind
from gieok_contract.turns import TurnLog
from support.store_handles import Handles, Opener


class SqliteFixtures(Handles):
    """One bank file in the test's own folder."""

    key: str | None = None

    @pytest.fixture
    def opener(self, tmp_path: Path) -> Opener:
        path = tmp_path / "기억.db"
        return lambda vectors: open_store(path, embedder=vectors.name, dimension=vectors.dimension, key=self.key)


class TestSqlite(SqliteFixtures, StoreContract):
    pass


class TestEncryptedSqlite(SqliteFixtures, TurnLog, Journal, Rewind, Lifetime):
    key = "우리만의 비밀 열쇠"

    def test_the_file_tells_nothing_to_who_has_no_key(self, scribe, tmp_path):
        scribe.observe("비밀 이야기")
        assert scribe.store.info().encrypted
        scribe.store.close()
        raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert "비밀".encode() not in raw
        assert b"SQLite format 3" not in raw
