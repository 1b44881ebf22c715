"""Stretches of time in words."""

from datetime import date, timedelta

import pytest

from gieok.maintain.words import days_said, stretch, stretch_after
from gieok.testing.builders import day
from support.rows import from_rows


@from_rows
def test_a_stretch_holds_its_oldest_moment(days, korean, english):
    now = day(400)
    said = stretch(now - timedelta(days=days), now)

    assert (said.korean, said.english) == (korean, english)
    assert said.start(now) <= now - timedelta(days=days)


@pytest.mark.parametrize(
    ("days", "korean"), [(1.5, "최근 하루 동안"), (13, "최근 일주일 동안"), (80, "최근 2개월 동안")]
)
def test_a_stretch_after_a_moment_does_not_reach_back_to_it(days, korean):
    now = day(400)
    said = stretch_after(now - timedelta(days=days), now)

    assert said is not None
    assert said.korean == korean
    assert said.start(now) > now - timedelta(days=days)


def test_less_than_a_day_is_no_stretch():
    assert stretch_after(day(1.5), day(2)) is None


@pytest.mark.parametrize(
    ("first", "last", "korean", "english"),
    [
        (date(2026, 3, 2), date(2026, 3, 2), "3월 2일", "March 2"),
        (date(2026, 3, 2), date(2026, 3, 9), "3월 2일~3월 9일", "March 2 – March 9"),
        (date(2025, 3, 2), date(2025, 3, 9), "2025년 3월 2일~3월 9일", "March 2 – March 9, 2025"),
        (date(2025, 12, 30), date(2026, 1, 2), "2025년 12월 30일~1월 2일", "December 30, 2025 – January 2"),
    ],
)
def test_days_name_the_year_where_it_is_another(first, last, korean, english):
    assert days_said(first, last, korean=True, year=2026) == korean
    assert days_said(first, last, korean=False, year=2026) == english
