"""What time has made of a memory: ages, school years and pregnancies move on, and a day of the year returns."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from gieok.domain.memory import Memory
from gieok.language.numerals import find_month_days
from gieok.words import Language, Words, words_in

_YEAR: Final = 365.25  #: days
_WEEKS: Final = 42  #: of a pregnancy, at most
_AHEAD: Final = 7  #: days in which a day that returns every year is pointed out
_BEFORE: Final = {"초": 0, "중": 6, "고": 9}  #: school years before a Korean school
_LAST_GRADE: Final = 12
_GRADE: Final = re.compile(r"(초|중|고)(?:등학교|학교|등)?\s?(\d)(?:학년)?|(\d{1,2})(?:st|nd|rd|th)[- ]grade(?:r)?")
_PREGNANT: Final = re.compile(r"임신\s?(\d{1,2})\s?주|(\d{1,2}) weeks pregnant", re.IGNORECASE)
_PREGNANCY: Final = frozenset({"임신", "pregnant", "pregnancy"})
_RETURNS: Final = re.compile(r"기념일|anniversary", re.IGNORECASE)
_MONTH_DAY: Final = re.compile(r"(\d\d)-(\d\d)")


def now_words(memory: Memory, now: datetime, language: Language) -> str:
    """Return what has become of what `memory` says by `now` ("지금은 27살쯤"); "" where time changes nothing in it."""
    if memory.polarity == "-" or memory.invalid_at is not None:
        return ""
    words = words_in(language)
    days = (now - memory.valid_at).days
    if memory.attribute == "age":
        years = int(days / _YEAR)
        known = memory.value is not None and memory.value.isdigit()
        return words("context.passage.age", age=int(memory.value or 0) + years) if known and years > 0 else ""
    if memory.attribute != "birthday" and not _passes(memory.surface, memory.value, memory.content):
        return ""
    return _school(memory, now, words) or _pregnancy(memory, days, words) or _returning(memory, now, words)


@lru_cache(maxsize=4096)  # a context looks at dozens of memories, and the next one at most of them again
def _passes(surface: str | None, value: str | None, content: str) -> bool:
    """Whether a school year, a pregnancy or a day that returns may be meant."""
    said = f"{surface} {content} {value}".lower()
    grades = (_GRADE.fullmatch(text) for text in (surface, value) if text)
    return any(grades) or any(word in said for word in ("임신", "pregnan", "기념일", "anniversary"))


def _school(memory: Memory, now: datetime, words: Words) -> str:
    for text in filter(None, (memory.surface, memory.value)):
        named = _GRADE.fullmatch(text)
        if named is None:
            continue
        grade, starts = (_BEFORE[named[1]] + int(named[2]), 3) if named[1] else (int(named[3]), 9)
        told = memory.valid_at.astimezone(now.tzinfo)
        years = (now.year - (now.month < starts)) - (told.year - (told.month < starts))
        if years <= 0:
            return ""
        if grade + years > _LAST_GRADE:
            return words("context.passage.left_school")
        return words("context.passage.grade", grade=_grade(grade + years, words))
    return ""


def _grade(grade: int, words: Words) -> str:
    if words.language == "en":
        return str(grade)
    school = max((each for each in _BEFORE if _BEFORE[each] < grade), key=_BEFORE.__getitem__)
    return f"{school}{grade - _BEFORE[school]}"


def _pregnancy(memory: Memory, days: int, words: Words) -> str:
    told = _PREGNANT.search(f"{memory.surface or ''} {memory.content}")
    if told is None and (memory.value or "").lower() not in _PREGNANCY:
        return ""
    weeks = (int(told[1] or told[2]) if told is not None else 0) + days // 7
    if weeks >= _WEEKS:
        return words("context.passage.born")
    return words("context.passage.weeks", weeks=weeks) if told is not None and days >= 7 else ""


def _returning(memory: Memory, now: datetime, words: Words) -> str:
    """Return how soon a birthday or an anniversary returns, within a week."""
    day = _MONTH_DAY.fullmatch(memory.value or "") if memory.attribute == "birthday" else None
    if day is not None:
        month, date_of_month = int(day[1]), int(day[2])
    elif _RETURNS.search(memory.content) and (named := find_month_days(memory.content)):
        month, date_of_month = named[0].month, named[0].day
    else:
        return ""
    week = (now.date() + timedelta(days=days) for days in range(_AHEAD + 1))
    days = next((days for days, day in enumerate(week) if _is_day(day, month, date_of_month)), None)
    if days is None:
        return ""
    when = {0: "today", 1: "tomorrow"}.get(days, "soon")
    return words(f"context.passage.{when}", days=days)


def _is_day(day: date, month: int, date_of_month: int) -> bool:
    """Whether `day` is that day of the year; the 29th of February is the 28th where there is none."""
    leap = month == 2 and date_of_month == 29 and (day + timedelta(days=1)).month == 3
    return day.month == month and (day.day == date_of_month or leap)
