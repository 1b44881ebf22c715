"""What a store is asked for, and what it tells of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gieok.domain.claim import Subject
from gieok.domain.memory import Memory
from gieok.domain.noticed import Noticed
from gieok.domain.things import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list. Times are the caller's business; this only narrows down."""

    subject: str | None = None
    subject_id: str | None = None
    speaker: str | None = None
    content_type: str | None = None
    attribute: str | None = None
    pinned: bool | None = None
    learned_since: datetime | None = None
    current_at: datetime | None = None  #: visible and true at that moment
    include_hidden: bool = False  #: also retracted, forgotten and faded ones
    include_faded: bool = False  #: also those that upkeep let go of


State = Literal["current", "past", "forgotten", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leafing:
    """Which memories to leaf through; an empty field does not narrow."""

    state: State = "all"  #: past: it ended, faded or was never true
    present: datetime  #: when it is asked: what ended before is past
    words: tuple[str, ...] = ()  #: all stand in its content; ASCII letters match in either case
    since: datetime | None = None  #: true from then on, or later
    until: datetime | None = None  #: true from an earlier moment
    subject: str | None = None
    subject_id: str | None = None
    content_type: str | None = None
    attribute: str | None = None
    origin: str | None = None
    pinned: bool | None = None
    pii: bool | None = None  #: whether something personal was found in its words


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A memory, and its place in the order in which they were written down."""

    place: int
    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Whom memories are about, and how many of them there are."""

    subject: Subject
    subject_id: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What judging a claim has to look at: of one subject, all values of some attributes, and some values of any."""

    subject: str
    subject_id: str
    attributes: tuple[str, ...] = ()  #: "favorite." means every attribute that starts so
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Which memories something is connected with: they tell of somebody, name somebody, or were closed by another."""

    present: datetime  #: what is told and what names is true then
    subjects: tuple[tuple[str, str], ...] = ()  #: subject and subject id
    relations: tuple[str, ...] | None = None  #: attributes (content types where there is none) that are told; None: any
    names: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()  #: ids of memories
    without: tuple[str, ...] = ()  #: content types that are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class BankInfo:
    """What a bank is made of."""

    location: str
    engine: str  #: e.g. "SQLite 3.54.0"
    schema: int
    encrypted: bool
    embedder: str
    dimension: int
    size_bytes: int
    counts: Mapping[str, int]  #: scopes, turns, utterances, memories, operations, unembedded


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """A move, and when it happened."""

    move: Move
    number: int  #: of the operation that made it
    at: datetime
    turn_id: str | None
    turn_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnNoticed:
    """What was noticed in a turn, and when it was said."""

    noticed: Noticed
    turn_id: str
    turn_number: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What tells whether upkeep is due."""

    learned: int  #: visible memories first told after a turn, without those that upkeep made
    letters: int  #: said after a turn
    began_at: datetime | None  #: story time of the first turn in force


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A turn that was taken back: it is in no index, and its id may be another's by now."""

    place: int
    turn_id: str
    session: str | None
    at: datetime
    lines: tuple[tuple[str, str], ...]  #: ids and texts of what was said
