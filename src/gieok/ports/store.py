"""Where a bank is kept, and how it is written to."""

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
    """What was done in a bank. Deeds are written by whoever writes what they tell of, in the same transaction."""

    def deeds(self, scope: Scope | None, limit: int | None = None, *, before: int | None = None) -> list[Deed]:
        """Return the last deeds of a scope, or (None) of the bank: keys, webhooks, documents, embedders."""

    def actors(self, scope: Scope, operations: Iterable[int]) -> dict[int, Actor]:
        """Return who had operations done, by number, not who revised them; unknown ones are left out."""

    def note_read(self, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
        """Note that somebody reads what is not theirs; False: nothing is kept of `scope`."""

    def chains(self, scope: Scope | None = None) -> list[Chain]:
        """Return the chain of a scope, if it has one, or (None) every chain, also those of scopes that were erased."""

    def lines(self, chain: Chain) -> Iterator[tuple[Deed, tuple[str, ...]]]:
        """Yield the deeds of a chain, newest first, each with the lines that its digest vouches for.

        The lines are JSON: the operation as it was after that deed, with its claims, changes and moves, and what was
        said in its turn. What was erased has none.
        """

    def verify(self, scope: Scope | None = None) -> Verified:
        """Look through the chain of a scope, or (None) through all there are, and hold the journal against them."""


Fate = Literal["new", "there", "differs", "erased"]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is kept of a scope, as what JSON can hold."""

    table: str  #: what it is: "turns", "memories" …; "scopes" comes first, and says where the scope stands
    scope: Scope
    record: Mapping[str, Any]
    number: int = 0  #: of its line in the file


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of one scope of a file.

    `new`: it was not here. `there`: all of it was here already, and nothing was done. `differs`: something else is
    kept under its names, which stays as it is. `erased`: something of it was erased here, and nothing was done.
    """

    scope: Scope
    fate: Fate
    counts: Mapping[str, int] = field(default_factory=dict)  #: lines of the file, by table
    held_back: int = 0  #: turns, lines and facts of it that were erased here before
    certificates: tuple[str, ...] = ()  #: ids of these erasures, which `lift` takes


class ServerStore(Protocol):
    """What a server keeps."""

    def keep_key(self, key: AccessKey) -> None:
        """Keep a new key, or one that has changed."""

    def access_keys(self) -> list[AccessKey]:
        """Return all keys, oldest first, revoked ones too."""

    def count_uses(self, day: str, uses: Mapping[str, int]) -> None:
        """Add to the requests that keys (by id) made on a day ("2026-11-15", UTC)."""

    def uses(self, day: str) -> dict[str, int]:
        """Return the requests of a day by key id."""

    def answer(self, name: str, now: datetime) -> KeptAnswer | None: ...

    def keep_answer(self, name: str, answer: KeptAnswer, *, until: datetime, now: datetime) -> KeptAnswer:
        """Keep an answer unless that name has one; return the one that is kept. Expired ones go."""

    def keep_webhook(self, webhook: Webhook) -> None: ...

    def webhooks(self) -> list[Webhook]:
        """Return all webhooks, oldest first."""

    def drop_webhook(self, webhook_id: str) -> bool:
        """Drop a webhook with the letters to it; False: there is none."""

    def lease(self, webhook_id: str, holder: str, *, until: datetime, now: datetime) -> bool:
        """Let `holder` alone deliver to a webhook; False: another does, or there is none. See `Store.lease`."""

    def release(self, webhook_id: str, holder: str) -> None:
        """Give a lease back; one that is not held does no harm."""

    def add_deliveries(self, deliveries: Sequence[WebhookDelivery]) -> None:
        """Keep letters until they are delivered."""

    def due_deliveries(self, webhook_id: str, now: datetime, limit: int) -> list[WebhookDelivery]:
        """Return the letters to a webhook that may be tried now, in the order in which they were posted."""

    def waiting_deliveries(self) -> dict[str, int]:
        """Return how many letters wait, by webhook id."""

    def postpone_delivery(self, letter: WebhookDelivery) -> None:
        """Keep a letter's tries and when it is due next."""

    def drop_delivery(self, number: int) -> None: ...

    def put_document(self, document: Document) -> None:
        """Keep a document; one of that name keeps its age. Raises `InvalidText` for a NUL or half a character."""

    def document(self, namespace: Sequence[str], key: str) -> Document | None: ...

    def documents(self, prefix: Sequence[str] = ()) -> list[Document]:
        """Return the documents whose namespace begins with `prefix`, by namespace and key."""

    def drop_document(self, namespace: Sequence[str], key: str) -> Document | None:
        """Drop a document and return it; None: there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What an entry takes out of the tables for good, once its changes are carried out.

    What a server still meant to send or to repeat, and how turns came about, goes with it, whatever it tells.
    """

    operations: tuple[Operation, ...] = ()  #: as they are written anew: without some words, or without any
    turns: frozenset[str] = frozenset()  #: ids of turns that are taken back by now
    taken_back: frozenset[int] = frozenset()  #: places of turns that were so before
    blanked: frozenset[str] = frozenset()  #: ids of utterances whose words go, while their turn stays
    words: frozenset[str] = frozenset()  #: documents in which one of these stands go
    imprints: frozenset[Imprint] = frozenset()  #: of facts: they are recognised from here on, as is what was said
    again: bool = False  #: all of it was erased before, and is recognised already
    certificate: Certificate  #: is kept, unproven, in the same transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything one operation writes, in one transaction."""

    operation: Operation
    turn: Turn | None = None  #: the turn to log with it
    unread: bool = False  #: `turn` could not be read yet
    caught_up: str | None = None  #: id of a turn kept unread that this operation has read now
    left_open: bool = False  #: the reader did not understand all of `turn`; a model is to read it
    deepened: str | None = None  #: id of a turn left open that a model has read now
    index: Mapping[str, IndexEntry]  #: by item id: the turn's utterances, and memories with new words
    revised: tuple[Operation, ...] = ()  #: for a rewind: the log from the undone operation on, with new outcomes
    memories: tuple[Change, ...] = ()  #: the net change of every memory the entry touches
    moves: tuple[Move, ...] = ()  #: the net move of every state record it touches
    trace: Trace | None = None  #: how `turn` came about
    traces: int = 0  #: how many traces of the scope are left, this one included; older ones go
    removal: Removal | None = None  #: for an erasure


class Room(View, Protocol):
    """One scope, held: nobody else writes to it meanwhile."""

    def apply(self, entry: Entry) -> Operation:
        """Write `entry`, with who did it, whole or not at all; return its numbered operation. Raises `ScopeMoved`."""


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """One of several entries that are written together, to one scope or to several."""

    scope: Scope
    #: Makes the entry, given the scope as the entries before leave it; None: there is nothing to write. It is called
    #: within the transaction, so no model may be asked.
    entry: Callable[[View], Entry | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """What happens around reading and writing, for one handle on a store."""

    on_enter: Callable[[Scope, View], Callable[[], None] | None] | None = None
    """Called with each view and room before its user gets it. If it returns work, the scope is left, the work is done
    and the scope is entered again. While the work runs, this thread enters scopes without the hook."""
    on_apply: Callable[[Scope, View, Entry], Callable[[Operation], None] | None] | None = None
    """Called with a room and an entry before that is written. If it returns a function, that is called with the written
    operation once the room is left."""
    mask: Callable[[str], str] | None = None  #: applied to the text of every utterance that is read


class ScopeMoved(Exception):
    """Another process wrote to the scope; enter the room again and judge again."""


class Store(Protocol):
    """Where a bank is kept."""

    def hooked(self, hooks: Hooks) -> Store:
        """Return another handle on the same bank: its views and rooms, and no others, call `hooks`."""

    def info(self) -> BankInfo: ...

    def locked(self, scope: Scope) -> AbstractContextManager[Room]:
        """Hold `scope`; it is created with its first write."""

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """Read `scope`; an unknown one is empty."""

    def apply_together(self, plans: Sequence[PlannedEntry]) -> list[Operation | None]:
        """Write the entries in order, all or none, and return their numbered operations. Raises `ScopeMoved`."""

    def look_after(self, plans: Sequence[PlannedEntry], scope: Scope, look: Callable[[View], Result]) -> Result:
        """Return what `look` finds in `scope` as these entries would leave it; nothing is written."""

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes behind `after` by name, canon first, with what is in each; `within` bounds, if any."""

    def scope_names(self, limit: int, *, after: Scope | None = None, within: Sequence[Bounds] = ()) -> list[Scope]:
        """Return the same without counting what is in them."""

    def characters(self) -> list[Scope]:
        """Return every character once in each world, whoever talks to them, by their names."""

    def latest_scopes(
        self, limit: int, *, after: ScopeSummary | None = None, words: Sequence[str] = (), within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (behind `after`), that whose story went on last first.

        Every one of `words` stands in a name of theirs (ASCII letters match in either case), and one of the bounds
        `within` holds them; without bounds, any may be meant.
        """

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the first of them, without counting what is in it."""

    def holdings(self, scope: Scope, present: datetime) -> Holdings:
        """Return how much is kept of `scope`; what ended before `present` is past."""

    def erase(
        self, scope: Scope, present: datetime, certificate: Certificate | None = None, *, again: bool = False
    ) -> Holdings:
        """Erase all that is kept of `scope`, in one transaction, and return how much that was.

        Nothing of it can be read afterwards, neither here nor through another handle; a scope of the same names
        begins anew. Whoever writes to it meanwhile finds that it moved. Of what was done there, digests are left. A
        `certificate` is completed with the counts and kept, unproven; `View.recognised` knows what went by it, unless
        it was erased before and goes `again`. Raises `UnderHold`.
        """

    def erase_together(
        self, erasures: Sequence[tuple[Scope, datetime, Certificate | None]], *, again: bool = False
    ) -> list[Holdings]:
        """Erase several scopes in one transaction, all or none."""

    def prove(self, now: datetime, *, seconds: float, left: Sequence[str] = ()) -> list[Certificate]:
        """Rid the files of erased rows; return the certificates so proven. Raises `ErasureUnproven` if too late.

        `left` are names of files that may hold them still, which the certificates tell.
        """

    @property
    def proves_quickly(self) -> bool:
        """Whether `prove` can be done in passing: nobody is kept from reading or writing for long."""

    def certificates(self, limit: int) -> list[Certificate]:
        """Return what remains of erasures, the latest first."""

    def certificate(self, certificate_id: str) -> Certificate | None: ...

    def keep_certificate(self, certificate: Certificate) -> None:
        """Keep a certificate as it is."""

    def lift(self, certificate_id: str) -> int:
        """Recognise no longer what an erasure took, so that it may be learned again; return how many digests went."""

    def put_hold(self, scope: Scope, hold: Hold | None) -> None:
        """Let nothing of `scope` go while the hold stands; None takes it back."""

    def put_retention(self, scope: Scope, retention: Retention | None) -> None:
        """Lay down how long `scope` keeps its memories; None: as the bank does."""

    def exported(self, scopes: Sequence[Scope]) -> AbstractContextManager[Iterator[Line]]:
        """Lend all that is kept of `scopes` of one user, line by line and all of one moment.

        First where each stands ("scopes"), then table by table; whatever others point to comes before them.
        """

    def import_lines(self, lines: Callable[[], Iterable[Line]], *, dry_run: bool = False) -> list[TakenIn]:
        """Keep the scopes of such lines with all their ids, those that are new here; all of them or none.

        What is kept here already stays as it is. `lines` is asked for them twice. Raises `InvalidExport` at the first
        line that cannot be kept. Nothing has a vector yet: `View.vectorless` tells what waits for one.
        """

    def lease(self, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
        """Let `holder` do the upkeep of `scope` until then; False: another one does, or the scope is unknown.

        Holding it again prolongs it. One that was taken by a clock which has been set back since does not count.
        """

    def release(self, scope: Scope, holder: str) -> None:
        """Give a lease back; one that is not held does no harm."""

    @property
    def server(self) -> ServerStore:
        """What a server keeps beside memories."""

    @property
    def audit(self) -> AuditLog:
        """Who did what, when and why."""

    def note_call(self, call: ModelCall) -> None:
        """Count what a model was asked."""

    def model_calls(self) -> list[CallSum]:
        """Return what models were asked so far, by day, task, model and outcome."""

    def begin_reindex(self, embedder: str, dimension: int) -> int:
        """Start or continue re-embedding; return how many items are left. Old vectors answer until it ends."""

    def unembedded(self, limit: int) -> list[Unembedded]:
        """Return items still without a vector of the embedder being indexed for (or of the current one)."""

    def put_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Keep the rows of each item."""

    def fill_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        """Give items without rows those of the embedder in use. Raises `EmbedderMismatch`."""

    def finish_reindex(self) -> None:
        """Switch to the new embedder once nothing is left."""

    def problems(self) -> list[str]:
        """Return what an integrity check finds; empty when all is well."""

    def close(self) -> None: ...


_ATTEMPTS: Final = 50
_INTERRUPTIONS: Final = (0.0, 0.1, 0.4, 1.5, 4.0)  #: seconds to wait before each further attempt


def held(store: Store, scope: Scope, act: Callable[[Room], Result]) -> Result:
    """Run `act` in the scope's room; again if another process wrote meanwhile, or the bank broke off."""

    def attempt() -> Result:
        with store.locked(scope) as room:
            return act(room)

    return insistently(attempt)


def insistently(attempt: Callable[[], Result]) -> Result:
    """Return what `attempt` returns; call it again if another process wrote meanwhile, or the bank broke off."""
    waits = iter(_INTERRUPTIONS)
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
    """Return all that `operation` writes; of `index`, only what is new words. Other fields of it are `given`."""
    net = net_changes(operation.changes)
    findable = {utterance.id for utterance in (turn.utterances if turn else ())}
    for change in net:
        before, after = change.before, change.after
        if after is not None and (before is None or before.content != after.content):
            findable.add(change.memory_id)
    moves: dict[Key, Move] = {}
    for move in operation.moves:  # one for each state record
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
