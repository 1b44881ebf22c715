"""Chats and World Info of SillyTavern, as they arrive."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.records import Exchange, Known, LeftOut, Whose
from gieok.interop.importers.sillytavern import read_chat, read_world_info
from support.foreign_files import by, by_user, chat_head, json_file, lines_file, lore, risu_chat, world_info

NOBODY = Whose()
BOTH = Scope(user="민수", character="레티아")


def chat(path: Path, *messages: dict[str, Any], head: dict[str, Any] | None = None, whose: Whose = NOBODY) -> list[Any]:
    return list(read_chat(lines_file(path / "chat.jsonl", head or chat_head(), *messages), whose))


def said(arrivals: list[Any]) -> list[tuple[str | None, str | None, str | None]]:
    return [(each.speaker, each.text, each.reply) for each in arrivals if isinstance(each, Exchange)]


def left(arrivals: list[Any]) -> list[tuple[str, str]]:
    return [(each.where, each.why) for each in arrivals if isinstance(each, LeftOut)]


def test_a_message_and_its_reply_are_one_exchange_and_a_greeting_is_one_without_a_text(tmp_path):
    found = chat(
        tmp_path, by("레티아", "어서 와!"), by_user("나 고양이 좋아해"), by("레티아", "저도요!"), by_user("잘 자")
    )
    assert said(found) == [
        (None, None, "어서 와!"),
        (None, "나 고양이 좋아해", "저도요!"),
        (None, "잘 자", None),
    ]
    assert {each.scope for each in found} == {BOTH}
    assert [each.where for each in found] == ["line 2", "line 3", "line 5"]
    assert {(each.session, each.channel) for each in found} == {("chat", "sillytavern")}


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
        "June 19, 2023 2:20pm",
        "Jun 19, 2023 2:20pm",
        "2023년 6월 19일 오후 2:20",
        "2023-6-19 @14h 20m 00s 000ms",
        "2023-06-19@14h20m00s",
        "2023-06-19@14h20m00s000ms",
        "2023-06-19T05:20:00.000Z",
        "2023-06-19T14:20:00",
        1687152000000,
        "1687152000000",
        1687152000,
    ],
)
def test_a_date_of_any_year_of_the_program_is_the_same_moment(tmp_path, date):
    seoul = Whose(zone=ZoneInfo("Asia/Seoul"))
    [found] = chat(tmp_path, by_user("안녕", date), whose=seoul)
    assert found.at == datetime(2023, 6, 19, 5, 20, tzinfo=UTC)


def test_a_date_that_nobody_can_read_leaves_the_words(tmp_path):
    found = chat(tmp_path, by_user("안녕", "19. Juni 2023"), by("레티아", "안녕!", None))
    assert said(found) == [(None, "안녕", "안녕!")]
    assert left(found) == [("line 2", "its date, '19. Juni 2023', cannot be read; its words are kept")]


def test_an_exchange_of_which_only_the_reply_has_a_date_has_that_one(tmp_path):
    [found] = chat(tmp_path, by_user("안녕", None), by("레티아", "왔어?", "2026-03-01T20:01:00Z"))
    assert found.at == datetime(2026, 3, 1, 20, 1, tzinfo=UTC)


def test_midnight_and_noon_are_told_apart(tmp_path):
    found = chat(tmp_path, by_user("밤", "June 19, 2023 12:05am"), by_user("낮", "June 19, 2023 12:05pm"))
    assert [each.at.hour for each in found] == [0, 12]


def test_hidden_empty_and_system_messages_are_left_out_and_named(tmp_path):
    found = chat(
        tmp_path,
        by_user("비밀", is_system=True),
        by("System", "Chat renamed", is_system=True),
        by("레티아", "   "),
        by_user("안녕"),
    )
    assert said(found) == [(None, "안녕", None)]
    assert [where for where, _ in left(found)] == ["line 2", "line 3", "line 4"]


def test_of_several_replies_the_chosen_one_counts(tmp_path):
    reply = by("레티아", "첫째", swipes=["첫째", "둘째", "셋째"], swipe_id=1)
    assert said(chat(tmp_path, by_user("안녕"), reply)) == [(None, "안녕", "둘째")]
    beyond = by("레티아", "첫째", swipes=["첫째"], swipe_id=7)
    assert said(chat(tmp_path, beyond)) == [(None, None, "첫째")]


def test_placeholders_become_names(tmp_path):
    found = chat(tmp_path, by("레티아", "{{user}}, 나 {{CHAR}}야. <USER>!{{// 몰래}}"), whose=Whose(user="minsu"))
    assert said(found) == [(None, None, "민수, 나 레티아야. 민수!")]


def test_what_a_narrator_tells_is_heard_as_theirs(tmp_path):
    narrated = by("System", "비가 오기 시작했다.", extra={"type": "narrator"})
    found = chat(tmp_path, narrated, by("레티아", "우산 있어?"))
    assert said(found) == [("System", "비가 오기 시작했다.", "우산 있어?")]


def test_in_a_group_everybody_remembers_what_all_of_them_said(tmp_path):
    head = {"chat_metadata": {}}
    messages = (by_user("안녕!"), by("레티아", "왔어?"), by("세라", "반가워요."), by("레티아", "앉아."))
    found = chat(tmp_path, *messages, head=head)
    letia = [each for each in found if each.scope.character == "레티아"]
    sera = [each for each in found if each.scope.character == "세라"]
    assert said(letia) == [(None, "안녕!", "왔어?"), ("세라", "반가워요.", "앉아.")]
    assert said(sera) == [(None, "안녕!", None), ("레티아", "왔어?", "반가워요."), ("레티아", "앉아.", None)]
    assert said(chat(tmp_path, *messages, head=head, whose=Whose(character="세라"))) == said(sera)
    with pytest.raises(InvalidImport, match="nobody in it is called '유나'; there are 레티아, 세라"):
        chat(tmp_path, *messages, head=head, whose=Whose(character="유나"))


def test_a_group_without_end_is_refused(tmp_path):
    messages = [by(f"{number}번", "네") for number in range(21)]
    with pytest.raises(InvalidImport, match="21 characters talk in it; at most 20 are read"):
        chat(tmp_path, by_user("안녕"), *messages, head={"chat_metadata": {}})


def test_the_same_chat_under_another_name_has_the_same_origins_and_goes_on_with_new_ones(tmp_path):
    first = chat(tmp_path, by_user("하나"), by("레티아", "둘"))
    (tmp_path / "chat.jsonl").rename(tmp_path / "renamed.jsonl")
    again = list(read_chat(tmp_path / "renamed.jsonl", NOBODY))
    longer = chat(tmp_path, by_user("하나"), by("레티아", "둘"), by_user("셋"))
    assert [each.origin for each in again] == [each.origin for each in first]
    assert [each.origin for each in longer][:1] == [each.origin for each in first]
    assert len({each.origin for each in longer}) == 2


def test_a_very_long_message_comes_in_pieces_with_the_reply_after_the_last(tmp_path):
    long = "\n\n".join(["가" * 3_000] * 4)
    found = chat(tmp_path, by_user(long), by("레티아", "길다!"))
    assert [(len(each.text or ""), each.reply) for each in found] == [(6_002, None), (6_002, "길다!")]
    assert len({each.origin for each in found}) == 2


def test_a_folder_of_chats_is_read_chat_by_chat(tmp_path):
    for name in ("b", "a"):
        lines_file(tmp_path / f"{name}.jsonl", chat_head(chat_metadata={}), by_user(name))
    found = list(read_chat(tmp_path, NOBODY))
    assert [(each.session, each.text, each.where) for each in found] == [
        ("a", "a", "a.jsonl, line 2"),
        ("b", "b", "b.jsonl, line 2"),
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidImport, match="has 0 chats"):
        list(read_chat(tmp_path / "empty", NOBODY))


@pytest.mark.parametrize(
    ("lines", "trouble"),
    [
        (['{"name": "x", "mes": "안녕"}'], "line 1: is not the head of a chat"),
        (["[]"], "line 1: is no JSON object"),
        (["{"], "line 1: is no JSON that can be kept"),
        (['{"chat_metadata": {}}', '{"is_user": true, "mes": 7}'], "line 2: mes is no text"),
        (['{"chat_metadata": {}}', "", '{"mes": "\\ud800"}'], "line 3: is no JSON that can be kept"),
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
    with pytest.raises(InvalidImport, match="line 2: is longer than 100 bytes"):
        chat(tmp_path, by_user("가" * 100), head={"chat_metadata": {}})


def test_world_info_becomes_what_the_world_knows(tmp_path):
    file = json_file(
        tmp_path / "아카데미.json",
        world_info(
            {"key": ["탑", "/tower/i"], "keysecondary": ["마법"], "content": "탑은 북쪽에 있다.", "order": 10},
            {"key": ["교장"], "content": "교장은 {{user}}를 모른다.", "constant": True, "order": 200},
            {"key": ["비밀"], "content": "잠긴 방", "disable": True},
            {"key": ["빈"], "content": " "},
        ),
    )
    tower, head, *others = read_world_info(file, NOBODY)
    assert isinstance(tower, Known)
    assert isinstance(head, Known)
    assert (tower.content, tower.about, tower.tags) == ("탑은 북쪽에 있다.", "world", ("탑", "마법"))
    assert (tower.importance, tower.pinned) == (0.4, False)
    assert (head.content, head.importance, head.pinned) == ("교장은 사용자를 모른다.", 0.9, True)
    assert {tower.scope, head.scope} == {Scope(world="아카데미")}
    assert left(others) == [("entry 2", "it is switched off"), ("entry 3", "it says nothing")]
    assert {
        each.scope for each in read_world_info(file, Whose(character="레티아", user="minsu")) if isinstance(each, Known)
    } == {Scope(character="레티아")}


def test_a_lorebook_by_itself_is_read_too(tmp_path):
    book = {
        "spec": "lorebook_v3",
        "data": {"name": "아카데미", "extensions": {}, "entries": [lore("탑은 높다.", "탑")]},
    }
    [v3] = read_world_info(json_file(tmp_path / "book.json", book), NOBODY)
    risu = {"type": "risu", "ver": 1, "data": [{"key": "탑, 마법", "content": "탑은 높다.", "insertorder": 1}]}
    [of_risu] = read_world_info(json_file(tmp_path / "risu.json", risu), Whose(world="아카데미"))
    assert (v3.scope, v3.content, v3.tags) == (Scope(world="아카데미"), "탑은 높다.", ("탑",))
    assert (of_risu.scope, of_risu.tags) == (Scope(world="아카데미"), ("탑", "마법"))


def test_something_else_is_no_world_info(tmp_path):
    with pytest.raises(InvalidImport, match="it has no entries"):
        list(read_world_info(json_file(tmp_path / "chat.json", risu_chat()), NOBODY))
    with pytest.raises(InvalidImport, match="entry 1: is no JSON object"):
        list(read_world_info(json_file(tmp_path / "list.json", {"entries": ["x"]}), NOBODY))
