"""A user's file goes from one bank to another, whatever their engines, and all of it arrives."""

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.export.archive import PAGE
from support.carrying import carried

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINSU = {"user": "민수", "character": "레티아"}


@pytest.fixture
def story(tell):
    def told(bank: MemoryBank) -> None:
        tell(bank, canon=False)
        bank.scope(**MINSU).maintain()
        bank.scope(user="민수", character="세라").observe("나는 땅콩 알레르기가 있어", at=NOW)

    return told


def test_a_file_goes_to_a_server_and_back_and_all_is_the_same(banks, story, tmp_path):
    story(banks["file"])
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"

    exported = banks["file"].export(user="민수", to=first)
    assert {each.fate for each in banks["server"].import_export(first)} == {"new"}
    banks["server"].export(user="민수", to=second)
    assert {each.fate for each in banks["other file"].import_export(second)} == {"new"}

    assert len(exported.scopes) == 2
    for scope in exported.scopes:
        first, second, third = (carried(bank.store, scope) for bank in banks.values())
        assert first == second == third
    assert all(bank.verify_audit().findings == () for bank in banks.values())
    minds = [bank.scope(**MINSU) for bank in banks.values()]
    for asked in (
        lambda m: m.facts(history=True),
        lambda m: m.turns(),
        lambda m: m.journal(),
        lambda m: m.trajectory(),
    ):
        assert asked(minds[0]) == asked(minds[1]) == asked(minds[2])
    for question in ("어디 살아?", "c++", "고양이"):
        assert len({tuple(hit.item.id for hit in mind.recall(question)) for mind in minds}) == 1
    assert [summary.scope for summary in banks["server"].scopes()] == list(exported.scopes)
    assert all(bank.store.problems() == [] for bank in banks.values())


def test_several_at_once_get_their_files_however_few_connections_there_are(database, story):
    with gieok.open(database, embedder="hashing", postgres_pool=1) as bank, ThreadPoolExecutor() as threads:
        story(bank)
        files = list(threads.map(lambda user: b"".join(bank.exported(user=user)), ("민수", "지훈")))

    for file, said in zip(files, ("땅콩", "소방관"), strict=True):
        assert said in zipfile.ZipFile(io.BytesIO(file)).read(PAGE).decode()
