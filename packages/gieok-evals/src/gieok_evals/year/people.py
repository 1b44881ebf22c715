"""Ten people and what they tell over a year, as `people/*.toml` has it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from gieok.errors import InvalidQuery

Register = Literal["casual", "formal", "english"]
Keep = Literal["promise", "event"]
Moves = Literal["up", "not up"]

DAYS: Final = 365
_ASIDE: Final = "오늘은 뭐 하고 놀까?"
LEVELS: Final = ("stranger", "acquaintance", "friend", "close_friend", "intimate")
COURTESIES: Final = ("thanks", "praise", "affection", "confide", "tease", "insult", "apology")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something told that must stay: of whom, which attribute, and how its value may be written."""

    attributes: tuple[str, ...]  #: any of them is right
    values: tuple[str, ...]
    about: str = "user"
    ends: tuple[str, ...] = ()  #: values of the same attribute that are no longer true


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A line of the script: what is said on a day, and what must be left of it."""

    day: int
    text: str
    reply: str
    fact: Fact | None = None
    keep: Keep | None = None  #: it must stay in mind
    ask: str | None = None  #: a question that it answers at the end of the year
    mark: str | None = None  #: its name on the chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """How somebody talks from a day on."""

    start: int
    register: Register = "casual"
    shares: Mapping[str, float]  #: of each courtesy among the lines of any day
    mark: str | None = None  #: its name on the chart, where it is a bad one


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the relationship should be like between two days."""

    start: int
    end: int
    at_most: str | None = None  #: a level
    at_least: str | None = None
    moves: Moves | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One user, the character they talk to, and their year."""

    user: str
    character: str
    title: str
    topics: tuple[str, ...]
    own: tuple[str, ...]  #: frames of their own life
    phases: tuple[Phase, ...]
    lines: tuple[Told, ...]
    course: tuple[Expectation, ...]
    aside: str = _ASIDE  #: a question that has nothing to do with what they told
    absent: tuple[tuple[int, int], ...] = ()  #: first and last day of each absence

    def phase(self, day: int) -> Phase:
        return next(phase for phase in reversed(self.phases) if phase.start <= day)

    def away(self, day: int) -> bool:
        return any(first <= day <= last for first, last in self.absent)


@cache
def people() -> tuple[Person, ...]:
    folder = files("gieok_evals.year") / "people"
    documents = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return tuple(_person(tomllib.loads(each.read_text(encoding="utf-8"))) for each in documents)


def first(count: int) -> tuple[Person, ...]:
    """Return the first `count` people, or raise `InvalidQuery`."""
    everybody = people()
    if not 1 <= count <= len(everybody):
        raise InvalidQuery(f"characters={count}: there are 1 to {len(everybody)}")
    return everybody[:count]


def lines(block: str) -> tuple[str, ...]:
    """Return the lines of a block of text, without empty ones."""
    return tuple(line for line in map(str.strip, block.splitlines()) if line)


def _person(given: Mapping[str, Any]) -> Person:
    return Person(
        user=given["user"],
        character=given["character"],
        title=given["title"],
        topics=tuple(given["topics"]),
        own=lines(given["own"]),
        phases=tuple(_phase(each) for each in given["phase"]),
        lines=tuple(sorted((_told(each) for each in given["line"]), key=lambda told: told.day)),
        course=tuple(_expectations(given["course"])),
        aside=given.get("aside", _ASIDE),
        absent=tuple((first_day, last_day) for first_day, last_day in given.get("absent", ())),
    )


def _phase(given: Mapping[str, Any]) -> Phase:
    return Phase(
        start=given["from"],
        register=given.get("register", "casual"),
        shares={name: given[name] for name in COURTESIES if name in given},
        mark=given.get("mark"),
    )


def _told(given: Mapping[str, Any]) -> Told:
    fact = None
    if "fact" in given:
        fact = Fact(
            attributes=tuple(given.get("attributes", (given["fact"],))),
            values=tuple(given["values"]),
            about=given.get("about", "user"),
            ends=tuple(given.get("ends", ())),
        )
    return Told(
        day=given["day"],
        text=given["text"],
        reply=given["reply"],
        fact=fact,
        keep=given.get("keep"),
        ask=given.get("ask"),
        mark=given.get("mark"),
    )


def _expectations(given: list[Mapping[str, Any]]) -> Iterator[Expectation]:
    for each in given:
        yield Expectation(
            start=each.get("from", 1),
            end=each.get("until", DAYS),
            at_most=each.get("at_most"),
            at_least=each.get("at_least"),
            moves=each.get("moves"),
        )
