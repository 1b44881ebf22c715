"""Backups of an open bank, on request and on a schedule."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, cast

from gieok.errors import BankClosed, BankInUse, BankUnavailable, ErrorText, InvalidQuery
from gieok.ports import Store
from gieok.settings import Settings
from gieok.stores import backups
from gieok.stores.backups import Failure, Shelf, Stopped, bank_digest
from gieok.stores.location import found_key
from gieok.stores.tables.store import TableStore

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank

log = logging.getLogger(__name__)
_FIRST_LOOK: Final = 20.0  #: seconds after opening; a short command has ended by then
_LONGEST_NAP: Final = 60.0
_RETRY: Final = 600.0  #: seconds until a failed backup is tried again


def back_up(
    store: Store,
    settings: Settings,
    target: str | os.PathLike[str] | None = None,
    *,
    full: bool = False,
    keep: int | None = None,
    if_due_after: float | None = None,
    stopped: Callable[[], bool] = backups.never,
) -> backups.Backup | None:
    """Make a backup of `store`; see `MemoryBank.backup`. Returns None if it was not due."""
    place = settings.backup_folder if target is None else target
    if place is None:
        raise InvalidQuery(ErrorText("backup.where"))
    if target is None and keep is None:
        keep = settings.backup_keep
    if not hasattr(store, "marks"):
        raise BankUnavailable(ErrorText("backup.own_store"))
    return backups.back_up(
        cast(TableStore, store),
        Path(place),
        key=found_key(**settings.key_from),
        now=datetime.now(UTC),
        full=full,
        keep=keep,
        if_due_after=if_due_after,
        stopped=stopped,
    )


class BackupSchedule:
    """Makes scheduled backups of an open bank in a separate thread.

    The backup folder records when one is due. It is locked during a backup, so that only one of several processes makes
    it. A failure is logged, recorded there for `gieok doctor`, and retried.
    """

    def __init__(self, bank: MemoryBank, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._stop = Event()
        self._thread: Thread | None = None
        settings = bank.settings
        if settings.backup_folder is None or not settings.backup_hours:
            return
        # a weak reference, so that the thread does not keep an unclosed bank alive
        arguments = (weakref.ref(bank), Path(settings.backup_folder), self._stop, now)
        self._thread = Thread(target=_serve, args=arguments, name="gieok-backups", daemon=True)
        self._thread.start()

    def close(self, seconds: float) -> bool:
        """Stop; a backup in progress is discarded. Return whether it stopped within `seconds`."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()


def _serve(bank: weakref.ref[MemoryBank], folder: Path, stop: Event, now: Callable[[], datetime]) -> None:
    nap = _FIRST_LOOK
    while not stop.wait(nap):
        held = bank()
        if held is None:
            return
        nap = back_up_if_due(held.store, held.settings, folder, stop.is_set, now)
        del held


def back_up_if_due(
    store: Store, settings: Settings, folder: Path, stopped: Callable[[], bool], now: Callable[[], datetime]
) -> float:
    """Make a backup if one is due; return the seconds until the next check."""
    hours = settings.backup_hours
    shelf = Shelf(folder, bank_digest(getattr(store, "location", settings.bank_shown)))
    try:
        left = shelf.due_in(hours, now()).total_seconds()
        if left > 0:
            return min(left, _LONGEST_NAP)
        made = back_up(store, settings, keep=settings.backup_keep, if_due_after=hours, stopped=stopped)
    except (Stopped, BankClosed):
        return 0.0
    except BankInUse:  # another process is making one
        return _LONGEST_NAP
    except Exception as trouble:  # the edge of a thread: a failed backup must not end the schedule
        log.exception("no backup was made in %s; it is tried again in %d minutes", shelf.folder, _RETRY // 60)
        shelf.note_failure(Failure(now(), str(trouble)))
        return _RETRY
    if made is not None:
        log.info("a backup was made: %s", made.path)
    return _LONGEST_NAP
