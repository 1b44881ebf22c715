"""Personal data in a text: spans with their kinds. Pure, and fast where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gieok.privacy.addresses import addresses
from gieok.privacy.contacts import emails, foreign_phones, korean_phones
from gieok.privacy.english import english
from gieok.privacy.found import Found
from gieok.privacy.identity import identity_numbers
from gieok.privacy.money import accounts, cards
from gieok.privacy.spelling import figures, plain

_ANY: Final = re.compile(r"\d|@|＠|골뱅이|[공영일이삼사오육륙칠팔구]{3}|(?i:[ (\[{]at[ )\]}])|[①-⑨⓪]")
_MAIL: Final = re.compile(r"@|골뱅이|앳|(?i:\bat\b|\(at|\[at)")
_FEW: Final = 7  #: digits of the shortest number
_PLACED: Final = re.compile(
    r"(?:로|길|동|가|리|번지|읍|면) ?(?:지하 ?|산 ?)?\d|\d ?동 ?\d{1,4} ?호|-(?:ro|gil|daero|dong|ri)\b|길 ?\d"
)
_STREET: Final = re.compile(r"\d[A-Za-z]? [A-Za-z0-9'. ]{2,40}?[A-Za-z]")


def found(text: str) -> tuple[Found, ...]:
    """Return the personal data in `text`, in order; none overlaps another."""
    if _ANY.search(text) is None:
        return ()
    wide = plain(text)
    return disjoint(_candidates(wide))


def _candidates(wide: str) -> Iterator[Found]:
    """Yield whatever may be personal data, the surer kind first where two claim the same place."""
    if _MAIL.search(wide):
        yield from emails(wide)
    text = figures(wide)
    digits = sum(map(text.count, "0123456789"))
    if digits and _PLACED.search(text):
        yield from addresses(text)
    if digits >= _FEW:
        yield from _numbers(wide, text)
    elif digits and _STREET.search(text):
        yield from english(text)


def _numbers(wide: str, text: str) -> Iterator[Found]:
    yield from cards(text)
    yield from korean_phones(text)
    yield from identity_numbers(wide, text)
    yield from accounts(text)
    yield from foreign_phones(text)
    yield from english(text)


def disjoint(candidates: Iterable[Found]) -> tuple[Found, ...]:
    """Return those that do not overlap one before them, in the order of the text."""
    chosen: list[Found] = []
    for each in candidates:
        if all(each.end <= other.start or other.end <= each.start for other in chosen):
            chosen.append(each)
    return tuple(sorted(chosen, key=lambda each: each.start))
