"""Words near a number that show what it is, or that it is not personal."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from gieok.domain.personal import PersonalKind
from gieok.language.data_files import Patterns, data_file


@cache
def _iban_lengths() -> dict[str, int]:
    lengths = data_file("patterns.toml", "gieok.privacy")["iban_lengths"]
    return {country: int(length) for length, countries in lengths.items() for country in countries.split()}


_FIND: Final = Patterns(
    "gieok.privacy", "patterns.toml", "numbers", lambda: {"IBAN_COUNTRIES": "|".join(_iban_lengths())}
)
_REACH: Final = 48  #: characters before and after that are checked

_LINK_REACH: Final = 300


def before(text: str, start: int, reach: int = _REACH) -> str:
    return text[max(start - reach, 0) : start]


def after(text: str, end: int, reach: int = _REACH) -> str:
    return text[end : end + reach]


def impersonal(text: str, start: int) -> bool:
    """Return whether the preceding word names an order, a parcel or the like, or the number is in a link."""
    if _FIND.impersonal.search(before(text, start, 24)):
        return True
    return "//" in text and _FIND.link.search(before(text, start, _LINK_REACH)) is not None


def counted(text: str, end: int) -> bool:
    """Return whether a unit follows: an amount is not personal."""
    return _FIND.counted.match(text, end) is not None


def bank_named(text: str, start: int) -> bool:
    return _FIND.bank_before.search(before(text, start)) is not None


def account_meant(text: str, start: int) -> bool:
    return _FIND.account_meant.search(before(text, start)) is not None


_DASHES: Final = "‐‑‒–—―−﹣－ㅡ─━ー~∼～˗⁃"
_DOTS: Final = "·•․。．｡・ㆍ‧∙"
_SPOKEN: Final = dict(zip("공영일이삼사오육륙칠팔구", "001234566789", strict=True))
_TO_FIGURES: Final = str.maketrans(_SPOKEN)
_MIN_DIGITS: Final = 9  #: minimum digits of a spelled-out number
_MOBILE_DIGITS: Final = 11


class _Plain(dict[int, str]):
    """Maps unusual characters to plain ones, computed on first use."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = self[code] = _plain(letter)
        return plain


def _plain(letter: str) -> str:
    if letter in _DASHES:
        return "-"
    if letter in _DOTS:
        return "."
    digit = unicodedata.digit(letter, None)
    if digit is not None:
        return str(digit)
    if "！" <= letter <= "～":
        return chr(ord(letter) - 0xFEE0)
    blank = letter != "\n" and (unicodedata.category(letter) in ("Zs", "Cf", "Mn", "Me") or letter == "\t")
    return " " if blank else letter


_PLAIN: Final = _Plain()


def plain(text: str) -> str:
    """Return `text` with plain digits, letters, dashes, dots and spaces, at unchanged positions."""
    return text.translate(_PLAIN) if _FIND.unusual.search(text) else text


def figures(text: str) -> str:
    """Return plain `text` with spelled-out or mixed numbers as digits."""
    text = _FIND.letter_o.sub(lambda match: "1" if match[0] in "lI|" else "0", text)
    return _FIND.run.sub(_as_figures, text) if _FIND.spelled.search(text) else text


def _as_figures(match: re.Match[str]) -> str:
    last = match["last"]
    run = match[0].removesuffix(last)
    read = run.translate(_TO_FIGURES)
    digits = _FIND.no_digit.sub("", read)
    if len(digits) < _MIN_DIGITS or digits == _FIND.no_digit.sub("", run):
        return match[0]
    if _FIND.mobile.match(digits):  # the length decides if 이 is a 2 or a particle: 공일공 … 육육공사이 맞아
        if len(digits) == _MOBILE_DIGITS + 1 and run.endswith("이"):
            return read[:-1] + "이" + last
        if len(digits) == _MOBILE_DIGITS - 1:
            last = last.translate(_TO_FIGURES)
    return read + last


@dataclass(frozen=True, slots=True)
class PersonalSpan:
    """A span of personal data, with its kind."""

    kind: PersonalKind
    start: int
    end: int


_CENTURY: Final = {"1": 1900, "2": 1900, "3": 2000, "4": 2000, "5": 1900, "6": 1900, "7": 2000, "8": 2000}
_LATEST_BIRTH: Final = 2049  #: latest possible year of birth

_BUSINESS_WEIGHTS: Final = (1, 3, 7, 1, 3, 7, 1, 3, 5)


def identity_numbers(wide: str, text: str) -> Iterator[PersonalSpan]:
    """Yield official identity numbers in `text` (digits); passports are read in `wide`, where O is a letter."""
    yield from _residents(text)
    yield from _licences(text)
    yield from _businesses(text)
    cues = [match.start() for match in _FIND.passport_cue.finditer(wide)]
    if not cues:
        for match in _FIND.passport.finditer(wide):
            if not impersonal(wide, match.start()) and not _FIND.licence_cue.search(before(wide, match.start())):
                yield PersonalSpan("passport", match.start(), match.end())
        return
    american = _passport_check(wide)
    for match in _FIND.passport_apart.finditer(wide):
        if not american(match.start()):
            yield PersonalSpan("passport", match.start(), match.end())
    for match in _FIND.foreign_passport.finditer(wide):
        near = _FIND.passport_cue.search(before(wide, match.start())) or _FIND.passport_cue.search(
            after(wide, match.end(), 12)
        )
        if near and not counted(wide, match.end()):
            yield PersonalSpan("us_passport", match.start(), match.end())


def _residents(text: str) -> Iterator[PersonalSpan]:
    for match in _FIND.resident.finditer(text):
        told = _FIND.resident_cue.search(before(text, match.start(), 16))
        if _is_birth_date(match) and (told or not (impersonal(text, match.start()) or _follows_bank_name(text, match))):
            kind: PersonalKind = "resident" if match["sex"] in "1234" else "foreigner"
            yield PersonalSpan(kind, match.start(), match.end())


def _follows_bank_name(text: str, match: re.Match[str]) -> bool:
    """Return whether unseparated digits follow a bank name or words about accounts."""
    return match[0].isdigit() and (bank_named(text, match.start()) or account_meant(text, match.start()))


def _is_birth_date(match: re.Match[str]) -> bool:
    """Return whether the first half is a possible date of birth."""
    year = _CENTURY[match["sex"]] + int(match["y"])
    try:
        date(year, int(match["m"]), int(match["d"]))
    except ValueError:
        return False
    return year <= _LATEST_BIRTH


def _businesses(text: str) -> Iterator[PersonalSpan]:
    for match in _FIND.business.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        told = _FIND.business_cue.search(before(text, match.start(), 24)) or _FIND.business_cue.search(
            after(text, match.end(), 12)
        )
        plausible = _checked(digits) and not impersonal(text, match.start()) and not counted(text, match.end())
        if told or (plausible and match[2] != " " and not bank_named(text, match.start())):
            yield PersonalSpan("business", match.start(), match.end())


def _checked(business: str) -> bool:
    digits = [int(digit) for digit in business]
    total = sum(digit * weight for digit, weight in zip(digits, _BUSINESS_WEIGHTS, strict=False)) + digits[8] * 5 // 10
    return (10 - total % 10) % 10 == digits[9]


def _passport_check(text: str) -> Callable[[int], bool]:
    """Return a function that tells whether a passport is American; the nearest preceding word takes precedence."""
    said = [(match.start(), match.end(), True) for match in _FIND.american.finditer(text)]
    said += [(match.start(), match.end(), False) for match in _FIND.korean.finditer(text)]
    said.sort()
    ends = [end for _, end, _ in said]

    def american(start: int) -> bool:
        ahead = bisect_right(ends, start)
        if ahead:
            return said[ahead - 1][2]
        return any(each for _, _, each in said)

    return american


def _licences(text: str) -> Iterator[PersonalSpan]:
    told = _FIND.licence_cue.search(text)
    for match in _FIND.licence.finditer(text):
        if told or not (impersonal(text, match.start()) or _follows_bank_name(text, match)):
            yield PersonalSpan("licence", match.start(), match.end())


_FEWEST, _MOST = 10, 16


def cards(text: str) -> Iterator[PersonalSpan]:
    """Yield card numbers and IBANs, recognised by their check digits."""
    yield from _ibans(text)
    from stdnum import luhn

    told = _FIND.card_cue.search(text)
    for match in _FIND.card.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not _FIND.issued.match(digits) or not luhn.is_valid(digits) or len(set(digits)) == 1:
            continue
        if told or not impersonal(text, match.start()):
            yield PersonalSpan("card", match.start(), match.end())


def is_free(taken: bytearray, start: int, end: int) -> bool:
    return taken.find(1, start, end) < 0


def accounts(text: str, taken: bytearray) -> Iterator[PersonalSpan]:
    """Yield bank accounts, except where the text is `taken`."""
    for match in _FIND.account.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        free = is_free(taken, match.start(), match.end())
        if free and _FEWEST <= len(digits) <= _MOST and _an_account(text, match.start(), match.end()):
            yield PersonalSpan("account", match.start(), match.end())


def _an_account(text: str, start: int, end: int) -> bool:
    if counted(text, end):
        return False
    if bank_named(text, start):
        return True
    if impersonal(text, start):
        return False
    return bool(account_meant(text, start) or _FIND.told_after.match(after(text, end)))


def _ibans(text: str) -> Iterator[PersonalSpan]:
    from stdnum.iso7064 import mod_97_10

    for match in _FIND.iban.finditer(text):
        end = _taken(text, match.start(), _iban_lengths()[match[0][:2].upper()])
        if end is None:
            continue
        number = re.sub(r"[^A-Z0-9]", "", text[match.start() : end].upper())
        if mod_97_10.is_valid(number[4:] + number[:4]) or _FIND.iban_cue.search(before(text, match.start(), 24)):
            yield PersonalSpan("iban", match.start(), end)


def _taken(text: str, start: int, count: int) -> int | None:
    """Return the end of `count` letters and digits, skipping single spaces and hyphens; None: too few."""
    place, taken = start, 0
    while place < len(text) and taken < count:
        letter = text[place]
        if letter.isascii() and letter.isalnum():
            taken += 1
        elif letter not in " -" or not text[place - 1].isalnum():
            return None
        place += 1
    whole = taken == count and not (text[place : place + 1].isascii() and text[place : place + 1].isalnum())
    return place if whole else None


def english(text: str) -> Iterator[PersonalSpan]:
    yield from _ssns(text)
    yield from _us_licences(text)
    for pattern in (_FIND.street, _FIND.small_street):
        for match in pattern.finditer(text):
            if not _FIND.lengths.match(match[0]):
                yield PersonalSpan("us_address", match.start(), match.start() + len(match[0].rstrip(" ,")))


def _ssns(text: str) -> Iterator[PersonalSpan]:
    in_english = _FIND.english.search(text) and not _FIND.hangul.search(text)
    for match in _FIND.ssn.finditer(text):
        told = _FIND.ssn_cue.search(before(text, match.start())) or _FIND.ssn_cue.search(after(text, match.end(), 40))
        abroad = match["s"] == "-" and "미국" in before(text, match.start())
        english = match["s"] == "-" and in_english
        if told or abroad or (english and not impersonal(text, match.start())):
            yield PersonalSpan("us_ssn", match.start(), match.end())


def _us_licences(text: str) -> Iterator[PersonalSpan]:
    if not _FIND.us_licence_cue.search(text):
        return
    for match in _FIND.us_licence.finditer(text):
        ahead = before(text, match.start())
        told = _FIND.us_licence_cue.search(ahead) or _FIND.us_licence_cue.search(after(text, match.end(), 12))
        if told and (match[0][0].isalpha() or _FIND.us_words.search(ahead)) and not counted(text, match.end()):
            digits = sum(letter.isdigit() for letter in match[0])
            if digits >= 5 and not (match[0].isdigit() and match[0][:2] in ("19", "20") and digits == 8):
                yield PersonalSpan("us_licence", match.start(), match.end())
