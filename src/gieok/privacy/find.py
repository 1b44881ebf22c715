"""Finds telephone numbers and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gieok.language.data_files import Patterns, data_file
from gieok.privacy.numbers import (
    PersonalSpan,
    accounts,
    before,
    cards,
    counted,
    english,
    figures,
    identity_numbers,
    impersonal,
    is_free,
    plain,
)


def _parts() -> dict[str, str]:
    """Return the pattern parts made of place names, longest first."""
    table = data_file("patterns.toml", "gieok.privacy")
    places = {kind: names.split() for kind, names in table["places"].items()}
    called = {name for kind in ("cities", "counties", "wards") for name in places[kind] if len(name) > 1}
    lists = {**{kind.upper(): names for kind, names in places.items()}, "CALLED_SO": sorted(called)}
    first = "".join(sorted({name[0] for names in places.values() for name in names}))
    return {
        **{part: "|".join(sorted(names, key=len, reverse=True)) for part, names in lists.items()},
        "FIRST": first,
        "JOINED": table["numbers"]["JOINED"],
    }


_FIND: Final = Patterns("gieok.privacy", "patterns.toml", "find", _parts)


def korean_phones(text: str) -> Iterator[PersonalSpan]:
    """Yield the Korean telephone numbers in `text`, which must have digits."""
    for match in _FIND.mobile.finditer(text):
        if not _FIND.nobody.search(match[0]):
            yield PersonalSpan("phone", *_without_bracket(match))
    for match in _FIND.land_line.finditer(text):
        doubtful = match[0].isdigit() and impersonal(text, match.start())
        doubtful |= " " in match[0] and _FIND.one_of_more.search(before(text, match.start())) is not None
        if not doubtful and not counted(text, match.end()):
            yield PersonalSpan("phone", *_without_bracket(match))


def foreign_phones(text: str) -> Iterator[PersonalSpan]:
    """Yield foreign telephone numbers: American ones in local format, others with a country code."""
    for match in _FIND.american.finditer(text):
        if (
            not _FIND.free_of_charge.match(match[0])
            and not impersonal(text, match.start())
            and not counted(text, match.end())
        ):
            yield PersonalSpan("phone", match.start(), match.end())
    if "+" in text:
        yield from _foreign(text)


def _without_bracket(match: re.Match[str]) -> tuple[int, int]:
    """Return the span of the number, without an opening bracket that is not closed within it."""
    opened = match[0].startswith("(") and ")" not in match[0]
    return match.start() + opened, match.end()


def _foreign(text: str) -> Iterator[PersonalSpan]:
    import phonenumbers

    for match in _FIND.foreign.finditer(text):
        try:
            number = phonenumbers.parse(match[0], None)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_possible_number(number):
            yield PersonalSpan("phone", match.start(), match.end())


def emails(text: str) -> Iterator[PersonalSpan]:
    for match in _FIND.email.finditer(text):
        yield PersonalSpan("email", match.start(), match.end())
    for match in _FIND.email_told.finditer(text):
        yield PersonalSpan("email", match.start("it"), match.end("it"))
    if " dot " in text.lower():
        for match in _FIND.email_in_words.finditer(text):
            yield PersonalSpan("email", match.start(), match.end())


def addresses(text: str) -> Iterator[PersonalSpan]:
    for match in _places(text):
        yield PersonalSpan("address", match.start(), match.start() + len(match[0].rstrip(" ,")))


def _places(text: str) -> Iterator[re.Match[str]]:
    for match in _FIND.with_district.finditer(text):
        if "-" in match["place"] or not _FIND.other_words.match(match["place"]):
            yield match
    yield from (match for match in _FIND.telling.finditer(text) if not _FIND.other_words.match(match[0]))
    if _FIND.flat.search(text):
        yield from _FIND.named_flat.finditer(text)
    for match in _FIND.with_words.finditer(text):
        if not _FIND.other_words.match(match[0]) and bool(
            _FIND.living.search(before(text, match.start(), 20)) or _FIND.lives_after.match(text, match.end())
        ):
            yield match
    if "-" in text:
        yield from _FIND.latin.finditer(text)


_MIN_DIGITS: Final = 7  #: minimum digits of a number


def found(text: str) -> tuple[PersonalSpan, ...]:
    """Return the personal data in `text`, in order and without overlaps."""
    if _FIND.any.search(text) is None:
        return ()
    wide = plain(text)
    taken = bytearray(len(wide))
    return disjoint(_candidates(wide, taken), taken)


def _candidates(wide: str, taken: bytearray) -> Iterator[PersonalSpan]:
    """Yield possible personal data, the more reliable kind first in case of overlap."""
    if _FIND.mail.search(wide):
        yield from emails(wide)
    text = figures(wide)
    digits = sum(map(text.count, "0123456789"))
    if digits and _FIND.placed.search(text):
        yield from addresses(text)
    if digits >= _MIN_DIGITS:
        yield from _numbers(wide, text, taken)
    elif digits and _FIND.street.search(text):
        yield from english(text)


def _numbers(wide: str, text: str, taken: bytearray) -> Iterator[PersonalSpan]:
    yield from cards(text)
    yield from korean_phones(text)
    yield from identity_numbers(wide, text)
    yield from accounts(text, taken)
    yield from foreign_phones(text)
    yield from english(text)


def disjoint(candidates: Iterable[PersonalSpan], taken: bytearray) -> tuple[PersonalSpan, ...]:
    """Return candidates that do not overlap earlier ones, sorted by position; their positions are marked in `taken`."""
    chosen = []
    for each in candidates:
        if is_free(taken, each.start, each.end):
            taken[each.start : each.end] = b"\1" * (each.end - each.start)
            chosen.append(each)
    return tuple(sorted(chosen, key=lambda each: each.start))
