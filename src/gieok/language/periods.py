"""When a question asks about: 지난주에, 작년 여름, the week before 9 June 2023, as windows of time.

A window says when something was said or true. Vague words (며칠 전, recently) get a generous one; a month, day or feast
without a year is the latest that has begun. Durations, ages and how often something happens are no windows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from gieok.language.dates import find_month_days
from gieok.language.period_days import EARLIEST, LATEST, Days, days, in_week
from gieok.language.period_pieces import Piece, meant, put_together, sifted
from gieok.language.periods_english import english_pieces, related
from gieok.language.periods_korean import korean_pieces

_LONGEST: Final = 2000  #: a question that is longer tells more than it asks
_HANGUL: Final = re.compile("[가-힣]")
_TO: Final = re.compile(r"\s?(?:부터|에서|[~–-])\s?|\s(?:to|through|until|till)\s(?:the\s)?")
_AND: Final = re.compile(r"\s?(?:과|와|이?랑|하고)\s|\sand\s(?:the\s)?")
_BETWEEN: Final = re.compile(r"\bbetween\s(?:the\s)?$", re.IGNORECASE)
_SIDE: Final = re.compile(
    r"\s?(?:(?P<eve>전날)|(?P<morrow>다음\s?날)|(?P<week>전\s?주)(?![가-힣])"
    r"|(?P<before>이?전)(?:에는?|까지|엔|의)?(?!\w)|(?P<since>이후|부터)|(?P<after>[후뒤])(?:에는?|로|부터)?(?!\w)|(?P<until>까지))"
)
_EVERY: Final = re.compile(r"(?:매년|매해|해마다|every)\s$", re.IGNORECASE)
_ON: Final = re.compile(
    r"\b(?:on|since|before|after|until|till|by|from|to|of|between|last)\s(?:the\s)?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time that a text asks about."""

    start: datetime | None  #: aware; None: open
    end: datetime | None  #: aware, not included; None: open
    text: str  #: as it was said


def asked_periods(text: str, now: datetime, zone: tzinfo) -> tuple[Period, ...]:
    """Return the windows that `text` asks about at `now`, in the order they are said; days begin where `zone` is."""
    local = now.astimezone(zone)
    if not 1100 <= local.year <= 8800:
        return ()  # 999년 전 must still be in the calendar
    text = text[:_LONGEST]
    found = []
    for whole, at, to in _windows(text, local):
        start, end = (_midnight(day, zone) for day in (whole.start, whole.end))
        found.append(Period(start=start, end=end, text=text[at:to].strip()))
    return tuple(dict.fromkeys(found))


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), zone)


def _windows(text: str, now: datetime) -> Iterator[tuple[Days, int, int]]:
    today = now.date()
    said = list(put_together(text, sifted(_pieces(text, now))))
    index = 0
    while index < len(said):
        first, second = said[index], said[index + 1] if index + 1 < len(said) else None
        if second and (end := _range_end(text, first, second)):
            index += 2
            spans = _from_to(first, second, today)
            if spans:
                yield spans, first.at, end
            continue
        index += 1
        whole = meant(first, today)
        if whole is not None and not _EVERY.search(text[max(0, first.at - 8) : first.at]):
            yield _beside(text, first, whole)


def _pieces(text: str, now: datetime) -> Iterator[Piece]:
    for day in find_month_days(text):
        if _is_day(text, day.start, day.end):
            year = day.year if day.year and EARLIEST <= day.year <= LATEST else None
            if year == day.year:
                yield Piece(at=day.start, to=day.end, year=year, month=day.month, day=day.day)
    if _HANGUL.search(text):
        yield from korean_pieces(text, now)
    yield from english_pieces(text, now)


def _is_day(text: str, start: int, end: int) -> bool:
    """5/7 may be a fraction, "may 7" and "march 15" a modal and a walk: unless something before or after says no."""
    said, before = text[start:end], text[max(0, start - 20) : start]
    if re.search(r"\d{4}|월", said):
        return True
    if not re.search("[A-Za-z]", said):
        return bool(_ON.search(before) or re.match(r"에(?!\s?[한두\d])|날|부터|까지|\s이[전후]", text[end : end + 4]))
    return not re.search(r"\b(?:may|march)\b", said) or bool(_ON.search(before)) or bool(re.search("st|nd|rd|th", said))


def _range_end(text: str, first: Piece, second: Piece) -> int | None:
    """Return where "from the one to the other" ends, if that is what stands there."""
    gap, after = text[first.to : min(second.at, first.to + 12)], text[second.to : second.to + 6]
    closed = re.match(r"\s?(?:까지|사이)", after)
    if first.to + len(gap) != second.at:
        return None
    if _TO.fullmatch(gap) and (closed or not gap.startswith("에서")):
        return second.to + (closed.end() if closed else 0)
    if _AND.fullmatch(gap) and (closed or _BETWEEN.search(text[max(0, first.at - 15) : first.at])):
        return second.to + (closed.end() if closed else 0)
    return None


def _from_to(first: Piece, second: Piece, today: date) -> Days | None:
    """Return both and all between; a year said once holds for both."""
    late = meant(second, today)
    early = meant(first, today)
    if early is None or late is None or early.start is None or late.end is None:
        return None
    if first.floats:
        early = _not_after(first, late) or early
    elif second.floats:
        late = _not_before(second, early) or late
    if early.start is None or late.end is None or early.start >= late.end:
        return None
    return Days(start=early.start, end=late.end)


def _not_after(piece: Piece, late: Days) -> Days | None:
    assert late.end is not None
    last = late.end - timedelta(1)
    tried = (meant(replace(piece, year=year), last) for year in (last.year, last.year - 1))
    return next((early for early in tried if early and early.start and early.start <= last), None)


def _not_before(piece: Piece, early: Days) -> Days | None:
    assert early.start is not None
    tried = (meant(replace(piece, year=year), early.start) for year in (early.start.year, early.start.year + 1))
    return next((late for late in tried if late and late.end and late.end > early.start), None)


def _beside(text: str, piece: Piece, whole: Days) -> tuple[Days, int, int]:
    """Return `whole`, or what 이전, 부터, before, "the week after" … beside it make of it."""
    if (side := _SIDE.match(text, piece.to)) and (made := _sided(side.lastgroup or "", whole)):
        return made, piece.at, side.end()
    if made_at := related(text[max(0, piece.at - 60) : piece.at], whole):
        return made_at[0], max(0, piece.at - 60) + made_at[1], piece.to
    return whole, piece.at, piece.to


def _sided(side: str, whole: Days) -> Days | None:
    if whole.start is None or whole.end is None:
        return None
    match side:
        case "eve":
            return days(whole.start - timedelta(1))
        case "morrow":
            return days(whole.end)
        case "week":
            return in_week(-1, None, whole.start)
    openings = {
        "before": Days(start=None, end=whole.start),
        "until": Days(start=None, end=whole.end),
        "since": Days(start=whole.start, end=None),
        "after": Days(start=whole.end, end=None),
    }
    return openings.get(side)
