"""A scene in words says what is in it, and nothing else."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from gieok.domain.scene import Scene
from gieok.language.wording import last_time_words
from support.rows import from_rows

SEOUL = ZoneInfo("Asia/Seoul")
WALK = Scene(
    id="scene-1",
    started_at=datetime(2026, 3, 2, 10, 30, tzinfo=UTC),
    last_at=datetime(2026, 3, 2, 11, tzinfo=UTC),
    ended_at=datetime(2026, 3, 2, 11, tzinfo=UTC),
    place="공원",
    daytime="저녁",
    participants=("user", "character"),
    counts=(("고양이", 3),),
    feelings=(("happy", 1.2),),
    turns=5,
    first_turn=1,
    last_turn=5,
)


def test_the_last_time_is_told_in_one_sentence():
    assert last_time_words(WALK) == "지난번(3월 2일 저녁)에는 공원에서 고양이 얘기를 하며 즐거운 시간을 보냈다."


def test_what_is_unknown_is_left_out():
    assert last_time_words(replace(WALK, place=None)) == (
        "지난번(3월 2일 저녁)에는 고양이 얘기를 하며 즐거운 시간을 보냈다."
    )
    assert last_time_words(replace(WALK, counts=())) == "지난번(3월 2일 저녁)에는 공원에서 즐거운 시간을 보냈다."
    assert last_time_words(replace(WALK, feelings=())) == "지난번(3월 2일 저녁)에는 공원에서 고양이 얘기를 했다."
    bare = replace(WALK, place=None, counts=(), feelings=())
    assert last_time_words(bare) == "지난번(3월 2일 저녁)에는 이야기를 나눴다."


def test_without_a_time_of_day_the_clock_tells_it_where_the_story_is():
    timeless = replace(WALK, daytime=None)
    assert last_time_words(timeless).startswith("지난번(3월 2일 아침)에는")
    assert last_time_words(timeless, zone=SEOUL).startswith("지난번(3월 2일 저녁)에는")


@from_rows
def test_every_hour_has_its_time_of_day(hour, daytime):
    scene = replace(WALK, daytime=None, started_at=datetime(2026, 3, 2, hour, tzinfo=UTC))
    assert last_time_words(scene).startswith(f"지난번(3월 2일 {daytime})에는")


def test_another_year_is_named():
    told = last_time_words(WALK, today=datetime(2027, 1, 5, tzinfo=UTC))
    assert told.startswith("지난번(2026년 3월 2일 저녁)에는")


def test_topics_are_joined_as_one_says_them_and_three_are_enough():
    two = replace(WALK, counts=(("산책", 2), ("고양이", 1)))
    assert "산책과 고양이 얘기를 하며" in last_time_words(two)
    many = replace(WALK, counts=(("산책", 4), ("고양이", 3), ("날씨", 2), ("커피", 1)))
    assert "산책, 고양이, 날씨 얘기를 하며" in last_time_words(many)


def test_others_who_were_there_are_named():
    told = last_time_words(replace(WALK, participants=("user", "character", "민지")))
    assert told == "지난번(3월 2일 저녁)에는 민지와 함께 공원에서 고양이 얘기를 하며 즐거운 시간을 보냈다."


@from_rows
def test_the_mood_is_the_scenes_own(emotion, told):
    assert told in last_time_words(replace(WALK, feelings=((emotion, 1.0),)))


def test_an_english_time_of_day_is_told_in_korean():
    assert last_time_words(replace(WALK, daytime="midnight")).startswith("지난번(3월 2일 밤)에는")
