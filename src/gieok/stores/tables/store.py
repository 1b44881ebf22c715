"""A bank in tables, as a store: all but how its engine is held, looked at and closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import copy_context
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from gieok.domain.actor import actor
from gieok.domain.answer import CallSum, ModelCall
from gieok.domain.erasure import Certificate
from gieok.domain.memory import Hold, Retention
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.ports import BankInfo, Holdings, Hooks, Line, PlannedEntry, ScopeSummary, TakenIn, Unembedded, View
from gieok.ports.store import insistently
from gieok.stores.tables import copy_scope, erase, export, scopes, server_state
from gieok.stores.tables import vectors as later_vectors
from gieok.stores.tables.audit import StoredAuditLog
from gieok.stores.tables.cache import ScopeCache
from gieok.stores.tables.columns import microseconds
from gieok.stores.tables.connection import Connection, Reading, Writing, read
from gieok.stores.tables.copy_scope import Fingerprint, ScopeMark
from gieok.stores.tables.scopes import ScopeLocks
from gieok.stores.tables.search_index import Packing
from gieok.stores.tables.server_state import StoredServerState
from gieok.stores.tables.view import Shared, StoredRoom, StoredView, Work
from gieok.stores.tables.write import Written, write_entry

if TYPE_CHECKING:
    from gieok.ports import Matrix

Result = TypeVar("Result")
Asked = ParamSpec("Asked")
Entered = TypeVar("Entered", bound=StoredView)


@dataclass(frozen=True, slots=True)
class _Done:
    """A planned entry that was written."""

    written: Written
    tell: Callable[[Operation], None] | None  #: to be called once it is committed


class _Looked(Exception):
    """All that was wanted is known: the transaction is rolled back."""


class TableStore(ABC):
    """Implements most of `gieok.ports.Store`. Threads may share it, and processes the bank."""

    def __init__(
        self,
        readers: Reading,
        writer: Writing,
        *,
        embedder: str,
        packing: Packing,
        cache_bytes: int,
        views: Reading | None = None,
    ) -> None:
        """`views` lends what views of scopes look at, where that is another than all else is read from."""
        self._readers = readers
        self._views = views or readers
        self._writer = writer
        self._shared = Shared(embedder, ScopeCache(packing, cache_bytes))
        self._hooks = Hooks()
        self._locks = ScopeLocks()
        self.server = StoredServerState(writer, readers)
        self.audit = StoredAuditLog(writer, readers)

    @property
    @abstractmethod
    def location(self) -> str:
        """Where the bank is kept, without a password."""

    @abstractmethod
    def info(self) -> BankInfo: ...

    @abstractmethod
    def _lent_to_write(self) -> AbstractContextManager[Connection]:
        """Lend the connection of a room."""

    @abstractmethod
    def _commit(self, room: StoredRoom, work: Work) -> Written:
        """Do the work of writing an entry, commit it and leave the room."""

    @abstractmethod
    def problems(self) -> list[str]: ...

    @abstractmethod
    def close(self) -> None: ...

    @property
    @abstractmethod
    def proves_quickly(self) -> bool: ...

    @abstractmethod
    def _rid_of_remains(self, seconds: float) -> str:
        """Rid the files of what erased rows left there, and tell how; raises `ErasureUnproven`."""

    def hooked(self, hooks: Hooks) -> Self:
        handle = copy(self)
        handle._hooks = hooks
        return handle

    def view(self, scope: Scope) -> AbstractContextManager[StoredView]:
        return self._entered(scope, self._view)

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[StoredRoom]:
        with self._entered(scope, self._room) as room:
            yield room
        for tell in room.applied:
            tell()

    @contextmanager
    def _entered(self, scope: Scope, enter: Callable[[Scope], AbstractContextManager[Entered]]) -> Iterator[Entered]:
        with enter(scope) as view:
            ask = self._hooks.on_enter if not getattr(self._shared.entering, "at_work", False) else None
            work = ask(scope, view) if ask is not None else None
            if work is None:
                yield view
                return
        self._shared.entering.at_work = True
        try:
            work()
        finally:
            self._shared.entering.at_work = False
        with enter(scope) as view:
            yield view

    def apply_together(self, plans: Sequence[PlannedEntry]) -> list[Operation | None]:
        done = self._with_scopes(plans, lambda connection: [*self._carried_out(connection, plans, self._apart())])
        for each in done:
            if each is not None:
                self._shared.cache.written(each.written)
        for each in done:
            if each is not None and each.tell is not None:
                each.tell(each.written.operation)
        return [None if each is None else each.written.operation for each in done]

    def look_after(self, plans: Sequence[PlannedEntry], scope: Scope, look: Callable[[View], Result]) -> Result:
        found: list[Result] = []

        def work(connection: Connection) -> None:
            apart = self._apart()
            for _ in self._carried_out(connection, plans, apart):
                pass
            found.append(look(StoredView(connection, scope, apart, self._hooks.mask)))
            raise _Looked

        with suppress(_Looked):
            self._with_scopes(plans, work)
        return found[0]

    def _apart(self) -> Shared:
        """Return a cache for what is not committed: others may not see it."""
        return Shared(self._shared.embedder, ScopeCache(self._shared.cache.packing, self._shared.cache.limit))

    def _with_scopes(self, plans: Sequence[PlannedEntry], work: Callable[[Connection], Result]) -> Result:
        """Run `work` in one transaction that holds the scopes of `plans`."""
        scopes = sorted({each.scope for each in plans}, key=str)  # in one order: nobody waits for each other
        for scope in scopes:
            with self.view(scope):  # what the hooks want to be done before
                pass

        def holding(connection: Connection) -> Result:
            for scope in scopes:
                connection.hold(str(scope))
            return work(connection)

        with ExitStack() as held:
            for scope in scopes:
                held.enter_context(self._locks.held(scope))
            here = copy_context()  # the actor is part of it: the work may be done in another thread
            return self._writer.write(lambda connection: here.run(holding, connection))

    def _carried_out(
        self, connection: Connection, plans: Sequence[PlannedEntry], apart: Shared
    ) -> Iterator[_Done | None]:
        for plan in plans:
            view = StoredView(connection, plan.scope, apart, self._hooks.mask)
            entry = plan.entry(view)
            if entry is None:
                yield None
                continue
            tell = self._hooks.on_apply(plan.scope, view, entry) if self._hooks.on_apply else None
            written = write_entry(
                connection, plan.scope, entry, seen_version=view.version, embedder=apart.embedder, actor=actor()
            )
            yield _Done(written, tell)

    @contextmanager
    def _view(self, scope: Scope) -> Iterator[StoredView]:
        with ExitStack() as lent:

            def snapshot() -> Connection:
                lent.close()  # one that broke off goes back
                return lent.enter_context(self._views.snapshot())

            view = insistently(lambda: StoredView(snapshot(), scope, self._shared, self._hooks.mask, again=snapshot))
            try:
                yield view
            finally:
                view.leave()

    @contextmanager
    def _room(self, scope: Scope) -> Iterator[StoredRoom]:
        with self._locks.held(scope), self._lent_to_write() as connection:
            connection.hold(str(scope))  # whoever else wants to write to it waits for the end of this transaction
            room = StoredRoom(connection, scope, self._shared, self._hooks, self._commit)
            try:
                yield room
            finally:
                room.leave()

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        return self._read(scopes.summaries, limit=limit, after=after, within=within)

    def scope_names(self, limit: int, *, after: Scope | None = None, within: Sequence[Bounds] = ()) -> list[Scope]:
        return self._read(scopes.names, limit=limit, after=after, within=within)

    def characters(self) -> list[Scope]:
        return [scopes.scope_named("", *names) for names in self._read(lambda it: it.rows("list_characters"))]

    def latest_scopes(
        self, limit: int, *, after: ScopeSummary | None = None, words: Sequence[str] = (), within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        return self._read(scopes.latest, limit=limit, after=after, words=words, within=within)

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        return self._read(scopes.newest, within=within)

    def lease(self, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
        def take(connection: Connection) -> bool:
            here = scopes.find_scope(connection, scope)
            times = {"until": microseconds(until), "now": microseconds(now)}
            return bool(here.scope_id) and here.connection.row("take_lease", holder=holder, **times) is not None

        return self._writer.write(take)

    def release(self, scope: Scope, holder: str) -> None:
        self._writer.write(lambda it: scopes.find_scope(it, scope).connection.run("drop_lease", holder=holder))

    def holdings(self, scope: Scope, present: datetime) -> Holdings:
        return self._read(erase.holdings, scope=scope, present=present)

    def erase(
        self, scope: Scope, present: datetime, certificate: Certificate | None = None, *, again: bool = False
    ) -> Holdings:
        return self.erase_together([(scope, present, certificate)], again=again)[0]

    def erase_together(
        self, erasures: Sequence[tuple[Scope, datetime, Certificate | None]], *, again: bool = False
    ) -> list[Holdings]:
        by = actor()
        with ExitStack() as held:
            for scope in sorted((scope for scope, _, _ in erasures), key=str):  # in one order, as everywhere
                held.enter_context(self._locks.held(scope))
            erased = self._write(erase.erase_together, erasures=erasures, actor=by, again=again)
        for scope_id, _ in erased:
            self._shared.cache.drop(scope_id)
        return [holdings for _, holdings in erased]

    def prove(self, now: datetime, *, seconds: float, left: Sequence[str] = ()) -> list[Certificate]:
        unproven = self._read(erase.certificates, query="find_unproven")
        means = self._rid_of_remains(seconds)
        return self._write(erase.prove, unproven=unproven, at=now, means=means, left=left, actor=actor())

    def certificates(self, limit: int) -> list[Certificate]:
        return self._read(erase.certificates, query="find_certificates", limit=max(limit, 0))

    def certificate(self, certificate_id: str) -> Certificate | None:
        found = self._read(erase.certificates, query="find_certificate", id=certificate_id)
        return found[0] if found else None

    def keep_certificate(self, certificate: Certificate) -> None:
        self._write(erase.put_certificate, certificate=certificate, actor=actor())

    def lift(self, certificate_id: str) -> int:
        return self._write(erase.lift, certificate_id=certificate_id, actor=actor())

    def bring_digests(self, source: TableStore) -> frozenset[str]:
        """Recognise here what `source` recognises as erased; return the digests that are new here."""
        with source._readers.snapshot() as there:
            return self._write(erase.bring_digests, source=there)

    @property
    def erasures(self) -> int:
        """How many certificates there are: the bank's own count of erasures, which no clock can set back."""
        return int(self._read(lambda connection: connection.value("count_certificates")))

    def put_hold(self, scope: Scope, hold: Hold | None) -> None:
        self._put_provision(scope, Hold, hold)

    def put_retention(self, scope: Scope, retention: Retention | None) -> None:
        self._put_provision(scope, Retention, retention)

    def _put_provision(self, scope: Scope, kind: type[Hold | Retention], provision: Hold | Retention | None) -> None:
        with self._locks.held(scope):
            self._write(erase.put_provision, scope=scope, kind=kind, provision=provision, actor=actor())

    def fingerprint(self, scope: Scope) -> Fingerprint:
        """Return what is kept of a scope, in short."""
        return self._read(copy_scope.fingerprint, scope=scope)

    def marks(self) -> list[ScopeMark]:
        """Return where every scope stands, without a look at what is in it."""
        return self._read(copy_scope.marks)

    def take_over(self, source: TableStore, scope: Scope, present: datetime, *, erased: Container[str] = ()) -> bool:
        """Keep what `source` keeps of a scope instead of what is kept here, whole or not at all.

        False: it went on here without `source`, or is one of those that were `erased` here; all stays as it is.
        """
        with source._readers.snapshot() as there, self._locks.held(scope):
            bring = partial(copy_scope.take_over_older, source=there, scope=scope, present=present, actor=actor())
            before = self._write(bring, erased=erased)
        self._shared.cache.drop(before or 0)
        return before is not None

    def erased_chains(self) -> frozenset[str]:
        """Return the marks of the chains of scopes that were erased."""
        return frozenset(self._read(copy_scope.closed_chains))

    def follow_erasures(self, source: TableStore, present: datetime) -> tuple[list[Scope], list[Scope]]:
        """Erase what was erased in `source` since it was copied from there; return what went, and what went on here."""
        gone: list[Scope] = []
        stays: list[Scope] = []
        with source._readers.snapshot() as there:
            closed = copy_scope.closed_chains(there)
            for scope, mark in self._read(copy_scope.living_among, marks=closed):
                let_go = partial(copy_scope.erase_closed, source=there, closed=closed[mark])
                with self._locks.held(scope):
                    number = self._write(let_go, scope=scope, present=present)
                (stays if number is None else gone).append(scope)
                self._shared.cache.drop(number or 0)
        return gone, stays

    def bring_closed_chains(self, source: TableStore) -> int:
        """Keep what `source` keeps of who did what in scopes that were erased; return how many chains are new here."""
        with source._readers.snapshot() as there:
            return self._write(copy_scope.bring_closed_chains, source=there)

    @contextmanager
    def exported(self, scopes: Sequence[Scope]) -> Iterator[Iterator[Line]]:
        with self._readers.snapshot() as connection:
            yield export.exported(connection, scopes)

    def import_lines(self, lines: Callable[[], Iterable[Line]], *, dry_run: bool = False) -> list[TakenIn]:
        found = export.checked(lines)
        taking = partial(export.imported, lines=lines, found=found, dry_run=dry_run, actor=actor())
        if dry_run:
            return self._read(taking)
        with ExitStack() as held:
            for scope in sorted(found, key=str):
                held.enter_context(self._locks.held(scope))
            return self._write(taking)

    def snapshot(self) -> AbstractContextManager[Connection]:
        """Lend a connection for one read transaction over the whole bank, to whoever copies it."""
        return self._readers.snapshot()

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in one transaction; for a bank that is being put together, which nobody else uses."""
        return self._writer.write(work)

    def copy_into(self, path: Path, stopped: Callable[[], bool]) -> bool:
        """Have the engine itself write all there is, at one moment, to an empty file; False: it cannot."""
        return False

    def note_call(self, call: ModelCall) -> None:
        self._write(server_state.note_call, call=call)

    def model_calls(self) -> list[CallSum]:
        return self._read(server_state.model_calls)

    def begin_reindex(self, embedder: str, dimension: int) -> int:
        self._shared.embedded_to = 0
        return self._write(later_vectors.begin, embedder=embedder, dimension=dimension)

    def unembedded(self, limit: int) -> list[Unembedded]:
        found = self._read(later_vectors.unembedded, after=self._shared.embedded_to, limit=limit)
        if len(found) < limit and self._shared.embedded_to:  # at the end: look again for what came in behind
            self._shared.embedded_to = 0
            found = self._read(later_vectors.unembedded, after=0, limit=limit)
        mask = self._hooks.mask
        return found if mask is None else [replace(each, text=mask(each.text)) for each in found]

    def put_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        self._write(later_vectors.put, keys=keys, vectors=vectors, embedder=self._shared.embedder)
        self._shared.embedded_to = max(keys, default=0)

    def fill_vectors(self, keys: Sequence[int], vectors: Sequence[Matrix]) -> None:
        self._write(later_vectors.fill, keys=keys, vectors=vectors, embedder=self._shared.embedder)

    def finish_reindex(self) -> None:
        """From here on this store takes the new embedder's vectors."""
        self._shared.embedder = self._write(later_vectors.finish, actor=actor())

    def _contents(self, connection: Connection) -> dict[str, Any]:
        """Return the parts of a `BankInfo` that stand in the tables."""
        held = later_vectors.bank_vectors(connection)
        names = ("scopes", "turns", "utterances", "memories", "operations", "unembedded")
        counts = dict(zip(names, connection.row("count_everything") or (), strict=True))
        return {"embedder": held.embedder, "dimension": held.dimension, "counts": counts}

    def _read(
        self, question: Callable[Concatenate[Connection, Asked], Result], *args: Asked.args, **asked: Asked.kwargs
    ) -> Result:
        return read(self._readers, lambda connection: question(connection, *args, **asked))

    def _write(
        self, work: Callable[Concatenate[Connection, Asked], Result], *args: Asked.args, **asked: Asked.kwargs
    ) -> Result:
        return self._writer.write(lambda connection: work(connection, *args, **asked))
