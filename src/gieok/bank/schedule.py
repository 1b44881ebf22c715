"""Backups that a bank makes by itself while it is open.

When one is due stands in the folder of backups, and whoever makes one holds that folder: of several processes, one
makes it. What goes wrong is logged, left there for `gieok doctor`, and tried again; nobody who talks waits for it.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from gieok.bank.backing_up import back_up
from gieok.errors import BankClosed, BankInUse
from gieok.stores.backups import Failure, Shelf, Stopped, bank_digest

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.settings import Settings

log = logging.getLogger(__name__)
_SETTLING: Final = 20.0  #: seconds that a bank is open before the first look: a command is done by then
_LONGEST_NAP: Final = 60.0
_AGAIN: Final = 600.0  #: seconds until what failed is tried again


def wall_time() -> datetime:
    return datetime.now(UTC)


class Schedule:
    """Makes backups of a bank as its settings say. Threads of its own; none where nothing is to be done."""

    def __init__(self, bank: MemoryBank, *, now: Callable[[], datetime] = wall_time) -> None:
        self._stop = Event()
        self._thread: Thread | None = None
        settings = bank.settings
        if settings.backup_folder is None or not settings.backup_hours:
            return
        # Without a reference to the bank: one that nobody closes is not kept alive by its backups.
        arguments = (weakref.ref(bank), settings, self._stop, now)
        self._thread = Thread(target=_serve, args=arguments, name="gieok-backups", daemon=True)
        self._thread.start()

    def close(self, seconds: float) -> bool:
        """Stop, also in the middle of a backup, of which nothing is left; return whether that is done in time."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()


def _serve(bank: weakref.ref[MemoryBank], settings: Settings, stop: Event, now: Callable[[], datetime]) -> None:
    assert settings.backup_folder is not None
    folder = Path(settings.backup_folder)
    nap = _SETTLING
    while not stop.wait(nap):
        held = bank()
        if held is None:
            return
        nap = step(held, folder, stop.is_set, now)
        del held


def step(bank: MemoryBank, folder: Path, stopped: Callable[[], bool], now: Callable[[], datetime]) -> float:
    """Make a backup if one is due; return the seconds until it is worth looking again."""
    hours, keep = bank.settings.backup_hours, bank.settings.backup_keep
    shelf = Shelf(folder, bank_digest(getattr(bank.store, "location", bank.settings.bank_shown)))
    try:
        left = shelf.due_in(hours, now()).total_seconds()
        if left > 0:
            return min(left, _LONGEST_NAP)
        made = back_up(bank.store, bank.settings, keep=keep, if_due_after=hours, stopped=stopped)
    except (Stopped, BankClosed):
        return 0.0
    except BankInUse:  # another process is at it
        return _LONGEST_NAP
    except Exception as trouble:  # the edge of a thread: a backup that fails must not end those to come
        log.exception("no backup was made in %s; it is tried again in %d minutes", shelf.folder, _AGAIN // 60)
        shelf.note_failure(Failure(now(), str(trouble)))
        return _AGAIN
    if made is not None:
        log.info("a backup was made: %s", made.path)
    return _LONGEST_NAP
