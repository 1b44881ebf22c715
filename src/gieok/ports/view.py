"""One scope, read in one snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from gieok.domain.answer import Item
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Saying
from gieok.domain.memory import Change, Memory
from gieok.domain.noticed import EntityKind
from gieok.domain.operation import Operation
from gieok.domain.retention import Provisions
from gieok.domain.scope import Scope, Sharing
from gieok.domain.things import Key, Thing
from gieok.domain.trace import Trace
from gieok.domain.turn import Turn
from gieok.ports.asking import (
    About,
    Counts,
    Happened,
    Leaf,
    Leafing,
    MemoryFilter,
    TakenBack,
    Topic,
    Touch,
    TurnNoticed,
)
from gieok.ports.searching import Layout, Match, Occurrences, Unembedded, Weighed

if TYPE_CHECKING:
    from gieok.ports.searching import Scores, Vector

Answer = TypeVar("Answer")


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

    @property
    def provisions(self) -> Provisions:
        """What was laid down for the scope."""
        ...

    def kept(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` returns; it may be from an earlier view of the same version, and is not to be changed.

        It must depend on nothing but what stands in the scope.
        """
        ...

    def begun(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        """Return those of `scopes`, whichever they are, that were ever written to."""
        ...

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        """Return other scopes that were ever written to, that whose story went on last first.

        `user_facts`: of the same user, in the same world. `character`: of the same character, in the same world, with a
        user. Canon and `none` have none.
        """
        ...

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Return the items with the highest cosine, best first, those without a vector left out."""
        ...

    def vectorless(self, limit: int) -> list[Unembedded]:
        """Return items that can be searched for and wait for their vectors, oldest first.

        The rolling summary is no such item: nobody searches for it.
        """
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

    def weighed(self, words: Sequence[str]) -> list[Weighed] | None:
        """Return where each of `words` stands, with what it weighs there by the store's own ranking.

        A rarer word weighs more, and so does one that stands there more often. None: the store has no ranking of its
        own, and its words are to be counted (`occurrences`).
        """
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

    def leaves(self, which: Leafing, limit: int, *, before: int | None = None) -> list[Leaf]:
        """Return the last memories (with a place below `before`) that were written down, the newest first."""
        ...

    def story(self, which: Leafing, limit: int, *, before: Leaf | None = None) -> list[Leaf]:
        """Return memories by when they became true (below `before`, which was seen last), the latest first."""
        ...

    def quarters(self, which: Leafing) -> dict[datetime, int]:
        """Return how many memories became true in each quarter of an hour, by when it begins, in order.

        In no time zone does a day or a month begin within one.
        """
        ...

    def subjects(self) -> list[About]:
        """Return whom memories are about, past and forgotten ones too, those with the most first."""
        ...

    def closed_by(self, memory_id: str) -> list[Memory]:
        """Return what a memory took the place of, hidden ones too, by when it became true, oldest first."""
        ...

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]: ...

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        """Return every memory of these topics, past and hidden ones too, and what they closed (`closed_by`)."""
        ...

    def touching(self, touch: Touch, limit: int) -> list[Memory]:
        """Return the visible memories that `touch` names, the weightiest first: pinned, important and strong ones."""
        ...

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        """Return how many memories tell what of these subjects now: attributes, content types where there is none."""
        ...

    def concluded(self) -> list[Memory]:
        """Return the summaries, insights and merged memories that upkeep made, as far as they are visible."""
        ...

    def mentioned(self, text: str) -> list[Memory]:
        """Return the user's current facts whose value or words stand in `text`; ASCII letters match in either case."""
        ...

    def people(self, text: str) -> dict[str, list[int]]:
        """Return who else is named in `text`, by given name at least, each with the visible memories about them."""
        ...

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        """Return the memories whose claims were read from these utterances, past and hidden ones too.

        A claim's id begins with its utterance's (`domain.claim.claim_id`); whatever merely repeated one is not meant.
        """
        ...

    def forgotten_words(self) -> frozenset[str]:
        """Return the ids of the utterances that forgotten memories were read from: quoting them would tell.

        So would those of the same turn that repeat what such a memory tells: "땅콩이요? 조심할게요!".
        """
        ...

    def hidden_once(self) -> frozenset[str]:
        """Return the ids of all memories that somebody asked to be forgotten, whatever became of them since."""
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

    def trace(self, turn_id: str) -> Trace | None:
        """Return how the turn in force with this id came about, scores to five places; None: that is not kept."""
        ...

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        """Return the last `limit` turns in force (with a number below `before`), oldest first."""
        ...

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        """Return the last `limit` turns in force of one sitting, or that came one way (None: any), oldest first."""
        ...

    def taken_back(self) -> list[TakenBack]:
        """Return the turns that were taken back, in the order in which they were said."""
        ...

    def left_open(self, limit: int) -> list[Turn]:
        """Return turns in force that a model is still to read, oldest first."""
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

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        """Return the newest of the log (with a number below `before`), in order, undone ones and rewinds too."""
        ...

    def arrived(self, since: int = 1) -> list[tuple[int, str]]:
        """Return the operations with an id that an import gave them, from a number on: their numbers and ids, in order.

        Also of those that were undone or erased since: what moved in once does not move in again.
        """
        ...

    def things(self, kind: str | None = None) -> dict[Key, Thing]:
        """Return what is kept beside memories, everything or one kind, by key."""
        ...

    def things_by_key(self, keys: Iterable[Key]) -> dict[Key, Thing]: ...

    def acquaintances(self) -> dict[str, EntityKind]:
        """Return every name that somebody goes by, with what they are."""
        ...

    def last_things(self, kind: str, limit: int = 1) -> list[tuple[str, Thing]]:
        """Return the things of a kind with the highest ids, in the order of these."""
        ...

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[Happened]:
        """Return what became of the things of a kind (or one of them), oldest first; of many the newest `limit`.

        With `before` only by operations with a number below it.
        """
        ...

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[Happened]:
        """Return the moves of a thing in which any of its `parts` (user.style, level) became another, oldest first."""
        ...

    def spread(self, kind: str, ids: Sequence[str], most: int) -> list[Happened]:
        """Return `most` moves (2 at least) of each of these things, evenly chosen, oldest first.

        The first and the last of each are among them.
        """
        ...

    def noticed(self, *, since: int = 0, before: int | None = None, limit: int | None = None) -> list[TurnNoticed]:
        """Return what was noticed in turns with a number above `since` and below `before`, oldest first.

        Of many the newest `limit`.
        """
        ...

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of those items that have one."""
        ...

    def first_known(self) -> dict[ContentType, datetime]:
        """Return when the oldest visible memory of each type was learned."""
        ...

    def counts(self, *, learned_since: int, said_since: int) -> Counts:
        """Return what came in since two turns."""
        ...
