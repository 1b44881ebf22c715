"""What may be said, and when."""

import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.scope import LONGEST_NAME
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_speaker, checked_text, end_of, last_of, moment
from gieok.errors import InvalidInput, InvalidQuery, InvalidText, NaiveDatetime
from gieok.testing import DAY_1, turn


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("가" * (LONGEST_UTTERANCE + 1), "8,001 characters"),
        ("a" * 1_000_000, "1,000,000 characters"),
        ("고양이\x00", "NUL character at position 3"),
        ("고\udcffa", "surrogate at position 1"),
        ("고양\ud800", "surrogate at position 2"),
        ("\udfff", "surrogate at position 0"),
        (None, "not NoneType"),
        (b"bytes", "not bytes"),
    ],
    ids=["empty", "blank", "too long", "a megabyte", "NUL", "surrogate", "first", "last", "None", "bytes"],
)
def test_a_text_that_cannot_be_kept_is_refused_with_the_reason(text, why):
    with pytest.raises(InvalidText, match=why):
        checked_text(text)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=50))
def test_any_other_text_is_kept_as_it_is(text):
    if text.strip():
        assert checked_text(text) == text


def test_the_longest_utterance_has_8000_characters():
    assert checked_text("가" * LONGEST_UTTERANCE)
    assert LONGEST_UTTERANCE == 8_000


def test_the_error_names_the_argument():
    with pytest.raises(InvalidText, match=r"^reply is empty"):
        checked_text("", "reply")


def test_a_moment_without_a_time_zone_is_refused_with_the_way_out():
    naive = DAY_1.replace(tzinfo=None)
    with pytest.raises(NaiveDatetime, match=r"since=2026-03-01T09:00:00 has no time zone") as error:
        checked_moment(naive, "since")
    assert (error.value.name, error.value.value) == ("since", naive)
    assert isinstance(error.value, InvalidInput)


class Nowhere(tzinfo):
    def utcoffset(self, dt):
        return None

    def dst(self, dt):
        return None

    def tzname(self, dt):
        return None


def test_a_time_zone_that_does_not_know_its_offset_is_none():
    with pytest.raises(NaiveDatetime):
        checked_moment(DAY_1.replace(tzinfo=Nowhere()))


def test_a_moment_anywhere_on_earth_is_taken_as_it_is():
    moment = datetime(2026, 3, 1, 9, 0, tzinfo=ZoneInfo("Asia/Seoul"))
    assert checked_moment(moment) is moment


def test_two_turns_say_the_same_when_the_same_people_say_the_same_words():
    assert turn("안녕", "네").says(turn("안녕", "네", session="저녁"))
    assert not turn("안녕", "네").says(turn("안녕"))
    assert not turn("안녕").says(turn(("character", "안녕")))


def test_what_stands_beside_the_surrogates_is_a_letter():
    assert checked_text("\ud7ff\ue000") == "\ud7ff\ue000"


@pytest.mark.parametrize("year", [2, 2026, 9998])
def test_every_year_that_any_offset_can_be_applied_to_is_taken(year):
    moment = datetime(year, 6, 1, tzinfo=UTC)
    assert checked_moment(moment) is moment


@pytest.mark.parametrize("year", [1, 9999])
def test_the_first_and_the_last_year_are_refused(year):
    with pytest.raises(InvalidInput, match=r"^until=.* is outside the years 2 to 9998$"):
        checked_moment(datetime(year, 6, 1, tzinfo=UTC), "until")


@pytest.mark.parametrize("moment", [None, "2026-03-01", DAY_1.date()])
def test_what_is_no_moment_is_refused(moment):
    with pytest.raises(InvalidInput, match="at must be a datetime, not"):
        checked_moment(moment)


def test_a_speaker_has_a_name_of_one_line_of_at_most_200_characters():
    assert checked_speaker("가" * LONGEST_NAME) == "가" * LONGEST_NAME
    assert checked_speaker(unicodedata.normalize("NFD", "민지")) == "민지"
    assert LONGEST_NAME == 200


@pytest.mark.parametrize("name", ["가" * (LONGEST_NAME + 1), "민\n지", "민\u2028지", "민\u2029지", "민\x07지", " ", ""])
def test_another_name_of_a_speaker_is_refused(name):
    with pytest.raises(InvalidText, match="speaker"):
        checked_speaker(name)


SEOUL = ZoneInfo("Asia/Seoul")
MIDNIGHT = datetime(2026, 3, 15, tzinfo=SEOUL)
EVENING = datetime(2026, 3, 15, 20, 30, tzinfo=SEOUL)
A_MOMENT = timedelta(microseconds=1)


@pytest.mark.parametrize("read", [moment, end_of, last_of])
def test_nothing_typed_is_no_moment(read):
    assert read(None, SEOUL, "--since") is None


@pytest.mark.parametrize("text", ["2026-03-15", " 2026-03-15 ", "20260315"])
def test_a_bare_day_begins_at_midnight_and_ends_where_the_next_begins(text):
    assert moment(text, SEOUL) == MIDNIGHT
    assert end_of(text, SEOUL, "--until") == MIDNIGHT + timedelta(days=1)
    assert last_of(text, SEOUL, "--as-of") == MIDNIGHT + timedelta(days=1) - A_MOMENT


@pytest.mark.parametrize("read", [moment, end_of, last_of])
@pytest.mark.parametrize("text", ["2026-03-15T20:30", "2026-03-15 20:30", "2026-03-15T20:30+09:00"])
def test_a_time_of_day_is_just_that_moment(read, text):
    assert read(text, SEOUL, "--at") == EVENING


def test_a_moment_without_an_offset_is_read_in_the_zone_and_one_with_it_keeps_its_own():
    assert moment("2026-03-15T20:30", SEOUL).tzinfo is SEOUL
    assert moment("2026-03-15T20:30-05:00", SEOUL) == datetime(
        2026, 3, 15, 20, 30, tzinfo=timezone(timedelta(hours=-5))
    )


def test_the_midnight_that_is_typed_out_is_a_moment_and_no_day():
    assert end_of("2026-03-15T00:00", SEOUL, "--until") == MIDNIGHT
    assert last_of("2026-03-15T00:00", SEOUL, "--as-of") == MIDNIGHT


def test_there_is_no_day_after_the_last_one():
    last = datetime(9999, 12, 31, tzinfo=SEOUL)
    assert end_of("9999-12-31", SEOUL, "--until") == last
    assert last_of("9999-12-31", SEOUL, "--as-of") == last
    assert end_of("9998-12-31", SEOUL, "--until") == datetime(9999, 1, 1, tzinfo=SEOUL)


@pytest.mark.parametrize("read", [moment, end_of, last_of])
def test_what_is_no_date_is_refused_by_the_name_of_the_option(read):
    with pytest.raises(InvalidQuery, match=r"--since '어제' is not a date; write 2026-03-15"):
        read("어제", SEOUL, "--since")
