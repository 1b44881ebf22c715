"""One scope, read in one snapshot."""

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
class Unembedded:
    """An item whose vector is missing or was made by another embedder."""

    key: int
    text: str


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
class WordWeights:
    """In which items of the layout a word stands, and what it weighs in each by the store's own ranking."""

    places: Places
    weights: Scores  #: above 0, in the ranking's own unit


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list. Times are the caller's business; this only narrows down."""

    subject: str | None = None
    subject_id: str | None = None
    speaker: str | None = None
    content_type: str | None = None
    attribute: str | None = None
    pinned: bool | None = None
    doubtful: bool | None = None  #: whether nobody has confirmed it yet
    learned_since: datetime | None = None
    touched_since: int | None = None  #: the number of the turn that told it, or told it again
    current_at: datetime | None = None  #: visible and true at that moment
    include_hidden: bool = False  #: also retracted, forgotten and faded ones
    include_faded: bool = False  #: also those that upkeep let go of


State = Literal["current", "past", "forgotten", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseFilter:
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
    doubtful: bool | None = None  #: whether nobody has confirmed it yet
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
class RelatedFilter:
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
class RecordedMove:
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
class RewoundTurn:
    """A turn that was taken back: it is in no index, and its id may be another's by now."""

    place: int
    turn_id: str
    session: str | None
    at: datetime
    lines: tuple[tuple[str, str], ...]  #: ids and texts of what was said


Answer = TypeVar("Answer")


class View(Protocol):
    """One scope, read in one snapshot."""

    @property
    def version(self) -> int:
        """Grows with every change of the scope; 0: nothing was ever written."""

    @property
    def turn_number(self) -> int:
        """Number of the last turn in force."""

    @property
    def latest_at(self) -> datetime | None:
        """Story time of the newest turn or operation."""

    @property
    def provisions(self) -> Provisions:
        """What was laid down for the scope."""

    def cached(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` makes of the scope, perhaps in an earlier view of this version; not to be changed."""

    def existing_scopes(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        """Return those of `scopes`, whichever they are, that were ever written to."""

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        """Return other scopes that were ever written to, that whose story went on last first.

        `user_facts`: of the same user, in the same world. `character`: of the same character, in the same world, with a
        user. Canon and `none` have none.
        """

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Return the items with the highest cosine, best first, those without a vector left out."""

    def vectorless(self, limit: int) -> list[Unembedded]:
        """Return searchable items that wait for a vector, oldest first; the rolling summary is not searched."""

    def layout(self) -> Layout:
        """Return what there is to search. A sitting is a session; without a label, what no hour's silence parts."""

    def cosines(self, vector: Vector) -> Scores:
        """Return the cosine of every item of the layout, of several rows the nearest; -1 without a vector.

        A store may also have a method `nearness` that takes the same and returns a `gieok.ports.nearness.Nearness`:
        it is asked instead, and works out only the cosines that matter.
        """

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        """Return where each of `words` stands."""

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]:
        """Return where longer words stand that begin with each of `prefixes`."""

    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None:
        """Return where each of `words` stands, with what it weighs there by the store's own ranking.

        A rarer word weighs more, and so does one that stands there more often. None: the store has no ranking of its
        own, and its words are to be counted (`occurrences`).
        """

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        """Return which items bear each of `tags`, and how often."""

    def items(self, refs: Iterable[int]) -> dict[int, Item]: ...

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        """Return the refs of those `item_ids` that are in this scope."""

    def memories(self, which: MemoryFilter) -> list[Memory]:
        """Return memories by when they became true, oldest first."""

    def browse(self, which: BrowseFilter, limit: int, *, before: int | None = None) -> list[Leaf]:
        """Return the last memories (with a place below `before`) that were written down, the newest first."""

    def browse_by_date(self, which: BrowseFilter, limit: int, *, before: Leaf | None = None) -> list[Leaf]:
        """Return memories by when they became true (below `before`, which was seen last), the latest first."""

    def count_by_quarter_hour(self, which: BrowseFilter) -> dict[datetime, int]:
        """Count the memories that became true in each quarter of an hour, by its beginning, in order."""

    def subjects(self) -> list[About]:
        """Return whom memories are about, past and forgotten ones too, those with the most first."""

    def closed_by(self, memory_id: str) -> list[Memory]:
        """Return what a memory took the place of, hidden ones too, by when it became true, oldest first."""

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]: ...

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        """Return every memory of these topics, past and hidden ones too, and what they closed (`closed_by`)."""

    def related(self, touch: RelatedFilter, limit: int) -> list[Memory]:
        """Return the visible memories that `touch` names, the weightiest first: pinned, important and strong ones."""

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        """Return how many memories tell what of these subjects now: attributes, content types where there is none."""

    def conclusions(self) -> list[Memory]:
        """Return the summaries, insights and merged memories that upkeep made, as far as they are visible."""

    def mentioned_facts(self, text: str) -> list[Memory]:
        """Return the user's current facts whose value or words stand in `text`; ASCII letters match in either case."""

    def people(self, text: str) -> dict[str, list[int]]:
        """Return who else is named in `text`, by given name at least, each with the visible memories about them."""

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        """Return memories that were read from these utterances, past and hidden ones too; not repetitions."""

    def forgotten_words(self) -> frozenset[str]:
        """Return the ids of utterances that tell what was forgotten: its sources, and what repeats it beside."""

    def recognised(self, imprints: Iterable[Imprint], among: Collection[str] | None = None) -> frozenset[Imprint]:
        """Return those of `imprints` whose like was erased in this scope; `among`: whose digest is one of these."""

    def ever_hidden(self) -> frozenset[str]:
        """Return the ids of all memories that somebody asked to be forgotten, whatever became of them since."""

    def believed_at(self, moment: datetime) -> list[Memory]:
        """Return every memory as it stood after the last operation at or before `moment` of story time."""

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        """Return what happened to a memory, oldest first."""

    def times_heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        """Count the candidates that said the same, in operations in force (with a number below `before`)."""

    def turn(self, turn_id: str) -> Turn | None:
        """Return the turn in force with this id."""

    def trace(self, turn_id: str) -> Trace | None:
        """Return how the turn in force with this id came about, scores to five places; None: that is not kept."""

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        """Return the last `limit` turns in force (with a number below `before`), oldest first."""

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        """Return the last `limit` turns in force of one sitting, or that came one way (None: any), oldest first."""

    def rewound_turns(self) -> list[RewoundTurn]:
        """Return the turns that were taken back, in the order in which they were said."""

    def open_turns(self, limit: int) -> list[Turn]:
        """Return turns in force that a model is still to read, oldest first."""

    def unread_turns(self, limit: int) -> list[Turn]:
        """Return turns that were kept but not read yet, oldest first."""

    def is_unread(self, turn_id: str) -> bool:
        """Return whether a turn in force is still to be read."""

    def operation_of(self, turn_id: str) -> Operation | None:
        """Return the operation in force that observed `turn_id`."""

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        """Return the log from number `since` on, in order; `in_force` leaves out undone ones and rewinds."""

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        """Return the newest of the log (with a number below `before`), in order, undone ones and rewinds too."""

    def imported_operations(self, since: int = 1) -> list[tuple[int, str]]:
        """Return numbers and ids of imported operations from `since` on, also of undone and erased ones."""

    def state_records(self, *kinds: str) -> dict[Key, StateRecord]:
        """Return what is kept beside memories, of these kinds (none: of all), by key."""

    def state_records_by_key(self, keys: Iterable[Key]) -> dict[Key, StateRecord]: ...

    def known_names(self) -> dict[str, EntityKind]:
        """Return every name that somebody goes by, with what they are."""

    def last_state_records(self, kind: str, limit: int = 1) -> list[tuple[str, StateRecord]]:
        """Return the things of a kind with the highest ids, in the order of these."""

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[RecordedMove]:
        """Return the newest `limit` moves of a kind, or of one record, by operations below `before`, in order."""

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[RecordedMove]:
        """Return the moves of a thing in which any of its `parts` (user.style, level) became another, oldest first."""

    def sampled_moves(self, kind: str, ids: Sequence[str], most: int) -> list[RecordedMove]:
        """Return `most` moves (2 at least) of each record, the first, the last and some between, in order."""

    def noticed(self, *, since: int = 0, before: int | None = None, limit: int | None = None) -> list[TurnNoticed]:
        """Return what was noticed in the newest `limit` turns above `since` and below `before`, in order."""

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of those items that have one."""

    def first_known(self) -> dict[ContentType, datetime]:
        """Return when the oldest visible memory of each type was learned."""

    def counts(self, *, learned_since: int, said_since: int) -> Counts:
        """Return what came in since two turns."""
