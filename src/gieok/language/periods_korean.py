"""Pieces of a time as Korean says them: 지난주, 두 달쯤 전, 작년, 여름, 5월, 초."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from gieok.language.data_files import data_file
from gieok.language.numerals import read_number
from gieok.language.period_parts import Piece, Sources, Unit, Which, around, days, lately, months, piece, shifted

_TABLES: Final = data_file("numbers_and_times.toml")["korean"]
_DAYS: Final[dict[str, tuple[int, int]]] = {word: (first, second) for word, (first, second) in _TABLES["days"].items()}
_YEARS: Final[dict[str, int]] = _TABLES["years"]
_OFFSETS: Final[dict[str, int]] = _TABLES["offsets"]
_WEEKS: Final = _OFFSETS.keys() - {"이"}
_MONTHS_OFF: Final = _OFFSETS.keys() - {"금"}
_WHICH: Final[dict[str, Which]] = _TABLES["which"]
_SEASONS: Final[dict[str, int]] = _TABLES["seasons"]
_PARTS: Final[dict[str, int]] = _TABLES["parts"]
_NTH: Final[dict[str, int]] = _TABLES["nth"]
_FEASTS: Final[dict[str, str]] = _TABLES["feasts"]
_LENGTHS: Final[dict[str, tuple[int, Unit]]] = {
    word: (first, second) for word, (first, second) in _TABLES["lengths"].items()
}
_RANGES: Final[dict[str, tuple[int, int]]] = {
    word: (first, second) for word, (first, second) in _TABLES["ranges"].items()
}
_UNITS: Final[dict[str, Unit]] = _TABLES["units"]
#: 며칠, 몇 주, 몇 달, 몇 년: generously, from one to
_MANY: Final[dict[Unit, int]] = {"day": 10, "week": 8, "month": 12, "year": 10}
_SAID_MONTHS: Final = "일월 이월 삼월 사월 오월 유월 칠월 팔월 구월 시월 십일월 십이월".split()
_WEEKDAYS: Final = "월화수목금토일"

_SUFFIX = (
    r"(?:에는|에도|에만|에서|에|엔|은|는|이|가|을|를|도|만|쯤에?|경에?|부터|까지|이랑|랑|하고|과|와|중에?|동안|내내|날에?|때|달에?"
    r"|이?었[가-힣]{0,4}|였[가-힣]{0,4}|인[가데지]?[가-힣]?|이?야|이?지|이?에요|예요|[초말]에?|중순에?|이후[가-힣]{0,2}|이전[가-힣]{0,2})?"
)
_ENDS = rf"(?={_SUFFIX}(?![\w'’\"]))"
_LEFT = r"(?<!\w)"
_AFTER_AGO = r"(?=에는|에도|에|엔|의|쯤|부터|까지|이|인|$|[^\w])"


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_LENGTH = (
    rf"(?:(?P<length>{_any(_LENGTHS)}|며칠)"
    rf"|(?P<number>\d{{1,3}}(?:\s?[~-]\s?\d{{1,3}})?|{_any(_RANGES)}|몇|수|[한두세네석넉열]|스무|[일이삼사오육칠팔구십]{{1,3}}"
    rf"|다섯|여섯|일곱|여덟|아홉)\s?(?P<unit>{_any(_UNITS)}|시간)(?P<half>\s?반)?)"
)


def _day(match: re.Match[str], now: datetime) -> Piece:
    offset, length = _DAYS[match["word"]]
    return piece(match, span=days(now.date() + timedelta(offset), length))


def _ago(match: re.Match[str], now: datetime) -> Piece | None:
    if match["unit"] == "시간":
        many = read_number(match["number"]) or 1
        then = now - timedelta(hours=many) if match["past"] else now + timedelta(hours=many)
        return piece(match, span=days(then.date()))
    low, high, unit = _length(match)
    if high == 0:
        return None
    sign = 1 if match["past"] else -1
    rough = low != high or bool(match["about"] or match["rough"])
    return piece(match, span=around(now.date(), sign * low, sign * high, unit, rough=rough))


def _length(match: re.Match[str]) -> tuple[int, int, Unit]:
    """Return the least and the most that are meant, and of what; the least is 0 for 며칠, 몇 달."""
    if said := match["length"]:
        many, unit = _LENGTHS.get(said, (0, "day"))
        return (many, many, unit) if many else (0, _MANY[unit], unit)
    unit, number = _UNITS[match["unit"]], match["number"]
    if number in ("몇", "수"):
        return 0, _MANY[unit], unit
    if number in _RANGES:
        return *_RANGES[number], unit
    low, _, high = re.sub(r"\s", "", number).replace("-", "~").partition("~")
    least = read_number({"석": "세", "넉": "네"}.get(low, low)) or 0
    return least, (int(high or 0) or least) + bool(match["half"]), unit


def _lately(match: re.Match[str], now: datetime) -> Piece | None:
    if match["unit"] == "시간":
        return None
    _, many, unit = _length(match)
    return piece(match, span=lately(now.date(), many, unit))


def _week(match: re.Match[str], now: datetime) -> Piece:
    return piece(match, week=_OFFSETS[match["word"]], weekday=7 if match["end"] else None)


def _month_from_now(match: re.Match[str], now: datetime) -> Piece:
    month = shifted(now.date().replace(day=1), _OFFSETS[match["word"]])
    return piece(match, year=month.year, month=month.month)


def _year(match: re.Match[str], now: datetime) -> Piece:
    if match["word"]:
        return piece(match, year=now.year + _YEARS[match["word"]])
    year = int(match["four"] or match["two"])
    return piece(match, year=year if match["four"] else year + (2000 if year < 50 else 1900))


def _same_season(match: re.Match[str], now: datetime) -> Piece:
    then = shifted(now.date(), 12 * _YEARS[match["word"]])
    return piece(match, span=around(then, 0, 0, "month", rough=False))


def _decade(match: re.Match[str], now: datetime) -> Piece:
    first = int(match["decade"])
    first += 0 if first > 99 else 1900 if first >= 30 else 2000
    return piece(match, span=months(first, 1, 120))


def _month(match: re.Match[str], now: datetime) -> Piece | None:
    said = match["month"]
    month = int(said) if said.isdigit() else _SAID_MONTHS.index(said) + 1
    return piece(match, month=month) if 1 <= month <= 12 else None


def _nth(match: re.Match[str], now: datetime) -> Piece:
    return piece(match, nth=_NTH[match["word"].replace(" ", "")])


def _weekday(match: re.Match[str], now: datetime) -> Piece:
    return piece(match, weekday=_WEEKDAYS.index(match["word"]) if match["word"] else 7)


KOREAN: Final[Sources] = (
    (rf"{_LEFT}(?P<word>{_any(_DAYS)})(?!서야|야\s|배움)", _day),
    (
        rf"{_LEFT}(?P<about>(?:한|약|대략)\s)?{_LENGTH}(?:\s?(?P<rough>쯤|정도|가량|좀))?\s?(?:(?P<past>전)|[뒤후]){_AFTER_AGO}",
        _ago,
    ),
    (rf"{_LEFT}최근\s?{_LENGTH}(?:간|\s?(?:동안|사이|새|내))?(?!\w)", _lately),
    (rf"{_LEFT}(?:최근|지난)\s?{_LENGTH}(?:간|\s?(?:동안|사이|새|내))", _lately),
    (rf"{_LEFT}(?P<word>{_any(_WEEKS)})\s?주(?:(?P<end>말){_ENDS}|{_ENDS}|(?=주말|[{_WEEKDAYS}]요일))", _week),
    (rf"{_LEFT}(?P<word>{_any(_MONTHS_OFF)})\s?달{_ENDS}", _month_from_now),
    (
        rf"{_LEFT}(?:(?P<word>{_any(set(_YEARS) - {'올'})}|올(?=\s?(?:[봄초]|여름|가을|겨울|연[초말]|[상하]반기)))"
        r"|(?P<four>(?:19|20)\d\d)\s?년도?(?![생산식차]|\s?(?:동안|간|전\b))"
        r"|['’]?(?P<two>\d\d)\s?년(?:도(?=에)|(?=\s?\d{1,2}월)))",
        _year,
    ),
    (rf"{_LEFT}(?P<word>재?작년)\s?(?:이\s?맘때|이\s?무렵|이때)", _same_season),
    (rf"{_LEFT}(?P<decade>(?:19|20)?\d0)\s?년대", _decade),
    (
        rf"{_LEFT}(?P<word>{_any(_WHICH)})(?=\s?(?:\d|[{_WEEKDAYS}]요일|{_any(_SEASONS)}|{_any(_FEASTS)}))",
        lambda match, now: piece(match, which=_WHICH[match["word"]]),
    ),
    (rf"(?<![\w.,/'‘’\"])(?P<month>\d{{1,2}})(?:월{_ENDS}|(?=\s?[~-]\s?\d{{1,2}}월))", _month),
    (rf"{_LEFT}(?P<month>{_any(_SAID_MONTHS)})(?=에|\s?(?:초|말|중순|부터|까지)){_ENDS}", _month),
    (
        r"(?<!\w)(?P<day>\d{1,2})일(?!\s?(?:동안|간|째|마다|만|씩|전|뒤|후)|에\s?[한두\d])",
        lambda match, now: piece(match, day=int(match["day"])),
    ),
    (rf"(?P<word>{_any(_PARTS)}){_ENDS}", lambda match, now: piece(match, part=_PARTS[match["word"]])),
    (rf"{_LEFT}(?P<word>{_any(_NTH)}|[두세네]\s번째)\s?주{_ENDS}", _nth),
    (rf"(?P<word>[{_WEEKDAYS}])요일|주말", _weekday),
    (
        rf"(?<![가-힣])(?P<word>{_any(_SEASONS)})(?:{_ENDS}|(?=방학|휴가))|(?<=올|난)(?P<joined>{_any(_SEASONS)}){_ENDS}",
        lambda match, now: piece(match, season=_SEASONS[match["word"] or match["joined"]]),
    ),
    (
        rf"{_LEFT}(?P<word>{_any(_FEASTS.keys() - {'설'})}|설(?=에(?!\w)))",
        lambda match, now: piece(match, feast=_FEASTS[match["word"]]),
    ),
)
