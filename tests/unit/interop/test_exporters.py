"""Memories that export_file for another system, and come back."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.domain.scope import Scope
from gieok.errors import BankError, InvalidImport, InvalidQuery, UnknownUser
from gieok.http.schemas import jsonable
from gieok.interop.exporters import FORMATS, export_file
from gieok.interop.importers.cards import read_card
from gieok.interop.importers.lorebooks import read_world_info
from gieok.interop.importers.records import ImportedMemory, Whose
from gieok.testing import FixedClock, day

LETIA = Scope(user="minsu", character="레티아", world="academy")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[gieok.MemoryBank]:
    path = tmp_path_factory.mktemp("exports") / "memories.db"
    with gieok.open(path, embedder="hashing", clock=FixedClock(day(9))) as bank:
        letia = bank.mind(LETIA)
        letia.observe("나 고양이 좋아해", reply="저도요!", at=day(1))
        letia.observe("나 부산에 살아", at=day(1))
        letia.observe("나 서울로 이사했어", at=day(2))
        letia.observe("우리 아빠는 소방관이야", at=day(3))
        letia.remember("땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩", at=day(3))
        letia.remember("늘 검은 옷을 입음", about="레티아", importance=0.25, tags=["옷"], at=day(4))
        letia.remember("그러함", about="world", at=day(4))
        letia.forget(letia.remember("비밀", at=day(5)).changes[0].memory_id, at=day(5))
        bank.scope(user="minsu", character="세라").remember("홍차를 좋아함", attribute="likes", value="홍차", at=day(3))
        bank.scope(user="jisu", character="레티아").observe("나는 소방관이야", at=day(1))
        bank.scope(character="레티아").remember("마법탑은 북쪽에 있다", about="world", at=day(1))
        yield bank


def left(bank: gieok.MemoryBank, format: str, path: Path, **whose: str) -> Any:
    export_file(bank, format, path, **whose)
    return json.loads(path.read_text(encoding="utf-8"))


def entries(book: Any) -> dict[str, dict[str, Any]]:
    return {entry["content"]: entry for entry in book["data"]["entries"]}


def test_a_lorebook_holds_what_is_true_now_under_the_nouns_that_bring_it_up(bank, tmp_path):
    book = left(bank, "lorebook", tmp_path / "book.json", user="minsu")
    found = entries(book)
    assert book["spec"] == "lorebook_v3"
    assert "고양이" in found["{{user}}: 고양이를 좋아함"]["keys"]
    assert "홍차" in found["{{user}}: 홍차를 좋아함"]["keys"]
    assert not any("부산" in content or "비밀" in content or "탑" in content for content in found)
    assert not any({"minsu", "레티아", "세라", "좋아함"} & set(entry["keys"]) for entry in found.values())


def test_a_name_stands_before_what_is_said_of_somebody(bank, tmp_path):
    found = entries(left(bank, "lorebook", tmp_path / "book.json", user="minsu"))
    assert "레티아: 늘 검은 옷을 입음" in found
    assert [content for content in found if "소방관" in content and "아빠" in content]
    assert found["그러함"]["keys"] == []


def test_what_is_pinned_is_always_there_and_importance_is_the_order(bank, tmp_path):
    found = entries(left(bank, "lorebook", tmp_path / "book.json", user="minsu"))
    peanuts, clothes = found["{{user}}: 땅콩을 먹으면 안 됨"], found["레티아: 늘 검은 옷을 입음"]
    assert (peanuts["constant"], clothes["constant"]) == (True, False)
    important = {memory.content: memory.importance for memory in bank.mind(LETIA).facts()}
    assert clothes["insertion_order"] == round(100 * important["늘 검은 옷을 입음"])
    assert peanuts["insertion_order"] > clothes["insertion_order"]
    assert found["그러함"]["constant"], "nothing else would bring it up"


def test_world_info_says_the_same(bank, tmp_path):
    book = left(bank, "lorebook", tmp_path / "book.json", user="minsu")["data"]["entries"]
    world = left(bank, "worldinfo", tmp_path / "world.json", user="minsu")["entries"]
    assert list(world) == [str(entry["uid"]) for entry in world.values()]
    told = [(entry["key"], entry["content"], entry["order"], entry["constant"]) for entry in world.values()]
    assert told == [(each["keys"], each["content"], each["insertion_order"], each["constant"]) for each in book]
    assert not any(entry["disable"] for entry in world.values())


@pytest.mark.parametrize("format", ["lorebook", "worldinfo"])
def test_an_export_is_imported_as_what_it_was(bank, tmp_path, format):
    export_file(bank, format, tmp_path / "book.json", user="minsu")
    back = list(read_world_info(tmp_path / "book.json", Whose(user="minsu")))
    assert all(isinstance(each, ImportedMemory) for each in back)
    scopes = [summary.scope for summary in bank.scopes() if summary.scope.user == "minsu"]
    facts = [(scope, memory) for scope in scopes for memory in bank.mind(scope).facts()]
    assert [told(each) for each in back] == [
        (
            scope,
            memory.content,
            "other" if memory.subject == "other" else memory.subject,
            memory.attribute,
            memory.content_type,
            memory.speaker,
            memory.polarity,
            memory.importance,
            memory.known_at,
            memory.valid_at,
            memory.tags,
            memory.pinned,
        )
        for scope, memory in facts
    ]


def told(known: Any) -> tuple[Any, ...]:
    about = known.about if known.about in ("user", "character", "world") else "other"
    parts = (known.attribute, known.type, known.said_by, known.polarity, known.importance, known.at, known.valid_at)
    return (known.scope, known.content, about, *parts, known.tags, known.pinned)


def test_remembered_elsewhere_they_are_the_same_memories(bank, tmp_path):
    export_file(bank, "lorebook", tmp_path / "book.json", user="minsu", character="레티아")
    with gieok.open(tmp_path / "other.db", embedder="hashing", clock=FixedClock(day(9))) as other:
        for each in read_world_info(tmp_path / "book.json", Whose(user="minsu")):
            assert isinstance(each, ImportedMemory)
            other.mind(each.scope).remember(
                each.content,
                about=each.about,
                attribute=each.attribute,
                value=each.value,
                type=each.type,
                said_by=each.said_by,
                polarity=each.polarity,
                at=each.at,
            )
        assert said(other.mind(LETIA)) == said(bank.mind(LETIA))


def said(mind: gieok.Mind) -> set[tuple[Any, ...]]:
    return {(each.content, each.subject, each.subject_id, each.attribute, each.value) for each in mind.facts()}


def test_a_text_that_was_edited_elsewhere_comes_back_edited(bank, tmp_path):
    book = left(bank, "lorebook", tmp_path / "book.json", user="minsu")
    for entry in book["data"]["entries"]:
        entry["content"] = entry["content"].replace("고양이", "강아지")
    (tmp_path / "book.json").write_text(json.dumps(book), encoding="utf-8")
    assert "강아지를 좋아함" in [each.content for each in read_world_info(tmp_path / "book.json", Whose(user="minsu"))]


def test_nothing_goes_into_a_users_memories_who_is_not_named(bank, tmp_path):
    export_file(bank, "lorebook", tmp_path / "book.json", user="minsu")
    with pytest.raises(InvalidImport, match="entry 1: it belongs to another user; nothing was imported"):
        list(read_world_info(tmp_path / "book.json", Whose(user="jisu")))
    with pytest.raises(InvalidImport, match="entry 1: it belongs to the user 'minsu'; confirm with --user NAME"):
        list(read_world_info(tmp_path / "book.json", Whose()))


def test_a_mark_in_a_card_does_nothing(bank, tmp_path):
    book = left(bank, "lorebook", tmp_path / "book.json", user="minsu")["data"]
    card = {"spec": "chara_card_v3", "data": {"name": "세라", "description": "", "character_book": book}}
    (tmp_path / "card.json").write_text(json.dumps(card), encoding="utf-8")
    items = read_card(tmp_path / "card.json", Whose(user="minsu"))
    found = [each for each in items if isinstance(each, ImportedMemory)]
    assert {(each.scope, each.about) for each in found} == {(Scope(character="세라"), "world")}
    assert "사용자: 고양이를 좋아함" in [each.content for each in found]


@pytest.mark.parametrize(
    ("mark", "flaw"),
    [
        ({"about": []}, r"about is \[\], not a text"),
        ({"type": "poem"}, "type is 'poem', none of fact"),
        ({"attribute": "smell"}, "'smell' is not an attribute"),
        ({"importance": 2}, "importance is 2, not between 0 and 1"),
        ({"at": "soon"}, "'soon' is not a time"),
        ({"tags": 7}, "tags is 7, not a list of texts"),
        ({"character": "a\nb"}, "control characters"),
        ("mine", "it is 'mine', not an object"),
    ],
)
def test_a_mark_that_somebody_made_up_is_refused(tmp_path, mark, flaw):
    entry = {"keys": [], "content": "탑", "extensions": {"gieok": mark}}
    (tmp_path / "book.json").write_text(json.dumps({"entries": [entry]}), encoding="utf-8")
    with pytest.raises(InvalidImport, match=f"entry 1: .*{flaw}"):
        list(read_world_info(tmp_path / "book.json", Whose()))


def test_what_a_mark_has_not_may_be_written_as_null(tmp_path):
    mark = dict.fromkeys(("about", "attribute", "type", "polarity", "importance", "at", "valid_at", "tags", "user"))
    entry = {"keys": [], "content": "탑", "extensions": {"gieok": mark}}
    (tmp_path / "academy.json").write_text(json.dumps({"entries": [entry]}), encoding="utf-8")
    [tower] = read_world_info(tmp_path / "academy.json", Whose())
    assert (tower.scope, tower.about, tower.polarity, tower.at) == (Scope(world="academy"), "world", "+", None)


def test_json_lines_are_what_the_api_shows(bank, tmp_path):
    export_file(bank, "jsonl", tmp_path / "m.jsonl", user="minsu", character="레티아")
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text(encoding="utf-8").splitlines()]
    leaves = bank.mind(LETIA).memories(100, state="all")
    names = {"user": "minsu", "character": "레티아", "world": "academy"}
    assert lines == [{**names, **jsonable(leaf.memory)} for leaf in leaves]
    assert {line["state"] for line in lines} >= {"current", "past", "forgotten"}


def test_mem0_gets_what_its_get_all_returns(bank, tmp_path):
    results = left(bank, "mem0", tmp_path / "m.json", user="minsu")["results"]
    cat = next(each for each in results if each["memory"] == "고양이를 좋아함")
    assert cat.keys() == {"id", "memory", "hash", "metadata", "created_at", "updated_at", "user_id", "agent_id"}
    assert (cat["user_id"], cat["agent_id"]) == ("minsu", "레티아")
    assert datetime.fromisoformat(cat["created_at"]) == day(1)
    assert "레티아: 늘 검은 옷을 입음" in [each["memory"] for each in results]
    assert len({each["hash"] for each in results}) == len(results)


def test_canon_is_exported_without_a_user(bank, tmp_path):
    found = entries(left(bank, "lorebook", tmp_path / "book.json", character="레티아"))
    assert list(found) == ["마법탑은 북쪽에 있다"]
    assert found["마법탑은 북쪽에 있다"]["keys"] == ["마법탑", "북쪽"]
    with pytest.raises(InvalidQuery, match="name a user"):
        export_file(bank, "zip", tmp_path / "x.zip", character="레티아")


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "zip"])
def test_a_file_is_replaced_by_a_whole_one_or_stays(bank, tmp_path, format, monkeypatch):
    target = tmp_path / "there"
    target.write_text("before")
    exported = export_file(bank, format, target, user="minsu")
    assert exported.size_bytes == target.stat().st_size
    assert {scope.user for scope in exported.scopes} == {"minsu"}
    assert target.stat().st_mode & 0o077 == 0
    whole = target.read_bytes()
    monkeypatch.setattr("gieok.bank.mind.Mind.facts", _stop)
    monkeypatch.setattr("gieok.bank.mind.Mind.memories", _stop)
    with pytest.raises(RuntimeError, match="stopped"):
        export_file(bank, format, target, user="minsu")
    assert target.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [target]


def _stop(*arguments: Any, **named: Any) -> Any:
    raise RuntimeError("stopped")


def test_what_cannot_be_exported_is_named(bank, tmp_path):
    with pytest.raises(InvalidQuery, match="unknown format 'pdf'; choose one of zip, jsonl, lorebook, worldinfo, mem0"):
        export_file(bank, "pdf", tmp_path / "x", user="minsu")
    with pytest.raises(UnknownUser, match=r"nothing is stored about \[user=nobody\]"):
        export_file(bank, "mem0", tmp_path / "x", user="nobody")
    with pytest.raises(BankError, match="there is no folder"):
        export_file(bank, "mem0", tmp_path / "nowhere" / "x", user="minsu")
