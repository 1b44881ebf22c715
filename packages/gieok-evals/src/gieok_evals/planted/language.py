"""The language of a split: values, frames, noise, adversarial turns, updates and probes, as its author wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal, get_args

from gieok.errors import InvalidQuery

Split = Literal["dev", "test"]
UpdateKind = Literal["update", "correction", "retraction", "ended"]

IDENTITY: Final = (
    "name age birthday gender job major school workplace residence hometown blood_type mbti height nickname family"
).split()
LIFESTYLE: Final = (
    "favorite.food favorite.color favorite.season favorite.movie favorite.music favorite.book favorite.game hobby "
    "exercise pet friend allergy phobia part_time_job relationship_status dream likes dislikes diet medication habit"
).split()

_COUNTS: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One thing that a slot can hold."""

    gold: str  #: normalised
    forms: Mapping[str, str]  #: ways to write it, by name; "v" is the plain one
    alt: tuple[str, ...] = ()  #: other spellings that count as right

    @property
    def accepted(self) -> tuple[str, ...]:
        return (self.gold, *self.alt, *_counted(self.gold))

    @property
    def written(self) -> str:
        return self.forms["v"]


def _counted(value: str) -> Iterator[str]:
    """형 둘 is 형 2명 as well."""
    *rest, last = value.split()
    if rest and last in _COUNTS:
        yield f"{' '.join(rest)} {_COUNTS[last]}명"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A sentence that states one fact about the user, with a place for the value."""

    slot: str
    text: str
    register: str
    syntax: str
    directness: str
    ask: str | None = None  #: the character's question just before


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A fact that an adversarial turn states, or seems to state; `value` may be "{v}"."""

    subject: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversarial:
    """A turn that looks like a fact about the user and is none."""

    family: str
    text: str
    slot: str
    must_not: tuple[Said, ...]
    expect: tuple[Said, ...] = ()  #: what it does state, mostly of other people
    ask: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A sentence that changes, puts right, takes back or ends what was said."""

    slot: str
    text: str
    kind: UpdateKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question that only memory can answer."""

    slot: str
    text: str
    kind: Literal["direct", "indirect", "abstain", "other_subject"]
    attribute_if_abstain: str | None = None
    subject: str | None = None  #: of other_subject, where its author says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Everything the generator builds from."""

    split: Split
    values: Mapping[str, tuple[Value, ...]]
    frames: tuple[Frame, ...]
    adversarial: tuple[Adversarial, ...]
    updates: tuple[Update, ...]
    probes: tuple[Probe, ...]
    small_talk: tuple[str, ...]
    replies: tuple[str, ...]


@cache
def language(split: str) -> Language:
    """Return the language of `split`, "dev" or "test"."""
    for known in get_args(Split):
        if split == known:
            return _loaded(known)
    raise InvalidQuery(f"there is no split {split!r}; the splits are dev and test")


def _loaded(split: Split) -> Language:
    folder = files(__package__) / split
    noise = json.loads((folder / "noise.json").read_text(encoding="utf-8"))
    values = json.loads((folder / "values.json").read_text(encoding="utf-8"))
    return Language(
        split=split,
        values={slot: tuple(_value(entry) for entry in pool) for slot, pool in values.items()},
        frames=tuple(Frame(**line) for line in _lines(folder, "frames")),
        adversarial=tuple(_adversarial(line) for line in _lines(folder, "adversarial")),
        updates=tuple(Update(**line) for line in _lines(folder, "updates")),
        probes=tuple(Probe(**line) for line in _lines(folder, "probes")),
        small_talk=tuple(noise["small_talk"]),
        replies=tuple(noise["replies"]),
    )


def _lines(folder: Traversable, name: str) -> Iterator[dict[str, Any]]:
    for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _value(entry: Mapping[str, Any]) -> Value:
    return Value(gold=entry["gold"], forms=entry["forms"], alt=tuple(entry.get("alt", ())))


def _adversarial(line: Mapping[str, Any]) -> Adversarial:
    said = {key: tuple(Said(**each) for each in line.get(key, ())) for key in ("must_not", "expect")}
    return Adversarial(**{**line, **said})
