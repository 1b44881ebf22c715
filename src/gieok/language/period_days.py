"""Stretches of whole days: months, seasons, feasts, some time ago, and which of them is meant today."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias

Which: TypeAlias = Literal["last", "this", "next", "coming"]
Unit: TypeAlias = Literal["day", "week", "month", "year"]

EARLIEST: Final = 1900
LATEST: Final = 2100
#: Lunar feasts move; outside these years the whole stretch in which they can fall is meant.
_NEW_YEARS: Final = (
    "2015-02-19 2016-02-08 2017-01-28 2018-02-16 2019-02-05 2020-01-25 2021-02-12 2022-02-01 2023-01-22 2024-02-10 "
    "2025-01-29 2026-02-17 2027-02-07 2028-01-27 2029-02-13 2030-02-03"
)
_HARVESTS: Final = (
    "2015-09-27 2016-09-15 2017-10-04 2018-09-24 2019-09-13 2020-10-01 2021-09-21 2022-09-10 2023-09-29 2024-09-17 "
    "2025-10-06 2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12"
)
_MOVING: Final = {
    "seollal": ({int(day[:4]): date.fromisoformat(day) for day in _NEW_YEARS.split()}, (1, 21), (2, 21)),
    "chuseok": ({int(day[:4]): date.fromisoformat(day) for day in _HARVESTS.split()}, (9, 7), (10, 9)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Whole days from `start` up to, not including, `end`; None is open."""

    start: date | None
    end: date | None


def days(start: date, length: int = 1) -> Days:
    """Return `length` days from `start`."""
    return Days(start=start, end=start + timedelta(length))


def months(year: int, month: int, length: int = 1) -> Days:
    """Return `length` whole months from `month` of `year`."""
    first = date(year, month, 1)
    return Days(start=first, end=shifted(first, length))


def shifted(day: date, by_months: int) -> date:
    """Return the day `by_months` later, or the last of that month where it is shorter."""
    index = min(max(day.year * 12 + day.month - 1 + by_months, 12), 9998 * 12)
    year, month = index // 12, index % 12 + 1
    for of_month in (day.day, 30, 29):
        try:
            return date(year, month, of_month)
        except ValueError:
            continue
    return date(year, month, 28)


def third(whole: Days, part: int) -> Days:
    """Return the early, middle or late (0, 1, 2) third of a month, season or year; 3 and 4 are its halves."""
    assert whole.start is not None
    assert whole.end is not None
    long = (whole.end.year - whole.start.year) * 12 + whole.end.month - whole.start.month
    if long == 1:
        first = whole.start + timedelta(10 * part)
        return Days(start=first, end=whole.end if part == 2 else first + timedelta(10))
    step, index = (long // 2, part - 3) if part > 2 else (long // 3, part)
    return months(*_month_after(whole.start, step * index), step)


def _month_after(day: date, by_months: int) -> tuple[int, int]:
    later = shifted(day, by_months)
    return later.year, later.month


def season(year: int, index: int) -> Days:
    """Return spring, summer, autumn or winter (0 to 3); a winter belongs to the year in which it begins."""
    return months(year, 3 + 3 * index, 3)


def feast(year: int, name: str) -> Days:
    """Return the days of a feast: "12-24" to the day, "seollal" and "chuseok" with the days around them."""
    if name in _MOVING:
        known, first, last = _MOVING[name]
        if year in known:
            return days(known[year] - timedelta(2), 5)
        return Days(start=date(year, *first), end=date(year, *last))
    if name == "thanksgiving":
        first_day = date(year, 11, 1)
        return days(first_day + timedelta((3 - first_day.weekday()) % 7 + 21))
    month, day = (int(part) for part in name[:5].split("-"))
    return days(date(year, month, day), 2 if name.endswith("+") else 1)


def one_of(yearly: Callable[[int], Days], which: Which | None, today: date) -> Days | None:
    """Return the occurrence that is meant: unless said otherwise, the latest that has begun."""
    every = list(_each(yearly, today.year))
    begun = [each for each in every if each.start is not None and each.start <= today]
    if which is None:
        return begun[-1] if begun else None
    if which == "last":
        over = [each for each in begun if each.end is not None and each.end <= today]
        return over[-1] if over else None
    if which == "this":
        return min(every, key=lambda each: _distance(each, today))
    return next((each for each in every if each not in begun), None)


def _each(yearly: Callable[[int], Days], year: int) -> Iterator[Days]:
    for one in range(year - 8, year + 9):  # a 29 February can be eight years away
        try:
            yield yearly(one)
        except ValueError:
            continue


def _distance(each: Days, today: date) -> float:
    assert each.start is not None
    assert each.end is not None
    if each.start > today:
        return (each.start - today).days / 2  # "this summer", said in January, is the coming one
    return max((today - each.end).days + 1, 0)


def on_weekday(weekday: int, which: Which, today: date) -> Days:
    """Return last, this, next or the coming `weekday` (0 is Monday, 7 the weekend)."""
    if weekday == 7:
        by_week = {"last": -1, "this": 0, "next": 1, "coming": 0}[which]
        return in_week(by_week, weekday, today)
    if which == "last":
        return days(today - timedelta((today.weekday() - weekday - 1) % 7 + 1))
    if which == "coming":
        return days(today + timedelta((weekday - today.weekday() - 1) % 7 + 1))
    return in_week(1 if which == "next" else 0, weekday, today)


def in_week(offset: int, weekday: int | None, today: date) -> Days:
    """Return the week `offset` weeks from now, or one day of it; weeks begin on Monday."""
    monday = today - timedelta(today.weekday()) + timedelta(7 * offset)
    if weekday is None:
        return days(monday, 7)
    return days(monday + timedelta(5), 2) if weekday == 7 else days(monday + timedelta(weekday))


def back(day: date, many: int, unit: Unit) -> date:
    """Return the day `many` units before `day`, or after it if negative."""
    if unit in ("month", "year"):
        return shifted(day, -many * (12 if unit == "year" else 1))
    many = max(min(many, 3000), -3000)
    return day - timedelta(many * (7 if unit == "week" else 1))


def around(day: date, low: int, high: int, unit: Unit, *, rough: bool) -> Days:
    """Return the days meant by `low` to `high` units before `day` (after it, if negative): less sharp further off."""
    early, late = sorted((back(day, low, unit), back(day, high, unit)))
    spare = timedelta(_slack(max(abs(low), abs(high)), unit, rough=rough))
    return Days(start=early - spare, end=late + spare + timedelta(1))


def _slack(many: int, unit: Unit, *, rough: bool) -> int:
    match unit:
        case "week":
            slack = min(max(3, many), 15)
        case "month":
            slack = 15 if many <= 3 else 30
        case "year":
            slack = 90 if many == 1 else 180 if many <= 5 else 365
        case _:
            slack = 0 if many < 3 else 1 if many < 10 else min(many // 5, 15)
    return max(slack * 3 // 2, 1) if rough else slack
