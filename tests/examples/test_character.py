"""examples/character: a chat over a real server, with scenes and a director behind them."""

from __future__ import annotations

from typing import Any

import pytest

from support.playing import player

EVENTS = ["context", "delta", "emotion", "memory_update", "relationship", "done"]
CAUTION = "주의: (상대) 복숭아 알레르기가 있음"
NOTE = "연출 메모"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield player("character", patch)(tmp_path_factory.mktemp("bookshop"), embedder="hashing")


def test_every_reply_comes_as_events_and_is_kept_before_they_end(played):
    turns = played[0].turns.values()
    assert [turn.events for turn in turns] == [EVENTS] * 9
    assert all(turn.reply for turn in turns)


def test_what_may_not_be_forgotten_stands_in_every_prompt_after_it_was_said(played):
    sent = [turn.sent for turn in played[0].turns.values()]
    assert [CAUTION in each for each in sent] == [False, False, *[True] * 7]
    assert played[0].turns["오늘은 뭐 마실까? 추천해 줘."].reply.startswith("복숭아는 빼야 하니까")


def test_the_directors_note_is_for_the_very_next_reply_and_moves_the_two(played):
    result, screen = played
    assert [said for said, turn in result.turns.items() if NOTE in turn.sent] == ["저, 문 닫을 시간이죠?"]
    assert "더 있다 가요" in result.turns["저, 문 닫을 시간이죠?"].reply
    [(axis, points)] = [(axis, points) for cause, axis, points in result.causes if cause == "director"]
    assert (axis, 0 < points <= 3) == ("trust", True)
    assert NOTE in screen


def test_scenes_change_where_the_client_says_so(played):
    assert [(title.split(" · ")[:2], turns) for title, turns in played[0].scenes] == [
        (["달빛 서점", "저녁"], 4),
        (["서점 옥상", "밤"], 2),
        (["달빛 서점", "낮"], 3),
    ]
    assert "지금 장면: 서점 옥상 · 밤" in played[0].turns["고마워, 루나. 덕분에 살 것 같아."].sent


def test_who_hangs_up_in_the_middle_hears_the_rest_and_the_model_is_asked_once(played):
    result, screen = played
    assert result.turns["고마워, 루나. 덕분에 살 것 같아."].reply == "*작게 웃는다* 내일도 문은 열려 있어."
    assert "연결이 끊겼다" in screen
    assert result.asked == 9 + 1  # nine turns, and another reply to the last one
    assert result.another.startswith("추리 소설 좋아한댔지?")


def test_a_new_age_takes_the_place_of_the_old_one_and_they_speak_casually_by_then(played):
    result, _ = played
    assert result.turns["나 왔어! 어제 생일이었거든. 나 이제 스물여섯 살이야."].learned == ["~ 26살임"]
    assert "26살임" in result.facts
    assert "25살임" not in result.facts
    assert result.style == "casual"
