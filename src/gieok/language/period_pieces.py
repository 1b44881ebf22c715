"""Pieces of a time expression, whatever the language, and what they mean together: 작년 + 5월 + 초, last + May."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from typing import Final

from gieok.language.period_days import Days, Which, days, feast, in_week, months, on_weekday, one_of, season, third

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
        return _of_a_month(piece, today)
    if piece.year is not None:
        return _in_year(piece, piece.year)
    return one_of(lambda year: _in_year(piece, year), piece.which, today)


def _of_a_month(piece: Piece, today: date) -> Days | None:
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


def _in_year(piece: Piece, year: int) -> Days:
    if piece.feast is not None:
        return feast(year, piece.feast)
    if piece.month is not None and piece.day is not None:
        return days(date(year, piece.month, piece.day))
    if piece.month is not None and piece.nth is not None:
        return _nth_week(months(year, piece.month), piece.nth)
    if piece.season is not None:
        whole = season(year, piece.season)
    else:
        whole = months(year, 1, 12) if piece.month is None else months(year, piece.month)
    return whole if piece.part is None else third(whole, piece.part)


def _nth_week(month: Days, nth: int) -> Days:
    assert month.start is not None
    assert month.end is not None
    if nth == -1:
        return days(month.end - timedelta(7), 7)
    return days(month.start + timedelta(7 * (nth - 1)), 7)
