"""The storage interface: reading and writing a bank."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar

from gieok.domain.actor import Actor
from gieok.domain.answer import CallSum, ModelCall, Trace
from gieok.domain.audit import Chain, Deed, Verified
from gieok.domain.erasure import Certificate
from gieok.domain.memory import Change, Hold, Memory, Retention
from gieok.domain.operation import Operation
from gieok.domain.recognition import Imprint
from gieok.domain.scope import Holdings, Scope, ScopeSummary
from gieok.domain.server_state import AccessKey, Bounds, Document, KeptAnswer, Webhook, WebhookDelivery
from gieok.domain.state import Key, Move
from gieok.domain.turn import Turn
from gieok.errors import BankInterrupted, ScopeBusy
from gieok.ports.view import BankInfo, IndexEntry, Unembedded, View

if TYPE_CHECKING:
    from gieok.ports.view import Matrix


class AuditLog(Protocol):
    """The audit log of a bank. A deed is written in the same transaction as what it describes."""

    def deeds(self, scope: Scope | None, limit: int | None = None, *, before: int | None = None) -> list[Deed]:
        """Return the last deeds of a scope, or (None) of the bank itself: keys, webhooks, documents, embedders."""

    def actors(self, scope: Scope, operations: Iterable[int]) -> dict[int, Actor]:
        """Return who requested operations, by number (not who revised them); unknown ones are omitted."""

    def note_read(self, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
        """Record that `actor` reads another user's data; False: nothing is stored for `scope`."""

    def chains(self, scope: Scope | None = None) -> list[Chain]:
        """Return the chain of a scope, if it has one, or (None) all chains, including those of erased scopes."""

    def lines(self, chain: Chain) -> Iterator[tuple[Deed, tuple[str, ...]]]:
        """Yield the deeds of a chain, newest first, each with the lines that its digest covers.

        The lines are JSON: the operation after that deed, with its claims, changes and moves, and the utterances of its
        turn. Erased ones have no lines.
        """

    def verify(self, scope: Scope | None = None) -> Verified:
        """Verify the chain of a scope, or (None) all chains, against the journal."""


Fate = Literal["new", "there", "differs", "erased"]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Line:
    """One exported row of a scope, as a JSON-compatible record."""

    table: str  #: "turns", "memories" …; "scopes" comes first, and holds the scope's counters
    scope: Scope
    record: Mapping[str, Any]
    number: int = 0  #: line number in the file


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """The result of importing one scope of a file.

    `new`: imported. `there`: everything was already present; nothing was done. `differs`: different data exists under
    its names and stays unchanged. `erased`: some of it was erased here before; nothing was done.
    """

    scope: Scope
    fate: Fate
    counts: Mapping[str, int] = field(default_factory=dict)  #: lines in the file, by table
    held_back: int = 0  #: turns, lines and facts in it that were erased here before
    certificates: tuple[str, ...] = ()  #: ids of these erasures, as `lift` takes them


class ServerStore(Protocol):
    """Server data in a bank."""

    def keep_key(self, key: AccessKey) -> None:
        """Store a new or changed key."""

    def access_keys(self) -> list[AccessKey]:
        """Return all keys, oldest first, including revoked ones."""

    def count_uses(self, day: str, uses: Mapping[str, int]) -> None:
        """Add to the request counts of keys (by id) for a day ("2026-11-15", UTC)."""

    def uses(self, day: str) -> dict[str, int]:
        """Return the request counts of a day, by key id."""

    def answer(self, name: str, now: datetime) -> KeptAnswer | None: ...

    def keep_answer(self, name: str, answer: KeptAnswer, *, until: datetime, now: datetime) -> KeptAnswer:
        """Store a response unless one has that name; return the stored one. Expired ones are deleted."""

    def keep_webhook(self, webhook: Webhook) -> None: ...

    def webhooks(self) -> list[Webhook]:
        """Return all webhooks, oldest first."""

    def drop_webhook(self, webhook_id: str) -> bool:
        """Delete a webhook and its deliveries; False: there is none."""

    def lease(self, webhook_id: str, holder: str, *, until: datetime, now: datetime) -> bool:
        """Give `holder` the exclusive right to deliver to a webhook; False: another has it, or there is none."""

    def release(self, webhook_id: str, holder: str) -> None:
        """Release a lease; does nothing if it is not held."""

    def add_deliveries(self, deliveries: Sequence[WebhookDelivery]) -> None:
        """Store deliveries until they are delivered."""

    def due_deliveries(self, webhook_id: str, now: datetime, limit: int) -> list[WebhookDelivery]:
        """Return the deliveries to a webhook that are due, oldest first."""

    def waiting_deliveries(self) -> dict[str, int]:
        """Return the number of waiting deliveries, by webhook id."""

    def postpone_delivery(self, letter: WebhookDelivery) -> None:
        """Store the attempts of a delivery and its next due time."""

    def drop_delivery(self, number: int) -> None: ...

    def put_document(self, document: Document) -> None:
        """Store a document; a replaced one keeps its age. Raises `InvalidText` for a NUL or lone surrogate."""

    def document(self, namespace: Sequence[str], key: str) -> Document | None: ...

    def documents(self, prefix: Sequence[str] = ()) -> list[Document]:
        """Return the documents whose namespace starts with `prefix`, sorted by namespace and key."""

    def drop_document(self, namespace: Sequence[str], key: str) -> Document | None:
        """Delete a document and return it; None: there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What an entry erases permanently, after its changes are applied.

    Pending deliveries and stored responses of a server, and traces, are erased with it, whatever their content.
    """

    operations: tuple[Operation, ...] = ()  #: rewritten operations: with some text removed, or all of it
    turns: frozenset[str] = frozenset()  #: ids of turns that were rewound since
    taken_back: frozenset[int] = frozenset()  #: numbers of turns that were rewound before
    blanked: frozenset[str] = frozenset()  #: ids of utterances that lose their text while their turn stays
    words: frozenset[str] = frozenset()  #: documents that contain one of these are erased
    imprints: frozenset[Imprint] = frozenset()  #: of facts, to be recognised from now on, as erased utterances are
    again: bool = False  #: everything in it was erased before and is recognised already
    certificate: Certificate  #: stored, unproven, in the same transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything that one operation writes, in one transaction."""

    operation: Operation
    turn: Turn | None = None  #: the turn to log
    unread: bool = False  #: `turn` could not be read yet
    caught_up: str | None = None  #: id of an unread turn that this operation has read
    left_open: bool = False  #: the reader did not understand all of `turn`; a model will read it
    deepened: str | None = None  #: id of an open turn that a model has read
    index: Mapping[str, IndexEntry]  #: by item id: the turn's utterances, and memories with changed text
    revised: tuple[Operation, ...] = ()  #: for a rewind: the operations from the undone one on, with new outcomes
    memories: tuple[Change, ...] = ()  #: the net change of each memory
    moves: tuple[Move, ...] = ()  #: the net move of each state record
    trace: Trace | None = None  #: the trace of `turn`
    traces: int = 0  #: number of traces to keep in the scope, including this one
    removal: Removal | None = None  #: for an erasure


class Room(View, Protocol):
    """A locked scope: no other writer until it is released."""

    def apply(self, entry: Entry) -> Operation:
        """Write `entry` with its actor atomically; return its numbered operation. Raises `ScopeMoved`."""


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """One of several entries that are written together, to one or more scopes."""

    scope: Scope
    #: Returns the entry, given the scope after the previous entries; None: nothing to write. It is called within the
    #: transaction, so it must not call a model.
    entry: Callable[[View], Entry | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Callbacks of one handle on a store."""

    on_enter: Callable[[Scope, View], Callable[[], None] | None] | None = None
    """Called with each view and room before its user gets it. If it returns work, the scope is left, the work is done
    and the scope is entered again. While the work runs, this thread enters scopes without the hook."""
    on_apply: Callable[[Scope, View, Entry], Callable[[Operation], None] | None] | None = None
    """Called with a room and an entry before that is written. If it returns a function, that is called with the written
    operation once the room is left."""
    mask: Callable[[str], str] | None = None  #: applied to the text of every utterance read


class ScopeMoved(Exception):
    """Another process wrote to the scope; enter the room again and repeat the judgement."""


class Store(Protocol):
    """The storage of a bank."""

    def hooked(self, hooks: Hooks) -> Store:
        """Return another handle on the same bank; only its own views and rooms call `hooks`."""

    def info(self) -> BankInfo: ...

    def locked(self, scope: Scope) -> AbstractContextManager[Room]:
        """Lock `scope` for writing; it is created by its first write."""

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """Open a snapshot of `scope`; an unknown scope is empty."""

    def apply_together(self, plans: Sequence[PlannedEntry]) -> list[Operation | None]:
        """Write the entries in order, all or none; return their numbered operations. Raises `ScopeMoved`."""

    def look_after(self, plans: Sequence[PlannedEntry], scope: Scope, look: Callable[[View], Result]) -> Result:
        """Return the result of `look` on `scope` as these entries would leave it; nothing is written."""

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes after `after` by name, canon first, with their sizes; `within` limits them to bounds."""

    def scope_names(self, limit: int, *, after: Scope | None = None, within: Sequence[Bounds] = ()) -> list[Scope]:
        """Return scopes like `scopes`, without counting their contents."""

    def characters(self) -> list[Scope]:
        """Return every character once per world, with any user, sorted by name."""

    def latest_scopes(
        self, limit: int, *, after: ScopeSummary | None = None, words: Sequence[str] = (), within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (after `after`), the most recently active first.

        Every one of `words` is in their names (ignoring ASCII case), and they lie in one of the bounds `within`;
        without bounds, all scopes qualify.
        """

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the most recently active scope, without counting its contents."""

    def holdings(self, scope: Scope, present: datetime) -> Holdings:
        """Return how much is stored of `scope`; memories that ended before `present` count as past."""

    def erase(
        self, scope: Scope, present: datetime, certificate: Certificate | None = None, *, again: bool = False
    ) -> Holdings:
        """Erase all data of `scope` in one transaction; return how much there was.

        Nothing of it can be read afterwards by any handle; a new scope with the same names starts empty. Concurrent
        writers get `ScopeMoved`. Digests of its deeds remain. A `certificate` is completed with the counts and stored,
        unproven; `View.recognised` recognises the erased data, unless it was erased before and is erased `again`.
        Raises `UnderHold`.
        """

    def erase_together(
        self, erasures: Sequence[tuple[Scope, datetime, Certificate | None]], *, again: bool = False
    ) -> list[Holdings]:
        """Erase several scopes in one transaction, all or none."""

    def prove(self, now: datetime, *, seconds: float, left: Sequence[str] = ()) -> list[Certificate]:
        """Remove erased rows from the files; return the certificates that this proves.

        Raises `ErasureUnproven` after `seconds`.

        `left` are names of files that may still hold them; they are recorded in the certificates.
        """

    @property
    def proves_quickly(self) -> bool:
        """Whether `prove` is cheap: it does not block readers or writers for long."""

    def certificates(self, limit: int) -> list[Certificate]:
        """Return erasure certificates, the latest first."""

    def certificate(self, certificate_id: str) -> Certificate | None: ...

    def keep_certificate(self, certificate: Certificate) -> None:
        """Store a certificate unchanged."""

    def lift(self, certificate_id: str) -> int:
        """Allow erased data to be learned again; return the number of deleted digests."""

    def put_hold(self, scope: Scope, hold: Hold | None) -> None:
        """Set a hold on `scope`, which prevents erasure; None releases it."""

    def put_retention(self, scope: Scope, retention: Retention | None) -> None:
        """Set the retention of `scope`; None: that of the bank."""

    def exported(self, scopes: Sequence[Scope]) -> AbstractContextManager[Iterator[Line]]:
        """Return a consistent snapshot of all data of `scopes` of one user, as lines.

        The scopes' counters ("scopes") come first, then each table; referenced rows come before those that refer to
        them.
        """

    def import_lines(self, lines: Callable[[], Iterable[Line]], *, dry_run: bool = False) -> list[TakenIn]:
        """Import the scopes in `lines` that are new here, with all their ids; all of them or none.

        Existing data stays unchanged. `lines` is called twice. Raises `InvalidExport` at the first invalid line.
        Imported items have no vectors; `View.vectorless` lists them.
        """

    def lease(self, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
        """Give `holder` the exclusive right to run upkeep on `scope`; False: another has it, or it is unknown.

        Calling it again extends the lease. A lease that was taken before the clock was set back is ignored.
        """

    def release(self, scope: Scope, holder: str) -> None:
        """Release a lease; does nothing if it is not held."""

    @property
    def server(self) -> ServerStore:
        """Server data, stored beside memories."""

    @property
    def audit(self) -> AuditLog:
        """The audit log: who did what, when and why."""

    def note_call(self, call: ModelCall) -> None:
        """Add a model call to the totals."""

    def model_calls(self) -> list[CallSum]:
        """Return totals of model calls by day, task, model and outcome."""

    def begin_reindex(self, embedder: str, dimension: int) -> int:
        """Start or continue re-embedding; return the number of remaining items. Old vectors are used until it ends."""

    def unembedded(self, limit: int) -> list[Unembedded]:
        """Return items without a vector of the target embedder (or of the current one)."""

    def put_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Store the vectors of each item."""

    def fill_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Store vectors of the current embedder for items without any. Raises `EmbedderMismatch`."""

    def finish_reindex(self) -> None:
        """Switch to the new embedder after all items are embedded."""

    def problems(self) -> list[str]:
        """Return the problems found by an integrity check; [] if there are none."""

    def close(self) -> None: ...


_ATTEMPTS: Final = 50
_RETRY_DELAYS: Final = (0.0, 0.1, 0.4, 1.5, 4.0)  #: seconds to wait before each retry


def held(store: Store, scope: Scope, act: Callable[[Room], Result]) -> Result:
    """Run `act` in the scope's room; retry if another process wrote meanwhile, or the database interrupted it."""

    def attempt() -> Result:
        with store.locked(scope) as room:
            return act(room)

    return insistently(attempt)


def insistently(attempt: Callable[[], Result]) -> Result:
    """Return the result of `attempt`; retry if another process wrote meanwhile, or the database interrupted it."""
    waits = iter(_RETRY_DELAYS)
    for _ in range(_ATTEMPTS):
        try:
            return attempt()
        except ScopeMoved:
            continue
        except BankInterrupted:
            wait = next(waits, None)
            if wait is None:
                raise
            time.sleep(wait)
    raise ScopeBusy(_ATTEMPTS)


def entry(operation: Operation, index: Mapping[str, IndexEntry], *, turn: Turn | None = None, **given: Any) -> Entry:
    """Return the entry for `operation`; of `index`, only items with new text. Other fields are `given`."""
    net = net_changes(operation.changes)
    findable = {utterance.id for utterance in (turn.utterances if turn else ())}
    for change in net:
        before, after = change.before, change.after
        if after is not None and (before is None or before.content != after.content):
            findable.add(change.memory_id)
    moves: dict[Key, Move] = {}
    for move in operation.moves:  # one per state record
        moves[move.key] = replace(move, before=moves.get(move.key, move).before)
    new = {item: index[item] for item in findable if item in index}
    return Entry(operation=operation, turn=turn, index=new, memories=net, moves=tuple(moves.values()), **given)


def net_changes(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return one change per memory: from its first `before` to its last `after`."""
    first: dict[str, Memory | None] = {}
    last: dict[str, Memory | None] = {}
    for change in changes:
        first.setdefault(change.memory_id, change.before)
        last[change.memory_id] = change.after
    return tuple(Change(before=first[each], after=last[each]) for each in first if first[each] != last[each])
