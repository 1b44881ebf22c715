"""What a reader of a foreign file hands on: frozen values with a place in that file, and a name that stays the same.

`origin` names the item among all of its kind that may come into one scope, the same at every reading, so that two
chats of one character do not share one; it is what makes a second import a no-op. `where`
is for people: "line 14", "row 3 of chat_turns". A reader is a pure walk over one file or folder. It raises
`InvalidImport` with the place at what it cannot read, before anything is written; what it leaves out on purpose it
yields as `LeftOut`, so that the report can say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final, Literal, Protocol

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Kind, Polarity
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
    mentions: int = 0  #: how often it was said again
    certainty: float = 1.0  #: 0–1
    emotion_intensity: float = 0.0  #: 0–1
    strength: float = 1.0  #: 0–1
    kind: Kind | None = None  #: how it fades; None: as any other of its type
    interpretation: str | None = None  #: the character's own view of it
    believed: bool = True  #: False: it was weighed there and found too slight; it is kept as a candidate only
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
class Standing:
    """How the character stood to the user, each axis 0–100."""

    scope: Scope
    origin: str
    where: str
    trust: float = 0.0
    affection: float = 0.0
    respect: float = 0.0
    rivalry: float = 0.0
    familiarity: float = 0.0
    met_at: datetime | None = None
    last_at: datetime | None = None


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
    scope: Scope | None = None  #: None: of no single one


Arrival = Exchange | Known | Acquaintance | Standing | Sprites | LeftOut


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Names for what a file does not name itself."""

    zone: tzinfo = UTC  #: on whose clock moments without a time zone were told
    user: str | None = None
    character: str | None = None
    world: str | None = None
    embedder: str | None = None  #: what made its vectors


class Reader(Protocol):
    """Reads one kind of source, from its beginning, the same each time."""

    def __call__(self, path: Path, whose: Whose) -> Iterator[Arrival]: ...


What = Literal["exchanges", "memories", "candidates", "people", "relationships"]
WHATS: Final[tuple[What, ...]] = ("exchanges", "memories", "candidates", "people", "relationships")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many of one sort."""

    new: int = 0  #: that came in; in a dry run, that would
    there: int = 0  #: that had come in before, whatever became of them since


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What became of the part that belongs to one scope."""

    scope: Scope
    tallies: Mapping[What, Tally] = field(default_factory=dict)
    left_out: int = 0

    @property
    def new(self) -> int:
        return sum(tally.new for tally in self.tallies.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of a source."""

    kind: str
    path: Path
    dry_run: bool
    scopes: tuple[Moved, ...]
    left_out: tuple[LeftOut, ...] = ()
    faces: tuple[Path, ...] = ()  #: folders with the pictures of characters

    @property
    def new(self) -> int:
        return sum(scope.new for scope in self.scopes)

    def reasons(self) -> list[tuple[str, int, str]]:
        """Return why things stayed outside, how many each time, and where the first of them stands."""
        counts = Counter(each.why for each in self.left_out)
        first = {each.why: each.where for each in reversed(self.left_out)}
        return [(why, many, first[why]) for why, many in counts.most_common()]


class Count:
    """Counts as things come in."""

    def __init__(self) -> None:
        self._counts: dict[Scope, Counter[tuple[What, bool]]] = {}
        self._outside: Counter[Scope] = Counter()
        self.left_out: list[LeftOut] = []

    def add(self, scope: Scope, what: What, *, new: bool) -> None:
        self._counts.setdefault(scope, Counter())[what, new] += 1

    def leave_out(self, each: LeftOut) -> None:
        self.left_out.append(each)
        if each.scope is not None:
            self._counts.setdefault(each.scope, Counter())
            self._outside[each.scope] += 1

    def scopes(self) -> tuple[Moved, ...]:
        return tuple(
            Moved(
                scope=scope,
                tallies={
                    what: Tally(new=counts[what, True], there=counts[what, False])
                    for what in WHATS
                    if counts[what, True] or counts[what, False]
                },
                left_out=self._outside[scope],
            )
            for scope, counts in self._counts.items()
        )
