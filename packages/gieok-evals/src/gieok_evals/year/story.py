"""Ten users and their year: what each tells on which day, and generated everyday talk around it.

The data is in `people/*.toml` and `talk/*.toml`. The same seed always gives the same year.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from gieok.errors import InvalidQuery
from gieok_evals.planted.language import particle

Register = Literal["casual", "formal", "english"]

DAYS: Final = 365
START: Final = datetime(2025, 3, 3, tzinfo=timezone(timedelta(hours=9)))  #: midnight before the first day
LEVELS: Final = ("stranger", "acquaintance", "friend", "close_friend", "intimate")
COURTESIES: Final = ("thanks", "praise", "affection", "confide", "tease", "insult", "apology")
_ASIDE: Final = "오늘은 뭐 하고 놀까?"
_SLOT: Final = re.compile(r"\{([^{}]+)\}")
_SEASONS: Final = ("winter", "spring", "summer", "autumn")  #: three months each, from December
_SILENT: Final = 0.12  #: share of days without talk unless the script has a line
_OWN: Final = 2  #: weight of the user's own frames, where each topic has 1
_EPISODE: Final = "episode"  #: topic of small things that happened
_NOTED: Final = 0.3  #: share of episodes that are also stored with `remember`, so that there is something to forget
_RECENT: Final = 40  #: lines within which a line is not repeated if possible


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact that must be kept."""

    attributes: tuple[str, ...]  #: any of them is right
    values: tuple[str, ...]  #: spellings
    about: str = "user"
    ends: tuple[str, ...] = ()  #: values of the same attribute that are no longer true


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A line of the script: what is said on a day, and what must be kept of it."""

    day: int
    text: str
    reply: str
    fact: Fact | None = None
    keep: Literal["promise", "event"] | None = None
    ask: str | None = None  #: a question that it answers at the end of the year
    mark: str | None = None  #: its label on the chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """How a user talks from a day on."""

    start: int
    register: Register = "casual"
    shares: Mapping[str, float]  #: of each courtesy among the everyday lines
    mark: str | None = None  #: its label on the chart, if it is a bad one


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the relationship should be like between two days."""

    start: int
    end: int
    at_most: str | None = None  #: a level
    at_least: str | None = None
    moves: Literal["up", "not up"] | None = None

    def __str__(self) -> str:
        wanted = [
            f"at most {self.at_most}" if self.at_most else "",
            f"at least {self.at_least}" if self.at_least else "",
            f"moves {self.moves}" if self.moves else "",
        ]
        return f"days {self.start}–{self.end} not as expected: {', '.join(filter(None, wanted))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user, the character they talk to, and their year."""

    user: str
    character: str
    title: str
    topics: tuple[str, ...]
    own: tuple[str, ...]  #: frames about their own life
    phases: tuple[Phase, ...]
    lines: tuple[Told, ...]
    course: tuple[Expectation, ...]
    aside: str = _ASIDE  #: a question unrelated to what they told
    absent: tuple[tuple[int, int], ...] = ()  #: first and last day of each absence

    def phase(self, day: int) -> Phase:
        return next(phase for phase in reversed(self.phases) if phase.start <= day)

    def away(self, day: int) -> bool:
        return any(first <= day <= last for first, last in self.absent)


@cache
def people() -> tuple[Person, ...]:
    folder = files(__package__) / "people"
    documents = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return tuple(_person(tomllib.loads(each.read_text(encoding="utf-8"))) for each in documents)


def first(count: int) -> tuple[Person, ...]:
    """Return the first `count` people, or raise `InvalidQuery`."""
    if not 1 <= count <= len(people()):
        raise InvalidQuery(f"characters={count}: there are 1 to {len(people())}")
    return people()[:count]


def _person(given: Mapping[str, Any]) -> Person:
    return Person(
        user=given["user"],
        character=given["character"],
        title=given["title"],
        topics=tuple(given["topics"]),
        own=_lines(given["own"]),
        phases=tuple(
            Phase(
                start=each["from"],
                register=each.get("register", "casual"),
                shares={name: each[name] for name in COURTESIES if name in each},
                mark=each.get("mark"),
            )
            for each in given["phase"]
        ),
        lines=tuple(sorted(map(_told, given["line"]), key=lambda told: told.day)),
        course=tuple(
            Expectation(
                start=each.get("from", 1),
                end=each.get("until", DAYS),
                at_most=each.get("at_most"),
                at_least=each.get("at_least"),
                moves=each.get("moves"),
            )
            for each in given["course"]
        ),
        aside=given.get("aside", _ASIDE),
        absent=tuple((first_day, last_day) for first_day, last_day in given.get("absent", ())),
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


def _lines(block: str) -> tuple[str, ...]:
    return tuple(line for line in map(str.strip, block.splitlines()) if line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The everyday talk of one register."""

    words: Mapping[str, tuple[str, ...]]  #: values of the slots
    everyday: Mapping[str, tuple[str, ...]]  #: frames by topic
    courtesy: Mapping[str, tuple[str, ...]]  #: lines by courtesy
    answers: Mapping[str, tuple[str, ...]]  #: of the character, by topic or courtesy

    def filled(self, frame: str, dice: random.Random) -> str:
        """Return `frame` with a value in every slot, and particles that fit."""
        said = ""
        rest = 0
        for slot in _SLOT.finditer(frame):
            said += frame[rest : slot.start()]
            said += particle(said, slot[1]) if "/" in slot[1] else dice.choice(self.words[slot[1]])
            rest = slot.end()
        return said + frame[rest:]


@cache
def talk(register: Register) -> Talk:
    def split(values: str, mark: str) -> tuple[str, ...]:
        return tuple(map(str.strip, values.split(mark)))

    document = files(__package__) / "talk" / f"{register}.toml"
    given = tomllib.loads(document.read_text(encoding="utf-8"))
    return Talk(
        words={name: split(values, ",") for name, values in given["words"].items()},
        everyday={topic: _lines(block) for topic, block in given["everyday"].items()},
        courtesy={name: _lines(block) for name, block in given["courtesy"].items()},
        answers={name: split(values, "|") for name, values in given["answers"].items()},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One exchange."""

    number: int  #: from 1
    day: int  #: from 1
    at: datetime
    session: str
    kind: Literal["told", "everyday", "courtesy"]
    text: str
    reply: str
    told: Told | None = None
    noted: bool = False  #: also stored with `remember`, as a game would do

    @property
    def turn_id(self) -> str:
        return f"turn-{self.number:05}"

    @property
    def fact(self) -> Fact | None:
        return self.told.fact if self.told is not None else None


def moment(day: float) -> datetime:
    """Return the end of day `day` of the story."""
    return START + timedelta(days=day)


def day_of(at: datetime) -> float:
    """Return `at` in days since the story began: 1.0 is the end of the first day."""
    return (at - START) / timedelta(days=1)


def check_turns(person: Person, turns: int) -> None:
    """Raise `InvalidQuery` if the script does not fit into `turns`."""
    if turns < len(person.lines):
        raise InvalidQuery(f"turns={turns}: the script of {person.user} takes {len(person.lines)}")


def year(person: Person, *, seed: int = 0, turns: int = 3_000) -> tuple[Line, ...]:
    """Return the year of `person` in exactly `turns` exchanges."""
    check_turns(person, turns)
    return tuple(_Year(person, random.Random(f"{seed}/{person.user}/{turns}")).lines(turns))


class _Year:
    """Generates one year."""

    def __init__(self, person: Person, dice: random.Random) -> None:
        self._person = person
        self._dice = dice
        self._recent: deque[str] = deque(maxlen=_RECENT)

    def lines(self, turns: int) -> Iterator[Line]:
        number = 0
        for day, talks in sorted(self._days(turns).items()):
            at = START + timedelta(days=day - 1, hours=self._dice.randint(7, 20), minutes=self._dice.randrange(60))
            for spoken in self._day(day, talks):
                number += 1
                at += timedelta(seconds=self._dice.randint(30, 300))
                yield Line(number=number, day=day, at=at, session=f"{self._person.user}-{day}", **spoken)

    def _days(self, turns: int) -> Counter[int]:
        """Return the number of everyday lines of each day on which anything is said."""
        told = [line.day for line in self._person.lines]
        open_days = [day for day in range(1, DAYS + 1) if not self._person.away(day)]
        weights = [0.0 if self._dice.random() < _SILENT else self._dice.uniform(0.3, 1.7) for _ in open_days]
        counted = Counter(dict.fromkeys(told, 0))
        counted.update(self._dice.choices(open_days, weights, k=turns - len(told)))
        return counted

    def _day(self, day: int, talks: int) -> list[dict[str, Any]]:
        """Return the fields of the lines of a day."""
        spoken = [self._everyday(day) for _ in range(talks)]
        told = [line for line in self._person.lines if line.day == day]
        places = sorted(self._dice.randint(0, talks) for _ in told)
        for number, (place, line) in enumerate(zip(places, told, strict=True)):
            spoken.insert(place + number, {"kind": "told", "text": line.text, "reply": line.reply, "told": line})
        return spoken

    def _everyday(self, day: int) -> dict[str, Any]:
        phase = self._person.phase(day)
        words = talk(phase.register)
        shares = [phase.shares.get(name, 0.0) for name in COURTESIES]
        (courtesy,) = self._dice.choices([*COURTESIES, None], [*shares, 1.0 - sum(shares)])
        if courtesy is not None:
            text = self._fresh(words.courtesy[courtesy], words)
            return {"kind": "courtesy", "text": text, "reply": self._dice.choice(words.answers[courtesy])}
        topic = self._topic(day, words)
        text = self._fresh(self._person.own if topic == "own" else words.everyday[topic], words)
        noted = topic == _EPISODE and self._dice.random() < _NOTED
        return {"kind": "everyday", "text": text, "reply": self._dice.choice(words.answers[topic]), "noted": noted}

    def _topic(self, day: int, words: Talk) -> str:
        season = _SEASONS[moment(day - 1).month % 12 // 3]
        wanted = (season if topic == "weather" else topic for topic in self._person.topics)
        return self._dice.choice([*(topic for topic in wanted if topic in words.everyday), *["own"] * _OWN])

    def _fresh(self, frames: tuple[str, ...], words: Talk) -> str:
        """Return a line that was not said recently, if a few tries find one."""
        text = ""
        for _ in range(4):
            text = words.filled(self._dice.choice(frames), self._dice)
            if text not in self._recent:
                break
        self._recent.append(text)
        return text
