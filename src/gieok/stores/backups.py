"""Backups of a bank: made while it is in use, chained, checked, and put back."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import apsw

from gieok.domain.erasure import unissued_certificate
from gieok.domain.record import from_record, to_record
from gieok.domain.scope import Scope
from gieok.errors import BackupDamaged, BankError, BankInUse, BankUnavailable, ErrorText, GieokError
from gieok.stores import sqlite
from gieok.stores.copy import bring_what_all_share
from gieok.stores.sqlite.connection import settle_folder, sync_file
from gieok.stores.sqlite.file import open_at_rest, open_for_reading
from gieok.stores.sqlite.schema import SCHEMA
from gieok.stores.tables import copy_scope, erase
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copy_scope import Fingerprint, ScopeMark
from gieok.stores.tables.store import TableStore
from gieok.stores.workplace import workplace

FORMAT: Final = 1
_ALL: Final = 1_000_000_000
TABLE: Final = "backup"  #: in the file of a backup, and in no bank
_MAKE: Final = "CREATE TABLE backup (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT"
_HEAD: Final = 1
Kind = Literal["full", "part"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What stands beside the file of a backup."""

    format: int
    name: str  #: of the file
    bank: str  #: a digest of where the bank is kept: several may share a folder
    kind: Kind  #: a part holds what changed since another backup
    made_at: datetime
    size: int  #: bytes
    sha256: str
    after: str | None = None  #: sha256 of the backup that a part goes on from
    schema: int
    encrypted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeKept:
    """A scope as it stood when the backup was made, whether its rows are in this file or in one before it."""

    scope: Scope
    number: int  #: in the bank that was backed up; it is never given twice there
    epoch: int  #: of its index
    head: str | None = None  #: of its chain of deeds; None: made by a gieok that did not tell, so it counts as changed
    fingerprint: Fingerprint
    last_turn: str | None = None
    last_turn_at: datetime | None = None  #: wall time

    @property
    def mark(self) -> tuple[int, int, int, str | None]:
        """What moves with every change of the scope."""
        return self.number, self.fingerprint.version, self.epoch, self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a backup holds, together with those that it goes on from."""

    made_at: datetime
    location: str  #: of the bank, without a password
    engine: str
    schema: int  #: of this file
    embedder: str
    dimension: int
    erasures: int = -1  #: there were when it was begun; -1: made by a gieok that did not count them
    counts: Mapping[str, int] = field(default_factory=dict)
    scopes: tuple[ScopeKept, ...] = ()


def write_contents(connection: Connection, contents: Contents) -> None:
    """Keep `contents` in the file of a backup: what it is first, then its scopes."""
    record = to_record(contents)
    records = (record, *record.pop("scopes", []))
    connection.script(_MAKE)
    rows = ({"id": id, "record": json.dumps(each, ensure_ascii=False)} for id, each in enumerate(records, start=_HEAD))
    connection.insert(TABLE, rows)


def read_contents(connection: Connection, name: str) -> Contents:
    """Return what the file of a backup holds. Raises `BackupDamaged` where it is no backup."""
    without = ErrorText("backup.part_without_manifest", name=name)
    try:
        rows = [row for some in connection.windows(TABLE, ("id", "record"), "id", _HEAD, 2**62) for row in some]
    except BankError as cause:
        raise BackupDamaged(without) from cause
    if not rows:
        raise BackupDamaged(without)
    head, *scopes = (json.loads(record) for _, record in sorted(rows))
    return from_record(Contents, {**head, "scopes": scopes})


_OURS: Final = re.compile(r"\d{8}T\d{12}Z-(full|part)\.db")
_LOCK: Final = ".lock"
_FAILURE: Final = "last-failure.json"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the last backup that was due was not made."""

    at: datetime
    why: str


def bank_digest(location: str) -> str:
    """Return what stands for a bank on a label."""
    return hashlib.sha256(location.encode(errors="surrogatepass")).hexdigest()[:16]


class Shelf:
    """A folder of backups: those of one bank (by its digest), or all that are there."""

    def __init__(self, folder: Path, bank: str | None = None) -> None:
        self.folder = folder
        self.bank = bank

    def make(self) -> None:
        """Make the folder, for its owner alone, if it is not there."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as cause:
            flaw = ErrorText("backup.bad_folder", folder=self.folder, strerror=cause.strerror)
            raise BankUnavailable(flaw) from cause

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody else make a backup here meanwhile. Raises `BankInUse` at once; a crash lets go of it."""
        with ExitStack() as stack:
            try:
                lock = stack.enter_context(closing(apsw.Connection(str(self.folder / _LOCK))))
                lock.execute("BEGIN EXCLUSIVE").fetchall()
            except apsw.BusyError as busy:
                raise BankInUse(ErrorText("backup.in_progress", folder=self.folder)) from busy
            except apsw.Error as cause:
                raise BankUnavailable(ErrorText("backup.not_writable", folder=self.folder, cause=cause)) from cause
            yield

    def labels(self) -> list[Label]:
        """Return the labels here that can be read and whose files are there, oldest first."""
        found = []
        for path in sorted(self.folder.glob("*.db.json")):
            with suppress(GieokError, OSError):  # what cannot be read is nothing to go on from; by name, it says why
                label = self.label(path.name.removesuffix(".json"))
                own = self.bank is None or label.bank == self.bank
                if own and _OURS.fullmatch(label.name) and self.path(label).exists():
                    found.append(label)
        return found

    def label(self, name: str) -> Label:
        """Return the label of the backup in a file. Raises `BackupDamaged`."""
        path = self.folder / f"{name}.json"
        try:
            label = from_record(Label, json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError as cause:
            raise BackupDamaged(ErrorText("backup.no_label", path=path, name=name)) from cause
        except (ValueError, TypeError, AttributeError, KeyError) as cause:
            raise BackupDamaged(ErrorText("backup.bad_label", name=path, cause=cause)) from cause
        if label.format != FORMAT:
            raise BackupDamaged(ErrorText("backup.format", name=path, format=label.format, format2=FORMAT))
        if label.name != name:
            raise BackupDamaged(ErrorText("backup.other_label", path=path, name=label.name))
        return label

    def path(self, label: Label) -> Path:
        return self.folder / label.name

    def chain(self, label: Label) -> list[Label]:
        """Return the backups that `label` goes on from, with it: a full one first. Raises `BackupDamaged`."""
        by_digest = {each.sha256: each for each in self.labels()}
        chain = [label]
        while chain[0].kind == "part":
            before = by_digest.get(chain[0].after or "")
            if before is None or before in chain:
                after = (chain[0].after or "")[:12]
                told = ErrorText("backup.no_predecessor", name=chain[0].name, folder=self.folder, after=after)
                raise BackupDamaged(told)
            chain.insert(0, before)
        return chain

    def check(self, label: Label) -> None:
        """Raise `BackupDamaged` if the file is not, to the byte, what its label says."""
        path = self.path(label)
        try:
            size = path.stat().st_size
            if size != label.size:
                raise BackupDamaged(ErrorText("backup.size", path=path, size=size, size2=label.size))
            digest = digest_of(path)
        except FileNotFoundError as cause:
            raise BackupDamaged(ErrorText("backup.gone", path=path)) from cause
        if digest != label.sha256:
            raise BackupDamaged(ErrorText("backup.sha256", path=path))

    def keep(self, making: Path, label: Label) -> None:
        """Give a file that is whole its name, and its label."""
        written = making.with_name(f"{label.name}.json")
        written.write_text(json.dumps(to_record(label), indent=2) + "\n", encoding="utf-8")
        sync_file(written)
        making.replace(self.path(label))
        written.replace(self.folder / f"{label.name}.json")
        settle_folder(self.folder)

    def prune(self, keep: int) -> tuple[str, ...]:
        """Remove the oldest backups, so that at least `keep` are left; a part stays with all that it goes on from."""
        labels, gone = self.labels(), list[str]()
        begins = [place for place, label in enumerate(labels) if label.kind == "full" and place]
        for end in begins:  # of a full backup with its parts
            if len(labels) - end < keep:
                break
            gone = [each.name for each in labels[:end]]
        for name in gone:
            (self.folder / f"{name}.json").unlink(missing_ok=True)
            (self.folder / name).unlink(missing_ok=True)
        return tuple(gone)

    def tidy(self) -> None:
        """Remove what somebody who was stopped in the middle left behind."""
        for path in self.folder.iterdir():
            if _OURS.fullmatch(path.name) and not (self.folder / f"{path.name}.json").exists():
                path.unlink(missing_ok=True)

    def due_in(self, hours: float, now: datetime) -> timedelta:
        """Return how long it is until the next backup is due; nothing or less: it is."""
        last = max((each.made_at for each in self.labels()), default=None)
        if last is None or last > now:  # by a clock that was set back since
            return timedelta(0)
        return last + timedelta(hours=hours) - now

    def note_failure(self, failure: Failure | None) -> None:
        """Leave a word on why there is no new backup; None: there is one. Where that fails too, it is not told here."""
        path = self.folder / _FAILURE
        with suppress(OSError):  # the folder that cannot be written to is what failed; the log has told it
            if failure is None:
                path.unlink(missing_ok=True)
            else:
                path.write_text(json.dumps({"at": failure.at.isoformat(), "why": failure.why}), encoding="utf-8")

    def failure(self) -> Failure | None:
        try:
            record = json.loads((self.folder / _FAILURE).read_text(encoding="utf-8"))
            return Failure(at=datetime.fromisoformat(record["at"]), why=str(record["why"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def found(backup: Path, until: datetime | None = None) -> tuple[Shelf, Label]:
    """Return where a backup is kept, and its label.

    Of a folder, the last one is meant; with `until`, the first that was made at that time or later: it holds all that
    had happened by then. Raises `BackupDamaged`.
    """
    if not backup.is_dir():
        name = backup.name.removesuffix(".json")
        shelf = Shelf(backup.parent)
        if not (shelf.folder / name).exists() and not (shelf.folder / f"{name}.json").exists():
            raise BackupDamaged(ErrorText("backup.missing", backup=backup))
        return shelf, shelf.label(name)
    shelf = Shelf(backup)
    labels = shelf.labels()
    if not labels:
        raise BackupDamaged(ErrorText("backup.none_in_folder", backup=backup))
    if len({each.bank for each in labels}) > 1:
        raise BackupDamaged(ErrorText("backup.several_banks", backup=backup))
    later = [each for each in labels if until is not None and each.made_at >= until]
    return shelf, later[0] if later else labels[-1]


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
        shelf = Shelf(target.absolute().parent)
        if target.exists() or (shelf.folder / f"{target.name}.json").exists():
            raise BankUnavailable(ErrorText("backup.file_exists", target=target))
        if not shelf.folder.is_dir():
            raise BankUnavailable(ErrorText("backup.no_folder", folder=shelf.folder))
        return _Making(store, shelf, target.name, None, key=key, now=now, stopped=stopped).make()
    shelf = Shelf(target, bank_digest(store.location))
    shelf.make()
    with shelf.held():
        shelf.tidy()
        if if_due_after is not None and shelf.due_in(if_due_after, now).total_seconds() > 0:
            return None
        before = None if full else _to_go_on_from(shelf, store, key, longest=min(keep or LONGEST_CHAIN, LONGEST_CHAIN))
        name = f"{now.astimezone(UTC):%Y%m%dT%H%M%S%f}Z-{'full' if before is None else 'part'}.db"
        made = _Making(store, shelf, name, before, key=key, now=now, stopped=stopped).make()
        removed = () if keep is None else shelf.prune(keep)
        shelf.note_failure(None)
    return replace(made, removed=removed)


@dataclass(frozen=True, slots=True)
class _Before:
    """The backup that a part goes on from."""

    label: Label
    scopes: Mapping[Scope, ScopeKept]


def _to_go_on_from(shelf: Shelf, store: TableStore, key: str | None, *, longest: int) -> _Before | None:
    """Return the last backup, if it makes sense to go on from it; None: all must be copied.

    After something was erased, too: what is made from then on shall not need a file that holds it still.
    """
    labels = shelf.labels()
    try:
        if not labels or len(shelf.chain(labels[-1])) >= longest or labels[-1].encrypted != (key is not None):
            return None
        with closing(open_at_rest(shelf.path(labels[-1]), key)) as connection:
            before = read_contents(connection, labels[-1].name)
    except GieokError:  # another key since, or no longer whole: a full one needs none of it
        return None
    info, marks = store.info(), {each.scope: each for each in store.marks()}
    if (before.schema, before.embedder, before.dimension) != (SCHEMA, info.embedder, info.dimension):
        return None
    if store.erasures != before.erasures:
        return None
    known = {each.scope: each for each in before.scopes}
    if any(scope not in marks or marks[scope].number != kept.number for scope, kept in known.items()):
        return None
    changed = sum(scope not in known or known[scope].mark != each.mark for scope, each in marks.items())
    return _Before(labels[-1], known) if changed <= max(len(marks) * _SHARE, 1) else None


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

    def make(self) -> Backup:
        with workplace(self.shelf.folder, "backup", bank=self.store.location) as folder:
            return self._made(folder / self.name)

    def _made(self, making: Path) -> Backup:
        os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        info, erasures = self.store.info(), self.store.erasures
        whole = self.before is None and self._copied_by_the_engine(making)
        opened: dict[str, Any] = {"embedder": info.embedder, "dimension": info.dimension}
        with closing(sqlite.open_store(making, key=self.key, for_reindex=True, **opened)) as copy:
            scopes, fresh = self._read_from(copy) if whole else self._copied_by_scope(copy)
            counts: Counter[str] = Counter()
            for each in scopes:
                counts.update(each.fingerprint.rows)
            contents = Contents(
                made_at=self.now,
                location=info.location,
                engine=info.engine,
                schema=SCHEMA,
                erasures=erasures,
                counts=dict(counts),
                scopes=tuple(scopes),
                **opened,
            )
            if problems := copy.problems():
                raise BackupDamaged(ErrorText("backup.bank_damaged", problems=problems[0]))
            copy.write(lambda connection: write_contents(connection, contents))
        return self._kept(making, contents, fresh)

    def _copied_by_the_engine(self, making: Path) -> bool:
        try:
            return self.store.copy_into(making, self.stopped)
        except GieokError:
            self._go_on()
            raise

    def _read_from(self, copy: sqlite.SqliteStore) -> tuple[list[ScopeKept], int]:
        scopes: list[ScopeKept] = []
        with copy.snapshot() as connection:
            for mark in copy_scope.marks(connection):
                self._go_on()
                scopes.append(_kept(connection, mark))
        return scopes, len(scopes)

    def _copied_by_scope(self, copy: sqlite.SqliteStore) -> tuple[list[ScopeKept], int]:
        """Copy the scopes that changed, all as they are at one moment; the others are known from before."""
        known = {} if self.before is None else self.before.scopes
        scopes: list[ScopeKept] = []
        fresh: list[ScopeMark] = []
        with self.store.snapshot() as there:
            for mark in copy_scope.marks(there):
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

    def _kept(self, making: Path, contents: Contents, fresh: int) -> Backup:
        if making.with_name(f"{making.name}-wal").exists():
            raise BankUnavailable(ErrorText("backup.unfinished", making=making))
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
        return Backup(
            path=self.shelf.path(label),
            kind=label.kind,
            made_at=label.made_at,
            size=label.size,
            sha256=label.sha256,
            encrypted=label.encrypted,
            scopes=len(contents.scopes),
            fresh=fresh,
            counts=contents.counts,
        )


def _copied(there: Connection, copy: sqlite.SqliteStore, some: Sequence[ScopeMark]) -> list[ScopeKept]:
    """Copy scopes, and return them as they stand; raises `BankError` if the copy is not the same."""
    wanted = [_kept(there, mark) for mark in some]

    def take(here: Connection) -> None:
        for mark in some:
            copy_scope.copy_scope(there, here, mark.scope)

    copy.write(take)
    with copy.snapshot() as here:
        for each in wanted:
            if copy_scope.fingerprint(here, each.scope) != each.fingerprint:
                raise BankError(ErrorText("backup.copy_of_scope", scope=each.scope))
    return wanted


def _kept(connection: Connection, mark: ScopeMark) -> ScopeKept:
    turn, at = copy_scope.last_turn(connection, mark) or (None, None)
    return ScopeKept(
        scope=mark.scope,
        number=mark.number,
        epoch=mark.epoch,
        head=mark.head,
        fingerprint=copy_scope.fingerprint(connection, mark.scope),
        last_turn=turn,
        last_turn_at=at,
    )


_LEFT_OUT: Final = "DELETE FROM letters; DELETE FROM kept_answers; DELETE FROM leases"


def put_back(shelf: Shelf, label: Label, into: Path, *, key: str | None, now: datetime) -> Contents:
    """Make the bank that a backup is of in the new file `into`, and return what is in it.

    Raises `BackupDamaged` where anything is missing or is not what it was, `WrongKey` and the like; the file is then of
    no use.
    """
    chain = shelf.chain(label)
    for each in chain:
        shelf.check(each)
    shutil.copyfile(shelf.path(chain[0]), into)
    into.chmod(0o600)
    with closing(open_at_rest(into, key)) as connection:
        contents = read_contents(connection, chain[0].name)
    with closing(_opened(into, contents, key)) as bank:
        bank.write(lambda connection: connection.script(f"DROP TABLE {TABLE}; {_LEFT_OUT}"))
        for each in chain[1:]:
            contents = _gone_on(bank, shelf.path(each), each, key, now)
        check(bank, contents, label.name)
    return contents


def bring_erasures(made: Path, source: Path | TableStore, contents: Contents, *, key: str | None) -> frozenset[str]:
    """Let a restored bank recognise what was erased in `source`; return the digests that it did not know.

    The certificates come, too, as not yet proven. A file of a gieok that kept no digests has none.
    """
    with ExitStack() as stack:
        bank = stack.enter_context(closing(_opened(made, contents, key)))
        if isinstance(source, Path):
            there: Connection = stack.enter_context(closing(open_for_reading(source, key)))
            if not there.script("SELECT 1 FROM sqlite_schema WHERE name = 'erased'"):
                return frozenset()
        else:
            there = stack.enter_context(source.snapshot())
        fresh = bank.write(lambda here: erase.bring_digests(here, there))
        known = {each.id for each in bank.certificates(_ALL)}
        for each in reversed(erase.certificates(there, "find_certificates", limit=_ALL)):
            if each.id not in known:
                bank.keep_certificate(unissued_certificate(each))
    return fresh


def check(bank: sqlite.SqliteStore, contents: Contents, name: str) -> None:
    """Raise `BackupDamaged` if a bank is not in order, or not what `contents` say."""
    if problems := bank.problems():
        raise BackupDamaged(ErrorText("backup.damaged", name=name, problems=problems[0]))
    wanted = {each.scope: each.fingerprint for each in contents.scopes}
    there = {mark.scope for mark in bank.marks()}
    if there != set(wanted):
        strange = min(there ^ set(wanted), key=str)
        raise BackupDamaged(ErrorText("backup.other_scopes", name=name, strange=strange))
    for scope, fingerprint in wanted.items():
        if not _same(bank.fingerprint(scope), fingerprint, same_schema=contents.schema == SCHEMA):
            raise BackupDamaged(ErrorText("backup.scope_differs", scope=scope, name=name))


def _same(found: Fingerprint, wanted: Fingerprint, *, same_schema: bool) -> bool:
    """Compare what is there with what was; an older schema kept the same rows with other columns."""
    if same_schema:
        return found == wanted
    both = found.rows.keys() & wanted.rows.keys()
    return found.version == wanted.version and all(found.rows[table] == wanted.rows[table] for table in both)


def _opened(path: Path, contents: Contents, key: str | None) -> sqlite.SqliteStore:
    """Open a copy of a backup's file; one of an older gieok is brought to today's schema."""
    return sqlite.open_store(
        path, embedder=contents.embedder, dimension=contents.dimension, key=key, for_reindex=True, create=False
    )


def _gone_on(bank: sqlite.SqliteStore, path: Path, label: Label, key: str | None, now: datetime) -> Contents:
    """Bring what a part holds to `bank`, and let go of what was no longer there when it was made."""
    with TemporaryDirectory(prefix="gieok-restore-", dir=Path(bank.location).parent) as folder:
        copied = Path(folder) / "part.db"
        shutil.copyfile(path, copied)
        with closing(open_at_rest(copied, key)) as connection:
            contents = read_contents(connection, label.name)
        with closing(_opened(copied, contents, key)) as part:
            fresh = [mark.scope for mark in part.marks()]
            known = {each.scope for each in contents.scopes}
            gone = [mark.scope for mark in bank.marks() if mark.scope not in known]
            for first in range(0, len(fresh), _AT_ONCE):
                with part.snapshot() as there:
                    bank.write(partial(_taken, there=there, scopes=fresh[first : first + _AT_ONCE], now=now))
            bank.write(lambda connection: [erase.erase(connection, scope, now) for scope in gone])
            _take_server_state(bank, part)
    return contents


def _taken(here: Connection, *, there: Connection, scopes: Sequence[Scope], now: datetime) -> None:
    for scope in scopes:
        copy_scope.take_over(here, there, scope, now)


def _take_server_state(bank: sqlite.SqliteStore, part: sqlite.SqliteStore) -> None:
    hooks = {each.id for each in part.server.webhooks()}
    for webhook in bank.server.webhooks():
        if webhook.id not in hooks:
            bank.server.drop_webhook(webhook.id)
    documents = {(each.namespace, each.key) for each in part.server.documents()}
    for document in bank.server.documents():
        if (document.namespace, document.key) not in documents:
            bank.server.drop_document(document.namespace, document.key)
    bring_what_all_share(part, bank)
