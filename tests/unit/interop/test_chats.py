"""Chats of SillyTavern and RisuAI, and lorebooks."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.chats import read_chat, read_risu
from gieok.interop.importers.lorebooks import read_world_info
from gieok.interop.importers.records import ImportedMemory, ImportedTurn, Skipped, Whose
from support.foreign_files import by, by_user, chat_head, json_file, lines_file, lore, risu_chat, world_info

NOBODY = Whose()
MINSU = Whose(user="minsu", character="레티아")
BOTH = Scope(user="민수", character="레티아")
NOON = 1_772_334_000_000  #: milliseconds


def chat(path: Path, *messages: dict[str, Any], head: dict[str, Any] | None = None, whose: Whose = NOBODY) -> list[Any]:
    return list(read_chat(lines_file(path / "chat.jsonl", head or chat_head(), *messages), whose))


def risu(path: Path, value: Any, whose: Whose = MINSU) -> list[Any]:
    return list(read_risu(json_file(path / "chat.json", value), whose))


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "data": text, "time": NOON, **more}


def char(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "char", "data": text, "time": NOON + 1_000, **more}


def said(items: list[Any]) -> list[tuple[str | None, str | None, str | None]]:
    return [(each.speaker, each.text, each.reply) for each in items if isinstance(each, ImportedTurn)]


def known(items: list[Any]) -> list[ImportedMemory]:
    return [each for each in items if isinstance(each, ImportedMemory)]


def skipped(items: list[Any]) -> dict[str, str]:
    return {each.where: each.why for each in items if isinstance(each, Skipped)}


def test_a_message_and_its_reply_are_one_turn_and_a_greeting_is_one_without_a_text(tmp_path):
    found = chat(
        tmp_path, by("레티아", "어서 와!"), by_user("나 고양이 좋아해"), by("레티아", "저도요!"), by_user("잘 자")
    )
    assert said(found) == [(None, None, "어서 와!"), (None, "나 고양이 좋아해", "저도요!"), (None, "잘 자", None)]
    assert [each.where for each in found] == ["line 2", "line 3", "line 5"]
    assert {(each.scope, each.session, each.channel) for each in found} == {(BOTH, "chat", "sillytavern")}


def test_names_that_are_given_go_before_those_of_the_file(tmp_path):
    found = chat(tmp_path, by_user("안녕"), whose=Whose(user="minsu", character="letia", world="academy"))
    assert [each.scope for each in found] == [Scope(user="minsu", character="letia", world="academy")]


def test_a_head_that_names_nobody_leaves_it_to_the_messages(tmp_path):
    head = chat_head(user_name="unused", character_name="unused")
    assert chat(tmp_path, by_user("안녕"), by("레티아", "안녕!"), head=head)[0].scope == BOTH
    with pytest.raises(InvalidImport, match="who the user is; name them: --user NAME"):
        chat(tmp_path, by("레티아", "안녕!"), head=head)


@pytest.mark.parametrize(
    "date",
    [
        "June 19, 2023 2:20pm", "Jun 19, 2023 2:20pm", "2023년 6월 19일 오후 2:20", "2023-6-19 @14h 20m 00s 000ms",
        "2023-06-19@14h20m00s", "2023-06-19@14h20m00s000ms", "2023-06-19T05:20:00.000Z", "2023-06-19T14:20:00",
        1687152000000, "1687152000000", 1687152000,
    ],
)  # fmt: skip
def test_a_date_of_any_year_of_the_program_is_the_same_moment(tmp_path, date):
    [found] = chat(tmp_path, by_user("안녕", date), whose=Whose(zone=ZoneInfo("Asia/Seoul")))
    assert found.at == datetime(2023, 6, 19, 5, 20, tzinfo=UTC)


def test_a_date_that_nobody_can_read_leaves_the_words(tmp_path):
    found = chat(tmp_path, by_user("안녕", "19. Juni 2023"), by("레티아", "안녕!", None))
    assert said(found) == [(None, "안녕", "안녕!")]
    assert skipped(found) == {"line 2": "its date, '19. Juni 2023', cannot be read; its text is kept"}
    [found] = chat(tmp_path, by_user("안녕", None), by("레티아", "왔어?", "2026-03-01T20:01:00Z"))
    assert found.at == datetime(2026, 3, 1, 20, 1, tzinfo=UTC), "that of the reply"


def test_midnight_and_noon_are_told_apart(tmp_path):
    found = chat(tmp_path, by_user("밤", "June 19, 2023 12:05am"), by_user("낮", "June 19, 2023 12:05pm"))
    assert [each.at.hour for each in found] == [0, 12]


def test_hidden_empty_and_system_messages_are_skipped(tmp_path):
    hidden = (by_user("비밀", is_system=True), by("System", "Chat renamed", is_system=True))
    found = chat(tmp_path, *hidden, by("레티아", "   "), by_user("안녕"))
    assert said(found) == [(None, "안녕", None)]
    assert list(skipped(found)) == ["line 2", "line 3", "line 4"]


def test_of_several_replies_the_chosen_one_counts(tmp_path):
    reply = by("레티아", "첫째", swipes=["첫째", "둘째", "셋째"], swipe_id=1)
    assert said(chat(tmp_path, by_user("안녕"), reply)) == [(None, "안녕", "둘째")]
    assert said(chat(tmp_path, by("레티아", "첫째", swipes=["첫째"], swipe_id=7))) == [(None, None, "첫째")]


def test_placeholders_become_names(tmp_path):
    found = chat(tmp_path, by("레티아", "{{user}}, 나 {{CHAR}}야. <USER>!{{// 몰래}}"), whose=Whose(user="minsu"))
    assert said(found) == [(None, None, "민수, 나 레티아야. 민수!")]


def test_what_a_narrator_tells_is_heard_as_theirs(tmp_path):
    found = chat(tmp_path, by("System", "비가 온다.", extra={"type": "narrator"}), by("레티아", "우산 있어?"))
    assert said(found) == [("System", "비가 온다.", "우산 있어?")]


def test_in_a_group_everybody_remembers_what_all_of_them_said(tmp_path):
    head = {"chat_metadata": {}}
    messages = (by_user("안녕!"), by("레티아", "왔어?"), by("세라", "반가워요."), by("레티아", "앉아."))
    found = chat(tmp_path, *messages, head=head)
    letia = [each for each in found if each.scope.character == "레티아"]
    sera = [each for each in found if each.scope.character == "세라"]
    assert said(letia) == [(None, "안녕!", "왔어?"), ("세라", "반가워요.", "앉아.")]
    assert said(sera) == [(None, "안녕!", None), ("레티아", "왔어?", "반가워요."), ("레티아", "앉아.", None)]
    assert said(chat(tmp_path, *messages, head=head, whose=Whose(character="세라"))) == said(sera)
    with pytest.raises(InvalidImport, match="it has no character '유나'; there are 레티아, 세라"):
        chat(tmp_path, *messages, head=head, whose=Whose(character="유나"))
    with pytest.raises(InvalidImport, match="21 characters talk in it; at most 20 are read"):
        chat(tmp_path, by_user("안녕"), *(by(f"{number}번", "네") for number in range(21)), head=head)


def test_the_same_chat_under_another_name_has_the_same_origins_and_goes_on_with_new_ones(tmp_path):
    first = chat(tmp_path, by_user("하나"), by("레티아", "둘"))
    (tmp_path / "chat.jsonl").rename(tmp_path / "renamed.jsonl")
    again = list(read_chat(tmp_path / "renamed.jsonl", NOBODY))
    longer = chat(tmp_path, by_user("하나"), by("레티아", "둘"), by_user("셋"))
    assert [each.origin for each in again] == [each.origin for each in first]
    assert [each.origin for each in longer][:1] == [each.origin for each in first]
    assert len({each.origin for each in longer}) == 2


def test_a_very_long_message_comes_in_pieces_with_the_reply_after_the_last(tmp_path):
    found = chat(tmp_path, by_user("\n\n".join(["가" * 3_000] * 4)), by("레티아", "길다!"))
    assert [(len(each.text or ""), each.reply) for each in found] == [(6_002, None), (6_002, "길다!")]
    assert len({each.origin for each in found}) == 2


def test_a_folder_of_chats_is_read_chat_by_chat(tmp_path):
    for name in ("b", "a"):
        lines_file(tmp_path / f"{name}.jsonl", chat_head(chat_metadata={}), by_user(name))
    found = [(each.session, each.text, each.where) for each in read_chat(tmp_path, NOBODY)]
    assert found == [("a", "a", "a.jsonl, line 2"), ("b", "b", "b.jsonl, line 2")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidImport, match="has 0 chats"):
        list(read_chat(tmp_path / "empty", NOBODY))


@pytest.mark.parametrize(
    ("lines", "trouble"),
    [
        (['{"name": "x", "mes": "안녕"}'], "line 1: it is not the head of a SillyTavern chat"),
        (["[]"], r"line 1: it is \[\], not an object"),
        (["{"], "line 1: it is not JSON"),
        (['{"chat_metadata": {}}', '{"is_user": true, "mes": []}'], r"line 2: mes is \[\], not a text"),
        (['{"chat_metadata": {}}', "", '{"mes": "\\ud800"}'], "line 3: .*half a character"),
        (['{"chat_metadata": {}}', '{"mes": "\\u0000"}'], "line 2: .*NUL"),
        (['{"chat_metadata": {}}', '{"mes": ' + "[" * 50 + "]" * 50 + "}"], "line 2: .*nested more than 32 deep"),
        (['{"chat_metadata": {}}', '{"is_user": true, "name": "a\\nb", "mes": "x"}'], "control characters"),
    ],
)
def test_a_broken_chat_says_at_which_line_and_that_nothing_was_imported(tmp_path, lines, trouble):
    file = tmp_path / "chat.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InvalidImport, match=f"{trouble}.*nothing was imported"):
        list(read_chat(file, Whose(character="레티아")))


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path, monkeypatch):
    with pytest.raises(InvalidImport, match="there is no file"):
        list(read_chat(tmp_path / "nowhere.jsonl", NOBODY))
    monkeypatch.setattr("gieok.interop.importers.files.LONGEST_LINE", 100)
    with pytest.raises(InvalidImport, match="line 2: it is longer than 100 bytes"):
        chat(tmp_path, by_user("가" * 100), head={"chat_metadata": {}})


def test_world_info_becomes_what_the_world_knows(tmp_path):
    book = world_info(
        {"key": ["탑", "/tower/i"], "keysecondary": ["마법"], "content": "탑은 북쪽에 있다.", "order": 10},
        {"key": ["교장"], "content": "교장은 {{user}}를 모른다.", "constant": True, "order": 200},
        {"key": ["비밀"], "content": "잠긴 방", "disable": True},
        {"key": ["빈"], "content": " "},
    )
    file = json_file(tmp_path / "아카데미.json", book)
    found = list(read_world_info(file, NOBODY))
    assert [(each.content, each.about, each.tags, each.importance, each.pinned) for each in known(found)] == [
        ("탑은 북쪽에 있다.", "world", ("탑", "마법"), 0.4, False),
        ("교장은 사용자를 모른다.", "world", ("교장",), 0.9, True),
    ]
    assert {each.scope for each in known(found)} == {Scope(world="아카데미")}
    assert skipped(found) == {"entry 2": "it is disabled", "entry 3": "it is empty"}
    for_letia = read_world_info(file, Whose(character="레티아", user="minsu"))
    assert {each.scope for each in known(list(for_letia))} == {Scope(character="레티아")}


def test_a_lorebook_by_itself_is_read_too(tmp_path):
    data = {"name": "아카데미", "extensions": {}, "entries": [lore("탑은 높다.", "탑")]}
    [v3] = read_world_info(json_file(tmp_path / "book.json", {"spec": "lorebook_v3", "data": data}), NOBODY)
    book = {"type": "risu", "ver": 1, "data": [{"key": "탑, 마법", "content": "탑은 높다.", "insertorder": 1}]}
    [of_risu] = read_world_info(json_file(tmp_path / "risu.json", book), Whose(world="아카데미"))
    assert (v3.scope, v3.content, v3.tags) == (Scope(world="아카데미"), "탑은 높다.", ("탑",))
    assert (of_risu.scope, of_risu.tags) == (Scope(world="아카데미"), ("탑", "마법"))


def test_something_else_is_no_world_info(tmp_path):
    with pytest.raises(InvalidImport, match="it has no entries"):
        list(read_world_info(json_file(tmp_path / "chat.json", risu_chat()), NOBODY))
    with pytest.raises(InvalidImport, match="entry 1: it is 'x', not an object"):
        list(read_world_info(json_file(tmp_path / "list.json", {"entries": ["x"]}), NOBODY))


def test_a_chat_of_risuai_is_turns_with_their_moments(tmp_path):
    found = risu(tmp_path, risu_chat(char("어서 와, {{user}}!"), user("나 고양이 좋아해"), char("저도요!")))
    assert said(found) == [(None, None, "어서 와, minsu!"), (None, "나 고양이 좋아해", "저도요!")]
    assert found[1].at == datetime.fromtimestamp(NOON / 1000, UTC)
    letia = Scope(user="minsu", character="레티아")
    assert {(each.scope, each.session, each.channel) for each in found} == {(letia, "첫 만남", "risuai")}


def test_all_chats_of_a_character_come_chat_by_chat(tmp_path):
    chats = [risu_chat(user(name), name=name, id=name)["data"] for name in ("하나", "둘")]
    found = risu(tmp_path, {"type": "risuAllChats", "ver": 2, "data": chats})
    places = {each.session: each.where for each in found}
    assert places == {"하나": "chat 1, message 1", "둘": "chat 2, message 1"}


def test_the_character_is_whom_the_file_is_named_after(tmp_path):
    file = json_file(tmp_path / "레티아_2026-03-01T083021281Z_chat.json", risu_chat(user("안녕")))
    [found] = read_risu(file, Whose(user="minsu"))
    assert found.scope == Scope(user="minsu", character="레티아")
    with pytest.raises(InvalidImport, match="who the user is; name them: --user NAME"):
        list(read_risu(file, NOBODY))
    with pytest.raises(InvalidImport, match="who the character is; name them: --character NAME"):
        risu(tmp_path, risu_chat(user("안녕")), Whose(user="minsu"))


def test_hidden_messages_comments_and_instructions_are_skipped(tmp_path):
    hidden = (user("옛날"), char("그만", disabled="allBefore"), user("비밀", disabled=True))
    messages = (*hidden, char("메모", isComment=True), char(""), user("안녕"))
    found = risu(tmp_path, risu_chat(*messages, note="Write well."))
    assert said(found) == [(None, "안녕", None)]
    assert set(skipped(found)) == {*(f"message {number}" for number in range(1, 6)), "note"}


def test_in_a_group_of_risuai_only_those_who_have_a_name_are_heard(tmp_path):
    found = risu(
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
    assert "whom the file does not name" in skipped(found)["message 5"]
    found = risu(tmp_path, risu_chat(user("안녕", otherUser=True, name="지수"), char("왔어?")))
    assert said(found) == [("지수", "안녕", "왔어?")], "another player"


def test_summaries_of_hypa_v3_are_memories_and_important_ones_are_pinned(tmp_path):
    memory = {
        "summaries": [
            {"text": "둘은 도서관에서 만났다.", "chatMemos": ["m1", "m2"], "isImportant": True, "categoryId": "k"},
            {"text": "비가 왔다.", "chatMemos": [], "isImportant": False, "tags": ["날씨"]},
            {"text": "", "chatMemos": [], "isImportant": False},
        ],
        "categories": [{"id": "k", "name": "만남"}],
    }
    found = risu(tmp_path, risu_chat(user("안녕", chatId="m1"), char("왔어?", chatId="m2"), hypaV3Data=memory))
    met, rain = known(found)
    assert (met.content, met.type, met.pinned, met.tags) == ("둘은 도서관에서 만났다.", "summary", True, ("만남",))
    assert met.at == datetime.fromtimestamp(NOON / 1000 + 1, UTC)
    assert (rain.content, rain.pinned, rain.at, rain.tags) == ("비가 왔다.", False, None, ("날씨",))
    assert skipped(found) == {"hypaV3Data, summaries 3": "it is empty"}


def test_older_memories_count_where_there_is_no_newer_one(tmp_path):
    v2 = {"lastMainChunkID": 1, "mainChunks": [{"id": 0, "text": "둘은 만났다.", "chatMemos": []}], "chunks": []}
    supa = "m1\n둘은 친해졌다."
    newer, older = risu_chat(hypaV2Data=v2, supaMemoryData=supa), risu_chat(supaMemoryData=supa)
    assert [each.content for each in known(risu(tmp_path, newer))] == ["둘은 만났다."]
    assert [each.content for each in known(risu(tmp_path, older))] == ["둘은 친해졌다."]
    assert "old RisuAI" in skipped(risu(tmp_path, risu_chat(supaMemoryData="hypa:m1\n[]")))["supaMemoryData"]


def test_the_lore_of_a_chat_belongs_to_that_scope(tmp_path):
    tower = {"key": "탑,마법", "secondkey": "", "content": "탑은 높다.", "alwaysActive": True, "insertorder": 1}
    [found] = risu(tmp_path, risu_chat(localLore=[tower, {"key": "폴더", "content": "", "mode": "folder"}]))
    assert (found.scope, found.about) == (Scope(user="minsu", character="레티아"), "world")
    assert (found.tags, found.pinned) == (("탑", "마법"), True)


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ({"type": "preset"}, "it is not a chat of RisuAI"),
        ([], r"it is \[\], not an object"),
        ({"type": "risuChat", "data": []}, r"data: it is \[\], not an object"),
        ({"type": "risuChat", "data": {}}, "data: it has no messages"),
        ({"type": "risuAllChats", "data": {}}, "data: it is not a list"),
        (risu_chat({"role": "system", "data": "x"}), "message 1: its role is neither"),
        (risu_chat(user("x", time="soon")), "message 1: 'soon' is not a time"),
        (risu_chat(user("x", time=10**15 * 10**9)), "message 1: .* is not a time"),
        (risu_chat(hypaV3Data={"summaries": [7]}), "hypaV3Data, summaries 1: it is 7, not an object"),
        (risu_chat(localLore=7), "localLore: it has no entries"),
    ],
)
def test_a_broken_chat_of_risuai_is_refused_and_says_where(tmp_path, value, trouble):
    with pytest.raises(InvalidImport, match=f"{trouble}.*nothing was imported"):
        risu(tmp_path, value)
