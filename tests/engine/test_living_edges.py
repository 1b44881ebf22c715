"""Where the two, their company and the clocks meet."""

from datetime import timedelta

import pytest

from gieok.bank.events import Event
from gieok.testing import day


def test_what_is_between_the_two_stays_between_the_two_when_nobody_else_speaks(letia):
    letia.observe("정말 고마워!", at=day(1))
    [step] = letia.trajectory()
    assert {cause.speaker for cause in step.causes if cause.name == "thanks"} == {"user"}


def test_thanks_of_somebody_else_in_the_room_move_nothing_between_the_two(letia):
    letia.observe("정말 고마워!", speaker="민지", at=day(1))
    assert letia.trajectory() == []


def test_a_talk_between_two_characters_brings_neither_of_them_closer_to_the_user(bank):
    letia, lupames = (bank.scope(user="minsu", character=name) for name in ("letia", "lupames"))
    for number in range(3):
        letia.observe(
            "비밀 지켜 줘서 고마워!", reply="약속 지켰지? 너는 참 다정하구나.", speaker="lupames", present=["lupames"],
            at=day(1) + timedelta(minutes=number),
        )  # fmt: skip
    for mind in (letia, lupames):
        assert (mind.trajectory(), mind.relationship().turns) == ([], 0)
        assert (mind.manners().character.style, mind.manners().user.style) == (None, None)


def test_whoever_hears_what_the_user_says_to_another_is_not_the_one_it_was_said_to(bank):
    roco, letia = (bank.scope(user="minsu", character=name) for name in ("roco", "letia"))
    roco.observe("사랑해! 너는 정말 대단해.", reply="저도요.", present=["letia"], at=day(1))
    assert {cause.name for step in roco.trajectory() for cause in step.causes} >= {"affection", "praise"}
    assert {cause.name for step in letia.trajectory() for cause in step.causes} == {"time_together"}


def test_a_feeling_that_lasts_over_a_turn_without_words_has_not_changed(bank):
    mind = bank.scope(user="minsu", character="letia")
    heard: list[Event] = []
    bank.on("emotion.changed", heard.append)
    mind.observe("안녕", reply="*환하게 웃으며* 정말 기뻐요!", at=day(1))
    mind.observe("그래", at=day(1) + timedelta(minutes=1))
    told = len(heard)
    mind.observe("그래", reply="*환하게 웃으며* 정말 기뻐요!", at=day(1) + timedelta(minutes=2))
    assert [event.what for event in heard[told:] if event.what.speaker == "character"] == []


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(
            day(1),
            id="the clock is behind the story",
        ),
        pytest.param(day(300), id="the clock is ahead of the story"),
    ],
)
def test_what_was_remembered_since_the_last_pass_is_new(open_bank, clock, now):
    """As in a game: a year of story may pass while the clock stands still."""
    clock.set(now)
    mind = open_bank(upkeep="off").scope(user="minsu", character="letia")
    mind.remember("한강에서 자전거를 탔어", type="event", at=day(10))
    assert mind.maintain(passes=["merge"], at=day(10)).kept == ()
    mind.remember("한강에서 자전거를 탔다", type="event", at=day(11))
    assert [kept.action for kept in mind.maintain(passes=["merge"], at=day(12)).kept] == ["merge"]


def test_a_rewind_names_what_it_undid_in_order(letia):
    for number in range(12):
        letia.observe(f"{number}번째 이야기야", at=day(1) + timedelta(minutes=number), turn_id=f"t{number}")
    observed = tuple(operation.id for operation in letia.journal() if operation.kind == "observe")
    letia.rewind("t0", following=True)
    assert letia.journal()[-1].request.operations == observed
