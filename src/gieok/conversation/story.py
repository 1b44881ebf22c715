"""A sample story of several weeks that demonstrates memory: loaded from a data file and replayed in a mind."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from gieok.bank import Mind
from gieok.domain.answer import Observed
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One exchange."""

    at: datetime
    text: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """A person's action after the last exchange of a scene: correct a memory, or rewind the exchange."""

    note: str
    attribute: str | None = None  #: of the user's memory to correct; None: rewind
    content: str = ""
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene of the story."""

    day: date
    title: str
    lines: tuple[Line, ...]
    then: Aftermath | None = None
    pictured: frozenset[int] = frozenset()  #: lines, from 1, that are in the README picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All exchanges, and the questions asked afterwards."""

    user: str
    character: str
    world: str
    scenes: tuple[Scene, ...]
    questions: tuple[str, ...]
    pictured_question: int  #: from 1
    earlier: datetime  #: the day to compare with the last one
    message: str  #: the query of the displayed context
    budget: int

    @property
    def turns(self) -> int:
        return sum(len(scene.lines) for scene in self.scenes)

    @property
    def scope(self) -> Scope:
        return Scope(user=self.user, character=self.character, world=self.world)

    @property
    def start(self) -> datetime:
        return self.scenes[0].lines[0].at

    @property
    def end(self) -> datetime:
        return self.scenes[-1].lines[-1].at


def story(zone: ZoneInfo, language: str = "ko") -> Story:
    """Return the story in `language`, with its times of day in `zone`."""
    data = tomllib.loads(files(__package__).joinpath(f"story.{language}.toml").read_text(encoding="utf-8"))
    return Story(
        **{name: data[name] for name in ("user", "character", "world")},
        scenes=tuple(_scene(each, zone) for each in data["scene"]),
        questions=tuple(data["questions"]["ask"]),
        pictured_question=data["questions"]["pictured"],
        earlier=datetime.combine(data["then_and_now"]["day"], time(12), zone),
        **data["context"],
    )


def _scene(data: Mapping[str, Any], zone: ZoneInfo) -> Scene:
    lines = (
        Line(at=datetime.combine(data["day"], turn["at"], zone), text=turn["text"], reply=turn["reply"])
        for turn in data["turns"]
    )
    then = Aftermath(**data["then"]) if "then" in data else None
    pictured = frozenset(data.get("pictured", ()))
    return Scene(day=data["day"], title=data["title"], lines=tuple(lines), then=then, pictured=pictured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An exchange and its result."""

    line: Line
    number: int  #: in its scene, from 1
    observed: Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRight:
    """A correction by a person."""

    note: str
    wrong: Memory
    right: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A rewound exchange: the memory it made, and the one that is true again."""

    note: str
    gone: tuple[Memory, ...]
    back: Memory | None  #: None: the exchange had superseded nothing


Step = Heard | PutRight | TakenBack


def tell(scene: Scene, mind: Mind, *, set_clock: Callable[[datetime], object] = lambda _: None) -> Iterator[Step]:
    """Replay a scene in `mind`; yield each step when it is done.

    A correction is skipped if `mind` has no memory to correct.
    """
    last: Observed | None = None
    for number, line in enumerate(scene.lines, start=1):
        set_clock(line.at)
        last = mind.observe(line.text, reply=line.reply, at=line.at)
        yield Heard(line=line, number=number, observed=last)
    act = scene.then
    if act is None or last is None:
        return
    if act.attribute is not None:
        for wrong in mind.facts("user", attribute=act.attribute)[-1:]:
            right = mind.correct(wrong.id, act.content, value=act.value, at=last.turn.at)
            yield PutRight(note=act.note, wrong=wrong, right=right)
        return
    before = {memory.id: memory for memory in mind.facts()}
    mind.rewind(last.turn.id, at=last.turn.at)
    after = {memory.id: memory for memory in mind.facts()}
    gone = tuple(memory for memory in before.values() if memory.id not in after)
    back = next((memory for memory in after.values() if memory.id not in before), None)
    yield TakenBack(note=act.note, gone=gone, back=back)
