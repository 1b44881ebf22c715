"""Whether a model's text keeps to its grounds: the names and numbers in it must stand in what it was shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from gieok.language.morphemes import analyse
from gieok.language.numerals import find_numbers
from gieok.language.people import name_of_word
from gieok.language.terms import STOP_WORDS
from gieok.language.text import fold, has_hangul, normalise

_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_OPENING: Final = frozenset('.!?…:;"“”\n')
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_SHORTEST: Final = 2  #: letters of a name
_ANYWHERE: Final = frozenset({0, 1})  #: 한 가지, 한번: no figure
_BEHIND_NAMES: Final = frozenset(
    "is was has had will would and likes loves lives works said says told wants seems feels does did can".split()
)  #: before them, also the first word of a sentence may be a name
_ENGLISH_NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        start=2,
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_CALENDAR: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december i i'm i'd i'll i've".split()
)


def ungrounded(text: str, grounds: Iterable[str], days: Iterable[date] = ()) -> list[str]:
    """Return the names and numbers of `text` that stand nowhere in `grounds`, as they are written.

    Years, months and days may also be those of `days`.
    """
    known = fold(normalise("\n".join(grounds)))
    text = normalise(text)
    dates = {pair for day in days for pair in ((day.year, "년"), (day.month, "월"), (day.day, "일"))}
    figures = {figure.value for figure in _figures(known)} | _ANYWHERE
    numbers = [
        figure.said
        for figure in _figures(text)
        if figure.value not in figures and (figure.value, text[figure.end : figure.end + 1]) not in dates
    ]
    return [*(name for name in _names(text) if not _stands_in(name, known)), *numbers]


def _stands_in(name: str, known: str) -> bool:
    if name.isascii():  # Al stands in "also" only by accident
        return re.search(rf"(?<![a-z]){re.escape(fold(name))}(?![a-z])", known) is not None
    return fold(name) in known or fold(name_of_word(name)) in known


def _names(text: str) -> Iterator[str]:
    if not has_hangul(text):
        yield from _english_names(text)
        return
    for morpheme in analyse(text):
        named = morpheme.tag == "NNP" and len(morpheme.form) >= _SHORTEST
        if named or (morpheme.tag == "SL" and morpheme.form.casefold() not in STOP_WORDS):
            yield morpheme.form


def _english_names(text: str) -> Iterator[str]:
    found = list(_WORD.finditer(text))
    for place, match in enumerate(found):
        word = _POSSESSIVE.sub("", match.group())
        plain = word.casefold()
        if not word[:1].isupper() or len(word) < _SHORTEST or plain in STOP_WORDS | _CALENDAR:
            continue
        after = found[place + 1].group().casefold() if place + 1 < len(found) else ""
        if not _opens(text, match.start()) or word != match.group() or after in _BEHIND_NAMES:
            yield word


def _opens(text: str, start: int) -> bool:
    """Whether a sentence begins at `start`."""
    before = next((at for at in range(start - 1, -1, -1) if text[at] == "\n" or not text[at].isspace()), -1)
    return before < 0 or text[before] in _OPENING


class _Figure(NamedTuple):
    """A number, and the words that say it."""

    value: float
    said: str
    end: int


def _figures(text: str) -> Iterator[_Figure]:
    read = find_numbers(text)
    for found in read:
        yield _Figure(found.value, text[found.start : found.end], found.end)
    within = {place for found in read for place in range(found.start, found.end)}
    for match in _DIGITS.finditer(text):
        if match.start() not in within:
            yield from (_Figure(value, match.group(), match.end()) for value in _values(match.group()))
    for match in _WORD.finditer(text):
        value = _ENGLISH_NUMBERS.get(match.group().casefold())
        if value is not None:
            yield _Figure(value, match.group(), match.end())


def _values(said: str) -> Iterator[float]:
    """Yield the value of 172.5, or the parts of 10:30 and 3.5.2."""
    whole, point, rest = said.partition(".")
    if point and whole.isdecimal() and rest.isdecimal():
        yield float(said[:15])
        return
    yield from (float(part[:15]) for part in re.split(r"[.,:]", said))
