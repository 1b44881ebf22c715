"""What do you remember of me? The answer for a player, in plain words, with a number for everything that is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, Literal

from gieok.domain.attributes import Category, attribute
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok.language.wording import josa, politely

Group = Literal["identity", "taste", "caution", "people", "promises", "events", "between", "rest"]
GROUPS: Final[tuple[Group, ...]] = (
    "identity", "taste", "caution", "people", "promises", "events", "between", "rest",
)  # fmt: skip
_GROUP_OF: Final[Mapping[Category, Group]] = {
    "identity": "identity",
    "caution": "caution",
    "people": "people",
    "preference": "taste",
    "request": "promises",
    "shared_event": "events",
    "situation": "rest",
}
_HAPPENED: Final = frozenset({"event", "timeline", "decision"})
_PAST: Final = frozenset({"birth_year", "vaccination", "decision", "milestone", "event", "timeline"})


def group_of(memory: Memory) -> Group:
    """Return where a memory belongs for the user."""
    if memory.subject != USER:
        return "people" if memory.attribute != "promise" else "promises"
    if memory.attribute is not None:
        return _GROUP_OF[attribute(memory.attribute).category]
    return "events" if memory.content_type in _HAPPENED else "rest"


def sentence(memory: Memory, language: str) -> str:
    """Return what a memory says as one would tell it to the user."""
    past = memory.attribute in _PAST or (memory.attribute is None and memory.content_type in _HAPPENED)
    said = politely(memory.content, past=past) if language == "ko" else memory.content
    if memory.subject in ("other", "character") and memory.subject_id not in said:
        said = _of_another(memory, said, language)
    return full_stop(said)


def _of_another(memory: Memory, said: str, language: str) -> str:
    if language == "en":
        return f"{memory.subject_id}: {said}"
    labelled = memory.attribute is not None and memory.value is not None and said.split(" ")[0][-1:] in ("은", "는")
    return f"{memory.subject_id} {said}" if labelled else f"{josa(memory.subject_id, '은/는')} {said}"


def told_to_user(note: str, language: str) -> str:
    """Return a note as one would tell it to the user."""
    return full_stop(politely(note) if language == "ko" else note)


def full_stop(said: str) -> str:
    """Return it with a full stop, if it is a sentence: 승진 is none."""
    said = said.strip()
    return f"{said}." if said.endswith("요") or (said[-1:].isascii() and said[-1:].isalnum()) else said


_MONTHS: Final = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the answer says by itself, in one language."""

    headings: Mapping[Group, str]
    lead: str  #: {character} and {user} with their particles
    nothing: str
    masked: str
    way_out: str


WORDS: Final[Mapping[str, Words]] = {
    "ko": Words(
        headings={
            "identity": "기본 정보",
            "taste": "좋아하는 것과 싫어하는 것",
            "caution": "조심할 것",
            "people": "주변 사람",
            "promises": "약속과 부탁",
            "events": "있었던 일",
            "between": "우리 사이",
            "rest": "그 밖에 들은 이야기",
        },
        lead="{character}{user}기억하고 있는 내용이에요.",
        nothing="아직 기억하고 있는 내용이 없어요.",
        masked="개인 정보라 가린 채 저장한 부분은 아무도 볼 수 없어요.",
        way_out="잊었으면 하는 기억이 있으면 번호를 알려 주세요. 그 기억은 앞으로 꺼내지 않을게요.",
    ),
    "en": Words(
        headings={
            "identity": "About you",
            "taste": "What you like and dislike",
            "caution": "To be careful with",
            "people": "People around you",
            "promises": "Promises and requests",
            "events": "What happened",
            "between": "The two of us",
            "rest": "What else you told",
        },
        lead="This is what {character} about {user}.",
        nothing="Nothing is remembered yet.",
        masked="Personal details were masked before they were stored; nobody can read them here.",
        way_out="If something should be forgotten, give its number; it will not come up again.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing that is remembered."""

    number: int  #: by which a player can name it; 0: it is nothing that could be forgotten by itself
    text: str
    when: str  #: when, and from whom, it was learned; empty: of no one moment
    memory_id: str | None = None  #: what `forget` takes; None: it is no memory of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What belongs together."""

    group: Group
    heading: str
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutMe:
    """The answer: as a whole, and piece by piece for whoever shows it otherwise."""

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
    """Put what is known of the user into words. `between` are sentences on how it stands between the two."""
    words = WORDS[language]
    known = [memory for memory in memories if _concerns_user(memory)]
    grouped: dict[Group, list[tuple[str, str, str | None]]] = {group: [] for group in GROUPS}
    for memory in known:
        when = _when(memory, language, zone, present)
        grouped[group_of(memory)].append((sentence(memory, language), when, memory.id))
    grouped["between"] += [(told_to_user(each, language), "", None) for each in between]
    parts = _numbered(grouped, words)
    lead = _lead(words, known, character, language) if parts else words.nothing
    lines = [lead]
    for part in parts:
        lines += ["", part.heading, *map(_line, part.told)]
    if any(memory.pii_flags for memory in known):
        lines += ["", words.masked]
    if known:
        lines += ["", words.way_out]
    return AboutMe(text="\n".join(lines), parts=parts)


def called(memories: Iterable[Memory], language: str) -> str:
    """Return what the user is called in a sentence."""
    name = next((each.value for each in memories if each.subject == USER and each.attribute == "name"), None)
    if language == "en":
        return name or "you"
    return f"{name}님" if name else "사용자"


def _numbered(grouped: Mapping[Group, Sequence[tuple[str, str, str | None]]], words: Words) -> tuple[Part, ...]:
    parts = []
    number = 0
    for group in GROUPS:
        told = []
        for text, when, memory_id in grouped[group]:
            number += memory_id is not None
            own = number if memory_id is not None else 0
            told.append(Told(number=own, text=text, when=when, memory_id=memory_id))
        if told:
            parts.append(Part(group=group, heading=words.headings[group], told=tuple(told)))
    return tuple(parts)


def _lead(words: Words, known: Sequence[Memory], character: str | None, language: str) -> str:
    user = called(known, language)
    if language == "en":
        return words.lead.format(character=f"{character} remembers" if character else "is remembered", user="you")
    named = any(each.subject == USER and each.attribute == "name" for each in known)
    who = f"{josa(character, '이/가')} " if character else ""
    return words.lead.format(character=who, user=f"{user}에 대해 " if named else "")


def _concerns_user(memory: Memory) -> bool:
    """Whether it is of the user, of somebody around them, or a promise to them; not how the two speak."""
    if memory.extractor.startswith("manners/"):
        return False
    return memory.subject in ("user", "other") or (memory.subject == "character" and memory.attribute == "promise")


def _line(told: Told) -> str:
    mark = f"{told.number}." if told.number else "-"
    return f"{mark} {told.text}" + (f" ({told.when})" if told.when else "")


def _when(memory: Memory, language: str, zone: tzinfo, present: datetime) -> str:
    day = memory.known_at.astimezone(zone)
    this_year = day.year == present.astimezone(zone).year
    if language == "en":
        told = f"{day.day} {_MONTHS[day.month - 1]}" + ("" if this_year else f" {day.year}")
        return {"reflection": f"gathered, {told}", "import": f"imported, {told}"}.get(memory.origin, told)
    told = ("" if this_year else f"{day.year}년 ") + f"{day.month}월 {day.day}일에"
    if memory.origin in ("person", "import", "reflection"):
        how = {"person": "적어 두었어요", "import": "옮겨 왔어요", "reflection": "짐작했어요"}[memory.origin]
        return f"{told} {how}"
    return f"{told} {'들었어요' if memory.speaker == USER else '이야기했어요'}"
