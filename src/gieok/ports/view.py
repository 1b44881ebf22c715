"""Reading one scope in a consistent snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeVar

from gieok.domain.answer import Item, Trace
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Saying, Subject
from gieok.domain.memory import Change, Memory, Provisions
from gieok.domain.noticed import EntityKind, Noticed
from gieok.domain.operation import Operation
from gieok.domain.recognition import Imprint
from gieok.domain.scope import Scope, Sharing
from gieok.domain.state import Key, Move, StateRecord
from gieok.domain.turn import Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]
    Scores = NDArray[np.float32]
    Places = NDArray[np.intp]


class Mark(IntFlag):
    """Features of a text that are stored in the index."""

    TELLS = 1  #: it states something of lasting value
    ASKS = 2  #: it is a question
    HOLDS_TIME = 4
    HOLDS_NUMBER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """Index data of an item. A store receives terms and vectors, never text to analyse."""

    terms: tuple[str, ...]  #: with repetitions
    tags: tuple[str, ...] = ()  #: with repetitions; separate from the terms, and not counted as such
    marks: int = 0  #: `Mark`s
    vectors: Matrix | None  #: one row for the whole text, and one per passage; None: the embedder was down


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """An item whose vector is missing or was made by another embedder."""

    key: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A search result. `ref` is private to the store and valid only in its view."""

    ref: int
    score: float


class Party(IntEnum):
    """The speaker of an utterance; the subject of a memory."""

    USER = 0
    CHARACTER = 1
    OTHER = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """All searchable items of a scope in parallel arrays, in insertion order."""

    refs: NDArray[np.int64]
    is_memory: NDArray[np.bool_]
    lengths: NDArray[np.int32]  #: number of terms
    marks: NDArray[np.uint8]
    parties: NDArray[np.uint8]
    moments: NDArray[np.int64]  #: time said, or start of validity: UTC microseconds
    sittings: NDArray[np.int32]  #: sitting of an utterance, counted from 0; NO_SITTING for a memory


NO_SITTING: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """The items of the layout that contain a word, with frequencies."""

    places: Places
    times: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordWeights:
    """The items of the layout that contain a word, with the weights of the store's ranking."""

    places: Places
    weights: Scores  #: above 0, in units of the ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """A filter for memories; an empty field does not filter."""

    subject: str | None = None
    subject_id: str | None = None
    speaker: str | None = None
    content_type: str | None = None
    attribute: str | None = None
    pinned: bool | None = None
    doubtful: bool | None = None  #: whether it is unconfirmed
    learned_since: datetime | None = None
    touched_since: int | None = None  #: told or repeated since the turn with this number
    #: what upkeep may merge, prune or promote: memories that are not pinned and have no attribute or are doubtful, and
    #: episodes that were said again and used at least so often
    loose: int | None = None
    current_at: datetime | None = None  #: visible and true at that moment
    include_hidden: bool = False  #: include retracted, forgotten and pruned ones
    include_faded: bool = False  #: include pruned ones


State = Literal["current", "past", "forgotten", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseFilter:
    """A filter for browsing memories; an empty field does not filter."""

    state: State = "all"  #: past: it ended, was pruned or was never true
    present: datetime  #: time of the query: memories that ended before are past
    words: tuple[str, ...] = ()  #: all are in its content; ASCII case is ignored
    since: datetime | None = None  #: became true at or after
    until: datetime | None = None  #: became true before
    subject: str | None = None
    subject_id: str | None = None
    content_type: str | None = None
    attribute: str | None = None
    origin: str | None = None
    pinned: bool | None = None
    doubtful: bool | None = None  #: whether it is unconfirmed
    pii: bool | None = None  #: whether personal data was found in its text


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A memory, and its place in insertion order."""

    place: int
    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A subject, and the number of memories about it."""

    subject: Subject
    subject_id: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """The memories needed to judge a claim: for one subject, all values of some attributes, and some values of any."""

    subject: str
    subject_id: str
    attributes: tuple[str, ...] = ()  #: "favorite." means every attribute with this prefix
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedFilter:
    """A filter for related memories: about a subject, naming a person, or closed by a memory."""

    present: datetime  #: statements and names must be true at this time
    subjects: tuple[tuple[str, str], ...] = ()  #: (subject, subject id)
    relations: tuple[str, ...] | None = None  #: attributes (content types for memories without one); None: any
    names: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()  #: ids of memories
    without: tuple[str, ...] = ()  #: content types to exclude


@dataclass(frozen=True, slots=True, kw_only=True)
class BankInfo:
    """Schema, embedder and size of a bank."""

    location: str
    engine: str  #: e.g. "SQLite 3.54.0"
    schema: int
    encrypted: bool
    embedder: str
    dimension: int
    size_bytes: int
    counts: Mapping[str, int]  #: scopes, turns, utterances, memories, operations, unembedded


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMove:
    """A move with its time and operation."""

    move: Move
    number: int  #: of its operation
    at: datetime
    turn_id: str | None
    turn_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnNoticed:
    """Observations of a turn, with its time."""

    noticed: Noticed
    turn_id: str
    turn_number: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts that determine whether upkeep is due."""

    learned: int  #: visible memories first learned after a turn, without those made by upkeep
    letters: int  #: characters said after a turn
    began_at: datetime | None  #: story time of the first turn in force


@dataclass(frozen=True, slots=True, kw_only=True)
class RewoundTurn:
    """A rewound turn: it is in no index, and its id may have been used again."""

    place: int
    turn_id: str
    session: str | None
    at: datetime
    lines: tuple[tuple[str, str], ...]  #: ids and texts of its utterances


Answer = TypeVar("Answer")


class View(Protocol):
    """A consistent snapshot of one scope."""

    @property
    def version(self) -> int:
        """Increases with every change of the scope; 0: nothing was ever written."""

    @property
    def turn_number(self) -> int:
        """Number of the last turn in force."""

    @property
    def latest_at(self) -> datetime | None:
        """Story time of the newest turn or operation."""

    @property
    def provisions(self) -> Provisions:
        """Hold and retention of the scope."""

    def cached(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return `make()`, cached by `name` for this version of the scope. The result must not be modified."""

    def existing_scopes(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        """Return those of `scopes` that were ever written to."""

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        """Return related scopes that were ever written to, the most recently active first.

        `user_facts`: same user and world. `character`: same character and world, with a user. Canon scopes and `none`
        have no siblings.
        """

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Return the items with the highest cosine, best first; items without a vector are omitted."""

    def vectorless(self, limit: int) -> list[Unembedded]:
        """Return searchable items without a vector, oldest first; the running summary is not searchable."""

    def layout(self) -> Layout:
        """Return the searchable items. A sitting is a session; without a session, a silence of an hour ends it."""

    def cosines(self, vector: Vector) -> Scores:
        """Return the cosine of each item of the layout, the maximum if it has several rows; -1 without a vector.

        A store may have a method `nearness` with the same argument, which returns a `gieok.ports.nearness.Nearness`: it
        is used instead and computes only the cosines that matter.
        """

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        """Return the occurrences of each of `words`."""

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]:
        """Return the occurrences of longer words that start with each of `prefixes`."""

    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None:
        """Return the occurrences of each of `words` with the weights of the store's own ranking.

        Rare and repeated words weigh more. None: the store has no ranking; use `occurrences`.
        """

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        """Return the items with each of `tags`, with frequencies."""

    def items(self, refs: Iterable[int]) -> dict[int, Item]: ...

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        """Return the refs of those `item_ids` that are in this scope."""

    def memories(self, which: MemoryFilter) -> list[Memory]:
        """Return memories by start of validity, oldest first."""

    def browse(self, which: BrowseFilter, limit: int, *, before: int | None = None) -> list[Leaf]:
        """Return the last memories in insertion order (with a place below `before`), the newest first."""

    def browse_by_date(self, which: BrowseFilter, limit: int, *, before: Leaf | None = None) -> list[Leaf]:
        """Return memories by start of validity (before `before`, the last one seen), the latest first."""

    def count_by_quarter_hour(self, which: BrowseFilter) -> dict[datetime, int]:
        """Return how many memories became true in each quarter of an hour, by its start, in order."""

    def subjects(self) -> list[About]:
        """Return the subjects of memories, past and forgotten ones included, sorted by number of memories."""

    def closed_by(self, memory_id: str) -> list[Memory]:
        """Return the memories that a memory closed, hidden ones included, by start of validity, oldest first."""

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]: ...

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        """Return all memories of these topics, past and hidden ones included, and those they closed (`closed_by`)."""

    def related(self, touch: RelatedFilter, limit: int) -> list[Memory]:
        """Return the visible memories that match `touch`: pinned, important and strong ones first."""

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        """Return the number of current memories about these subjects, by attribute (else content type)."""

    def conclusions(self) -> list[Memory]:
        """Return the visible summaries, insights and merged memories that upkeep made."""

    def mentioned_facts(self, text: str) -> list[Memory]:
        """Return the user's current facts whose value or text occurs in `text`; ASCII case is ignored."""

    def people(self, text: str) -> dict[str, list[int]]:
        """Return other people named in `text`, at least by given name, each with the visible memories about them."""

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        """Return memories first extracted from these utterances, past and hidden ones included; without repetitions."""

    def forgotten_words(self) -> frozenset[str]:
        """Return the ids of utterances that contain forgotten facts: their sources, and repetitions."""

    def recognised(self, imprints: Iterable[Imprint], among: Collection[str] | None = None) -> frozenset[Imprint]:
        """Return those of `imprints` that were erased in this scope; `among`: only these digests count."""

    def ever_hidden(self) -> frozenset[str]:
        """Return the ids of all memories that a person ever forgot, whatever their state now."""

    def believed_at(self, moment: datetime) -> list[Memory]:
        """Return every memory as it was after the last operation at or before `moment` in story time."""

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        """Return the changes of a memory, oldest first."""

    def times_heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        """Count earlier claims with the same saying, in operations in force (numbered below `before`)."""

    def turn(self, turn_id: str) -> Turn | None:
        """Return the turn in force with this id."""

    def trace(self, turn_id: str) -> Trace | None:
        """Return the trace of the turn in force with this id, scores to five places; None: not stored."""

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        """Return the last `limit` turns in force (numbered below `before`), oldest first."""

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        """Return the last `limit` turns in force of a session or channel (None: any), oldest first."""

    def rewound_turns(self) -> list[RewoundTurn]:
        """Return rewound turns, in order."""

    def open_turns(self, limit: int) -> list[Turn]:
        """Return turns in force that wait for a model, oldest first."""

    def unread_turns(self, limit: int) -> list[Turn]:
        """Return stored turns that were not read yet, oldest first."""

    def is_unread(self, turn_id: str) -> bool:
        """Return whether a turn in force is unread."""

    def operation_of(self, turn_id: str) -> Operation | None:
        """Return the operation in force that observed `turn_id`."""

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        """Return the journal from number `since` on, in order; `in_force` excludes undone operations and rewinds."""

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        """Return the last operations (numbered below `before`), in order, including undone ones and rewinds."""

    def imported_operations(self, since: int = 1) -> list[tuple[int, str]]:
        """Return numbers and ids of imported operations from `since` on, including undone and erased ones."""

    def state_records(self, *kinds: str) -> dict[Key, StateRecord]:
        """Return the state records of these kinds (none given: all), by key."""

    def state_records_by_key(self, keys: Iterable[Key]) -> dict[Key, StateRecord]: ...

    def known_names(self) -> dict[str, EntityKind]:
        """Return every known name with its entity kind."""

    def last_state_records(self, kind: str, limit: int = 1) -> list[tuple[str, StateRecord]]:
        """Return the state records of a kind with the highest ids, sorted by id."""

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[RecordedMove]:
        """Return the newest `limit` moves of a kind, or of one record, by operations below `before`, in order."""

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[RecordedMove]:
        """Return the moves of a record that changed any of its `parts` (user.style, level), oldest first."""

    def sampled_moves(self, kind: str, ids: Sequence[str], most: int) -> list[RecordedMove]:
        """Return `most` moves (at least 2) of each record, evenly sampled with the first and the last, in order."""

    def noticed(self, *, since: int = 0, before: int | None = None, limit: int | None = None) -> list[TurnNoticed]:
        """Return the observations of the newest `limit` turns above `since` and below `before`, in order."""

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of the items that have one."""

    def first_known(self) -> dict[ContentType, datetime]:
        """Return when the oldest visible memory of each type was learned."""

    def counts(self, *, learned_since: int, said_since: int) -> Counts:
        """Return the counts since two turns."""
