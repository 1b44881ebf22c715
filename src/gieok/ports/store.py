"""Where a bank is kept, and how it is written to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from gieok.domain.desk import Bounds
from gieok.domain.erasure import Certificate
from gieok.domain.holdings import Holdings, ScopeSummary
from gieok.domain.memory import Change
from gieok.domain.model import CallSum, ModelCall
from gieok.domain.operation import Operation
from gieok.domain.retention import Hold, Retention
from gieok.domain.scope import Scope
from gieok.domain.things import Move
from gieok.domain.trace import Trace
from gieok.domain.turn import Turn
from gieok.ports.asking import BankInfo
from gieok.ports.auditing import Trail
from gieok.ports.carrying import Line, TakenIn
from gieok.ports.desk import Desk
from gieok.ports.searching import IndexEntry, Unembedded
from gieok.ports.view import View

if TYPE_CHECKING:
    from gieok.ports.searching import Matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What an entry takes out of the tables for good, once its changes are carried out.

    What a server still meant to send or to repeat, and how turns came about, goes with it, whatever it tells.
    """

    operations: tuple[Operation, ...] = ()  #: as they are written anew: without some words, or without any
    turns: frozenset[str] = frozenset()  #: ids of turns that are taken back by now
    taken_back: frozenset[int] = frozenset()  #: places of turns that were so before
    blanked: frozenset[str] = frozenset()  #: ids of utterances whose words go, while their turn stays
    words: frozenset[str] = frozenset()  #: documents in which one of these stands go
    certificate: Certificate  #: is kept, unproven, in the same transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything one operation writes, in one transaction."""

    operation: Operation
    turn: Turn | None = None  #: the turn to log with it
    unread: bool = False  #: `turn` could not be read yet
    caught_up: str | None = None  #: id of a turn kept unread that this operation has read now
    left_open: bool = False  #: rules did not understand all of `turn`; a model is to read it
    deepened: str | None = None  #: id of a turn left open that a model has read now
    index: Mapping[str, IndexEntry]  #: by item id: the turn's utterances, and memories with new words
    revised: tuple[Operation, ...] = ()  #: for a rewind: the log from the undone operation on, with new outcomes
    memories: tuple[Change, ...] = ()  #: the net change of every memory the entry touches
    things: tuple[Move, ...] = ()  #: the net move of every thing it touches
    trace: Trace | None = None  #: how `turn` came about
    traces: int = 0  #: how many traces of the scope are left, this one included; older ones go
    gone: Gone | None = None  #: for an erasure


class Room(View, Protocol):
    """One scope, held: nobody else writes to it meanwhile."""

    def apply(self, entry: Entry) -> Operation:
        """Write `entry` whole or not at all, and return its operation with its number.

        Who did what is written down with it (`trail`). Raises `ScopeMoved` if the scope changed since this room was
        entered.
        """
        ...


class ScopeMoved(Exception):
    """Another process wrote to the scope; enter the room again and judge again."""


class Store(Protocol):
    """Where a bank is kept."""

    def info(self) -> BankInfo: ...

    def locked(self, scope: Scope) -> AbstractContextManager[Room]:
        """Hold `scope`; it is created with its first write."""
        ...

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """Read `scope`; an unknown one is empty."""
        ...

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (behind `after`) by their names, with how much is in each; no limit: all of them.

        One of the bounds `within` holds them; without bounds, any may be meant. Canon comes before what is somebody's.
        """
        ...

    def scope_names(self, limit: int, *, after: Scope | None = None, within: Sequence[Bounds] = ()) -> list[Scope]:
        """Return the same without counting what is in them."""
        ...

    def characters(self) -> list[Scope]:
        """Return every character once in each world, whoever talks to them, by their names."""
        ...

    def latest_scopes(
        self, limit: int, *, after: ScopeSummary | None = None, words: Sequence[str] = (), within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (behind `after`), that whose story went on last first.

        Every one of `words` stands in a name of theirs (ASCII letters match in either case), and one of the bounds
        `within` holds them; without bounds, any may be meant.
        """
        ...

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the first of them, without counting what is in it."""
        ...

    def holdings(self, scope: Scope, present: datetime) -> Holdings:
        """Return how much is kept of `scope`; what ended before `present` is past."""
        ...

    def erase(self, scope: Scope, present: datetime, certificate: Certificate | None = None) -> Holdings:
        """Erase all that is kept of `scope`, in one transaction, and return how much that was.

        Nothing of it can be read afterwards, neither here nor through another handle; a scope of the same names
        begins anew. Whoever writes to it meanwhile finds that it moved. Of what was done there, digests are left. A
        `certificate` is completed with the counts and kept, unproven. Raises `UnderHold`.
        """
        ...

    def prove(self, now: datetime, *, seconds: float) -> list[Certificate]:
        """Rid the files of what erased rows left there, and return the certificates that are proven by it.

        Whoever still looks at an earlier state is waited for, up to `seconds`; then raises `ErasureUnproven`.
        """
        ...

    @property
    def proves_quickly(self) -> bool:
        """Whether `prove` can be done in passing: nobody is kept from reading or writing for long."""
        ...

    def certificates(self, limit: int) -> list[Certificate]:
        """Return what remains of erasures, the latest first."""
        ...

    def certificate(self, certificate_id: str) -> Certificate | None: ...

    def keep_certificate(self, certificate: Certificate) -> None:
        """Keep a certificate as it is."""
        ...

    def put_hold(self, scope: Scope, hold: Hold | None) -> None:
        """Let nothing of `scope` go while the hold stands; None takes it back."""
        ...

    def put_retention(self, scope: Scope, retention: Retention | None) -> None:
        """Lay down how long `scope` keeps its memories; None: as the bank does."""
        ...

    def carried(self, scopes: Sequence[Scope]) -> AbstractContextManager[Iterator[Line]]:
        """Lend all that is kept of `scopes` of one user, line by line and all of one moment.

        First where each stands ("scopes"), then table by table; whatever others point to comes before them.
        """
        ...

    def take_in(self, lines: Callable[[], Iterable[Line]], *, dry_run: bool = False) -> list[TakenIn]:
        """Keep the scopes of such lines with all their ids, those that are new here; all of them or none.

        What is kept here already stays as it is. `lines` is asked for them twice. Raises `InvalidExport` at the first
        line that cannot be kept. Nothing has a vector yet: `View.vectorless` tells what waits for one.
        """
        ...

    def lease(self, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
        """Let `holder` do the upkeep of `scope` until then; False: another one does, or the scope is unknown.

        Holding it again prolongs it. One that was taken by a clock which has been set back since does not count.
        """
        ...

    def let_go(self, scope: Scope, holder: str) -> None:
        """Give a lease back; one that is not held does no harm."""
        ...

    @property
    def desk(self) -> Desk:
        """What a server keeps beside memories."""
        ...

    @property
    def trail(self) -> Trail:
        """Who did what, when and why."""
        ...

    def note_call(self, call: ModelCall) -> None:
        """Count what a model was asked."""
        ...

    def model_calls(self) -> list[CallSum]:
        """Return what models were asked so far, by day, task, model and outcome."""
        ...

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

    def fill_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Give items that wait for them the rows of the embedder in use, whether or not a re-embedding is under way.

        Items that have theirs by now, or are gone, are passed over. Raises `EmbedderMismatch` if the bank holds
        another embedder's vectors by now.
        """
        ...

    def finish_reindex(self) -> None:
        """Switch to the new embedder once nothing is left."""
        ...

    def problems(self) -> list[str]:
        """Return what an integrity check finds; empty when all is well."""
        ...

    def close(self) -> None: ...
