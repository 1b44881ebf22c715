"""Stretches of whole days: months, seasons, feasts, some time ago, and which of them is meant today."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Final, Literal, TypeAlias

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
    """Return the days meant by `low` to `high` units before `day` (after it, if negative): less sharp further off.

    A `low` of 0 means "some": all from one unit on.
    """
    if high and not low:
        early, late = sorted((back(day, 1 if high > 0 else -1, unit), back(day, high, unit)))
        return Days(start=early, end=late + timedelta(1))
    early, late = sorted((back(day, low, unit), back(day, high, unit)))
    spare = timedelta(_slack(max(abs(low), abs(high)), unit, rough=rough))
    return Days(start=early - spare, end=late + spare + timedelta(1))


def lately(day: date, many: int, unit: Unit) -> Days:
    """Return the last `many` units up to `day`, or the next ones from it on, if negative."""
    early, late = sorted((day, back(day, many, unit)))
    return Days(start=early, end=late + timedelta(1))


def open_side(side: str, whole: Days) -> Days | None:
    """Return what lies "before", "until", "since" or "after" `whole`."""
    openings = {
        "before": Days(start=None, end=whole.start),
        "until": Days(start=None, end=whole.end),
        "since": Days(start=whole.start, end=None),
        "after": Days(start=whole.end, end=None),
    }
    return openings.get(side)


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


_GAP: Final = re.compile(r"\s{0,3}|(?:의|에|,)\s{1,2}|\s?(?:of|in|on)\s(?:the\s)?|['’]s\s|-")
_TOGETHER: Final = tuple(
    frozenset(words.split())
    for words in (
        "span", "year", "year part", "month", "year month", "month part", "year month part", "month day",
        "year month day", "month nth", "year month nth", "season year", "season which", "season year part",
        "season which part", "feast", "feast year", "feast which", "week", "week weekday", "which weekday",
        "which month", "which month part", "which month day", "which month nth", "which day",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something said about a time, from `at` to `to` of the text."""

    at: int
    to: int
    weak: bool = False  #: may be another word altogether, unless something beside it makes it a time
    span: Days | None = None  #: settled already
    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: int | None = None  #: 0 early, 1 middle, 2 late; 3 and 4 the halves
    nth: int | None = None  #: week of a month, from 1; -1 is the last
    season: int | None = None
    feast: str | None = None
    week: int | None = None  #: from this one
    weekday: int | None = None  #: 7 is the weekend
    which: Which | None = None

    @property
    def said(self) -> frozenset[str]:
        """Names of what is said."""
        return frozenset(name for name in _SAYING if getattr(self, name) is not None)

    @property
    def floats(self) -> bool:
        """Whether the year was left open."""
        return self.span is None and not self.said & {"year", "which", "week"}


Reader = Callable[[re.Match[str], datetime], Piece | None]
#: What a piece looks like, and how it is read at a moment of the user's local time; of two as long the earlier holds.
Sources = Sequence[tuple[str, Reader]]


def piece(match: re.Match[str], **said: Any) -> Piece:
    """Return what is `said` where `match` stands."""
    return Piece(at=match.start(), to=match.end(), **said)


@cache
def compiled(sources: Sources) -> list[tuple[re.Pattern[str], Reader]]:
    """Return `sources` with their patterns compiled; case makes no difference."""
    # Where case counts, the range of Hangul compiles in a fraction of the time; it has no case.
    return [(re.compile(source.replace("[가-힣]", "(?-i:[가-힣])"), re.IGNORECASE), read) for source, read in sources]


_SAYING: Final = tuple(each.name for each in fields(Piece) if each.name not in ("at", "to", "weak"))


def sifted(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield, in order, the pieces that do not overlap; of two at one place the longer, of equals the earlier."""
    end = 0
    for piece in sorted(pieces, key=lambda piece: (piece.at, -piece.to)):
        if piece.at >= end:
            end = piece.to
            yield piece


def put_together(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the whole expressions that neighbouring `pieces` make, leaving out what says no time by itself."""
    whole: Piece | None = None
    for piece in pieces:
        joined = whole and _joined(text, whole, piece)
        if whole and not joined and _stands(whole):
            yield whole
        whole = joined or piece
    if whole and _stands(whole):
        yield whole


def _stands(whole: Piece) -> bool:
    return whole.said in _TOGETHER and not whole.weak


def _joined(text: str, before: Piece, after: Piece) -> Piece | None:
    """Return both as one; last and this look only at the very next word."""
    gap = text[before.to : min(after.at, before.to + 12)]
    said = before.said | after.said
    if before.said & after.said or not any(said <= whole for whole in _TOGETHER) or not _GAP.fullmatch(gap):
        return None
    if after.which or (before.said == {"which"} and gap.strip()):
        return None
    own = {name: getattr(after, name) for name in after.said}
    return replace(before, to=after.to, weak=False, **own)


def meant(piece: Piece, today: date) -> Days | None:
    """Return the days that a whole expression means on `today`, or None where no calendar has them."""
    try:
        return _meant(piece, today)
    except (ValueError, OverflowError):
        return None


def _meant(piece: Piece, today: date) -> Days | None:
    if piece.span is not None:
        return piece.span
    if piece.week is not None:
        return in_week(piece.week, piece.weekday, today)
    if piece.weekday is not None and piece.which is not None:
        return on_weekday(piece.weekday, piece.which, today)
    if piece.said == {"which", "day"}:
        assert piece.day is not None
        back = {"last": (0, -1, -2), "this": (0,), "next": (1,), "coming": (0, 1, 2)}[piece.which or "this"]
        for offset in back:
            index = today.year * 12 + today.month - 1 + offset
            try:
                day = date(index // 12, index % 12 + 1, piece.day)
            except ValueError:
                continue
            if (piece.which != "last" or day < today) and (piece.which != "coming" or day > today):
                return days(day)
        return None
    if piece.year is not None:
        return _in_year(piece, piece.year)
    return one_of(lambda year: _in_year(piece, year), piece.which, today)


def _in_year(piece: Piece, year: int) -> Days:
    if piece.feast is not None:
        return feast(year, piece.feast)
    if piece.month is not None and piece.day is not None:
        return days(date(year, piece.month, piece.day))
    if piece.month is not None and piece.nth is not None:
        month = months(year, piece.month)
        assert month.start is not None
        assert month.end is not None
        if piece.nth == -1:
            return days(month.end - timedelta(7), 7)
        return days(month.start + timedelta(7 * (piece.nth - 1)), 7)
    if piece.season is not None:
        whole = season(year, piece.season)
    else:
        whole = months(year, 1, 12) if piece.month is None else months(year, piece.month)
    return whole if piece.part is None else third(whole, piece.part)
