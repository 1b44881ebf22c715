"""What may be said, and when."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_text
from gieok.errors import InvalidInput, InvalidText, NaiveDatetime
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
        (None, "not NoneType"),
        (b"bytes", "not bytes"),
    ],
    ids=["empty", "blank", "too long", "a megabyte", "NUL", "surrogate", "None", "bytes"],
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
