"""A user's file goes from one bank to another, whatever their engines, and all of it arrives."""

import io
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.export.archive import PAGE
from support.carrying import carried
from support.postgres import Server

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINSU = {"user": "민수", "character": "레티아"}


@pytest.fixture
def banks(tmp_path: Path, server: Server) -> Iterator[dict[str, MemoryBank]]:
    name = server.database()
    with (
        gieok.open(tmp_path / "one.db", embedder="hashing") as one,
        gieok.open(tmp_path / "other.db", embedder="hashing") as other,
        gieok.open(server.address(name), embedder="hashing") as there,
    ):
        yield {"file": one, "other file": other, "server": there}
    server.drop(name)


def told(bank: MemoryBank) -> None:
    mind = bank.scope(**MINSU)
    for number, text in enumerate(("나 부산에 살아", "고양이를 키워", "나 서울로 이사했어", "c++ 공부해", "비밀 하나")):
        context = mind.context("고양이")
        mind.observe(text, reply="그렇구나", at=NOW + timedelta(days=number), turn_id=f"t{number}", context=context)
    mind.rewind("t4")
    mind.forget(mind.facts()[0].id)
    mind.maintain()
    bank.scope(user="민수", character="세라").observe("나는 땅콩 알레르기가 있어", at=NOW)
    bank.scope(user="지훈", character="레티아").observe("나는 소방관이야", at=NOW)


def test_a_file_goes_to_a_server_and_back_and_all_is_the_same(banks, tmp_path):
    told(banks["file"])
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


def test_several_at_once_get_their_files_however_few_connections_there_are(server: Server):
    name = server.database()
    with gieok.open(server.address(name), embedder="hashing", postgres_pool=1) as bank, ThreadPoolExecutor() as threads:
        told(bank)
        files = list(threads.map(lambda user: b"".join(bank.exported(user=user)), ("민수", "지훈")))
    server.drop(name)

    for file, said in zip(files, ("땅콩", "소방관"), strict=True):
        assert said in zipfile.ZipFile(io.BytesIO(file)).read(PAGE).decode()


def test_what_was_imported_can_be_rewound_as_at_home(banks, tmp_path):
    told(banks["file"])
    banks["file"].export(user="민수", to=tmp_path / "minsu.zip")
    for place in ("server", "other file"):
        banks[place].import_export(tmp_path / "minsu.zip")

    for bank in banks.values():
        bank.scope(**MINSU).rewind("t2")

    facts = [[(each.id, each.content) for each in bank.scope(**MINSU).facts()] for bank in banks.values()]
    assert facts[0] == facts[1] == facts[2]
    assert [each.value for each in banks["server"].scope(**MINSU).facts(attribute="residence")] != ["서울"]
