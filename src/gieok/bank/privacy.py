"""Personal data: masking, erasure, retention, holds, and the export file for the user."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final

from gieok.bank.models import JobRunner
from gieok.bank.services import Services, iter_scopes
from gieok.domain.actor import LIBRARY, Actor, acting_as
from gieok.domain.audit import Chain
from gieok.domain.erasure import Certificate, ErasedScope, Erasing, Erasure, ErasurePart, new_certificate
from gieok.domain.memory import Days
from gieok.domain.personal import PERSONAL_KINDS, Masked
from gieok.domain.record import to_record
from gieok.domain.scope import LANGGRAPH, Scope, is_namespace_of, namespace_scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankError, ErasureUnproven, ErrorText
from gieok.export.about_me import AboutMe as AboutMe
from gieok.export.about_me import Group as Group
from gieok.export.about_me import Told as Told
from gieok.export.archive import Label, packed
from gieok.export.page import Chapter, page
from gieok.ids import new_id
from gieok.ports import Clock, Line, Masker, Store, View
from gieok.settings import Settings
from gieok.stores.backups import Shelf, bank_digest
from gieok.stores.workplace import folders_of, set_aside, sweep, temporary, workplace

_ALL: Final = 1_000_000_000
_READ_WINDOW: Final = timedelta(minutes=1)  #: window in which repeated reads of a scope by one actor are recorded once
_MOST_READS: Final = 10_000  #: reads remembered in memory


def mask_of(settings: Settings) -> Masker:
    """Return the masker for text that is remembered, indexed, quoted or shown to models."""
    from gieok.privacy.masking import Mask, Policy

    return Mask(Policy({kind: getattr(settings, f"pii_{kind}") for kind in PERSONAL_KINDS}), settings.language)


def log_mask_of(settings: Settings) -> Masker | None:
    """Return the masker for the turn log; None: same as `mask_of`."""
    if settings.pii_turns == "mask":
        return None
    if settings.pii_turns == "keep":
        return lambda text, consent=(), beside="": Masked(text=text)
    from gieok.privacy.masking import Mask, Policy

    kept = {kind for kind in PERSONAL_KINDS if getattr(settings, f"pii_{kind}") == "keep"}
    return Mask(Policy({kind: "keep" if kind in kept else "drop" for kind in PERSONAL_KINDS}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasures:
    """Erases scopes, parts of them, and forgotten memories. Background work is kept out meanwhile."""

    services: Services
    jobs: JobRunner
    store: Store

    def erase(self, asked: Erasing, *, by: str, dry_run: bool, prove: bool) -> Erasure:
        """Erase what `asked` selects. Raises `UnderHold` before anything is erased."""
        scopes = self._scopes(asked)
        if dry_run:
            present, part = self.services.present, asked.part
            would = (
                (each, self.store.holdings(each, present(each)).counts)
                if part.is_all
                else (each, self.services.eraser.counts(each, part))
                for each in scopes
            )
            return Erasure(
                scopes=tuple(ErasedScope(scope=each, counts=counts) for each, counts in would if any(counts.values())),
                dry_run=True,
            )
        scopes.sort(key=str)  # a fixed lock order, so that there is no deadlock
        with ExitStack() as held:
            for scope in scopes:
                held.enter_context(self.jobs.away_from(scope))
            erased = self._erased(scopes, asked.part, by)
        return self._finished(erased, prove=prove)

    def _scopes(self, asked: Erasing) -> list[Scope]:
        """Return the selected scopes; with a user's own also the LangGraph namespaces of that user."""
        if asked.scope is not None:
            return [asked.scope]
        scopes, bounds = [each.scope for each in self.store.latest_scopes(_ALL, within=[asked.bounds])], asked.bounds
        if bounds.user is None or bounds.character is not None or bounds.world not in (None, LANGGRAPH):
            return scopes
        hashed = {namespace_scope(each.namespace): each.namespace for each in self.store.server.documents()}
        for each in iter_scopes(self.store, [Bounds(world=LANGGRAPH)]):
            labels = hashed.get(each) or (each.user or "").split(".")
            if each not in scopes and each.character is None and is_namespace_of(labels, bounds.user):
                scopes.append(each)
        return scopes

    def scrub(self, scopes: Iterable[Scope] | None, *, by: str, dry_run: bool, prove: bool) -> Erasure:
        """Erase what was forgotten or has expired in these scopes (None: in all); skip those under a hold."""
        scrubber = self.services.scrubber
        found, held = [], []
        for scope in iter_scopes(self.store) if scopes is None else scopes:
            with self.store.view(scope) as view:
                hold = view.provisions.hold
            if hold is not None:
                held.append(scope)
            elif dry_run:
                found.append(ErasedScope(scope=scope, counts=scrubber.counts(scope)))
            else:
                with self.jobs.away_from(scope):
                    certificate = scrubber.scrub(scope, by=by)
                if certificate is not None:
                    found.append(ErasedScope(scope=scope, certificate=certificate))
        if dry_run:
            return Erasure(scopes=tuple(each for each in found if each.counts), dry_run=True, held=tuple(held))
        if prove and not found and any(not each.proven for each in self.store.certificates(_ALL)):
            self.prove()
        return replace(self._finished(found, prove=prove), held=tuple(held))

    def erase_again(self, known: frozenset[str], *, by: str) -> dict[Scope, int]:
        """Erase again data that has come back, found by its digests; return the amount per scope."""
        part, services, held_back = ErasurePart(known=known), self.services, dict[Scope, int]()
        for scope in list(iter_scopes(self.store)):
            counts = services.eraser.counts(scope, part)
            if not any(counts.values()):
                continue
            held_back[scope] = counts["turns"] + counts["memories"]
            self.store.put_hold(scope, None)  # the hold was released since, or the data could not have been erased
            services.eraser.erase([scope], part, by=by)
            left, now = self.store.holdings(scope, services.present(scope)), services.clock.now()
            if not (left.turns or left.rewound or left.memories):
                made = new_certificate(id=new_id(), at=now, by=by, salt=new_id(), scope=scope, part=part, counts={})
                self.store.erase(scope, services.present(scope), made, again=True)
        return held_back

    def prove(self) -> list[Certificate]:
        """Remove remains of erased rows from the files; return the certificates that this proves.

        Files left beside the bank by killed processes are deleted; files still being written are waited for. Raises
        `ErasureUnproven`.
        """
        settings = self.services.settings
        seconds, folders = settings.erase_seconds, folders_of(settings.bank, settings.backup_folder)
        sweep([temporary()])
        _, busy = sweep(folders, seconds=seconds)
        if busy:
            raise ErasureUnproven(ErrorText("erase.copies", paths=", ".join(map(str, busy))))
        left = [path.name for path in set_aside(settings.bank)]
        if settings.backup_folder is not None:
            bank = bank_digest(getattr(self.store, "location", settings.bank))
            left += [label.name for label in Shelf(Path(settings.backup_folder), bank).labels()]
        return self.store.prove(self.services.clock.now(), seconds=seconds, left=left)

    def _erased(self, scopes: Sequence[Scope], part: ErasurePart, by: str) -> list[ErasedScope]:
        """Erase `part` of all scopes, in one transaction."""
        services = self.services
        if part.is_all:
            now = services.clock.now()
            made = {
                each: new_certificate(id=new_id(), at=now, by=by, salt=new_id(), scope=each, part=part, counts={})
                for each in scopes
            }
            self.store.erase_together([(each, services.present(each), made[each]) for each in scopes])
        else:
            made = services.eraser.erase(scopes, part, by=by)
        return [ErasedScope(scope=scope, certificate=certificate) for scope, certificate in made.items()]

    def _finished(self, erased: Sequence[ErasedScope], *, prove: bool) -> Erasure:
        """Return the erasure with its stored certificates, proven if requested.

        The data is erased by now: any failure here raises `ErasureUnproven`.
        """
        kept = []
        try:
            if prove and erased:
                self.prove()
            for each in erased:
                assert each.certificate is not None, "whatever is erased has a certificate"
                certificate = self.store.certificate(each.certificate.id) or each.certificate
                kept.append(replace(each, certificate=certificate, counts=certificate.counts))
        except ErasureUnproven:
            raise
        except (BankError, OSError) as cause:
            raise ErasureUnproven(ErrorText("erase.failed", cause=cause)) from cause
        return Erasure(scopes=tuple(kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry:
    """Forgets expired memories before a scope is read; a store hook.

    This is the only write that a read may cause. It happens once per expired memory, and never if everything is kept
    forever.
    """

    days: Days  #: from the settings; a scope may override them
    clock: Clock
    expire: Callable[[Scope], object]  #: forgets the expired memories of a scope

    def __call__(self, scope: Scope, view: View) -> Callable[[], None] | None:
        days = view.provisions.days(self.days)
        if not days:
            return None
        first = view.cached("first known", view.first_known)
        present = max(filter(None, (view.latest_at, self.clock.now())))
        over = (present > known_at + timedelta(days=days[name]) for name, known_at in first.items() if name in days)
        if not any(over):
            return None

        def let_expire() -> None:
            with acting_as(LIBRARY):  # not an action of the reader
                self.expire(scope)

        return let_expire


class RecentReads:
    """Recent reads by scope and actor, so that many reads of one page are recorded once."""

    def __init__(self) -> None:
        self._noted: dict[tuple[Actor, Scope], datetime] = {}
        self._lock = Lock()

    def is_news(self, actor: Actor, scope: Scope, now: datetime) -> bool:
        with self._lock:
            noted = self._noted.get((actor, scope))
        return noted is None or not noted <= now < noted + _READ_WINDOW

    def note(self, actor: Actor, scope: Scope, now: datetime) -> None:
        with self._lock:
            self._noted.pop((actor, scope), None)
            self._noted[actor, scope] = now
            while len(self._noted) > _MOST_READS:
                del self._noted[next(iter(self._noted))]


def chain_record(chain: Chain) -> dict[str, Any]:
    """Return an audit chain as a record for a file; it has no names if its scope was erased."""
    scope = chain.scope
    return {
        "kind": "chain",
        "chain": chain.mark,
        "erased": scope is None and not chain.of_bank,
        "of_bank": chain.of_bank,
        **{part: getattr(scope, part, None) for part in ("user", "character", "world")},
        "since": chain.since,
        "length": chain.length,
        "head": chain.head,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The contents of an export file."""

    path: Path
    scopes: tuple[Scope, ...]
    size_bytes: int


def export_pieces(
    services: Services, store: Store, user: str, scopes: Sequence[Scope], chapters: Iterable[Chapter]
) -> Iterator[bytes]:
    """Yield the export file of a user, piece by piece; `chapters` are for the readable page, one per scope."""
    settings = services.settings
    label = Label(user=user, at=services.clock.now(), language=settings.language, embedder=services.embedder.name)
    documents = (to_record(each) for each in store.server.documents() if each.scope in scopes)
    pages = page(chapters, user=user, at=label.at, language=settings.language, zone=settings.zone)
    with closing(_lines(store, scopes)) as lines:
        yield from packed(label, scopes, lines, documents, pages)


def _lines(store: Store, scopes: Sequence[Scope]) -> Generator[Line, None, None]:
    """Yield the exported lines, and release the connection after the last: the next step needs its own."""
    with store.exported(scopes) as lines:
        yield from lines


def write_whole(target: Path, pieces: Iterator[bytes], *, bank: str | None = None) -> None:
    """Write a file and rename it into place when complete; only its owner may read it.

    `bank` is the location of the bank that the data comes from.
    """
    folder = target.parent
    if not folder.is_dir():
        raise BankError(ErrorText("export.no_folder", folder=str(folder)))
    with workplace(folder, "export", bank=bank) as work:
        making = work / target.name
        with os.fdopen(os.open(making, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(making, target)
