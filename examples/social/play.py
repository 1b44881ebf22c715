"""Five weeks on a small social site: a bot hears of posts and notifications over an event bus, and remembers people."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot import SITE, Bara, Bus, RecordedMove
from rich.console import Console
from stage import Stage

import gieok

EVENTS = Path(__file__).with_name("events.jsonl")
SIX_HOURS = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody as the bot knows them."""

    met: int
    facts: Sequence[str]  #: true now
    regards: Sequence[float]  #: how others spoke of them, from -1 to 1, as it went
    trust: float  #: 0 to 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of it."""

    delivered: int  #: how often an event came
    turns: int  #: how many of them were kept, in the open and in private
    comments: Mapping[str, str]  #: what the bot wrote, by the id of the comment or of what it answers
    people: Mapping[str, Person]
    concluded: Sequence[str]  #: what it all adds up to, as upkeep found, with whom it is about
    in_the_open: str  #: all that a comment could be written with at the end
    in_private: str


def play(folder: Path, console: Console, **settings: Any) -> Played:
    """Let five weeks of events come over the bus, into a new bank in `folder`."""
    stage, bus, delivered = Stage(console), Bus(), 0
    with gieok.open(folder / "social.db", preset="social:document", **settings) as bank:
        bot = Bara(bank, bus, stage)
        for event in with_ticks(read(EVENTS)):
            bus.publish(event)
            bus.run()
            delivered += event.type != "tick"
        people = {name: person(bot, name) for name in ("민지", "도윤", "하린")}
        stage.people(people)
        alone = bank.scope(user="민지", character="바라")
        return Played(
            delivered=delivered,
            turns=len(bot.heard),
            comments=bot.comments,
            people=people,
            concluded=stage.conclusions,
            in_the_open=bot.memory.mind.context("민지는 요즘 어때?").text,
            in_private=alone.context("나 요즘 어때 보여?").text,
        )


def read(path: Path) -> Iterator[RecordedMove]:
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        yield RecordedMove(**{**told, "at": datetime.fromisoformat(told["at"])})


def with_ticks(events: Iterator[RecordedMove]) -> Iterator[RecordedMove]:
    """Yield the events, and before one that comes six hours later a tick: what a scheduler would send."""
    last: datetime | None = None
    for event in events:
        if last is None or event.at - last >= SIX_HOURS:
            last = event.at
            yield RecordedMove(at=event.at, type="tick")
        yield event


def person(bot: Bara, name: str) -> Person:
    known = bot.memory.recall_bot(SITE, name)
    assert known is not None, "they wrote something"
    regards = bot.memory.mind.regards(known.profile.id)
    return Person(
        met=known.profile.interactions,
        facts=[fact.content for fact in known.facts],
        regards=[regard.entity.sentiment for regard in regards],
        trust=known.profile.trust,
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder), Console())
