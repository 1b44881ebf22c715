"""What is asked for in America: social security numbers, driver's licences, street addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.privacy.cues import after, before, counted, impersonal
from gieok.privacy.found import Found

_SSN: Final = re.compile(
    r"(?<![0-9A-Za-z*])(?<![0-9*][-.])(?!000|666|9)\d{3}(?P<s>[- .]?)(?!00)\d\d(?P=s)(?!0000)\d{4}(?![0-9A-Za-z*]|"
    r"[-.][0-9*]| \d)"
)
_SSN_CUE: Final = re.compile(r"\bSSN\b|\bSS number|social|소셜|사회 ?보장|쏘셜", re.I | re.A)

_ENGLISH: Final = re.compile(r"[A-Za-z]{2}")
_HANGUL: Final = re.compile(r"[가-힣]")

_LICENCE: Final = re.compile(
    r"(?<![A-Za-z0-9*-])(?:[A-Za-z]\d{4} \d{5} \d{5}|[A-Za-z][ -]?\d{3}-?\d{3,4}(?:-?\d{1,4}){0,3}|"
    r"[A-Za-z]{1,2}\d{5,13}|\d{3} \d{3} \d{3}|"
    r"\d{7,9})(?![A-Za-z0-9*]|[- ]\d)"
)
_LICENCE_CUE: Final = re.compile(r"licen[cs]e|면허|\bDL\b|permit", re.I | re.A)
_STATES: Final = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|"
    "Indiana|"
    "Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|"
    "Nebraska|"
    "Nevada|New Hampshire|New Jersey|New Mexico|New York|Carolina|Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode "
    "Island|"
    "Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|"
    "앨라배마|알래스카|애리조나|아칸소|캘리|콜로라도|코네티컷|델라웨어|플로리다|조지아|하와이|아이다호|일리노이|"
    "인디애나|아이오와|캔자스|켄터키|"
    "루이지애나|메인주|메릴랜드|매사추세츠|미시간|미네소타|미시시피|미주리|몬태나|네브래스카|네바다|뉴햄프셔|뉴저지|"
    "뉴멕시코|뉴욕|캐롤라이나|"
    "다코타|오하이오|오클라호마|오리건|오레곤|펜실베이니아|로드아일랜드|테네시|텍사스|유타|버몬트|버지니아|워싱턴|"
    "위스콘신|와이오밍"
)
_AMERICAN: Final = re.compile(rf"(?:{_STATES})|미국|\bU\.?S\b|americ|driver|licen[cs]e|\bDL\b", re.I | re.A)

_SUFFIXES: Final = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace|Ter|Circle|Cir|"
    r"Highway|"
    r"Hwy|Parkway|Pkwy|Square|Sq|Trail|Trl|Loop|Alley|Crescent|Close|Row|Run|Path|Pike|Point|Ridge|Walk|Mews|Grove|"
    r"Gardens)"
)
_COMPASS: Final = r"(?:(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)\.? )?"
_FLAT: Final = (
    r"(?:,? ?(?:Apt|Apartment|Unit|Suite|Ste|Room|Rm|Floor|Fl|Bldg|Building|Lot)\.? "
    r"?#?[A-Za-z]?-?\d{0,5}[A-Za-z]?(?![A-Za-z0-9])|,? ?#\d{1,5}[A-Za-z]?)?"
)
_STREET: Final = re.compile(
    rf"(?<![A-Za-z0-9$.,:/#-])\d{{1,6}}[A-Za-z]? {_COMPASS}(?:(?:[A-Z][A-Za-z'.]*|\d{{1,3}}(?:st|nd|rd|th)|of|the|de|"
    rf"la)\s){{1,4}}?"
    rf"{_SUFFIXES}\b(?!-)\.?(?: (?:NE|NW|SE|SW|[NSEW])\b)?{_FLAT}"
)
_SMALL_STREET: Final = re.compile(
    r"(?<![A-Za-z0-9$.,:/#-])\d{2,6} (?:[nsew] )?(?!(?:minutes?|hours?|miles?|mins?|hrs?|days?|people|cars?|lanes?|"
    r"way|more|new|long|the|a|of|on|"
    r"in|at|to|and|or|kids|guys|blocks?|feet|foot|meters?|km)\b)[a-z]{3,14} (?:(?!(?:the|a|of|on|in|at|to|and|or|"
    r"down|up|by)\b)[a-z]{3,14} )?"
    r"(?:street|st|avenue|ave|road|rd|blvd|boulevard|drive|lane)\b(?:,? (?:apt|unit|suite|ste|#)\.? "
    r"?#?\d{0,5}[a-z]?(?![a-z0-9]))?"
)
_LENGTHS: Final = re.compile(r"\d+ (?:Minutes?|Hours?|Miles?|Days?|People|Lanes?)\b", re.I)


def english(text: str) -> Iterator[Found]:
    yield from _ssns(text)
    yield from _licences(text)
    for pattern in (_STREET, _SMALL_STREET):
        for match in pattern.finditer(text):
            if not _LENGTHS.match(match[0]):
                yield Found("us_address", match.start(), match.start() + len(match[0].rstrip(" ,")))


def _ssns(text: str) -> Iterator[Found]:
    for match in _SSN.finditer(text):
        told = _SSN_CUE.search(before(text, match.start())) or _SSN_CUE.search(after(text, match.end(), 40))
        abroad = match["s"] == "-" and "미국" in before(text, match.start())
        english = match["s"] == "-" and _ENGLISH.search(text) and not _HANGUL.search(text)
        if told or abroad or (english and not impersonal(text, match.start())):
            yield Found("us_ssn", match.start(), match.end())


def _licences(text: str) -> Iterator[Found]:
    if not _LICENCE_CUE.search(text):
        return
    for match in _LICENCE.finditer(text):
        ahead = before(text, match.start())
        told = _LICENCE_CUE.search(ahead) or _LICENCE_CUE.search(after(text, match.end(), 12))
        if told and (match[0][0].isalpha() or _AMERICAN.search(ahead)) and not counted(text, match.end()):
            digits = sum(letter.isdigit() for letter in match[0])
            if digits >= 5 and not (match[0].isdigit() and match[0][:2] in ("19", "20") and digits == 8):
                yield Found("us_licence", match.start(), match.end())
