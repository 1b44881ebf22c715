"""Chats of RisuAI and what its memory made of them, as they arrive."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.records import Exchange, Known, LeftOut, Whose
from gieok.interop.importers.risu import read_risu
from support.foreign_files import json_file, risu_chat

MINSU = Whose(user="minsu", character="레티아")
BOTH = Scope(user="minsu", character="레티아")
NOON = 1_772_334_000_000  #: milliseconds


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "data": text, "time": NOON, **more}


def char(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "char", "data": text, "time": NOON + 1_000, **more}


def read(path: Path, value: Any, whose: Whose = MINSU) -> list[Any]:
    return list(read_risu(json_file(path / "chat.json", value), whose))


def said(arrivals: list[Any]) -> list[tuple[str | None, str | None, str | None]]:
    return [(each.speaker, each.text, each.reply) for each in arrivals if isinstance(each, Exchange)]


def known(arrivals: list[Any]) -> list[Known]:
    return [each for each in arrivals if isinstance(each, Known)]


def left(arrivals: list[Any]) -> dict[str, str]:
    return {each.where: each.why for each in arrivals if isinstance(each, LeftOut)}


def test_a_chat_is_exchanges_with_their_moments(tmp_path):
    found = read(tmp_path, risu_chat(char("어서 와, {{user}}!"), user("나 고양이 좋아해"), char("저도요!")))
    assert said(found) == [(None, None, "어서 와, minsu!"), (None, "나 고양이 좋아해", "저도요!")]
    assert found[1].at == datetime.fromtimestamp(NOON / 1000, UTC)
    assert {(each.scope, each.session, each.channel) for each in found} == {(BOTH, "첫 만남", "risuai")}


def test_all_chats_of_a_character_come_chat_by_chat(tmp_path):
    chats = [risu_chat(user(name), name=name, id=name)["data"] for name in ("하나", "둘")]
    found = read(tmp_path, {"type": "risuAllChats", "ver": 2, "data": chats})
    assert [(each.session, each.where) for each in found] == [
        ("하나", "chat 1, message 1"),
        ("둘", "chat 2, message 1"),
    ]


def test_the_character_is_whom_the_file_is_named_after(tmp_path):
    file = json_file(tmp_path / "레티아_2026-03-01T083021281Z_chat.json", risu_chat(user("안녕")))
    [found] = read_risu(file, Whose(user="minsu"))
    assert found.scope == BOTH
    with pytest.raises(InvalidImport, match="who the user is; name them: --user NAME"):
        list(read_risu(file, Whose()))
    with pytest.raises(InvalidImport, match="who the character is; name them: --character NAME"):
        read(tmp_path, risu_chat(user("안녕")), Whose(user="minsu"))


def test_hidden_messages_comments_and_instructions_are_left_out(tmp_path):
    found = read(
        tmp_path,
        risu_chat(
            user("옛날"),
            char("그만", disabled="allBefore"),
            user("숨김", disabled=True),
            char("메모", isComment=True),
            user(" "),
            user("안녕"),
            note="Write well.",
        ),
    )
    assert said(found) == [(None, "안녕", None)]
    assert set(left(found)) == {*(f"message {number}" for number in range(1, 6)), "note"}


def test_in_a_group_only_those_who_have_a_name_are_heard(tmp_path):
    found = read(
        tmp_path,
        risu_chat(
            user("안녕"),
            char("왔어?", saying="a"),
            char("반가워요.", saying="b", name="세라"),
            char("앉아.", saying="a"),
            char("누구?", saying="c"),
        ),
    )
    assert said(found) == [(None, "안녕", "왔어?"), ("세라", "반가워요.", "앉아.")]
    assert "whom the file does not name" in left(found)["message 5"]


def test_what_another_player_says_is_theirs(tmp_path):
    found = read(tmp_path, risu_chat(user("안녕", otherUser=True, name="지수"), char("왔어?")))
    assert said(found) == [("지수", "안녕", "왔어?")]


def test_summaries_of_hypa_v3_are_known_and_important_ones_are_pinned(tmp_path):
    memory = {
        "summaries": [
            {"text": "둘은 도서관에서 만났다.", "chatMemos": ["m1", "m2"], "isImportant": True, "categoryId": "k"},
            {"text": "비가 왔다.", "chatMemos": [], "isImportant": False, "tags": ["날씨"]},
            {"text": "", "chatMemos": [], "isImportant": False},
        ],
        "categories": [{"id": "k", "name": "만남"}],
    }
    found = read(tmp_path, risu_chat(user("안녕", chatId="m1"), char("왔어?", chatId="m2"), hypaV3Data=memory))
    met, rain = known(found)
    assert (met.content, met.type, met.pinned, met.tags) == ("둘은 도서관에서 만났다.", "summary", True, ("만남",))
    assert met.at == datetime.fromtimestamp(NOON / 1000 + 1, UTC)
    assert (rain.content, rain.pinned, rain.at, rain.tags) == ("비가 왔다.", False, None, ("날씨",))
    assert {met.scope, rain.scope} == {BOTH}
    assert left(found) == {"hypaV3Data, summaries 3": "it says nothing"}


def test_older_memories_count_where_there_is_no_newer_one(tmp_path):
    v2 = {"lastMainChunkID": 1, "mainChunks": [{"id": 0, "text": "둘은 만났다.", "chatMemos": []}], "chunks": []}
    supa = "m1\n둘은 친해졌다."
    assert [each.content for each in known(read(tmp_path, risu_chat(hypaV2Data=v2, supaMemoryData=supa)))] == [
        "둘은 만났다."
    ]
    assert [each.content for each in known(read(tmp_path, risu_chat(supaMemoryData=supa)))] == ["둘은 친해졌다."]
    assert "old RisuAI" in left(read(tmp_path, risu_chat(supaMemoryData="hypa:m1\n[]")))["supaMemoryData"]


def test_the_lore_of_a_chat_belongs_to_that_talk(tmp_path):
    book = [
        {
            "key": "탑,마법",
            "secondkey": "",
            "content": "탑은 높다.",
            "alwaysActive": True,
            "insertorder": 1,
            "mode": "normal",
        },
        {"key": "폴더", "content": "", "mode": "folder"},
    ]
    [tower] = read(tmp_path, risu_chat(localLore=book))
    assert (tower.scope, tower.about, tower.tags, tower.pinned) == (BOTH, "world", ("탑", "마법"), True)


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ({"type": "preset"}, "it is no chat of RisuAI"),
        ([], "is no JSON object"),
        ({"type": "risuChat", "data": []}, "data: is no JSON object"),
        ({"type": "risuChat", "data": {}}, "data: has no messages"),
        ({"type": "risuAllChats", "data": {}}, "data: is no list"),
        (risu_chat({"role": "system", "data": "x"}), "message 1: was said by neither"),
        (risu_chat(user("x", time="soon")), "message 1: its time, 'soon' is no moment"),
        (risu_chat(user("x", time=10**15 * 10**9)), "message 1: its time"),
        (risu_chat(hypaV3Data={"summaries": [7]}), "hypaV3Data, summaries 1: is no JSON object"),
        (risu_chat(localLore={}), "localLore: the lorebook is no list"),
    ],
)
def test_a_broken_chat_is_refused_and_says_where(tmp_path, value, trouble):
    with pytest.raises(InvalidImport, match=f"{trouble}.*nothing was imported"):
        read(tmp_path, value)
