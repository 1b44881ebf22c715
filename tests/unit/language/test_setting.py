"""Where a scene is and when, as far as the words tell."""

import pytest

from gieok.language.scenes import setting
from support.rows import from_rows


@from_rows
def test_a_place_where_they_are_now_is_read(text, place):
    assert setting(text)[0] == place


@from_rows
def test_another_time_another_person_or_a_thought_is_no_place_of_the_scene(text):
    assert setting(text)[0] is None


@from_rows
def test_the_time_of_day_is_read(text, daytime):
    assert setting(text) == (None, daytime)


@pytest.mark.parametrize(
    "text", ["저녁 먹자", "밤에 전화할게", "아침이야?", "어제 밤이었어", "밤이 무서워", "*저녁을 먹는다*"]
)
def test_a_meal_and_another_time_are_no_time_of_day(text):
    assert setting(text)[1] is None


@from_rows
def test_english_places_are_read_alike(text, place):
    assert setting(text)[0] == place


@pytest.mark.parametrize(
    "text", ["", "*", "**", "\ud800", "카페" * 4000, "*카페*" * 1600, "in the " * 1100, "우리 " * 2600]
)
def test_any_text_is_answered(text):
    assert len(setting(text)) == 2
