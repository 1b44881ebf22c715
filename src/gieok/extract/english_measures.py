"""Numbers, measures and dates as they are said: five foot two, 29th of Feb, seventy-three, 130 lbs."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

_INCH: Final = 2.54
_POUND: Final = 0.45359237
_STONE: Final = 14
_FEET_MARK: Final = re.compile(r"([4-7])'(\d{1,2})?")
_FEET_JOINED: Final = re.compile(r"(?<!\d)([4-7])\s?(?:ft|foot|feet)\s?(\d{0,2})")
_METRE_MARK: Final = re.compile(r"([12])m(\d{1,2})$|([12])[.,](\d{1,2})m?$")
_DIGITS: Final = re.compile(r"\d{1,4}(?:\.\d)?")
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?$")
_NUMERIC: Final = re.compile(r"(?:(?:19|20)\d\d[-/.])?(\d{1,2})[-/.](\d{1,2})$")
_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_TENS: Final = {"twenty": 20, "thirty": 30}
_LONGEST_MONTH: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@cache
def number_words(name: str) -> dict[str, int]:
    """Return the numbers that the rows of a table in `values.toml` name."""
    rows = (row.split() for row in _table(name).split(","))
    return {word: int(row[-1]) for row in rows for word in row[:-1]}


@cache
def _festivals() -> dict[str, str]:
    rows = (row.strip().rpartition(" ") for row in _table("festivals").split(","))
    return {name: day for name, _, day in rows}


def _table(name: str) -> str:
    raw = tomllib.loads(files(__package__).joinpath("values.toml").read_text(encoding="utf-8"))
    return " ".join(str(raw["english"][name]).split())


def parts_of(text: str) -> list[str]:
    """Return the lower-case words of `text`, hyphens taken apart where words are numbers."""
    parts: list[str] = []
    for part in text.casefold().split():
        bare = part.strip('.,!?()~"')
        halves = bare.split("-")
        numeral = len(halves) > 1 and all(half in number_words("numbers") for half in halves)
        parts += halves if numeral else [bare]
    return [part for part in parts if part]


def number_at(parts: list[str], i: int) -> tuple[int, int] | None:
    """Return the number at `i` and where it ends: twenty three, 27, a hundred and five."""
    if i >= len(parts):
        return None
    if parts[i].isdecimal() and len(parts[i]) <= 4:
        return int(parts[i]), i + 1
    words = number_words("numbers")
    if parts[i] not in words:
        return None
    number, end = words[parts[i]], i + 1
    if 20 <= number < 100 and end < len(parts) and 1 <= words.get(parts[end], 0) <= 9:
        return number + words[parts[end]], end + 1
    return number, end


def centimetres(text: str) -> int | None:
    """Return a height in centimetres: 5'11", five foot two, 1m68, 172 cm, 172."""
    low = _FEET_JOINED.sub(r"\1 ft \2", text.casefold().strip(" .,!~"))
    feet = _FEET_MARK.match(low)
    if feet is not None:
        return _from_feet(int(feet[1]), int(feet[2] or 0))
    parts = parts_of(low)
    metric = _METRE_MARK.match(parts[0]) if parts else None
    if metric is not None:
        return int(metric[1] or metric[3]) * 100 + int((metric[2] or metric[4]).ljust(2, "0"))
    first = number_at(parts, 0)
    if first is not None and first[1] < len(parts) and parts[first[1]] in ("foot", "feet", "ft"):
        inches = number_at(parts, first[1] + 1)
        return _from_feet(first[0], inches[0] if inches is not None else 0)
    digits = _DIGITS.match(low)
    return round(float(digits[0])) if digits is not None else first[0] if first is not None else None


def _from_feet(feet: int, inches: int) -> int | None:
    return round((feet * 12 + inches) * _INCH) if 3 <= feet <= 7 and inches < 12 else None


def kilos(text: str) -> str | None:
    """Return a weight in kilograms: 58 kilos, 130 lbs, 9 stone 4, 67.5."""
    parts = parts_of(text)
    if not parts:
        return None
    digits = _DIGITS.match(parts[0])
    counted = number_at(parts, 0)
    if digits is None and counted is None:
        return None
    amount = float(digits[0]) if digits is not None else float(counted[0]) if counted is not None else 0.0
    unit = parts[0][digits.end() :] if digits is not None else ""
    after = counted[1] if counted is not None else 1
    unit = unit or (parts[after] if after < len(parts) else "")
    if unit in ("lb", "lbs", "pound", "pounds"):
        amount *= _POUND
    elif unit in ("st", "stone"):
        rest = number_at(parts, after + 1)
        amount = (amount * _STONE + (rest[0] if rest is not None else 0)) * _POUND
    if not 25 <= amount <= 250:
        return None
    return (
        f"{amount:.1f}".removesuffix(".0")
        if unit not in ("lb", "lbs", "pound", "pounds", "st", "stone")
        else str(round(amount))
    )


def month_day(text: str) -> str | None:
    """Return a day of the year as 03-15: March 15th, the 29th of Feb, 3/15, Halloween."""
    parts = parts_of(text)
    joined = " ".join(parts)
    festival = next((name for name in sorted(_festivals(), key=len, reverse=True) if name in joined), None)
    for i, part in enumerate(parts):
        month = number_words("months").get(part)
        if month is not None:
            near = [parts[k] for k in (i + 1, i - 1, i - 2, i + 2) if 0 <= k < len(parts)]
            day = next((day for day in (_day(word) for word in near) if day), None)
            if day is not None:
                return _checked(month, day)
    for part in parts:
        numeric = _NUMERIC.match(part)
        if numeric is not None:
            return _checked(int(numeric[1]), int(numeric[2])) or _checked(int(numeric[2]), int(numeric[1]))
    return _festivals()[festival] if festival is not None else None


def _day(word: str) -> int | None:
    digits = _DAY.match(word)
    if digits is not None:
        return int(digits[1]) if 1 <= int(digits[1]) <= 31 else None
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    tens, _, ones = word.partition("-")
    if tens in _TENS and ones in _ORDINALS[:9]:
        return _TENS[tens] + _ORDINALS.index(ones) + 1
    return 30 if word == "thirtieth" else number_words("numbers").get(word)


def _checked(month: int, day: int) -> str | None:
    fits = 1 <= month <= 12 and 1 <= day <= _LONGEST_MONTH[month - 1]
    return f"{month:02d}-{day:02d}" if fits else None


def year_of_birth(text: str) -> str | None:
    """Return a year of birth: 1998, '86, ninety-eight, two thousand and four."""
    parts = parts_of(text.replace("'", " "))
    for i, part in enumerate(parts):
        if part.isdecimal() and len(part) == 4 and 1900 <= int(part) <= 2030:
            return part
        if part.isdecimal() and len(part) == 2:
            return _century(int(part))
        if parts[i : i + 2] == ["two", "thousand"]:
            ones = number_at(parts, i + 3 if parts[i + 2 : i + 3] == ["and"] else i + 2)
            return str(2000 + (ones[0] if ones is not None else 0))
        spoken = number_at(parts, i)
        if spoken is not None and 19 <= spoken[0] <= 20:
            second = number_at(parts, spoken[1])
            return str(spoken[0] * 100 + second[0]) if second is not None else None
        if spoken is not None and 30 <= spoken[0] <= 99:
            return str(1900 + spoken[0])
    return None


def _century(year: int) -> str:
    return str(year + (1900 if year > 25 else 2000))
