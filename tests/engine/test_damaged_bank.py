"""A bank whose bytes were changed raises errors of gieok's, whatever is called, and the audit log tells of it."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

import gieok
from gieok.errors import BankDamaged, GieokError

_PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A bank's file with two users."""
    path = tmp_path_factory.mktemp("whole") / "bank.db"
    with gieok.open(path, embedder="hashing") as bank:
        for user in ("민수", "지우"):
            mind = bank.scope(user=user, character="레티아")
            for number in range(15):
                mind.observe(f"나 서울에 살아. {number}번째 이야기 {'가나다라' * number}", reply="그래")
            mind.maintain()
        bank.erase(user="지우", session="없음")
    return path.read_bytes()


def calls(bank: gieok.MemoryBank, folder: Path) -> Iterator[Callable[[], object]]:
    yield bank.scopes
    yield bank.verify_audit
    yield bank.audit
    yield lambda: list(bank.audit_records())
    yield bank.certificates
    for user in ("민수", "지우"):
        mind = bank.scope(user=user, character="레티아")
        yield from (mind.facts, mind.turns, mind.memories, mind.journal, mind.timeline, mind.relationship)
        yield lambda mind=mind: mind.recall("서울 이야기")
        yield lambda mind=mind: mind.context("서울")
        yield lambda mind=mind: mind.observe("나 부산으로 이사했어", reply="응")
        yield mind.maintain
        yield lambda mind=mind: mind.rewind(mind.turns()[-1].id)
    yield lambda: bank.backup(folder / "backups")
    yield lambda: bank.export(user="민수", to=folder / "export.zip")
    yield lambda: bank.erase(user="지우")


def flipped(whole: bytes, dice: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(dice.choice((1, 3, 20))):
        place = dice.randrange(100, len(whole) - 64)
        if dice.random() < 0.5:
            changed[place] ^= 1 << dice.randrange(8)
        else:
            changed[place : place + 64] = dice.randbytes(64)
    return bytes(changed)


def test_only_errors_of_gieok_come_from_a_file_whose_bytes_were_changed(whole, tmp_path, counts):
    failed = 0
    for seed in range(counts(6, 60)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = folder / "bank.db"
        path.write_bytes(flipped(whole, random.Random(seed)))
        try:
            with gieok.open(path, embedder="hashing") as bank:
                for call in calls(bank, folder):
                    try:
                        call()
                    except GieokError:
                        failed += 1
        except GieokError:
            failed += 1
    assert failed, "nothing was damaged"


@pytest.mark.parametrize(
    ("sql", "asked"),
    [
        ("UPDATE memories SET content = CAST(x'ff41' AS TEXT)", lambda mind: mind.facts()),
        ("UPDATE memories SET sources = '['", lambda mind: mind.facts()),
        ("UPDATE turns SET present = '{'", lambda mind: mind.turns()),
        ("UPDATE changes SET after = '[]'", lambda mind: mind.journal()),
        ("UPDATE operations SET request = '1'", lambda mind: mind.journal()),
    ],
)
def test_a_row_that_cannot_be_read_is_called_damaged(whole, tmp_path, sql, asked):
    path = tmp_path / "bank.db"
    path.write_bytes(whole)
    with apsw.Connection(str(path)) as connection:
        connection.execute(sql)
    connection.close()
    with gieok.open(path, embedder="hashing") as bank:
        with pytest.raises(BankDamaged):
            asked(bank.scope(user="민수", character="레티아"))
        assert not bank.verify_audit().sound


def test_a_chain_that_lost_its_columns_is_called_damaged(whole, tmp_path):
    path = tmp_path / "bank.db"
    path.write_bytes(whole)
    with apsw.Connection(str(path)) as connection:
        for sql in (
            "ALTER TABLE chains RENAME TO before",
            "CREATE TABLE chains (scope_id INTEGER PRIMARY KEY, mark, since, length, head)",
            "INSERT INTO chains SELECT scope_id, mark, since, NULL, head FROM before",
        ):
            connection.execute(sql)
    connection.close()
    with gieok.open(path, embedder="hashing") as bank, pytest.raises(BankDamaged):
        bank.verify_audit()
