"""The answer to "what do you remember about me?", with numbered memories; exports use the same wording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import count
from typing import Final, Literal, cast, get_args

from gieok.domain.attributes import Category, attribute
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok.language.wording import HAPPENED, polite_fact, polite_sentence
from gieok.words import Language, Words, words_in

Group = Literal["identity", "taste", "caution", "people", "promises", "events", "between", "rest"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
_GROUP_OF: Final[Mapping[Category, Group]] = {
    "identity": "identity",
    "caution": "caution",
    "people": "people",
    "preference": "taste",
    "request": "promises",
    "shared_event": "events",
    "situation": "rest",
}
_MONTHS: Final = "January February March April May June July August September October November December".split()


def catalogue(language: str) -> Words:
    return words_in(cast(Language, language))


def dated(words: Words, key: str, at: datetime) -> str:
    return words(key, at=at, month=_MONTHS[at.month - 1])


def group_of(memory: Memory) -> Group:
    if memory.subject != USER:
        return "people" if memory.attribute != "promise" else "promises"
    if memory.attribute is not None:
        return _GROUP_OF[attribute(memory.attribute).category]
    return "events" if memory.content_type in HAPPENED else "rest"


def is_about_manners(memory: Memory) -> bool:
    return memory.extractor.startswith("manners/")


def sentence(memory: Memory, language: str) -> str:
    if language == "ko":
        return _full_stop(polite_fact(memory))
    named = memory.subject in ("other", "character") and memory.subject_id not in memory.content
    return _full_stop(f"{memory.subject_id}: {memory.content}" if named else memory.content)


def told_to_user(note: str, language: str) -> str:
    return _full_stop(polite_sentence(note) if language == "ko" else note)


def _full_stop(said: str) -> str:
    """Return a text with a full stop if it is a sentence, which 승진 is not."""
    said = said.strip()
    return f"{said}." if said.endswith("요") or (said[-1:].isascii() and said[-1:].isalnum()) else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One entry of the answer."""

    number: int  #: the number to refer to it; 0: it cannot be forgotten separately
    text: str
    when: str  #: when and from whom it was learned; "": no particular time
    memory_id: str | None = None  #: for `forget`; None: not a memory of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A section of the answer."""

    group: Group
    heading: str
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutMe:
    """The answer: as one text, and in parts for other displays."""

    text: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return self.text


def about_me(
    memories: Iterable[Memory],
    *,
    character: str | None,
    between: Sequence[str] = (),
    language: str,
    zone: tzinfo,
    present: datetime,
) -> AboutMe:
    """Return what is known about the user in words. `between` are sentences on the relationship of the two."""
    words = catalogue(language)
    known = [memory for memory in memories if _concerns_user(memory)]
    grouped: dict[Group, list[tuple[str, str, str | None]]] = {group: [] for group in GROUPS}
    for memory in known:
        when = _when(memory, words, zone, present)
        grouped[group_of(memory)].append((sentence(memory, language), when, memory.id))
    grouped["between"] += [(told_to_user(each, language), "", None) for each in between]
    parts = _numbered(grouped, words)
    lines = [_lead(words, known, character) if parts else words("export.about_me.nothing")]
    for part in parts:
        lines += ["", part.heading, *map(_line, part.told)]
    if any(memory.pii_flags for memory in known):
        lines += ["", words("export.about_me.masked")]
    if known:
        lines += ["", words("export.about_me.way_out")]
    return AboutMe(text="\n".join(lines), parts=parts)


def called(memories: Iterable[Memory], language: str) -> str:
    name = _name_in(memories)
    if language == "en":
        return name or "you"
    return f"{name}님" if name else "사용자"


def _name_in(memories: Iterable[Memory]) -> str | None:
    return next((each.value for each in memories if each.subject == USER and each.attribute == "name"), None)


def _numbered(grouped: Mapping[Group, Sequence[tuple[str, str, str | None]]], words: Words) -> tuple[Part, ...]:
    parts, numbers = list[Part](), count(1)
    for group, found in grouped.items():
        told = tuple(
            Told(number=0 if memory_id is None else next(numbers), text=text, when=when, memory_id=memory_id)
            for text, when, memory_id in found
        )
        if told:
            parts.append(Part(group=group, heading=words(f"export.headings.{group}"), told=told))
    return tuple(parts)


def _lead(words: Words, known: Sequence[Memory], character: str | None) -> str:
    key = "lead" + ("_by" if character else "") + ("_about" if _name_in(known) else "")
    return words(f"export.about_me.{key}", character=character or "", user=called(known, words.language))


def _concerns_user(memory: Memory) -> bool:
    """Return whether it is about the user, a person around them, or a promise to them."""
    if is_about_manners(memory):
        return False
    return memory.subject in ("user", "other") or (memory.subject == "character" and memory.attribute == "promise")


def _line(told: Told) -> str:
    mark = f"{told.number}." if told.number else "-"
    return f"{mark} {told.text}" + (f" ({told.when})" if told.when else "")


def _when(memory: Memory, words: Words, zone: tzinfo, present: datetime) -> str:
    at = memory.known_at.astimezone(zone)
    this_year = at.year == present.astimezone(zone).year
    day = dated(words, f"export.about_me.{'this' if this_year else 'other'}_year", at)
    said = "user" if memory.speaker == USER else "other"
    how = memory.origin if memory.origin in ("person", "import", "reflection") else said
    return words(f"export.learned.{how}", day=day)
