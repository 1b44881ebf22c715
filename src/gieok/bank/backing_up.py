"""Backups as users ask for them: of a bank that is open, and back to a bank, at the last turn or at an earlier one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, cast

from gieok.domain.scope import Scope
from gieok.domain.turn import checked_moment
from gieok.errors import BankError, BankInUse, BankUnavailable, InvalidQuery, UnknownTurn
from gieok.ports import Store
from gieok.settings import Settings, load
from gieok.stores import backups, open_store
from gieok.stores.copy import copy_bank
from gieok.stores.location import found_key
from gieok.stores.sqlite.connection import settle_folder, sync_file
from gieok.stores.sqlite.rekey import alone_with
from gieok.stores.tables.store import TableStore

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank

_ENDINGS: Final = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was put back, or would have been."""

    location: str | None  #: of the bank; None: it was only looked at
    backup: Path  #: the file of the backup
    made_at: datetime
    files: tuple[Path, ...]  #: the full backup and its parts
    scopes: int
    counts: Mapping[str, int]  #: rows by table
    taken_back: Mapping[Scope, int] = field(default_factory=dict)  #: turns that came later than was asked for
    set_aside: Path | None = None  #: where the bank is now that stood in the place of this one


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
    """Make a backup of what `store` keeps; see `MemoryBank.backup`."""
    place = settings.backup_folder if target is None else target
    if place is None:
        raise InvalidQuery("where to? name a folder or a file, or set backup_folder")
    if target is None and keep is None:
        keep = settings.backup_keep
    if not hasattr(store, "marks"):
        raise BankUnavailable("this bank is kept by a store of its own kind, which must be backed up by its own means")
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


def restore(
    backup: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    *,
    at_turn: str | None = None,
    scope: Scope | None = None,
    until: datetime | None = None,
    force: bool = False,
    settings: Settings | None = None,
    **overrides: object,
) -> Restored:
    """Put a backup (its file, or the last of a folder) back to `target`, a new file or an empty bank on a server.

    Everything is checked before the target gets its name; without a target, everything is checked and nothing kept.
    With `at_turn`, the scope that has it ends with that turn; `until` takes back every turn that was recorded later.
    `force` replaces a bank's file, which is set aside. Raises `BackupDamaged`, `WrongKey` and the like; the target is
    then as it was.
    """
    if settings is None:
        settings = load(given=overrides)
    elif overrides:
        raise InvalidQuery("give either settings or single settings, not both")
    if at_turn is not None and until is not None:
        raise InvalidQuery("give a turn or a time to go back to, not both")
    moment = None if until is None else checked_moment(until)
    wish = _Wish(at_turn=at_turn, scope=scope, until=moment)
    place = None if target is None else os.fspath(target)
    if place is not None and "://" not in place:
        _check_place(Path(place), force=force)
    shelf, label = backups.found(Path(backup), moment)
    with _workshop(place) as made:
        contents = backups.put_back(shelf, label, made, key=found_key(**settings.key_from), now=datetime.now(UTC))
        taken_back = _taken_back(made, settings, wish)
        aside = None if place is None else _handed_over(made, place, settings, force=force)
    return Restored(
        location=place,
        backup=shelf.path(label),
        made_at=label.made_at,
        files=tuple(shelf.path(each) for each in shelf.chain(label)),
        scopes=len(contents.scopes),
        counts=contents.counts,
        taken_back=taken_back,
        set_aside=aside,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """How far back to go."""

    at_turn: str | None
    scope: Scope | None
    until: datetime | None

    @property
    def any(self) -> bool:
        return self.at_turn is not None or self.until is not None


@contextmanager
def _workshop(place: str | None) -> Iterator[Path]:
    """Give a place for a file on the disk where it is wanted; what is left of it afterwards goes."""
    beside = place is not None and "://" not in place
    folder = Path(place).absolute().parent if beside and place is not None else None
    with TemporaryDirectory(prefix=".gieok-restore-", dir=folder) as made:
        yield Path(made) / "bank.db"


def _check_place(target: Path, *, force: bool) -> None:
    if not target.absolute().parent.is_dir():
        raise BankUnavailable(f"the folder {target.absolute().parent} does not exist; create it first")
    if target.is_dir():
        raise BankUnavailable(f"{target} is a folder; name a file in it")
    if target.exists() and target.stat().st_size and not force:
        raise BankUnavailable(
            f"{target} is there already, and nothing is overwritten; name another file, or set it aside with --force"
        )


def _taken_back(made: Path, settings: Settings, wish: _Wish) -> dict[Scope, int]:
    """Take back the turns that came later than is wished for, and return how many that were in each scope."""
    if not wish.any:
        return {}
    from gieok.bank.memory_bank import MemoryBank

    quiet = replace(settings.without_models(), bank=str(made), backup_folder=None, behind_the_scenes="off")
    with MemoryBank(quiet) as bank:
        firsts = _at_turn(bank, wish) if wish.at_turn is not None else _until(bank, wish)
        return {scope: len(bank.mind(scope).rewind(turn_id, following=True)) for scope, turn_id in firsts.items()}


def _at_turn(bank: MemoryBank, wish: _Wish) -> dict[Scope, str]:
    """Return the turn that follows the one to end with, by its scope; none: it is the last."""
    assert wish.at_turn is not None
    scopes = [wish.scope] if wish.scope is not None else [each.scope for each in bank.scopes()]
    having: list[tuple[Scope, list[str]]] = []
    for scope in scopes:
        with bank.store.view(scope) as view:
            operation = view.operation_of(wish.at_turn)
            if operation is not None:
                later = view.operations(since=operation.number + 1)
                having.append((scope, [each.turn_id for each in later if each.kind == "observe" and each.turn_id]))
    if not having:
        raise UnknownTurn(wish.at_turn)
    if len(having) > 1:
        named = ", ".join(f"[{scope}]" for scope, _ in having)
        raise InvalidQuery(f"several scopes have a turn {wish.at_turn!r}: {named}; say which is meant")
    return {scope: later[0] for scope, later in having if later}


def _until(bank: MemoryBank, wish: _Wish) -> dict[Scope, str]:
    assert wish.until is not None
    firsts: dict[Scope, str] = {}
    for summary in bank.scopes():
        if wish.scope is not None and summary.scope != wish.scope:
            continue
        with bank.store.view(summary.scope) as view:
            later = [
                each.turn_id
                for each in view.operations(since=1)
                if each.kind == "observe" and each.turn_id and each.moment.recorded_at > wish.until
            ]
        if later:
            firsts[summary.scope] = later[0]
    return firsts


def _handed_over(made: Path, place: str, settings: Settings, *, force: bool) -> Path | None:
    if "://" in place:
        _to_a_server(made, place, settings)
        return None
    return _to_its_place(made, Path(place), settings, force=force)


def _to_a_server(made: Path, place: str, settings: Settings) -> None:
    with closing(_opened(made, settings)) as source:
        info = source.info()
        there = open_store(
            place,
            embedder=info.embedder,
            dimension=info.dimension,
            pool=settings.postgres_pool,
            seconds=settings.postgres_seconds,
            keyword=settings.keyword,
        )
        with closing(cast(TableStore, there)) as target:
            if target.scopes():
                raise BankUnavailable(
                    f"{target.location} is not empty, and nothing is overwritten; name another schema: ?schema=restored"
                )
            copied = copy_bank(source, target, now=datetime.now(UTC), progress=lambda *_: None)
            if not copied.is_whole:
                raise BankError("the copy on the server is not the same; do not use it, and restore once more")


def _opened(made: Path, settings: Settings) -> TableStore:
    store = open_store(made, embedder="any", dimension=1, create=False, for_reindex=True, **settings.key_from)
    return cast(TableStore, store)


def _to_its_place(made: Path, target: Path, settings: Settings, *, force: bool) -> Path | None:
    """Give the file its name; a bank that has it is set aside, which nobody may have open."""
    sync_file(made)
    _check_place(target, force=force)
    if not target.exists() or not target.stat().st_size:
        made.replace(target)
        settle_folder(target.absolute().parent)
        return None
    aside = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    try:
        held = alone_with(target.resolve(), found_key(**settings.key_from))
    except BankInUse:
        raise
    except BankError:  # damaged, or another's: it is set aside as it is
        held = None
    try:
        for ending in _ENDINGS:
            beside = target.with_name(target.name + ending)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + ending))
        made.replace(target)
        settle_folder(target.absolute().parent)
    finally:
        if held is not None:
            held.close()
    return aside
