"""The words that upkeep reads and writes with, and stretches of time in words: 3월 2일~3월 9일."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Final

from gieok.language.text import MONTHS

_DAY: Final = timedelta(days=1)
_WEEK: Final = 7
_WEEKS_SAID: Final = 8  #: longer stretches are told in months
_MONTH: Final = 30


@dataclass(frozen=True, slots=True)
class Feeling:
    """How a feeling is told."""

    was: str  #: 즐거워했다
    can_be: str  #: 즐거워할 (때도 있었다)
    noted: str  #: 즐거워함


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Sets of words by what they do."""

    when: frozenset[str]
    shifting: frozenset[str]
    filling: frozenset[str]
    helping: frozenset[str]
    negation: frozenset[str]
    light: frozenset[str]
    classes: Mapping[str, str]  #: "animal" → 동물
    english_classes: Mapping[str, str]
    feelings: Mapping[str, Feeling]


@cache
def words() -> Words:
    raw = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    sets = {name: frozenset(listed.split()) for name, listed in raw["reading"].items()}
    feelings = {name: Feeling(*forms) for name, forms in raw["feelings"].items()}
    return Words(**sets, classes=raw["classes"], english_classes=raw["english_classes"], feelings=feelings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The last so many days, and how that is said."""

    days: int
    korean: str  #: 최근 2주 동안
    english: str  #: in the last 2 weeks

    def start(self, now: datetime) -> datetime:
        return now - self.days * _DAY


def stretch(oldest: datetime, now: datetime) -> Stretch:
    """Return the shortest stretch up to `now`, in whole days, weeks or months, that holds `oldest`."""
    days = max(ceil((now - oldest) / _DAY), 1)
    weeks = ceil(days / _WEEK)
    return _stretch(days, weeks, ceil(days / _MONTH))


def stretch_after(since: datetime, now: datetime) -> Stretch | None:
    """Return the longest stretch up to `now` that does not reach back to `since`; None: not even a day."""
    days = int((now - since) / _DAY)
    return _stretch(days, days // _WEEK, days // _MONTH) if days > 0 else None


def _stretch(days: int, weeks: int, months: int) -> Stretch:
    """Return so many days where they are less than a week, so many weeks where they are few, else the months."""
    if days < _WEEK:
        length, korean, one, unit = days, f"{days}일", "하루", "day"
    elif weeks <= _WEEKS_SAID:
        days, length, korean, one, unit = weeks * _WEEK, weeks, f"{weeks}주", "일주일", "week"
    else:
        days, length, korean, one, unit = months * _MONTH, months, f"{months}개월", "한 달", "month"
    if length == 1:
        return Stretch(days=days, korean=f"최근 {one} 동안", english=f"in the last {unit}")
    return Stretch(days=days, korean=f"최근 {korean} 동안", english=f"in the last {length} {unit}s")


def day_of(moment: datetime, zone: tzinfo | None) -> date:
    return moment.astimezone(zone).date()


def day_said(day: date, *, korean: bool, year: int | None = None) -> str:
    """Return a day in words, with its year where that is not `year`."""
    if korean:
        said = f"{day.month}월 {day.day}일"
        return said if year is None or day.year == year else f"{day.year}년 {said}"
    said = f"{MONTHS[day.month - 1]} {day.day}"
    return said if year is None or day.year == year else f"{said}, {day.year}"


def days_said(first: date, last: date, *, korean: bool, year: int | None = None) -> str:
    """Return the days from `first` to `last` in words: one day, or both ends."""
    if first == last:
        return day_said(first, korean=korean, year=year)
    shared = first.year == last.year  # then the year is said once, where the language says it
    if korean:
        end = day_said(last, korean=True, year=first.year if shared else year)
        return f"{day_said(first, korean=True, year=year)}~{end}"
    start = day_said(first, korean=False, year=first.year if shared else year)
    return f"{start} – {day_said(last, korean=False, year=year)}"
