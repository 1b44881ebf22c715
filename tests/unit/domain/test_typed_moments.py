"""Moments as people type them."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.turn import end_of, last_of, moment
from gieok.errors import InvalidQuery

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
    with pytest.raises(InvalidQuery, match=r"--since '어제' is no date; write 2026-03-15"):
        read("어제", SEOUL, "--since")
