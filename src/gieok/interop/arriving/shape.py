"""What a reader of a foreign file hands on: frozen values with a place in that file, and a name that stays the same.

`origin` names the item within its source, the same at every reading; it is what makes a second import a no-op. `where`
is for people: "line 14", "row 3 of chat_turns". A reader is a pure walk over one file or folder. It raises
`InvalidImport` with the place at what it cannot read, before anything is written; what it leaves out on purpose it
yields as `LeftOut`, so that the report can say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Protocol

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Polarity
from gieok.domain.scope import Scope
from gieok.domain.turn import USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Something said, and what was answered: learned from as if it were said at that time."""

    scope: Scope
    origin: str
    where: str
    text: str | None = None
    reply: str | None = None
    at: datetime | None = None  #: None: the source does not say; it is put right after the one before
    speaker: str | None = None  #: None: the user
    session: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Something that the other system knew: remembered outright, never judged unimportant."""

    scope: Scope
    origin: str
    where: str
    content: str
    about: str = USER
    attribute: str | None = None
    value: str | None = None
    type: ContentType | None = None
    said_by: str | None = None
    polarity: Polarity = "+"
    importance: float | None = None  #: 0–1, whatever scale the source has
    at: datetime | None = None  #: when it was learned
    valid_at: datetime | None = None
    invalid_at: datetime | None = None  #: set: it is no longer true, and arrives as the past
    tags: tuple[str, ...] = ()
    pinned: bool = False
    uses: int = 0
    vector: tuple[float, ...] | None = None  #: kept only if `embedder` made it and is the bank's own
    embedder: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """A person whom the character knew: their profile, with its counts."""

    scope: Scope
    origin: str
    where: str
    name: str
    platform: str | None = None
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    meetings: int = 0
    topics: Mapping[str, int] = field(default_factory=dict)
    sentiment: float | None = None  #: −1 to 1
    summary: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprites:
    """The faces of a character: which picture shows which feeling. Written beside the bank, never into it."""

    character: str
    where: str
    faces: Mapping[str, str]  #: emotion → name of a picture, or its address
    pictures: Mapping[str, bytes] = field(default_factory=dict)  #: those that the file itself holds


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that was there and is not taken along, and why."""

    where: str
    why: str


Arrival = Exchange | Known | Acquaintance | Sprites | LeftOut


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Names for what a file does not name itself."""

    zone: tzinfo = UTC  #: on whose clock moments without a time zone were told
    user: str | None = None
    character: str | None = None
    world: str | None = None


class Reader(Protocol):
    """Reads one kind of source, from its beginning, the same each time."""

    def __call__(self, path: Path, whose: Whose) -> Iterator[Arrival]: ...
