"""Every file that gieok makes beside a bank, and what killed work left there.

What takes long (a backup, restoring one, another key, an export) is made in a folder of its own, and moved out when it
is whole. Whoever works there holds a lock; a folder whose lock is free belongs to nobody, and is removed with what is
in it: by the next work in that place, when a bank beside it is opened, and before an erasure is proven. Work in another
place than the bank's is noted beside the bank. A bank that a restored one replaced stays, under another name.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import Final, Literal

import apsw

from gieok.errors import BankUnavailable, ErrorText

Work = Literal["backup", "restore", "rekey", "export", "import"]
_FOLDER: Final = ".gieok-work-"  #: then the work, and random letters
_NOTE: Final = ".gieok-note-"  #: a link to a folder elsewhere, which is there at once and whole
_SET_ASIDE: Final = ".before-"  #: behind the name of the bank, before a time
_LOCK: Final = "lock"
#: As gieok 0.1 called what it was making; nobody held a lock on it.
_EARLIER: Final = re.compile(r"\.gieok-restore-.+|\..+\.db(\.json)?\.making(-wal|-shm|-journal)?|\..+\.rekeying(-\w+)?")
_ATTEMPTS: Final = 10
_PAUSE: Final = 0.05
_ZEROS: Final = bytes(1024 * 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """Work that is not finished: somebody is at it, or was killed."""

    path: Path
    busy: bool  #: somebody is at it
    size: int  #: bytes


@contextmanager
def workplace(folder: Path, work: Work, *, bank: str | None = None) -> Iterator[Path]:
    """Yield a new folder in `folder`, for its owner alone; at the end it is removed with what is left there.

    `bank` is the location of the bank whose words get there, if there is one: killed work is looked for beside it.
    """
    sweep([folder])
    beside = None if bank is None or "://" in bank else Path(bank).absolute().parent
    if beside == folder.absolute():
        beside = None
    place, lock = _begun(folder, work, beside)
    try:
        yield place
    finally:
        _clear(place, lock, overwrite=False)
        if beside is not None:
            _note(place, beside).unlink(missing_ok=True)


def _begun(folder: Path, work: Work, beside: Path | None) -> tuple[Path, apsw.Connection]:
    for _ in range(_ATTEMPTS):
        place = folder / f"{_FOLDER}{work}-{token_hex(6)}"
        if beside is not None:  # it is noted before there is anything
            _link(place, beside)
        place.mkdir(mode=0o700)
        with suppress(apsw.Error):  # somebody who removes what is left took it for that: it was empty yet
            lock = apsw.Connection(str(place / _LOCK))
            try:
                lock.execute("BEGIN EXCLUSIVE").fetchall()
                if (place / _LOCK).exists():
                    if beside is not None:  # somebody may have taken the note for one of work that is over
                        _link(place, beside)
                    return place, lock
            except apsw.Error:
                lock.close()
                raise
            lock.close()
    raise BankUnavailable(ErrorText("work.no_place", folder=folder))


def _note(place: Path, beside: Path) -> Path:
    return beside / (_NOTE + place.name.removeprefix(_FOLDER))


def _link(place: Path, beside: Path) -> None:
    with suppress(OSError, NotImplementedError):  # it is there, or the file system has no links
        _note(place, beside).symlink_to(place.absolute())


def unfinished(folders: Iterable[Path]) -> list[Unfinished]:
    """Return the unfinished work in these folders, and in those that are noted there."""
    found = []
    for path in _candidates(folders):
        lock = _taken(path)
        found.append(Unfinished(path=path, busy=lock is None, size=_size(path)))
        if lock is not None:
            lock.close()
    return found


def sweep(folders: Iterable[Path], *, seconds: float = 0.0) -> tuple[list[Path], list[Path]]:
    """Remove what killed work left in these folders; return what was removed, and what is there still.

    Work that somebody is at is waited for, `seconds` at most. What was written is overwritten first.
    """
    removed, until, wanted = list[Path](), time.monotonic() + seconds, list(folders)
    while True:
        left = []
        for path in _candidates(wanted):
            lock = _taken(path)
            if lock is not None and _clear(path, lock, overwrite=True):
                removed.append(path)
            elif path.exists():
                left.append(path)
        if not left or time.monotonic() >= until:
            return removed, left
        time.sleep(_PAUSE)


def folders_of(location: str, backup_folder: str | None = None) -> list[Path]:
    """Return where gieok works for a bank: beside it, and where its backups are."""
    beside = [] if "://" in location else [Path(location).absolute().parent]
    backups = [] if backup_folder is None else [Path(backup_folder).absolute()]
    return list(dict.fromkeys((*beside, *backups)))


def temporary() -> Path:
    """Return the folder for what is only tried out, of every bank: checking a backup, a dry run of an import."""
    return Path(tempfile.gettempdir())


def set_aside_name(bank: Path, now: datetime) -> Path:
    return bank.with_name(f"{bank.name}{_SET_ASIDE}{now:%Y%m%dT%H%M%SZ}")


def set_aside(location: str) -> list[Path]:
    """Return the banks that stood at this location before, and were replaced by a restored one."""
    if "://" in location:
        return []
    bank = Path(location).absolute()
    named = re.compile(re.escape(f"{bank.name}{_SET_ASIDE}") + r"\d{8}T\d{6}Z")  # not the logs beside them
    return sorted(each for each in _listed(bank.parent) if named.fullmatch(each.name))


def _candidates(folders: Iterable[Path]) -> list[Path]:
    """Return what unfinished work is called by its names; a note of what is no longer there is removed."""
    found = []
    for path in [path for folder in dict.fromkeys(folders) for path in _listed(folder)]:
        if path.name.startswith(_NOTE):
            with suppress(OSError):
                noted = path.readlink()
                if noted.name.startswith(_FOLDER) and noted.is_dir():
                    found.append(noted)
                elif noted.name.startswith(_FOLDER):
                    path.unlink(missing_ok=True)
        elif path.name.startswith(_FOLDER) or _EARLIER.fullmatch(path.name):
            found.append(path)
    return [path for path in dict.fromkeys(found) if not path.is_symlink() and _is_ours(path)]


def _listed(folder: Path) -> Sequence[Path]:
    try:
        return [Path(each.path) for each in os.scandir(folder) if each.name.startswith(".") or _SET_ASIDE in each.name]
    except OSError:  # it is not there, or not for us to look at: then nothing of ours is in it
        return []


def _is_ours(path: Path) -> bool:
    try:
        return os.name != "posix" or path.stat().st_uid == os.geteuid()
    except FileNotFoundError:
        return False


def _taken(path: Path) -> apsw.Connection | None:
    """Return the lock of a place, which nobody else holds then; None: somebody is at work there."""
    lock = path / _LOCK
    if not lock.exists():  # of an earlier gieok, or somebody was killed while it was removed
        return apsw.Connection(":memory:")
    try:
        taken = apsw.Connection(str(lock), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error:
        return None
    try:
        taken.execute("BEGIN EXCLUSIVE").fetchall()
    except apsw.Error:
        taken.close()
        return None
    return taken


def _size(path: Path) -> int:
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    with suppress(FileNotFoundError):
        return sum(each.stat().st_size for each in files)
    return 0


def _clear(place: Path, lock: apsw.Connection, *, overwrite: bool) -> bool:
    """Remove a place with what is in it, the lock last; return whether it is gone."""
    own = bool(lock.filename)
    try:
        if not place.is_dir():
            _remove(place, overwrite=overwrite)
            return True
        for each in sorted(place.rglob("*"), key=lambda each: -len(each.parts)):
            if each == place / _LOCK:
                if not own:  # whoever works there has only just begun
                    return False
            elif each.is_dir() and not each.is_symlink():
                each.rmdir()
            else:
                _remove(each, overwrite=overwrite)
        lock.close()
        (place / _LOCK).unlink(missing_ok=True)
        place.rmdir()
    except FileNotFoundError:  # another process removes it, too
        return not place.exists()
    except OSError:  # it may not be removed by us, or somebody has just begun there: it is told
        return False
    finally:
        lock.close()
    return True


def _remove(path: Path, *, overwrite: bool) -> None:
    """Remove a file; `overwrite` it first, unless it is a bank's under another name."""
    if overwrite and path.is_file() and not path.is_symlink() and path.stat().st_nlink == 1:
        with path.open("r+b") as file:
            left = path.stat().st_size
            while left > 0:
                left -= file.write(_ZEROS[:left])
            file.flush()
            os.fsync(file.fileno())
    path.unlink(missing_ok=True)
