"""Numbers that a state or an office gives: resident, foreigner, business, passport, driver's licence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from gieok.domain.personal import PersonalKind
from gieok.privacy.cues import account_meant, after, bank_named, before, counted, impersonal
from gieok.privacy.found import Found

#: 앞은 …이고 뒤는 …: both halves are one number.
JOINED: Final = (
    r"(?:(?:이?고|이며|이랑|하고|랑|,)? ?(?:그 ?)?(?:뒤|뒷자리|뒷번호|뒷부분|뒷 ?네 ?자리|가운데|중간|끝|끝자리|"
    r"마지막|다음|나머지)(?:는|은|가|에|이|엔|에는)? ?"
    r"|이?고 |이며 | ?(?:그리고|그담에?|그 ?다음에?) ?| ?(?:and |, ?)?(?:then|and) )"
)
_LEFT: Final = r"(?<![0-9A-Za-z*])(?<![0-9*][-.])"
_RIGHT: Final = r"(?![0-9A-Za-z*]|[-.][0-9*])"

_BIRTH: Final = r"(?P<y>\d\d)(?P<m>\d\d)(?P<d>\d\d)"
_RESIDENT: Final = re.compile(
    rf"{_LEFT}{_BIRTH}(?: ?[-.] ?| |{JOINED}| ?(?:에|다시|대시|하이픈) ?)?(?P<sex>[1-8])\d{{6}}{_RIGHT}"
)
_RESIDENT_CUE: Final = re.compile(
    r"주민|민번|등본|등록번호|외국인|외등|resident|registration|\bRRN|\bFRN|\bARC\b|\bID\b", re.I | re.A
)
_CENTURY: Final = {"1": 1900, "2": 1900, "3": 2000, "4": 2000, "5": 1900, "6": 1900, "7": 2000, "8": 2000}
_LATEST_BIRTH: Final = 2049  #: a year later than this is no year of birth

_BUSINESS: Final = re.compile(
    rf"{_LEFT}(\d{{3}})( ?[-.] ?| )(\d\d)\2(\d{{5}})(?! ?[0-9]|[-.*A-Za-z])|{_LEFT}\d{{10}}{_RIGHT}"
)
_BUSINESS_WEIGHTS: Final = (1, 3, 7, 1, 3, 7, 1, 3, 5)
_BUSINESS_CUE: Final = re.compile(r"사업자|등록번호|세금계산서|business|\bBRN|tax id", re.I | re.A)

_PASSPORT: Final = re.compile(
    r"(?<![A-Za-z0-9*_-])[MSRODmsrod](?:\d{8}|\d{3}[A-Za-z]\d{4})(?![A-Za-z0-9*_]|-[A-Za-z0-9])"
)
_PASSPORT_APART: Final = re.compile(
    r"(?<![A-Za-z0-9*_-])[MSRODmsrod][ -]?(?:\d{4}[ -]?\d{4}|\d{3}[ -]?[A-Za-z][ -]?\d{4}|\d{8})(?![A-Za-z0-9*_]|[- "
    r"]\d)"
)
_FOREIGN_PASSPORT: Final = re.compile(
    r"(?<![A-Za-z0-9*-])(?:[A-Za-z]\d{8}|\d{9}|\d{3}[ -]\d{3}[ -]\d{3})(?![A-Za-z0-9*]|-\d)"
)
_PASSPORT_CUE: Final = re.compile(r"여권|passport", re.I)
_KOREAN: Final = re.compile(r"한국|대한민국|korea", re.I)
_AMERICAN: Final = re.compile(r"미국|미합중국|\bU\.?S\.?A?\b|americ|green ?card|state department", re.I | re.A)

_PLACES: Final = "서울|부산|경기남부|경기북부|경기|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전|울산"
_LICENCE: Final = re.compile(
    rf"{_LEFT}(?:1[1-9]|2[0-8])(?P<s>[- .])\d\d(?P=s)\d{{6}}(?P=s)\d\d(?! ?[0-9]|[-.*A-Za-z])"
    rf"|{_LEFT}(?:1[1-9]|2[0-8])\d{{10}}{_RIGHT}"
    rf"|(?<![가-힣])(?:{_PLACES}) ?\d\d[- .]\d{{6}}[- .]\d\d(?![0-9]|[-.*][0-9*])"
)
_LICENCE_CUE: Final = re.compile(r"면허|licen[cs]e", re.I)


def identity_numbers(wide: str, text: str) -> Iterator[Found]:
    """Yield the numbers of state and office in `text` (figures); passports are read in `wide`, where O is a letter."""
    yield from _residents(text)
    yield from _licences(text)
    yield from _businesses(text)
    yield from _passports(wide)


def _residents(text: str) -> Iterator[Found]:
    for match in _RESIDENT.finditer(text):
        told = _RESIDENT_CUE.search(before(text, match.start(), 16))
        if _born(match) and (told or not (impersonal(text, match.start()) or _in_a_bank(text, match))):
            kind: PersonalKind = "resident" if match["sex"] in "1234" else "foreigner"
            yield Found(kind, match.start(), match.end())


def _in_a_bank(text: str, match: re.Match[str]) -> bool:
    """Whether digits without a break follow the name of a bank, or words about accounts."""
    return match[0].isdigit() and (bank_named(text, match.start()) or account_meant(text, match.start()))


def _born(match: re.Match[str]) -> bool:
    """Whether the first half is a day on which somebody can have been born."""
    year = _CENTURY[match["sex"]] + int(match["y"])
    try:
        date(year, int(match["m"]), int(match["d"]))
    except ValueError:
        return False
    return year <= _LATEST_BIRTH


def _businesses(text: str) -> Iterator[Found]:
    for match in _BUSINESS.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        told = _BUSINESS_CUE.search(before(text, match.start(), 24)) or _BUSINESS_CUE.search(
            after(text, match.end(), 12)
        )
        plausible = _checked(digits) and not impersonal(text, match.start()) and not counted(text, match.end())
        if told or (plausible and match[2] != " " and not bank_named(text, match.start())):
            yield Found("business", match.start(), match.end())


def _checked(business: str) -> bool:
    """Whether the last digit of a business number follows from the others."""
    digits = [int(digit) for digit in business]
    total = sum(digit * weight for digit, weight in zip(digits, _BUSINESS_WEIGHTS, strict=False)) + digits[8] * 5 // 10
    return (10 - total % 10) % 10 == digits[9]


def _passports(text: str) -> Iterator[Found]:
    cues = [match.start() for match in _PASSPORT_CUE.finditer(text)]
    if not cues:
        for match in _PASSPORT.finditer(text):
            if not impersonal(text, match.start()) and not _LICENCE_CUE.search(before(text, match.start())):
                yield Found("passport", match.start(), match.end())
        return
    for match in _PASSPORT_APART.finditer(text):
        if not _american(text, match.start()):
            yield Found("passport", match.start(), match.end())
    for match in _FOREIGN_PASSPORT.finditer(text):
        near = _PASSPORT_CUE.search(before(text, match.start())) or _PASSPORT_CUE.search(after(text, match.end(), 12))
        if near and not counted(text, match.end()):
            yield Found("us_passport", match.start(), match.end())


def _american(text: str, start: int) -> bool:
    """Whether a passport is said to be American; what is said before it counts first, and of that the nearest."""
    ahead = [match.start() for match in _AMERICAN.finditer(text, 0, start)]
    korean = [match.start() for match in _KOREAN.finditer(text, 0, start)]
    if ahead or korean:
        return max(ahead, default=-1) > max(korean, default=-1)
    return _AMERICAN.search(text, start) is not None


def _licences(text: str) -> Iterator[Found]:
    for match in _LICENCE.finditer(text):
        told = _LICENCE_CUE.search(text)
        if told or not (impersonal(text, match.start()) or _in_a_bank(text, match)):
            yield Found("licence", match.start(), match.end())
