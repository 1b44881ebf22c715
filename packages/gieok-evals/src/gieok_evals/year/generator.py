"""A year of one person, from a seed: what the script tells on its days, and everyday talk around it. Pure."""

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
from typing import Final, Literal

from gieok.errors import InvalidQuery
from gieok_evals.planted.wording import fitting
from gieok_evals.year.people import COURTESIES, DAYS, Person, Register, Told, lines

_SLOT: Final = re.compile(r"\{([^{}]+)\}")
Kind = Literal["told", "everyday", "courtesy"]
_SEOUL: Final = timezone(timedelta(hours=9))
START: Final = datetime(2025, 3, 3, tzinfo=_SEOUL)  #: midnight before the first day
_SEASONS: Final = ("winter", "spring", "summer", "autumn")  #: by three months each, from December
_SILENT: Final = 0.12  #: days on which nothing is said unless the script wants it
_OWN: Final = 2  #: how often somebody's own life comes up, beside one for each topic
_EPISODE: Final = "episode"  #: the topic of small things that happened
_NOTED: Final = 0.3  #: of these are written down: there is something to forget, however little is read from talk
_REMEMBERED: Final = 40  #: lines within which nobody says the very same again, if it can be helped


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The talk of one register."""

    words: Mapping[str, tuple[str, ...]]  #: values of the slots
    everyday: Mapping[str, tuple[str, ...]]  #: frames by topic
    courtesy: Mapping[str, tuple[str, ...]]  #: thanks, praise, insults …
    answers: Mapping[str, tuple[str, ...]]  #: of the character, by topic or courtesy

    def filled(self, frame: str, dice: random.Random) -> str:
        """Return `frame` with a value in every slot, and particles that fit the word before them."""
        said = ""
        rest = 0
        for slot in _SLOT.finditer(frame):
            said += frame[rest : slot.start()]
            name = slot[1]
            said += fitting(said, name) if "/" in name else dice.choice(self.words[name])
            rest = slot.end()
        return said + frame[rest:]

    def answer(self, topic: str, dice: random.Random) -> str:
        return dice.choice(self.answers[topic])


@cache
def talk(register: Register) -> Talk:
    document = files("gieok_evals.year") / "talk" / f"{register}.toml"
    given = tomllib.loads(document.read_text(encoding="utf-8"))
    return Talk(
        words={name: _split(values, ",") for name, values in given["words"].items()},
        everyday={topic: lines(block) for topic, block in given["everyday"].items()},
        courtesy={name: lines(block) for name, block in given["courtesy"].items()},
        answers={name: _split(values, "|") for name, values in given["answers"].items()},
    )


def _split(values: str, mark: str) -> tuple[str, ...]:
    return tuple(map(str.strip, values.split(mark)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One exchange."""

    number: int  #: from 1
    day: int  #: from 1
    at: datetime
    session: str
    kind: Kind
    text: str
    reply: str
    told: Told | None = None
    noted: bool = False  #: somebody beside the two, a game or a director, writes it down outright

    @property
    def trivial(self) -> bool:
        return self.kind == "everyday"


def moment(day: float) -> datetime:
    """Return when day `day` of the story is over."""
    return START + timedelta(days=day)


def day_of(at: datetime) -> float:
    """Return `at` in days since the story began: 1.0 is the end of the first day."""
    return (at - START) / timedelta(days=1)


def check_turns(person: Person, turns: int) -> None:
    """Raise `InvalidQuery` where the script does not fit into `turns`."""
    if turns < len(person.lines):
        raise InvalidQuery(f"turns={turns}: what {person.user} has to tell takes {len(person.lines)}")


def year(person: Person, *, seed: int = 0, turns: int = 3_000) -> tuple[Line, ...]:
    """Return `person`'s year in exactly `turns` exchanges; the same seed gives the same year."""
    check_turns(person, turns)
    dice = random.Random(f"{seed}/{person.user}/{turns}")
    return tuple(_Year(person, dice).lines(turns))


@dataclass(frozen=True, slots=True)
class _Spoken:
    kind: Kind
    text: str
    reply: str
    told: Told | None = None
    noted: bool = False


class _Year:
    """Holds what has to be known while one year is written."""

    def __init__(self, person: Person, dice: random.Random) -> None:
        self._person = person
        self._dice = dice
        self._said: deque[str] = deque(maxlen=_REMEMBERED)

    def lines(self, turns: int) -> Iterator[Line]:
        number = 0
        for day, talks in sorted(self._days(turns).items()):
            at = START + timedelta(days=day - 1, hours=self._dice.randint(7, 20), minutes=self._dice.randrange(60))
            for spoken in self._day(day, talks):
                number += 1
                at += timedelta(seconds=self._dice.randint(30, 300))
                yield Line(
                    number=number,
                    day=day,
                    at=at,
                    session=f"{self._person.user}-{day}",
                    kind=spoken.kind,
                    text=spoken.text,
                    reply=spoken.reply,
                    told=spoken.told,
                    noted=spoken.noted,
                )

    def _days(self, turns: int) -> Counter[int]:
        """Return how many everyday lines fall on each day on which anything is said."""
        told = [line.day for line in self._person.lines]
        open_days = [day for day in range(1, DAYS + 1) if not self._person.away(day)]
        weights = [0.0 if self._dice.random() < _SILENT else self._dice.uniform(0.3, 1.7) for _ in open_days]
        counted = Counter(dict.fromkeys(told, 0))
        counted.update(self._dice.choices(open_days, weights, k=turns - len(told)))
        return counted

    def _day(self, day: int, talks: int) -> list[_Spoken]:
        spoken = [self._any(day) for _ in range(talks)]
        told = [line for line in self._person.lines if line.day == day]
        places = sorted(self._dice.randint(0, talks) for _ in told)
        for number, (place, line) in enumerate(zip(places, told, strict=True)):
            spoken.insert(place + number, _Spoken("told", line.text, line.reply, line))
        return spoken

    def _any(self, day: int) -> _Spoken:
        phase = self._person.phase(day)
        words = talk(phase.register)
        shares = [phase.shares.get(name, 0.0) for name in COURTESIES]
        (courtesy,) = self._dice.choices([*COURTESIES, None], [*shares, 1.0 - sum(shares)])
        if courtesy is not None:
            text = self._fresh(words.courtesy[courtesy], words)
            return _Spoken("courtesy", text, words.answer(courtesy, self._dice))
        topic = self._topic(day, words)
        text = self._fresh(self._person.own if topic == "own" else words.everyday[topic], words)
        noted = topic == _EPISODE and self._dice.random() < _NOTED
        return _Spoken("everyday", text, words.answer(topic, self._dice), noted=noted)

    def _topic(self, day: int, words: Talk) -> str:
        season = _SEASONS[moment(day - 1).month % 12 // 3]
        wanted = (season if topic == "weather" else topic for topic in self._person.topics)
        return self._dice.choice([*(topic for topic in wanted if topic in words.everyday), *["own"] * _OWN])

    def _fresh(self, frames: tuple[str, ...], words: Talk) -> str:
        """Return a line that was not said just now, if a few throws find one."""
        text = ""
        for _ in range(4):
            text = words.filled(self._dice.choice(frames), self._dice)
            if text not in self._said:
                break
        self._said.append(text)
        return text
