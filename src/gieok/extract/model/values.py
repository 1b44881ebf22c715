"""Values that a model gives, written as the rules write them, and only where somebody said them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from gieok.extract.english import values as english
from gieok.extract.english.patterns import patterns as english_patterns
from gieok.extract.korean import values as korean
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.patterns import patterns as korean_patterns
from gieok.extract.korean.tidying import is_thing
from gieok.extract.likely import share
from gieok.extract.model.ground import Ground
from gieok.language.morphemes import analyse
from gieok.language.notes import note
from gieok.language.text import has_hangul

_MEASURED: Final[Mapping[str, str]] = {
    "age": "age", "birth_year": "birth_year", "birthday": "month_day", "mbti": "mbti", "blood_type": "blood",
    "height": "height", "weight": "weight", "phone": "phone",
}  # fmt: skip
_COUNTED: Final = frozenset({"age", "height", "weight"})
_KEPT_AS_SAID: Final = frozenset({"noun", "name", "job"})
_CLOSED: Final = frozenset({"gender", "status", "hand", "season", "color"})  #: kinds with few values, all known
_NAMED_FREELY: Final = frozenset({"color"})  #: 네이비, 올리브그린
CONCLUDED: Final = 0.03  #: the share of the learned reader for which words say what they do not name
_HAPPENING: Final = frozenset(
    "event timeline milestone promise todo decision plan goal note opinion constraint boundary trauma mood habit "
    "contraindication".split()
)
_DATE: Final = re.compile(r"(?:\d{4}[-./])?(\d{1,2})[-./](\d{1,2})")
_LONGEST: Final = 40  #: letters of a value that names something
_LONGEST_HAPPENING: Final = 80
_ROW: Final = 3  #: words in a row that may say a measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """A value as it is kept, as it reads in a sentence, and as it was said."""

    value: str
    shown: str
    surface: str
    alone: bool = False  #: it says by itself what it is: INFP, 스물다섯 살


class _Said(Protocol):
    @property
    def value(self) -> str: ...


def value_meant(attribute: str, given: str, ground: Ground) -> Meant | None:
    """Return what `given` means as a value of `attribute`; None where nobody said it, or it is no such value."""
    given = given.strip(" .,!?~\"'“”‘’")
    if attribute in _MEASURED:
        return measured(attribute, given, ground)
    closed = _concluded(attribute, given, ground)
    if closed is not None:
        return closed
    if not ground.holds(given) or not _can_be(attribute, given):
        return None
    surface = _typed(given, ground)
    if not has_hangul(ground.text):
        return Meant(value=given, shown=given, surface=surface)
    pattern = korean_patterns().by_attribute.get(attribute)
    kind = pattern.value if pattern is not None else "noun"
    read = korean.READERS[kind](given) if kind not in _KEPT_AS_SAID else None
    if read is not None:
        return Meant(value=read.value, shown=read.shown, surface=surface)
    if kind in _CLOSED - _NAMED_FREELY:
        return None
    value = lexicon().canonical.get(given, given)
    return Meant(value=value, shown=value, surface=surface)


def _concluded(attribute: str, given: str, ground: Ground) -> Meant | None:
    """Return a value out of few that the words say in their own way: 여성 of "여자라서", 연애중 of "남친 생겼어"."""
    pattern = korean_patterns().by_attribute.get(attribute)
    if pattern is None or pattern.value not in _CLOSED - {"color", "season"} or not has_hangul(ground.text):
        return None
    read = korean.READERS[pattern.value](given)
    if read is None:
        return None
    for word in ground.text.split():
        for end in range(len(word), 1, -1):
            said = korean.READERS[pattern.value](word[:end])
            if said is not None:
                return (
                    Meant(value=said.value, shown=said.shown, surface=word[:end]) if said.value == read.value else None
                )
    if share(attribute, read.value, given, ground.text) >= CONCLUDED:
        return Meant(value=read.value, shown=read.shown, surface=read.value)
    return None


def is_known(attribute: str) -> bool:
    """Whether rules have words for the attribute."""
    return attribute in korean_patterns().by_attribute


def sentence(attribute: str, shown: str, *, hangul: bool, negative: bool, over: bool) -> str | None:
    """Return the sentence that the rules would write; None for an attribute that they have no words for."""
    known = korean_patterns().by_attribute if hangul else english_patterns().by_attribute
    if attribute not in known:
        return None
    return note(attribute, shown, "ko" if hangul else "en", negative=negative, over=over)


def measured(attribute: str, given: str, ground: Ground) -> Meant | None:
    """Return a number, a day or a type that was said in whatever way; None for attributes of another kind."""
    if attribute not in _MEASURED:
        return None
    hangul = has_hangul(ground.text)
    date = _DATE.fullmatch(given) if attribute == "birthday" else None
    value = f"{int(date[1]):02d}-{int(date[2]):02d}" if date is not None else None
    value = value or next((said for said, *_ in _read(attribute, given, hangul=hangul)), None)
    if value is None:
        return None
    for said, surface, alone in _read(attribute, ground.text, hangul=hangul):
        if said == value:
            return Meant(value=value, shown=_shown(attribute, value), surface=surface, alone=alone)
    if attribute in _COUNTED and ground.holds(value):
        return Meant(value=value, shown=value, surface=value)
    return None


def _read(attribute: str, text: str, *, hangul: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield every value of the attribute's kind that stands in `text`, the words that say it, and if they do alone."""
    kind = _MEASURED[attribute]
    words = text.split()
    rows = [" ".join(words[at : at + size]) for size in range(1, _ROW + 1) for at in range(len(words) - size + 1)]
    for row in (text, *rows):
        read: _Said | None = korean.READERS[kind](row) if hangul else getattr(english, kind)(row)
        if read is not None:
            yield read.value, row, bool(getattr(read, "alone", False))


def _shown(attribute: str, value: str) -> str:
    if attribute == "birthday":
        month, day = value.split("-")
        return f"{int(month)}월 {int(day)}일"
    return {"blood_type": f"{value}형", "birth_year": f"{value}년"}.get(attribute, value)


def _can_be(attribute: str, value: str) -> bool:
    """Whether `value` names something, and is no sentence, unless the attribute is of what happens."""
    if attribute in _HAPPENING:
        return len(value) <= _LONGEST_HAPPENING
    last = analyse(value)[-1:]
    finite = bool(last) and last[0].tag == "EF"
    return len(value) <= _LONGEST and not finite and is_thing(attribute, value)


def _typed(value: str, ground: Ground) -> str:
    place = ground.place_of(value)
    return ground.text[place[0] : place[1]] if place is not None else value
