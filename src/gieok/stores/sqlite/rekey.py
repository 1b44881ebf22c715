"""Encrypting a bank's file with another key, for the first time, or no more.

The file is written anew beside itself and takes its own place in one step: whoever is killed in the middle has left
the old file, or the new one. Nobody else may have it open. The old file is overwritten before it is let go: what it
held is not left on the disk, and whoever came while it was locked finds no bank in it and loses nothing to it.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from gieok.errors import BankInUse, BankUnavailable, ErrorText, GieokError, InvalidSetting
from gieok.stores.sqlite.connection import (
    Connection,
    checked_key,
    settle_folder,
    sync_file,
    there_is_a_bank,
)
from gieok.stores.sqlite.file import connected
from gieok.stores.sqlite.schema import SCHEMA
from gieok.stores.workplace import workplace

_PATIENCE_MS: Final = 2_000
_ZEROS: Final = bytes(1024 * 1024)


def rekey(path: str | os.PathLike[str], key: str | None, new_key: str | None) -> None:
    """Encrypt the bank at `path`, which `key` opens, with `new_key`; None: without one.

    Raises `WrongKey`, `BankInUse`, `DiskFull` and the like; the bank is then as it was.
    """
    place, key, new_key = Path(path).resolve(), checked_key(key), checked_key(new_key)
    if key == new_key:
        raise InvalidSetting(ErrorText("key.same", place=place))
    if not there_is_a_bank(place, key, known_schema=SCHEMA):
        raise BankUnavailable(ErrorText("key.no_bank", place=place))
    if place.stat().st_nlink > 1:
        raise BankUnavailable(ErrorText("key.hard_links", place=place))
    held = alone_with(place, key)
    with closing(held), workplace(place.parent, "rekey") as folder:
        fresh = folder / place.name
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, place.stat().st_mode & 0o777))
        held.vacuum_into(f"file:{quote(str(fresh))}?key={quote(new_key or '', safe='')}", shown=str(fresh))
        sync_file(fresh)
        _check(fresh, new_key)
        _take_its_place(place, fresh)


def alone_with(path: Path, key: str | None) -> Connection:
    """Return a connection that holds the whole file: leaving the log behind takes that nobody else has it open."""
    held = connected(path, key, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI, busy_ms=_PATIENCE_MS)
    try:
        held.pragma("locking_mode", "EXCLUSIVE")
        if held.pragma("journal_mode", "delete") != "delete":
            raise BankInUse(ErrorText("bank.in_use", path=path))
        held.script("BEGIN EXCLUSIVE; COMMIT")  # from here on the lock stays
    except GieokError as trouble:
        held.close()
        if isinstance(trouble.__cause__, apsw.BusyError | apsw.LockedError):
            raise BankInUse(ErrorText("bank.in_use", path=path)) from trouble
        raise
    return held


def _check(fresh: Path, new_key: str | None) -> None:
    """Read all of the new file with the new key, before the old one goes."""
    there_is_a_bank(fresh, new_key, known_schema=SCHEMA)
    with closing(connected(fresh, new_key, apsw.SQLITE_OPEN_READONLY)) as looking:
        found = [text for (text,) in looking.script("PRAGMA integrity_check") if text != "ok"]
    if found:
        raise BankUnavailable(ErrorText("key.damaged", fresh=fresh, found=found[0]))


def _take_its_place(path: Path, fresh: Path) -> None:
    # Opened before, closed by the caller's end: closing any descriptor of a file undoes this process's locks on it,
    # and by then there is nothing left to guard.
    old = os.open(path, os.O_RDWR)
    try:
        os.replace(fresh, path)
        settle_folder(path.parent)
        left = os.fstat(old).st_size
        while left > 0:
            left -= os.write(old, _ZEROS[:left] if left < len(_ZEROS) else _ZEROS)
        os.fsync(old)
    finally:
        os.close(old)
