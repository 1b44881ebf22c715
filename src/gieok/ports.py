"""What the engine needs from the outside: a store, an embedder, an extractor, a masker and a clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Final, Literal, Protocol

from gieok.domain.answer import Item
from gieok.domain.background import Background
from gieok.domain.claim import Claim, Saying
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.errors import EmbedderFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]
    Scores = NDArray[np.float32]
    Places = NDArray[np.intp]


class Clock(Protocol):
    """Tells the time, so that a game can run a year in seconds."""

    def now(self) -> datetime:
        """Return the present moment, aware of its time zone."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how alike they mean."""

    @property
    def name(self) -> str:
        """What a bank remembers it by."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        """Return one row of unit length for each text (all zeros where a text gives nothing to embed).

        Raises `EmbedderFailed`.
        """
        ...

    def warm(self) -> None:
        """Load what is needed, so that the first call is as fast as the rest.

        The first recall waits for it as long as it takes; one that calls out must bound its own waiting.
        """
        ...


def embedded(embedder: Embedder, texts: Sequence[str], purpose: Literal["query", "document"]) -> Matrix:
    """Return the vectors of `texts`; raise `EmbedderFailed` also for vectors that cannot be used."""
    vectors = embedder.embed(texts, purpose=purpose)
    wanted = (len(texts), embedder.dimension)
    if vectors.shape != wanted or not bool((abs(vectors) < float("inf")).all()):  # NaN is not below infinity either
        raise EmbedderFailed(f"embedder {embedder.name!r} gave vectors of shape {vectors.shape}, or not finite ones")
    return vectors


class Extractor(Protocol):
    """Reads claims out of a turn."""

    @property
    def name(self) -> str:
        """Name and version, stored with every claim, e.g. "korean/1"."""
        ...

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background) -> Sequence[Claim]:
        """Return what is claimed in `turn`; `before` are the last utterances before it, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text that may be indexed, quoted and shown to models."""

    text: str
    flags: tuple[str, ...] = ()  #: kinds of personal data that were found


class Masker(Protocol):
    """Hides personal data before any encoder, index, model or log sees a text."""

    def __call__(self, text: str) -> Masked: ...


class Mark(IntFlag):
    """What can be seen of a text at a glance."""

    TELLS = 1  #: it tells something lasting
    ASKS = 2  #: it is a question
    HOLDS_TIME = 4
    HOLDS_NUMBER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What makes an item findable. A store receives terms and vectors, never text to analyse."""

    terms: tuple[str, ...]  #: with repetition
    tags: tuple[str, ...] = ()  #: with repetition; apart from the terms, and not counted among them
    marks: int = 0  #: `Mark`s
    vectors: Matrix | None  #: a row for the whole, and for each of its passages; None: the embedder was down


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything one operation writes, in one transaction."""

    operation: Operation
    turn: Turn | None = None  #: the turn to log with it
    unread: bool = False  #: `turn` could not be read yet
    caught_up: str | None = None  #: id of a turn kept unread that this operation has read now
    index: Mapping[str, IndexEntry]  #: by item id: the turn's utterances, and memories with new words
    revised: tuple[Operation, ...] = ()  #: for a rewind: the log from the undone operation on, with new outcomes
    memories: tuple[Change, ...] = ()  #: the net change of every memory the entry touches


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An item that a search found. `ref` is private to the store and valid for its view."""

    ref: int
    score: float


class Party(IntEnum):
    """Who said an utterance; whom a memory is about."""

    USER = 0
    CHARACTER = 1
    OTHER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Every searchable item of a scope, in parallel arrays, in the order they came in."""

    refs: NDArray[np.int64]
    is_memory: NDArray[np.bool_]
    lengths: NDArray[np.int32]  #: in terms
    marks: NDArray[np.uint8]
    parties: NDArray[np.uint8]
    moments: NDArray[np.int64]  #: said at, or true since: UTC microseconds
    sittings: NDArray[np.int32]  #: which sitting an utterance belongs to, counted from 0; NO_SITTING for a memory


NO_SITTING: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """In which items of the layout a word stands, and how often."""

    places: Places
    times: NDArray[np.intp]


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
    include_hidden: bool = False  #: also retracted and forgotten ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What judging a claim has to look at: of one subject, all values of some attributes, and some values of any."""

    subject: str
    subject_id: str
    attributes: tuple[str, ...] = ()  #: "favorite." means every attribute that starts so
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeSummary:
    """A scope and what is in it."""

    scope: Scope
    turns: int
    memories: int  #: visible ones, past and present
    utterances: int
    latest_at: datetime | None


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


class View(Protocol):
    """One scope, read in one snapshot."""

    @property
    def version(self) -> int:
        """Grows with every change of the scope; 0: nothing was ever written."""
        ...

    @property
    def turn_number(self) -> int:
        """Number of the last turn in force."""
        ...

    @property
    def latest_at(self) -> datetime | None:
        """Story time of the newest turn or operation."""
        ...

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Return the items with the highest cosine, best first, those without a vector left out."""
        ...

    def layout(self) -> Layout:
        """Return what there is to search; forgotten and rewound items are not in it.

        Utterances of one session make up a sitting; without a label, those that no hour's silence parts.
        """
        ...

    def cosines(self, vector: Vector) -> Scores:
        """Return the cosine of every item of the layout, of several rows the nearest; -1 for one without a vector.

        Raises `EmbedderMismatch` while the bank holds another embedder's vectors.
        """
        ...

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        """Return where each of `words` stands."""
        ...

    def beginnings(self, prefixes: Sequence[str]) -> list[Occurrences]:
        """Return where longer words stand that begin with each of `prefixes`."""
        ...

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        """Return which items bear each of `tags`, and how often."""
        ...

    def items(self, refs: Iterable[int]) -> dict[int, Item]: ...

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        """Return the refs of those `item_ids` that are in this scope."""
        ...

    def memories(self, which: MemoryFilter) -> list[Memory]:
        """Return memories by when they became true, oldest first."""
        ...

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]: ...

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        """Return every memory of these topics, past and hidden ones too, and what they closed (`closed_by`)."""
        ...

    def mentioned(self, text: str) -> list[Memory]:
        """Return the current facts about the user whose value, or the words it was said in, stand in `text`.

        ASCII letters match in either case.
        """
        ...

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        """Return the memories whose claims were read from these utterances, past and hidden ones too.

        A claim's id begins with its utterance's (`domain.claim.claim_id`); whatever merely repeated one is not meant.
        """
        ...

    def forgotten_words(self) -> frozenset[str]:
        """Return the ids of the utterances that forgotten memories were read from: quoting them would tell."""
        ...

    def believed_at(self, moment: datetime) -> list[Memory]:
        """Return every memory as it stood after the last operation at or before `moment` of story time."""
        ...

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        """Return what happened to a memory, oldest first."""
        ...

    def heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        """Count the candidates that said the same, in operations in force (with a number below `before`)."""
        ...

    def turn(self, turn_id: str) -> Turn | None:
        """Return the turn in force with this id."""
        ...

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        """Return the last `limit` turns in force (with a number below `before`), oldest first."""
        ...

    def unread(self, limit: int) -> list[Turn]:
        """Return turns that were kept but not read yet, oldest first."""
        ...

    def operation_of(self, turn_id: str) -> Operation | None:
        """Return the operation in force that observed `turn_id`."""
        ...

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        """Return the log from number `since` on, in order; `in_force` leaves out undone ones and rewinds."""
        ...


class Room(View, Protocol):
    """One scope, held: nobody else writes to it meanwhile."""

    def apply(self, entry: Entry) -> Operation:
        """Write `entry` whole or not at all, and return its operation with its number.

        Raises `ScopeMoved` if the scope changed since this room was entered.
        """
        ...


class ScopeMoved(Exception):
    """Another process wrote to the scope; enter the room again and judge again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """An item whose vector is missing or was made by another embedder."""

    key: int
    text: str


class Store(Protocol):
    """Where a bank is kept."""

    def info(self) -> BankInfo: ...

    def locked(self, scope: Scope) -> AbstractContextManager[Room]:
        """Hold `scope`; it is created with its first write."""
        ...

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """Read `scope`; an unknown one is empty."""
        ...

    def scopes(self) -> list[ScopeSummary]: ...

    def begin_reindex(self, embedder: str, dimension: int) -> int:
        """Start (or go on with) re-embedding for another embedder; return how many items are left.

        Until `finish_reindex`, the old vectors keep answering.
        """
        ...

    def unembedded(self, limit: int) -> list[Unembedded]:
        """Return items still without a vector of the embedder being indexed for (or of the current one)."""
        ...

    def put_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Keep the rows of each item."""
        ...

    def finish_reindex(self) -> None:
        """Switch to the new embedder once nothing is left."""
        ...

    def problems(self) -> list[str]:
        """Return what an integrity check finds; empty when all is well."""
        ...

    def close(self) -> None: ...
