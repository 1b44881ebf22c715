"""Items that readers of foreign files yield, and the report of an import.

`origin` identifies an item among those of its kind in one scope. It is stable, so that a second import changes nothing.
`where` is the place in the file for people: "line 14", "row 3 of chat_turns". A reader raises `InvalidImport` with the
place for invalid data, and yields `Skipped` for data that is deliberately not imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import ClassVar, Final, Literal, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Kind, Polarity
from gieok.domain.scope import Scope
from gieok.domain.turn import USER

What = Literal["exchanges", "memories", "candidates", "people", "relationships"]
WHATS: Final[tuple[What, ...]] = get_args(What)
AXES: Final = ("trust", "affection", "respect", "rivalry", "familiarity")  #: of a relationship


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    scope: Scope
    origin: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTurn(_Placed):
    """An utterance with its reply, to be observed with its original time."""

    what: ClassVar[What] = "exchanges"
    text: str | None = None
    reply: str | None = None
    at: datetime | None = None  #: None: unknown; it follows the previous turn
    speaker: str | None = None  #: None: the user
    session: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMemory(_Placed):
    """A memory of the other system. It is stored without a promotion score."""

    content: str
    about: str = USER
    attribute: str | None = None
    value: str | None = None
    type: ContentType | None = None
    said_by: str | None = None
    polarity: Polarity = "+"
    importance: float | None = None  #: 0–1, converted from the scale of the source
    at: datetime | None = None  #: when it was learned
    valid_at: datetime | None = None
    invalid_at: datetime | None = None  #: set: no longer true
    tags: tuple[str, ...] = ()
    pinned: bool = False
    uses: int = 0
    mentions: int = 0
    certainty: float = 1.0  #: 0–1
    emotion_intensity: float = 0.0  #: 0–1
    strength: float = 1.0  #: 0–1
    kind: Kind | None = None  #: decay rate class; None: by its type
    interpretation: str | None = None  #: the character's own view of it
    believed: bool = True  #: False: the other system did not promote it; it is kept as a candidate
    vector: tuple[float, ...] | None = None  #: used only if `embedder` is that of the bank
    embedder: str | None = None

    @property
    def what(self) -> What:
        return "memories" if self.believed else "candidates"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPerson(_Placed):
    """The profile of a person known to the character."""

    what: ClassVar[What] = "people"
    name: str
    platform: str | None = None
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    meetings: int = 0
    topics: Mapping[str, int] = field(default_factory=dict)
    sentiment: float | None = None  #: −1 to 1
    summary: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRelationship(_Placed):
    """The relationship of character and user, each axis 0–100."""

    what: ClassVar[What] = "relationships"
    trust: float = 0.0
    affection: float = 0.0
    respect: float = 0.0
    rivalry: float = 0.0
    familiarity: float = 0.0
    met_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """Pictures of a character by emotion. They are written beside the bank, not into it."""

    character: str
    where: str
    faces: Mapping[str, str]  #: emotion → name of a picture, or its URL
    pictures: Mapping[str, bytes] = field(default_factory=dict)  #: those embedded in the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An item that is not imported, with the reason."""

    where: str
    why: str
    scope: Scope | None = None  #: None: several scopes, or none


Stored = ImportedTurn | ImportedMemory | ImportedPerson | ImportedRelationship
Item = Stored | Faces | Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Names that a file does not contain."""

    zone: tzinfo = UTC  #: for times without a time zone in chats
    user: str | None = None
    character: str | None = None
    world: str | None = None
    embedder: str | None = None  #: the embedder that made its vectors


Reader = Callable[[Path, Whose], Iterator[Item]]  #: reads a source from the start, with the same result each time


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts for one type of item."""

    new: int = 0  #: imported, or to be imported in a dry run
    there: int = 0  #: already present, whatever their state now


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeReport:
    """Results for one scope."""

    scope: Scope
    tallies: Mapping[What, Tally] = field(default_factory=dict)
    skipped: int = 0

    @property
    def new(self) -> int:
        return sum(tally.new for tally in self.tallies.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of an import."""

    kind: str
    path: Path
    dry_run: bool
    scopes: tuple[ScopeReport, ...]
    skipped: tuple[Skipped, ...] = ()
    faces: tuple[Path, ...] = ()  #: folders with the pictures of characters

    @property
    def new(self) -> int:
        return sum(scope.new for scope in self.scopes)

    @property
    def left_out(self) -> tuple[Skipped, ...]:
        """Alias of `skipped`."""
        return self.skipped

    def reasons(self) -> list[tuple[str, int, str]]:
        """Return the reasons for skipped items, with the count and the place of the first."""
        counts = Counter(each.why for each in self.skipped)
        first = {each.why: each.where for each in reversed(self.skipped)}
        return [(why, many, first[why]) for why, many in counts.most_common()]
