"""Making a backup of a bank that is in use.

A full one is a copy of all of it as it was at one moment, a part holds the scopes that changed since the last: either
is a bank's file, encrypted like one, with what it must hold written inside and its checksum beside it. It is read
again, scope by scope, before it gets its name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gieok.domain.scope import Scope
from gieok.errors import BackupDamaged, BankError, BankUnavailable, GieokError
from gieok.ports import BankInfo
from gieok.stores import sqlite
from gieok.stores.backups.records import FORMAT, Contents, Kind, Label, ScopeKept, read_contents, write_contents
from gieok.stores.backups.shelf import Shelf, bank_digest, digest_of
from gieok.stores.copying import bring_what_all_share
from gieok.stores.sqlite.opening import open_at_rest
from gieok.stores.sqlite.schema import SCHEMA
from gieok.stores.sqlite.settling import sync_file
from gieok.stores.tables import copying
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copying import ScopeMark
from gieok.stores.tables.store import TableStore

LONGEST_CHAIN: Final = 14  #: backups, a full one and its parts
_AT_ONCE: Final = 50  #: scopes that are copied in one transaction
_SHARE: Final = 0.5  #: of the scopes; where more have changed, all are copied
Going = Callable[[], bool]  #: whether to stop


class Stopped(Exception):
    """Somebody asked to stop; nothing is left of the backup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup that was made."""

    path: Path
    kind: Kind
    made_at: datetime
    size: int  #: bytes
    sha256: str
    encrypted: bool
    scopes: int  #: in the bank
    fresh: int  #: of these, in this file
    counts: Mapping[str, int]  #: rows of the bank, by table
    removed: tuple[str, ...] = ()  #: names of older backups that went


def never() -> bool:
    return False


def back_up(
    store: TableStore,
    target: Path,
    *,
    key: str | None,
    now: datetime,
    full: bool = False,
    keep: int | None = None,
    if_due_after: float | None = None,
    stopped: Going = never,
) -> Backup | None:
    """Make a backup of what `store` keeps, in a folder, or in one file (whose name ends with .db).

    In a folder it goes on from the last one there, unless it must be `full`, and all but the last `keep` go. With
    `if_due_after` hours, nothing is made (None) where one is younger. Raises `BankInUse` while another one is made
    there, `DiskFull` and the like; no backup is left then, nor any part of it.
    """
    if target.suffix == ".db" and not target.is_dir():
        return _into_a_file(store, target, key=key, now=now, stopped=stopped)
    shelf = Shelf(target, bank_digest(store.location))
    shelf.make()
    with shelf.held():
        shelf.tidy()
        if if_due_after is not None and shelf.due_in(if_due_after, now).total_seconds() > 0:
            return None
        before = None if full else _to_go_on_from(shelf, store, key, longest=min(keep or LONGEST_CHAIN, LONGEST_CHAIN))
        name = shelf.fresh_name(now, "full" if before is None else "part")
        made = _Making(store, shelf, name, before, key=key, now=now, stopped=stopped).make()
        removed = () if keep is None else shelf.let_go(keep)
        shelf.note_failure(None)
    return _told(made, shelf, removed)


def _into_a_file(store: TableStore, target: Path, *, key: str | None, now: datetime, stopped: Going) -> Backup:
    shelf = Shelf(target.absolute().parent)
    if target.exists() or (shelf.folder / f"{target.name}.json").exists():
        raise BankUnavailable(f"{target} is there already; name another file, or a folder to gather backups in")
    if not shelf.folder.is_dir():
        raise BankUnavailable(f"the folder {shelf.folder} does not exist; create it first")
    return _told(_Making(store, shelf, target.name, None, key=key, now=now, stopped=stopped).make(), shelf, ())


@dataclass(frozen=True, slots=True)
class _Before:
    """The backup that a part goes on from."""

    label: Label
    contents: Contents

    @property
    def scopes(self) -> dict[Scope, ScopeKept]:
        return {each.scope: each for each in self.contents.scopes}


@dataclass(frozen=True, slots=True)
class _Made:
    label: Label
    contents: Contents
    fresh: int


def _to_go_on_from(shelf: Shelf, store: TableStore, key: str | None, *, longest: int) -> _Before | None:
    """Return the last backup, if it makes sense to go on from it; None: all must be copied.

    After something was erased, too: what is made from then on shall not need a file that holds it still.
    """
    labels = shelf.labels()
    try:
        if not labels or len(shelf.chain(labels[-1])) >= longest or labels[-1].encrypted != (key is not None):
            return None
        with closing(open_at_rest(shelf.path(labels[-1]), key)) as connection:
            before = _Before(labels[-1], read_contents(connection))
    except GieokError:  # another key since, or no longer whole: a full one needs none of it
        return None
    info, marks = store.info(), {each.scope: each for each in store.marks()}
    same = (before.contents.schema, before.contents.embedder, before.contents.dimension)
    if same != (SCHEMA, info.embedder, info.dimension):
        return None
    erased = store.certificates(1)
    if erased and erased[0].at >= before.contents.made_at:
        return None
    known = before.scopes
    if any(scope not in marks or marks[scope].number != kept.number for scope, kept in known.items()):
        return None
    changed = sum(scope not in known or known[scope].mark != each.mark for scope, each in marks.items())
    return before if changed <= max(len(marks) * _SHARE, 1) else None


@dataclass(frozen=True, slots=True)
class _Making:
    """One backup on its way."""

    store: TableStore
    shelf: Shelf
    name: str
    before: _Before | None
    key: str | None
    now: datetime
    stopped: Going

    def make(self) -> _Made:
        making = self.shelf.folder / f".{self.name}.making"
        _remove(making)
        try:
            return self._made(making)
        finally:
            _remove(making)

    def _made(self, making: Path) -> _Made:
        os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        info = self.store.info()
        whole = self.before is None and self._copied_by_the_engine(making)
        with closing(self._opened(making, info)) as copy:
            if whole:
                scopes, fresh = self._read_from(copy)
            else:
                scopes, fresh = self._copied_by_scope(copy)
            contents = Contents(
                made_at=self.now,
                location=info.location,
                engine=info.engine,
                schema=SCHEMA,
                embedder=info.embedder,
                dimension=info.dimension,
                counts=_counted(scopes),
                scopes=tuple(scopes),
            )
            _check(copy)
            copy.write(lambda connection: write_contents(connection, contents))
        return self._kept(making, contents, fresh)

    def _opened(self, path: Path, info: BankInfo) -> sqlite.SqliteStore:
        return sqlite.open_store(path, embedder=info.embedder, dimension=info.dimension, key=self.key, for_reindex=True)

    def _copied_by_the_engine(self, making: Path) -> bool:
        try:
            return self.store.copy_into(making, self.stopped)
        except GieokError:
            self._go_on()
            raise

    def _read_from(self, copy: sqlite.SqliteStore) -> tuple[list[ScopeKept], int]:
        scopes: list[ScopeKept] = []
        for mark in copy.marks():
            self._go_on()
            with copy.snapshot() as connection:
                scopes.append(_kept(connection, mark))
        return scopes, len(scopes)

    def _copied_by_scope(self, copy: sqlite.SqliteStore) -> tuple[list[ScopeKept], int]:
        """Copy the scopes that changed, all as they are at one moment; the others are known from before."""
        known = {} if self.before is None else self.before.scopes
        scopes: list[ScopeKept] = []
        fresh: list[ScopeMark] = []
        with self.store.snapshot() as there:
            for mark in copying.marks(there):
                kept = known.get(mark.scope)
                if kept is not None and kept.mark == mark.mark:
                    scopes.append(kept)
                else:
                    fresh.append(mark)
            for first in range(0, len(fresh), _AT_ONCE):
                self._go_on()
                scopes += _copied(there, copy, fresh[first : first + _AT_ONCE])
        bring_what_all_share(self.store, copy)
        return sorted(scopes, key=lambda each: each.number), len(fresh)

    def _go_on(self) -> None:
        if self.stopped():
            raise Stopped

    def _kept(self, making: Path, contents: Contents, fresh: int) -> _Made:
        if making.with_name(f"{making.name}-wal").exists():
            raise BankUnavailable(f"{making} could not be written to its end; no backup was made, check the disk")
        sync_file(making)
        label = Label(
            format=FORMAT,
            name=self.name,
            bank=bank_digest(contents.location),
            kind="full" if self.before is None else "part",
            made_at=self.now,
            size=making.stat().st_size,
            sha256=digest_of(making),
            after=None if self.before is None else self.before.label.sha256,
            schema=SCHEMA,
            encrypted=self.key is not None,
        )
        self._go_on()
        self.shelf.keep(making, label)
        return _Made(label, contents, fresh)


def _copied(there: Connection, copy: sqlite.SqliteStore, some: Sequence[ScopeMark]) -> list[ScopeKept]:
    """Copy scopes, and return them as they stand; raises `BankError` if the copy is not the same."""
    wanted = [_kept(there, mark) for mark in some]

    def take(here: Connection) -> None:
        for mark in some:
            copying.copy_scope(there, here, mark.scope)

    copy.write(take)
    with copy.snapshot() as here:
        for each in wanted:
            if copying.fingerprint(here, each.scope) != each.fingerprint:
                raise BankError(f"the copy of [{each.scope}] is not the same; nothing was kept, run: gieok doctor")
    return wanted


def _kept(connection: Connection, mark: ScopeMark) -> ScopeKept:
    last = copying.last_turn(connection, mark)
    return ScopeKept(
        scope=mark.scope,
        number=mark.number,
        epoch=mark.epoch,
        head=mark.head,
        fingerprint=copying.fingerprint(connection, mark.scope),
        last_turn=last[0] if last else None,
        last_turn_at=last[1] if last else None,
    )


def _counted(scopes: Iterable[ScopeKept]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for each in scopes:
        counts.update(each.fingerprint.rows)
    return dict(counts)


def _check(copy: sqlite.SqliteStore) -> None:
    problems = copy.problems()
    if problems:
        raise BackupDamaged(f"the bank is not in order ({problems[0]}); no backup was made, run: gieok doctor")


def _told(made: _Made, shelf: Shelf, removed: Iterable[str]) -> Backup:
    return Backup(
        path=shelf.path(made.label),
        kind=made.label.kind,
        made_at=made.label.made_at,
        size=made.label.size,
        sha256=made.label.sha256,
        encrypted=made.label.encrypted,
        scopes=len(made.contents.scopes),
        fresh=made.fresh,
        counts=made.contents.counts,
        removed=tuple(removed),
    )


def _remove(path: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
