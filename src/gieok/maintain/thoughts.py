"""What may come of a model's answers: only what rests on memories, says nothing that they do not hold, and is short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from gieok.domain.memory import Memory
from gieok.domain.thinking import FEWEST_GROUNDS, Conflict, Insight, Retelling, grounded
from gieok.language.morphemes import analyse
from gieok.language.namelike import bare_name
from gieok.language.numerals import find_numbers
from gieok.language.terms import STOP_WORDS
from gieok.language.text import fold, has_hangul, normalise
from gieok.prompts.reflect import Reflection

_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_OPENING: Final = re.compile(r"(?:^|[.!?…:;\"“”\n])\s*$")
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
_LONGEST_INSIGHT: Final = 300
_LONGEST_ABOUT: Final = 40
_LONGEST_RETELLING: Final = 1_200


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
    return fold(name) in known or fold(bare_name(name)) in known


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
        opens = _OPENING.search(text[: match.start()]) is not None
        if not opens or word != match.group() or after in _BEHIND_NAMES:
            yield word


class _Figure(NamedTuple):
    """A number, and the words that say it."""

    value: float
    said: str
    end: int


def _figures(text: str) -> Iterator[_Figure]:
    read = find_numbers(text)
    for found in read:
        yield _Figure(found.value, text[found.start : found.end], found.end)
    for match in _DIGITS.finditer(text):
        if not any(found.start <= match.start() < found.end for found in read):
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


def insights_from(
    reflections: Iterable[Reflection], shown: Mapping[str, Memory], names: Sequence[str]
) -> tuple[Insight, ...]:
    """Return the insights that hold: each cites two of the memories `shown`, whose names and numbers are its own."""
    found = []
    for reflection in reflections:
        cited = [shown[each] for each in dict.fromkeys(reflection.memory_ids) if each in shown]
        content = one_line(reflection.content)
        if len(cited) < FEWEST_GROUNDS or not _fits(content, _LONGEST_INSIGHT, cited, names):
            continue
        if any(fold(content) == fold(memory.content) for memory in cited):
            continue  # that is remembered already
        subjects = {(memory.subject, memory.subject_id) for memory in cited}
        of = cited[0] if len(subjects) == 1 else None
        found.append(
            Insight(
                content=content,
                about=one_line(reflection.about)[:_LONGEST_ABOUT],
                subject=of.subject if of is not None else "user",
                subject_id=of.subject_id if of is not None else "user",
                importance=min(max(reflection.importance, 0.0), 1.0),
                grounds=tuple(map(grounded, cited)),
            )
        )
    return tuple(found)


def retelling_of(
    memory: Memory, text: str, *, grounds: Iterable[Memory] = (), said: Iterable[str] = (), names: Sequence[str]
) -> Retelling | None:
    """Return `memory` as `text` tells it; None: that says more than there is."""
    content = one_line(text)
    if not _fits(content, _LONGEST_RETELLING, (memory, *grounds), (*said, *names)) or fold(content) == fold(
        memory.content
    ):
        return None
    return Retelling(content=content, ground=grounded(memory))


def conflicts_among(found: Iterable[tuple[str, str]], asked: Iterable[tuple[Memory, Memory]]) -> tuple[Conflict, ...]:
    """Return the pairs that were asked about and that a model finds at odds."""
    pairs = {(newer.id, older.id): (newer, older) for newer, older in asked}
    return tuple(
        Conflict(newer=grounded(newer), older=grounded(older))
        for newer, older in (pairs[pair] for pair in dict.fromkeys(found) if pair in pairs)
    )


def one_line(text: str) -> str:
    return " ".join(text.split())


def _fits(content: str, longest: int, grounds: Sequence[Memory], besides: Sequence[str]) -> bool:
    if not 0 < len(content) <= longest:
        return False
    days = [moment.date() for memory in grounds for moment in (memory.valid_at, memory.known_at)]
    return not ungrounded(content, (*map(_all_of, grounds), *besides), days)


def _all_of(memory: Memory) -> str:
    """Return everything that is known through `memory`."""
    told = (memory.content, memory.surface, memory.value, memory.subject_id, memory.speaker, *memory.details)
    return "\n".join(filter(None, told))
