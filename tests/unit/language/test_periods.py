"""What a question about a time asks for. Unless a line says otherwise, it is Wednesday 14 June 2023 in Seoul."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from gieok.language.periods import Period, asked_periods
from support.rows import from_rows

SEOUL = timezone(timedelta(hours=9))
NOW = date(2023, 6, 14)


def at(day):
    return datetime.combine(day, datetime.min.time(), SEOUL)


@from_rows
def test_a_time_in_a_question_is_a_window(question, window, today):
    days = [at(date.fromisoformat(each.strip())) if each.strip() else None for each in window.split("..")]
    found = asked_periods(question, at(date.fromisoformat(today)) + timedelta(hours=15), SEOUL)
    assert [[period.start, period.end] for period in found] == [days]


@from_rows
def test_what_only_looks_like_a_time_asks_for_none(question):
    assert asked_periods(question, at(NOW), SEOUL) == ()


def test_two_times_are_two_windows_in_the_order_they_are_said():
    found = asked_periods("지난주랑 작년 여름 중에 언제였지?", at(NOW), SEOUL)
    assert [period.text for period in found] == ["지난주", "작년 여름"]


def test_days_begin_at_midnight_where_the_user_lives():
    night_in_seoul = datetime(2023, 6, 13, 16, tzinfo=UTC)  # 01:00 on the 14th there
    assert asked_periods("어제", night_in_seoul, SEOUL) == (
        Period(start=at(date(2023, 6, 13)), end=at(date(2023, 6, 14)), text="어제"),
    )


@pytest.mark.parametrize(
    "text", ["", "0월 0일", "9999년", "13월에", "2월 30일", "99999년 전", "9999년 12월 31일", "3000년 뒤"]
)
def test_no_text_is_too_odd(text):
    asked_periods(text, at(NOW), SEOUL)


@pytest.mark.parametrize(
    "piece", ["지난 ", "last ", "5월 ", "2023년 ", "한 ", "the week before ", "1/2 ", " ", "between May and ", "3"]
)
def test_a_long_line_takes_a_moment(piece):
    asked_periods(piece * 8000, at(NOW), SEOUL)
