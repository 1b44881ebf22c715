"""examples/heroine: three heroines keep what they were told to themselves."""

from __future__ import annotations

from typing import Any

import pytest

from support.playing import player

MINSU = {
    "민수는 물을 무서워한다": {"레티아"},
    "민수는 레티아를 좋아한다": {"로코"},
    "민수는 겨울에 왕도로 돌아간다": {"루파메스"},
    "민수는 땅콩 알레르기가 있다": {"레티아", "루파메스", "로코"},
}
BETWEEN_HEROINES = {
    "루파메스는 매운 걸 못 먹는다": {"루파메스", "로코"},
    "레티아의 생일은 10월 9일이다": {"레티아", "루파메스"},
}


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        play = player("heroine", patch)
        yield lambda **settings: play(tmp_path_factory.mktemp("academy"), embedder="hashing", **settings)


@pytest.fixture(scope="module")
def played(example: Any) -> Any:
    return example()


def test_each_heroine_knows_what_she_was_told_and_nothing_that_another_was(played):
    result, _ = played
    knowing: dict[str, set[str]] = {}
    for (who, what), times in result.told.items():
        knowing.setdefault(what, set()).update({who} if times else ())
    assert knowing == {**MINSU, **BETWEEN_HEROINES}
    assert result.leaks == []


def test_a_bank_that_shares_what_the_player_says_of_himself_would_be_found_out(example):
    result, screen = example(sharing="user_facts")
    assert ("레티아", "민수는 겨울에 왕도로 돌아간다") in result.leaks
    assert "샜다!" in screen


def test_each_greets_by_what_she_knows_and_as_the_two_speak(played):
    greetings = played[0].greetings
    assert {name: (each.style, each.level) for name, each in greetings.items()} == {
        "레티아": ("casual", "friend"),
        "루파메스": ("casual", "acquaintance"),
        "로코": ("formal", "friend"),
    }
    assert "강아지" in greetings["레티아"].words
    assert "고양이" not in greetings["레티아"].words
    assert "왕도" in greetings["루파메스"].words
    assert "내년에 필 때도" in greetings["로코"].words
    assert all("땅콩" in greetings[name].words for name in ("루파메스", "로코"))


def test_what_was_so_on_another_day_is_one_call(played):
    answers = played[0].answers
    assert answers["보름째 날 민수가 좋아하던 것"] == ["고양이를 좋아함"]
    assert answers["지금 민수가 좋아하는 것"] == ["강아지를 좋아함"]
    assert "상대의 부탁으로 9월 5일부터 서로 말을 놓았다." in answers["민수에 대해 아는 것"]


def test_a_night_without_the_player_brings_nobody_closer_to_him(played):
    screen = played[1]
    night = screen[screen.index("밤의 식당") : screen.index("점심시간")]
    assert "+ 루파메스: 매운 걸 싫어함  로코 루파메스" in night
    assert "♥" not in night
