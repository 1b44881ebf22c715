"""A folder of backups: their labels in order, which goes on from which, and who is at it.

A file gets its name when all of it is on the disk, and its label after that: what has no label is no backup.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import apsw

from gieok.errors import BackupDamaged, BankInUse, BankUnavailable, GieokError
from gieok.stores.backups.records import Kind, Label, label_from, label_text
from gieok.stores.sqlite.settling import settle_folder, sync_file

_OURS: Final = re.compile(r"\d{8}T\d{12}Z-(full|part)\.db")
_LOCK: Final = ".lock"
_FAILURE: Final = "last-failure.json"
_CHUNK: Final = 1024 * 1024


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
            raise BankUnavailable(
                f"{self.folder} cannot hold backups ({cause.strerror}); name a folder that can be written to"
            ) from cause

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody else make a backup here meanwhile. Raises `BankInUse` at once; a crash lets go of it."""
        with closing(self._locked()):
            yield

    def _locked(self) -> apsw.Connection:
        try:
            lock = apsw.Connection(str(self.folder / _LOCK))
            try:
                lock.execute("BEGIN EXCLUSIVE").fetchall()
            except apsw.Error:
                lock.close()
                raise
        except apsw.BusyError as busy:
            raise BankInUse(f"another backup is being made in {self.folder}; try again when it is done") from busy
        except apsw.Error as cause:
            raise BankUnavailable(
                f"nothing can be written to {self.folder} ({cause}); check its permissions and its disk"
            ) from cause
        return lock

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
            label = label_from(path.read_text(encoding="utf-8"), str(path))
        except FileNotFoundError as cause:
            raise BackupDamaged(
                f"there is no {path}, without which nobody knows what {name} must hold; nothing was restored"
            ) from cause
        except UnicodeDecodeError as cause:
            raise BackupDamaged(f"the label {path} cannot be read; nothing was restored") from cause
        if label.name != name:
            raise BackupDamaged(f"{path} is the label of {label.name}; nothing was restored")
        return label

    def path(self, label: Label) -> Path:
        return self.folder / label.name

    def fresh_name(self, now: datetime, kind: Kind) -> str:
        return f"{now.astimezone(UTC):%Y%m%dT%H%M%S%f}Z-{kind}.db"

    def chain(self, label: Label) -> list[Label]:
        """Return the backups that `label` goes on from, with it: a full one first. Raises `BackupDamaged`."""
        by_digest = {each.sha256: each for each in self.labels()}
        chain = [label]
        while chain[0].kind == "part":
            before = by_digest.get(chain[0].after or "")
            if before is None or before in chain:
                raise BackupDamaged(
                    f"{chain[0].name} goes on from a backup that is not in {self.folder} any more "
                    f"(sha256 {(chain[0].after or '')[:12]}…); nothing was restored, take an earlier one"
                )
            chain.insert(0, before)
        return chain

    def check(self, label: Label) -> None:
        """Raise `BackupDamaged` if the file is not, to the byte, what its label says."""
        path = self.path(label)
        try:
            size = path.stat().st_size
            if size != label.size:
                raise BackupDamaged(f"{path} has {size:,} bytes instead of {label.size:,}; nothing was restored")
            digest = digest_of(path)
        except FileNotFoundError as cause:
            raise BackupDamaged(f"{path} is not there; nothing was restored") from cause
        if digest != label.sha256:
            raise BackupDamaged(f"{path} is damaged: its sha256 is not that of its label; nothing was restored")

    def keep(self, making: Path, label: Label) -> None:
        """Give a file that is whole its name, and its label."""
        written = self.folder / f".{label.name}.json.making"
        written.write_text(label_text(label), encoding="utf-8")
        sync_file(written)
        making.replace(self.path(label))
        written.replace(self.folder / f"{label.name}.json")
        settle_folder(self.folder)

    def let_go(self, keep: int) -> tuple[str, ...]:
        """Remove the oldest backups, so that at least `keep` are left; a part stays with all that it goes on from."""
        labels = self.labels()
        left = len(labels)
        gone: list[str] = []
        for chain in _chains(labels)[:-1]:
            if left - len(chain) < keep:
                break
            left -= len(chain)
            gone += [each.name for each in chain]
        for name in gone:
            (self.folder / f"{name}.json").unlink(missing_ok=True)
            (self.folder / name).unlink(missing_ok=True)
        return tuple(gone)

    def tidy(self) -> None:
        """Remove what somebody who was stopped in the middle left behind."""
        for path in self.folder.iterdir():
            unfinished = path.name.startswith(".") and ".making" in path.name
            unlabelled = _OURS.fullmatch(path.name) and not (self.folder / f"{path.name}.json").exists()
            if unfinished or unlabelled:
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
            raise BackupDamaged(f"there is no backup {backup}; name its file, or the folder of backups")
        return shelf, shelf.label(name)
    shelf = Shelf(backup)
    labels = shelf.labels()
    if not labels:
        raise BackupDamaged(f"there is no backup in {backup}; name the folder that gieok backup wrote to")
    if len({each.bank for each in labels}) > 1:
        raise BackupDamaged(f"{backup} holds backups of several banks; name the file of the one that is meant")
    later = [each for each in labels if until is not None and each.made_at >= until]
    return shelf, later[0] if later else labels[-1]


def digest_of(path: Path) -> str:
    seen = hashlib.sha256()
    with path.open("rb") as file:
        while some := file.read(_CHUNK):
            seen.update(some)
    return seen.hexdigest()


def _chains(labels: list[Label]) -> list[list[Label]]:
    """Return the labels by the full backup that they go on from, oldest first."""
    chains: list[list[Label]] = []
    for label in labels:
        if label.kind == "full" or not chains:
            chains.append([])
        chains[-1].append(label)
    return chains
