"""Numbers, measures and dates as they are said: five foot two, 29th of Feb, seventy-three, 130 lbs."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from gieok.language.data_files import data_file
from gieok.language.numerals import find_month_days

_INCH: Final = 2.54
_POUND: Final = 0.45359237
_STONE: Final = 14
_FEET: Final = re.compile(r"([3-7])[\s-]?(?:'|ft|foot|feet)\s?(\d{0,2})")
_METRES: Final = re.compile(r"([12])(?:m|[.,])(\d{1,2})m?$")
_AMOUNT: Final = re.compile(r"\d{1,4}(?:\.\d)?")
_WEIGHT: Final = re.compile(r"(\d{1,4}(?:\.\d)?)\s?(?:(lbs?|pounds?)\b|(st|stone)\b\s?(\d{1,2})?)?")
_OF: Final = re.compile(r"\s(?:in|o'?)\s")
_NUMERIC: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})$")
_YEAR: Final = re.compile(r"\b(?:(19\d\d|20[0-3]\d)|(19|20) (\d{1,2})|(2) thousand(?: and)?(?: (\d{1,2}))?|(\d\d))\b")
_TENS: Final = "twenty thirty forty fourty fifty sixty seventy eighty ninety".split()


@cache
def _table(name: str) -> dict[str, str]:
    """Return what the words of a table in `values.toml` stand for."""
    rows = (row.split() for row in data_file("values.toml", "gieok.extract")["english"][name].split(","))
    return {" ".join(row[:-1]): row[-1] for row in rows}


@cache
def _spoken() -> re.Pattern[str]:
    words = sorted(_table("numbers"), key=len, reverse=True)
    ones = "|".join(word for word in words if 1 <= int(_table("numbers")[word]) <= 9)
    return re.compile(rf"\b(?:({'|'.join(_TENS)})[\s-]({ones})|({'|'.join(words)}))\b")


def in_figures(text: str) -> str:
    """Return `text` in lower case with the numbers that it spells out in figures: 5 foot 2 of "Five foot two"."""

    def figures(word: re.Match[str]) -> str:
        return str(sum(int(_table("numbers")[part]) for part in word.groups() if part))

    return _spoken().sub(figures, text.casefold().replace("’", "'"))


def centimetres(text: str) -> int | None:
    """Return a height in centimetres: 5'11", five foot two, 1m68, 172 cm, 172."""
    said = in_figures(text).strip(" .,!~")
    if feet := _FEET.match(said):
        inches = int(feet[2] or 0)
        return round((int(feet[1]) * 12 + inches) * _INCH) if inches < 12 else None
    if metres := _METRES.match(said):
        return int(metres[1]) * 100 + int(metres[2].ljust(2, "0"))
    amount = _AMOUNT.match(said)
    return round(float(amount[0])) if amount else None


def kilos(text: str) -> str | None:
    """Return a weight in kilograms: 58 kilos, 130 lbs, 9 stone 4, 67.5."""
    said = _WEIGHT.match(in_figures(text).strip())
    if said is None:
        return None
    pounds = float(said[1]) * _STONE + int(said[4] or 0) if said[3] else float(said[1])
    amount = pounds * _POUND if said[2] or said[3] else pounds
    if not 25 <= amount <= 250:
        return None
    return str(round(amount)) if said[2] or said[3] else f"{amount:.1f}".removesuffix(".0")


def month_day(text: str) -> str | None:
    """Return a day of the year as 03-15: March 15th, the 29th of Feb, 3/15, Halloween."""
    said = _OF.sub(" ", in_figures(text).strip(" .,!?~"))
    figures = _NUMERIC.search(said)
    pair = figures.groups() if figures else ()
    for written in (said, "/".join(pair), "/".join(reversed(pair))):
        if days := find_month_days(written):
            return f"{days[0].month:02d}-{days[0].day:02d}"
    feast = max((name for name in _table("festivals") if name in said), key=len, default=None)
    return _table("festivals")[feast] if feast else None


def year_of_birth(text: str) -> str | None:
    """Return a year of birth: 1998, '86, ninety-eight, two thousand and four."""
    said = _YEAR.search(in_figures(text))
    if said is None:
        return None
    if said[4]:
        return str(2000 + int(said[5] or 0))
    if said[6]:
        return str(int(said[6]) + (1900 if int(said[6]) > 25 else 2000))
    return said[1] or str(int(said[2]) * 100 + int(said[3]))
