"""Whether the backups that the settings ask for are being made."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gieok.cli.doctor.findings import Check

if TYPE_CHECKING:
    from gieok.settings import Settings

_LATE: Final = 2.0  #: times the hours between two; a bank that was closed meanwhile makes one when it is open again
_REMEDY: Final = "look at the folder and its disk, then make one: gieok backup"


def backups(settings: Settings, now: datetime | None = None) -> Iterator[Check]:
    """Tell when the last backup was made, and why there is none since."""
    from gieok.stores.backups import Shelf, bank_digest

    if settings.backup_folder is None:
        remedy = 'backup_folder = "backups" makes one a day; by hand: gieok backup FOLDER'
        yield Check(name="backups", state="note", detail="no folder for backups is set", remedy=remedy)
        return
    file = None if "://" in settings.bank else bank_digest(str(Path(settings.bank).absolute()))
    shelf = Shelf(Path(settings.backup_folder), file)
    labels, failure = shelf.labels(), shelf.failure()
    if failure is not None:
        yield Check(name="backups", state="bad", detail=f"{failure.at:%Y-%m-%d %H:%M}Z: {failure.why}", remedy=_REMEDY)
        return
    if not labels:
        detail = f"none in {shelf.folder} yet; a bank that is open makes one"
        yield Check(name="backups", state="note", detail=detail, remedy="now: gieok backup")
        return
    last = labels[-1]
    age = (now or datetime.now(UTC)) - last.made_at
    detail = f"{len(labels):,} in {shelf.folder}, the last of {last.made_at:%Y-%m-%d %H:%M}Z ({last.kind})"
    if settings.backup_hours and age > timedelta(hours=settings.backup_hours * _LATE):
        late = f"{detail}; one was due every {settings.backup_hours:g} h"
        yield Check(name="backups", state="bad", detail=late, remedy=_REMEDY)
        return
    yield Check(name="backups", detail=detail)
