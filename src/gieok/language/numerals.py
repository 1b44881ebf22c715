"""Numbers as they are said: 스물다섯, 이십오, 25, 만 3천.

일, 이, 사, 오, 열, 세 are everyday syllables first and numerals second. In running text a short Korean
numeral counts as a number only before a counter (오 년, 세 마리); a longer one where its word ends with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from gieok.language.data_files import WordSets, data_file

_SETS = WordSets("word_sets.toml", "numerals")

_TABLES: Final = data_file("numbers_and_times.toml")["numerals"]
_BOTH: Final[str] = _TABLES["both"]
_SINO_ONLY: Final[str] = _TABLES["sino_only"]
_NATIVE_ONLY = "째"
_PARTICLES: Final[str] = _TABLES["particles"]
_COPULA = (
    r"이?(?:야|에요|예요|여요|였[가-힣]*|고요?|거든요?|니까요?|니깐|지요?|죠|네요?|래요?|라서|라고[가-힣]*|라|던데|면|며|란|다)"
    r"|이었[가-힣]*|인데요?|인가요?|인지|입니다|임|인|[됐된되][가-힣]*"
)
ALSO_WORDS: Final = frozenset(_TABLES["also_words"].split())
MISREAD_WITH_COUNTER: Final = frozenset(_TABLES["misread_with_counter"].split())
_DIGITS = (
    {"영": 0, "공": 0} | {syllable: value for value, syllable in enumerate("일이삼사오육칠팔구", start=1)} | {"륙": 6}
)
_TENS: Final[dict[str, int]] = _TABLES["tens"]
_ONES: Final[dict[str, int]] = _TABLES["ones"]
_SAYINGS = {"반오십": 25, "반백": 50}
_MYRIADS = (("조", 10**12), ("억", 10**8), ("만", 10**4))
_ARABIC = re.compile(r"\d{1,15}|\d{1,3}(?:,\d{3}){1,4}")
_FIGURE = rf"[{''.join(_DIGITS)}]|\d{{1,4}}"
_UNDER_MYRIAD = re.compile(
    rf"(?:(?P<thousand>{_FIGURE})?(?P<t>천))? ?(?:(?P<hundred>{_FIGURE})?(?P<h>백))? ?"
    rf"(?:(?P<ten>{_FIGURE})?(?P<d>십))? ?(?P<one>{_FIGURE})?"
)
_NATIVE = re.compile(rf"(?P<hundred>백)? ?(?P<ten>{'|'.join(_TENS)})? ?(?P<one>{'|'.join(_ONES)})?")
_NEEDS_COUNTER = re.compile(r"(?:.*[^하])?(?:[한두세네열쉰]|스무)|.")
_SINO = re.compile(r"[일이삼사오육륙칠팔구영공십백천만억조 ]+")
_YEAR_BY_DIGITS = re.compile(rf"(?<![가-힣])([{''.join(_DIGITS)}]{{4}}|[{''.join(_DIGITS)}]{{2}})(?=년생|학번)")


@cache
def sino_counter() -> re.Pattern[str]:
    """Match what 일, 이, 삼 count, blank before it included."""
    return _any_of(f"{_BOTH} {_SINO_ONLY}")


@cache
def native_counter() -> re.Pattern[str]:
    """Match what 한, 두, 세 count, blank before it included."""
    return _any_of(f"{_BOTH} {_NATIVE_ONLY}")


@cache
def rest_of_word() -> re.Pattern[str]:
    """Match what may stand between a number or its counter and the end of the word."""
    particles = "|".join(_PARTICLES.split())
    return re.compile(rf"(?:{particles}|{_COPULA})*+(?![가-힣])")


def _any_of(words: str) -> re.Pattern[str]:
    longest_first = sorted(words.split(), key=len, reverse=True)
    return re.compile(rf" ?(?:{'|'.join(longest_first)})")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNumber:
    """A number said in a text, without its counter."""

    value: int
    start: int
    end: int


def read_number(text: str) -> int | None:
    """Return the number that the whole of `text` says, or None if it says something else."""
    said = re.sub(r"\s+", " ", text[:64]).strip()
    if len(text) > 64 or not said:
        return None
    if _ARABIC.fullmatch(said):
        return int(said.replace(",", ""))
    if said in _SAYINGS:
        return _SAYINGS[said]
    native = _read_native(said)
    return native if native is not None else _read_sino(said)


def find_numbers(text: str) -> tuple[FoundNumber, ...]:
    """Return the whole numbers said in `text`, in order; what may well be another word is left out."""
    by_digits = {match.start(): match for match in _YEAR_BY_DIGITS.finditer(text)}
    found = []
    for match in _candidate().finditer(text):
        if year := by_digits.get(match.start()):
            value = int("".join(str(_DIGITS[syllable]) for syllable in year.group()))
            found.append(FoundNumber(value=value, start=year.start(), end=year.end()))
            continue
        for start, end in _readings(match):
            value_there = read_number(text[start:end])
            if value_there is not None and _is_meant(text, start, end):
                found.append(FoundNumber(value=value_there, start=start, end=end))
                break
    return tuple(found)


@cache
def _candidate() -> re.Pattern[str]:
    """Match stretches that may hold a number; bounded, so that a line of numerals stays cheap to try."""
    digits = "".join(_DIGITS)
    said = rf"반오십|반백|{'|'.join([*_TENS, *_ONES])}|[{digits}십백천만억조]"
    return re.compile(
        rf"(?<![가-힣\d])(?:{said})(?: ?(?:{said}|\d{{1,4}}(?=[천백십만]))){{0,15}}"
        r"|(?<![\d.,A-Za-z])(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?!\d|[.,]\d)"
        rf"(?:[십백천만억조](?: ?(?:[{digits}십백천만억]|\d{{1,4}}(?!\d))){{0,15}})?"
    )


def _read_native(said: str) -> int | None:
    match = _NATIVE.fullmatch(said)
    if match is None or not (match["ten"] or match["one"]):
        return None
    return 100 * bool(match["hundred"]) + _TENS.get(match["ten"], 0) + _ONES.get(match["one"], 0)


def _read_sino(said: str) -> int | None:
    total, rest = 0, said
    for name, size in _MYRIADS:
        head, here, tail = rest.partition(name)
        if not here:
            continue
        many = _read_under_myriad(head.strip()) if head.strip() else (1 if name == "만" else None)
        if many is None or (not head.strip() and not (not tail.strip() or "천" in tail or "백" in tail)):
            return None
        total, rest = total + many * size, tail.strip()
    if not rest and total:
        return total
    last = _read_under_myriad(rest)
    return None if last is None else total + last


def _read_under_myriad(said: str) -> int | None:
    if said.isdecimal() and said.isascii():
        return int(said) if len(said) <= 4 else None
    match = _UNDER_MYRIAD.fullmatch(said)
    if match is None or not said:
        return None
    total, floor = 0, 10_000
    for figure, sign, size in (("thousand", "t", 1000), ("hundred", "h", 100), ("ten", "d", 10)):
        if match[sign]:
            total, floor = total + _figure(match[figure] or "일") * size, size
    ones = _figure(match["one"]) if match["one"] else 0
    return total + ones if ones < floor else None


def _figure(said: str) -> int:
    return _DIGITS[said] if said in _DIGITS else int(said)


def _readings(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans a candidate may be read as: the longest first, then without a leading 만 (of ages)."""
    said = match.group()
    starts = [0]
    if said.startswith("만") and len(said) > 1:
        starts.append(len(said) - len(said[1:].lstrip()))
    for start in starts:
        for end in range(len(said), start, -1):
            if not said[end - 1].isspace():
                yield match.start() + start, match.start() + end


def _is_meant(text: str, start: int, end: int) -> bool:
    """Say whether the well-formed numeral at `start`–`end` is meant as a number where it stands."""
    said = text[start:end]
    if said[0].isdigit():
        return True
    sino = _SINO.fullmatch(said) is not None
    counter = (sino_counter() if sino else native_counter()).match(text, end)
    if counter and rest_of_word().match(text, counter.end()):
        return said + counter.group().strip() not in MISREAD_WITH_COUNTER
    if _NEEDS_COUNTER.fullmatch(said) or said in ALSO_WORDS:
        return False
    return rest_of_word().match(text, end) is not None


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
        if match["last"] or match["first"] or match["day"] not in _SETS.first_days:
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
