"""Days of the year as people write them: 3월 15일, 삼월 십오일, 시월 스무날, 3/15, 8.15, March 15."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gieok.language.numerals import read_number

_SAID = "[일이삼사오육륙칠팔구십]"
_KOREAN = re.compile(
    r"(?:(?<!\d)(?P<year>\d{4})년\s?)?"
    rf"(?:(?<!\d)(?P<month>\d{{1,2}})|(?<![가-힣])(?P<said_month>{_SAID}{{1,2}}|유|시))\s?월\s?"
    rf"(?:(?P<day>\d{{1,2}})|(?P<said_day>{_SAID}{{1,4}}))\s?일"
)
_MONTHS_BY_NAME = {"유": 6, "시": 10}
_DAYS_BY_NAME = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "열하루": 11, "열이틀": 12, "열사흘": 13, "열나흘": 14, "보름": 15, "열닷새": 15, "열엿새": 16, "열이레": 17,
    "열여드레": 18, "열아흐레": 19, "스무날": 20, "스무하루": 21, "스무이틀": 22, "스무사흘": 23, "스무나흘": 24,
    "스무닷새": 25, "스무엿새": 26, "스무이레": 27, "스무여드레": 28, "스무아흐레": 29,
}  # fmt: skip
_FIRST_DAYS = frozenset("하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레".split())  #: told from a span by 초
_NAMED = re.compile(
    r"(?<![\d가-힣])(?:(?P<month>\d{1,2})|(?P<said_month>유|시|[일이삼사오육칠팔구십]{1,2}))\s?월(?:의)?\s"
    rf"(?:(?P<first>초\s?)?(?P<day>{'|'.join(sorted(_DAYS_BY_NAME, key=len, reverse=True))})"
    r"|(?P<last>마지막\s?날|말일))"
    r"(?!\s?(?:동안|만에|전|후|뒤|간|넘게|째))"
)
_SLASHED = re.compile(
    r"(?<![\d./-])(?:(?P<year>\d{4}|\d{2})\s?(?P<mark>[./-])\s?)?"
    r"(?P<month>\d{1,2})\s?(?(mark)(?P=mark)|[/.])\s?(?P<day>\d{1,2})(?![\d/-]|\.\d)"
)
# 4.3 is as likely a grade, 3.14kg a weight: a dotted day has two digits and no unit.
_DOTTED = re.compile(r"\d{1,2}\.\d{2}(?!\d|\s?(?:[A-Za-z%]|배|점|도|킬로|키로|센티|미터|프로|퍼센트|억|만|초|톤|리터))")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH_NAME = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:.]\d|\w)"
_ENGLISH = (
    re.compile(rf"\b{_MONTH_NAME}\s+(?:the\s+)?{_DAY}(?:,?\s+(?P<year>\d{{4}})\b)?", re.IGNORECASE),
    re.compile(rf"(?<![\d/.])\b{_DAY}\s+(?:of\s+)?{_MONTH_NAME}(?:,?\s+(?P<year>\d{{4}})\b)?", re.IGNORECASE),
)
_LEAPING = 2  #: the month that is longer in some years
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthDay:
    """A day of the year, found in a text."""

    month: int
    day: int  #: valid for the month in a leap year
    start: int
    end: int
    year: int | None = None  #: only where four digits were written


def find_month_days(text: str) -> tuple[MonthDay, ...]:
    """Return the days named in `text`, in order; days that no calendar has (2월 30일) are left out."""
    found = sorted(_candidates(text), key=lambda day: (day.start, -day.end))
    kept: list[MonthDay] = []
    for day in found:
        if not kept or day.start >= kept[-1].end:
            kept.append(day)
    return tuple(kept)


def _candidates(text: str) -> Iterator[MonthDay]:
    for match in _KOREAN.finditer(text):
        yield from _valid(match, _month_said(match), _number(match["day"] or match["said_day"]))
    for match in _NAMED.finditer(text):
        month = _month_said(match)
        if match["last"] or match["first"] or match["day"] not in _FIRST_DAYS:
            yield from _valid(match, month, _last_of(month) if match["last"] else _DAYS_BY_NAME[match["day"]])
    for match in _SLASHED.finditer(text):
        dotted = "." in match.group() and match["year"] is None
        if not dotted or _DOTTED.match(text, match.start()):
            yield from _valid(match, int(match["month"]), int(match["day"]))
    for pattern in _ENGLISH:
        for match in pattern.finditer(text):
            yield from _valid(match, _MONTHS.index(match["name"][:3].lower()) + 1, int(match["day"]))


def _month_said(match: re.Match[str]) -> int:
    said = match["said_month"]
    return _MONTHS_BY_NAME.get(said) or _number(match["month"] or said)


def _last_of(month: int) -> int:
    return _LONGEST[month - 1] - (month == _LEAPING) if 1 <= month <= len(_LONGEST) else 0


def _number(said: str) -> int:
    return read_number(said) or 0


def _valid(match: re.Match[str], month: int, day: int) -> Iterator[MonthDay]:
    if 1 <= month <= 12 and 1 <= day <= _LONGEST[month - 1]:
        year = match.groupdict().get("year")
        yield MonthDay(
            month=month,
            day=day,
            start=match.start(),
            end=match.end(),
            year=int(year) if year and len(year) == 4 else None,
        )
