"""When a question asks about: 지난주에, 작년 여름, the week before 9 June 2023, as windows of time.

A window says when something was said or true. Vague words (며칠 전, recently) get a generous one; a month, day or feast
without a year is the latest that has begun. Durations, ages and how often something happens are no windows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final

from gieok.language.data_files import WordSets, data_file
from gieok.language.numerals import find_month_days
from gieok.language.period_parts import (
    EARLIEST,
    LATEST,
    Days,
    Piece,
    Sources,
    Unit,
    Which,
    around,
    back,
    compiled,
    days,
    in_week,
    lately,
    meant,
    months,
    on_weekday,
    open_side,
    piece,
    put_together,
    shifted,
    sifted,
)
from gieok.language.periods_korean import KOREAN

_SETS: Final = WordSets("word_sets.toml", "periods")

_TABLES: Final = data_file("numbers_and_times.toml")["english"]
_DAYS: Final[dict[str, tuple[int, int]]] = {word: (first, second) for word, (first, second) in _TABLES["days"].items()}
_NUMBERS: Final[dict[str, int]] = _TABLES["numbers"]
_MANY: Final[dict[Unit, int]] = {"day": 10, "week": 8, "month": 12, "year": 10}
_WHICH: Final[dict[str, Which]] = _TABLES["which"]
_OFFSETS: Final[dict[str, int]] = _TABLES["offsets"]
_SEASONS: Final[dict[str, int]] = _TABLES["seasons"]
_PARTS: Final[dict[str, int]] = _TABLES["parts"]
_NTH: Final[dict[str, int]] = _TABLES["nth"]
_FEASTS: Final[dict[str, str]] = _TABLES["feasts"]
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WEEKDAYS: Final = "mon tue wed thu fri sat sun".split()
WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_NUMBER = (
    rf"(?:\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
    r"|(?:a\s)?(?:couple(?:\sof)?|few)|several|some|half\sa)"
)
_UNIT = r"(?P<unit>day|week|month|year)s?"
_BEFORE_MONTH = re.compile(
    r"\b(?:in|last|next|early|mid|late|since|during|over|past|around|(?:end|start|beginning|middle|month|week|half)\sof|in\s\w{1,10}\sand)[\s-]\s?$",
    re.IGNORECASE,
)
_BEFORE_PROPER = re.compile(
    r"\b(?:this|before|after|until|till|by|of|from|between|(?:between|from)\s\w{1,10}\s(?:\d{4}\s)?(?:and|to|through|until))\s$",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    r"\b(?:in|during|since|before|after|until|till|by|from|between|around|early|mid|late|of|year|my|the|our|your"
    r"|(?:between|from)\s(?:\w{1,10}\s)?\d{4}\s(?:and|to|through|until))[\s-](?:the\syear\s)?$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s?(?:[%$€₩°]|(?:steps?|won|dollars?|bucks|euros?|pounds|km|kilometers|kilometres|met(?:er|re)s|m|miles|kcal|calories|words|people|times"
    r"|days|weeks|months|years|hours|minutes|pages|points|followers|subscribers|books|photos|songs|kg|grams|ml)\b)|[\d.,:/-]\d",
    re.IGNORECASE,
)


def _day(match: re.Match[str], now: datetime) -> Piece:
    offset, length = _DAYS[_plain(match["word"])]
    return piece(match, span=days(now.date() + timedelta(offset), length))


def _plain(word: str) -> str:
    return re.sub(r"\s+", " ", word.replace("’", "'")).lower()


def counted(number: str, unit: str) -> tuple[int, int, Unit]:
    """Return the least and the most that "two weeks" means, and of what; the least is 0 for "a few days"."""
    said, one = _plain(number), _UNITS[unit.lower()]
    if said.startswith("half"):
        return (6, 6, "month") if one == "year" else (1, 1, one)
    if "couple" in said:
        return 2, 3, one
    many = _NUMBERS.get(said) or (int(said) if said.isdigit() else 0)
    return (many, many, one) if many else (0, _MANY[one], one)


_UNITS: Final[dict[str, Unit]] = {"day": "day", "week": "week", "month": "month", "year": "year"}


def distant(day: date, number: str, unit: str, *, sign: int, rough: bool = False, half: bool = False) -> Days:
    """Return the days "two weeks" before `day` (`sign` 1) or after it (-1)."""
    low, high, one = counted(number, unit)
    return around(day, sign * low, sign * (high + half), one, rough=rough or half or low != high)


def _ago(match: re.Match[str], now: datetime) -> Piece:
    number, unit = match["number"], match["unit"].lower()
    sign = 1 if match["way"].lower() in ("ago", "back") else -1
    if unit == "hour":
        many = _NUMBERS.get(number.lower()) or (int(number) if number.isdigit() else 1)
        return piece(match, span=days((now - timedelta(hours=sign * many)).date()))
    span = distant(now.date(), number, unit, sign=sign, rough=bool(match["about"]), half=bool(match["half"]))
    return piece(match, span=span)


def _lately(match: re.Match[str], now: datetime) -> Piece:
    _, many, unit = counted(match["number"] or "one", match["unit"])
    return piece(match, span=lately(now.date(), many, unit))


def _soon(match: re.Match[str], now: datetime) -> Piece:
    _, many, unit = counted(match["number"], match["unit"])
    return piece(match, span=lately(now.date(), -many, unit))


def _same_season(match: re.Match[str], now: datetime) -> Piece:
    return piece(match, span=around(shifted(now.date(), -12), 0, 0, "month", rough=False))


def _relative(match: re.Match[str], now: datetime) -> Piece:
    unit = match["unit"].lower()
    offset = -2 if match["twice"] else _OFFSETS[_plain(match["word"])]
    if unit.startswith("week"):
        return piece(match, week=offset, weekday=7 if unit == "weekend" else None)
    if unit == "year":
        return piece(match, year=now.year + offset)
    month = shifted(now.date().replace(day=1), offset)
    return piece(match, year=month.year, month=month.month)


def _earlier(match: re.Match[str], now: datetime) -> Piece:
    today = now.date()
    starts = {
        "week": today - timedelta(today.weekday()),
        "month": today.replace(day=1),
        "year": date(today.year, 1, 1),
    }
    return piece(match, span=Days(start=starts[match["unit"].lower()], end=today + timedelta(1)))


def _month(match: re.Match[str], now: datetime) -> Piece | None:
    word = match["month"]
    before = match.string[max(0, match.start() - 40) : match.start()]
    proper = word[0].isupper()
    sure = (
        word.lower() in _SETS.sure_months or _BEFORE_MONTH.search(before) or (proper and _BEFORE_PROPER.search(before))
    )
    if (
        not sure
        and not proper
        and not re.match(r",?\s(?:of\s)?(?:19|20)\d\d\b", match.string[match.end() : match.end() + 12])
    ):
        return None
    return piece(match, month=_MONTHS.index(word[:3].lower()) + 1, weak=not sure)


def _year(match: re.Match[str], now: datetime) -> Piece | None:
    if _COUNTED.match(match.string, match.end()):
        return None
    before = match.string[max(0, match.start() - 40) : match.start()]
    alone = match.string.strip(" ?!.") == match.group()
    return piece(match, year=int(match.group()), weak=not alone and not _BEFORE_YEAR.search(before))


def _words(table: dict[str, Any]) -> str:
    return "|".join(sorted((word.replace(" ", r"\s").replace("'", "['’]") for word in table), key=len, reverse=True))


ENGLISH: Final[Sources] = (
    (rf"\b(?:the\s(?=day\s))?(?P<word>{_words(_DAYS)})\b", _day),
    (
        rf"\b(?P<about>(?:about|around|roughly|some|over|almost|nearly)\s)?(?P<number>{_NUMBER})\s"
        r"(?P<unit>day|week|month|year|hour)s?(?P<half>\sand\sa\shalf)?\s(?P<way>ago|back|from\snow)\b",
        _ago,
    ),
    (rf"\b(?:past|last|previous)\s(?P<number>{_NUMBER})\s{_UNIT}\b", _lately),
    (rf"\b(?:the\spast|(?:in|over|during|for|within)\sthe\slast)\s(?P<number>){_UNIT}\b", _lately),
    (rf"\bnext\s(?P<number>{_NUMBER})\s{_UNIT}\b", _soon),
    (r"\b(?:around\s)?this\stime\slast\syear\b", _same_season),
    (
        rf"\b(?P<word>{_words(_NTH)})\sweek(?=\s(?:of|in)\s{_MONTH}\b)",
        lambda match, now: piece(match, nth=_NTH[match["word"].lower()]),
    ),
    (r"\b(?P<twice>the\s)(?P<unit>week|weekend|month|year)\sbefore\slast\b(?P<word>)", _relative),
    (rf"\b(?P<word>{_words(_OFFSETS)})\s(?P<unit>weekend|week|month|year)\b(?P<twice>)", _relative),
    (r"\bearlier\sthis\s(?P<unit>week|month|year)\b", _earlier),
    (rf"\b(?P<word>{_words(_WHICH)})\b", lambda match, now: piece(match, which=_WHICH[_plain(match["word"])])),
    (rf"\b(?P<day>{WEEKDAY})\b", lambda match, now: piece(match, weekday=_WEEKDAYS.index(match["day"][:3].lower()))),
    (rf"\b(?P<month>{_MONTH})\b", _month),
    (r"(?<![\w$€₩#.,:/+-])(?:19[3-9]\d|20\d\d)(?!\w)", _year),
    (
        r"\b(?P<decade>(?:19|20)\d0)s\b",
        lambda match, now: piece(match, span=months(int(match["decade"]), 1, 120)),
    ),
    (rf"\b(?P<word>{_words(_SEASONS)})\b", lambda match, now: piece(match, season=_SEASONS[match["word"].lower()])),
    (rf"\b(?P<word>{_words(_FEASTS)})\b", lambda match, now: piece(match, feast=_FEASTS[_plain(match["word"])])),
    (rf"\b(?P<word>{_words(_PARTS)})\b", lambda match, now: piece(match, part=_PARTS[_plain(match["word"])])),
)


_BEFORE_ONE = re.compile(
    rf"(?:\b(?:the\s)?(?:(?P<number>{_NUMBER})\s)?(?P<unit>day|night|week|month|year|weekend|{WEEKDAY})s?\s)?"
    r"\b(?P<way>before|prior\sto|until|till|up\sto|after|since|following|of)\s(?:the\s)?$",
    re.IGNORECASE,
)


_SIDES: Final = {"prior to": "before", "till": "until", "up to": "until", "following": "after"}


def related(before: str, whole: Days) -> tuple[Days, int] | None:
    """Return what "the week before", "since" … at the end of `before` make of `whole`, and where they begin."""
    start = max(0, len(before) - 60)
    match = _BEFORE_ONE.search(before[start:])
    if match is None or whole.start is None or whole.end is None:
        return None
    way, unit = _plain(match["way"]), (match["unit"] or "").lower()
    made = (
        _english_beside(whole.start, whole.end, match["number"], unit, way)
        if unit
        else open_side(_SIDES.get(way, way), whole)
    )
    return None if made is None else (made, start + match.start())


def _english_beside(start: date, end: date, number: str | None, unit: str, way: str) -> Days | None:
    if way == "of" and unit.startswith("week"):
        monday = start - timedelta(start.weekday())
        return days(monday + timedelta(5), 2) if unit == "weekend" else days(monday, 7)
    if way not in ("before", "prior to", "after", "following"):
        return None
    earlier = way in ("before", "prior to")
    if unit in _UNITS and number is not None:
        return distant(start if earlier else end - timedelta(1), number, unit, sign=1 if earlier else -1)
    if unit in _UNITS or unit == "night":
        one = _UNITS.get(unit, "day")
        return Days(start=back(start, 1, one), end=start) if earlier else Days(start=end, end=back(end, -1, one))
    weekday = 5 if unit == "weekend" else _WEEKDAYS.index(unit[:3])
    last = end - timedelta(1)
    found = on_weekday(weekday, "last", start) if earlier else on_weekday(weekday, "coming", last)
    more = timedelta(7 * (max(counted(number or "one", "week")[0], 1) - 1))
    assert found.start is not None
    return days(found.start - more if earlier else found.start + more, 2 if unit == "weekend" else 1)


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
        start, end = (
            (None if day is None else datetime.combine(day, time(), zone)) for day in (whole.start, whole.end)
        )
        found.append(Period(start=start, end=end, text=text[at:to].strip()))
    return tuple(dict.fromkeys(found))


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
    for pattern, read in (*(compiled(KOREAN) if _HANGUL.search(text) else ()), *compiled(ENGLISH)):
        yield from filter(None, (read(match, now) for match in pattern.finditer(text)))


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
    return open_side(side, whole)
