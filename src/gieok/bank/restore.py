"""Restoring a backup, completely or up to an earlier turn; and changing the encryption key of a bank."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from gieok.bank.memory_bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.domain.turn import checked_moment
from gieok.errors import BankError, BankInUse, BankUnavailable, ErrorText, InvalidQuery, InvalidSetting, UnknownTurn
from gieok.settings import Settings, load, shown_location
from gieok.stores import backups, open_store
from gieok.stores.copy import copy_bank
from gieok.stores.location import found_key
from gieok.stores.sqlite.connection import settle_folder, sync_file
from gieok.stores.sqlite.rekey import alone_with
from gieok.stores.sqlite.rekey import rekey as rekey_file
from gieok.stores.tables.store import TableStore
from gieok.stores.workplace import set_aside_name, temporary, workplace

_AS_IT_IS: Final[dict[str, Any]] = {"embedder": "any", "dimension": 1, "for_reindex": True}
_LOGS: Final = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The result of a restore or of a check."""

    location: str | None  #: of the restored bank; None: the backup was only checked
    backup: Path  #: the backup file
    made_at: datetime
    files: tuple[Path, ...]  #: the full backup and its increments
    scopes: int
    counts: Mapping[str, int]  #: rows per table
    taken_back: Mapping[Scope, int] = field(default_factory=dict)  #: later turns that were undone, per scope
    held_back: Mapping[Scope, int] = field(default_factory=dict)  #: turns and memories erased since, by scope
    unasked: tuple[str, ...] = ()  #: banks and backups that may know of erasures but could not be read
    set_aside: Path | None = None  #: where the replaced bank was moved to


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
    """Restore a backup (its file, or the last of a folder) to `target`, a new file or an empty bank on a server.

    Everything is checked before the target gets its name; without a target, the backup is only checked. With `at_turn`,
    the scope of that turn ends with it; `until` undoes every turn that was recorded later. `force` replaces an existing
    bank file, which is set aside. Data that was erased since the backup was made is not restored: erasures are read
    from the original bank, or else from the last backup beside it, and from the bank that is replaced. Raises
    `BackupDamaged`, `WrongKey` and the like; the target is then unchanged.
    """
    if settings is None:
        settings = load(given=overrides)
    elif overrides:
        raise InvalidQuery("give either settings or single settings, not both")
    if at_turn is not None and until is not None:
        raise InvalidQuery(ErrorText("backup.turn_or_time"))
    moment = None if until is None else checked_moment(until)
    place = None if target is None else os.fspath(target)
    if place is not None and "://" not in place:
        _check_place(Path(place), force=force)
    shelf, label = backups.found(Path(backup), moment)
    beside = temporary() if place is None or "://" in place else Path(place).absolute().parent  # on the same disk
    with workplace(beside, "restore") as folder:
        made = folder / "bank.db"
        contents = backups.put_back(shelf, label, made, key=found_key(**settings.key_from), now=datetime.now(UTC))
        held_back, unasked = dict[Scope, int](), tuple[str, ...]()
        if place is not None:
            held_back, unasked = _erase_again(made, settings, shelf, label, contents, place)
        taken_back = {}
        if at_turn is not None or moment is not None:
            taken_back = _rewound(made, settings, at_turn=at_turn, until=moment, scope=scope)
        aside = None
        if place is not None and "://" in place:
            _copy_to_server(made, place, settings)
        elif place is not None:
            aside = _move_into_place(made, Path(place), settings, force=force)
    return Restored(
        location=None if place is None else shown_location(place),
        backup=shelf.path(label),
        made_at=label.made_at,
        files=tuple(shelf.path(each) for each in shelf.chain(label)),
        scopes=len(contents.scopes),
        counts=contents.counts,
        taken_back=taken_back,
        held_back=held_back,
        unasked=unasked,
        set_aside=aside,
    )


def _check_place(target: Path, *, force: bool) -> None:
    if not target.absolute().parent.is_dir():
        raise BankUnavailable(ErrorText("bank.no_parent", parent=target.absolute().parent))
    if target.is_dir():
        raise BankUnavailable(ErrorText("backup.target_is_folder", target=target))
    if target.exists() and target.stat().st_size and not force:
        raise BankUnavailable(ErrorText("backup.target_exists", target=target))


def _erase_again(
    made: Path, settings: Settings, shelf: backups.Shelf, label: backups.Label, contents: backups.Contents, place: str
) -> tuple[dict[Scope, int], tuple[str, ...]]:
    """Erase what was erased since the backup; return the amount per scope, and the sources that could not be read."""
    key, fresh, unasked = found_key(**settings.key_from), frozenset[str](), list[str]()

    def asked(source: Path | TableStore) -> bool:
        """Apply the erasures that `source` knows; return whether it could be read."""
        nonlocal fresh
        if isinstance(source, Path) and not (source.is_file() and source.stat().st_size):
            return False
        try:
            fresh |= backups.bring_erasures(made, source, contents, key=key)
        except BankError:  # the source may be damaged, which is why a backup is restored, or have another key
            unasked.append(str(source) if isinstance(source, Path) else source.location)
            return False
        return True

    own, replaced = Path(contents.location), Path(place).absolute()
    known = False
    if "://" not in contents.location:
        known = asked(own)
    elif "://" in settings.bank:  # the address of the bank itself, with its key
        with closing(cast(TableStore, open_store(settings.bank, create=False, **_AS_IT_IS))) as there:
            known = there.location == contents.location and asked(there)
    later = [each for each in shelf.labels() if each.bank == label.bank][-1:]
    if not known and later:  # otherwise it may record what was lifted since
        asked(shelf.path(later[0]))
    if "://" not in place and replaced != own:
        asked(replaced)
    if not fresh:
        return {}, tuple(unasked)
    quiet = replace(settings.without_models(), bank=str(made), backup_folder=None, behind_the_scenes="off")
    with MemoryBank(quiet) as bank:
        held_back = bank.erase_again(fresh, by="restore")
        bank.prove()
    return held_back, tuple(unasked)


def _rewound(
    made: Path, settings: Settings, *, at_turn: str | None, until: datetime | None, scope: Scope | None
) -> dict[Scope, int]:
    """Undo the turns after `at_turn` or `until`; return their number per scope."""
    quiet = replace(settings.without_models(), bank=str(made), backup_folder=None, behind_the_scenes="off")
    later: dict[Scope, list[str]] = {}  # the turns to undo, oldest first
    with MemoryBank(quiet) as bank:
        for each in [scope] if scope is not None else [summary.scope for summary in bank.scopes()]:
            with bank.store.view(each) as view:
                last = view.operation_of(at_turn) if at_turn is not None else None
                if last is None and at_turn is not None:
                    continue
                since = last.number + 1 if last is not None else 1
                said = [one for one in view.operations(since=since) if one.kind == "observe" and one.turn_id]
            later[each] = [one.turn_id or "" for one in said if until is None or one.moment.recorded_at > until]
        if at_turn is not None and not later:
            raise UnknownTurn(at_turn)
        if at_turn is not None and len(later) > 1:
            named = ", ".join(f"[{each}]" for each in later)
            raise InvalidQuery(ErrorText("backup.which_scope", turn_id=at_turn, named=named))
        return {each: len(bank.mind(each).rewind(turns[0], following=True)) for each, turns in later.items() if turns}


def _copy_to_server(made: Path, place: str, settings: Settings) -> None:
    opened = open_store(made, create=False, **(_AS_IT_IS | settings.key_from))
    with closing(cast(TableStore, opened)) as source:
        info = source.info()
        there = open_store(
            place,
            embedder=info.embedder,
            dimension=info.dimension,
            pool=settings.postgres_pool,
            seconds=settings.postgres_seconds,
            keyword=settings.keyword,
            prepare=settings.postgres_prepare,
        )
        with closing(cast(TableStore, there)) as target:
            if target.scopes():
                raise BankUnavailable(ErrorText("backup.schema_not_empty", location=target.location))
            copied = copy_bank(source, target, now=datetime.now(UTC), progress=lambda *_: None)
            if not copied.is_whole:
                raise BankError(ErrorText("backup.copy_differs"))


def _move_into_place(made: Path, target: Path, settings: Settings, *, force: bool) -> Path | None:
    """Rename the new file to `target`. An existing bank there must not be open, and is set aside."""
    sync_file(made)
    _check_place(target, force=force)
    if not target.exists() or not target.stat().st_size:
        made.replace(target)
        settle_folder(target.absolute().parent)
        return None
    aside = set_aside_name(target, datetime.now(UTC))
    try:
        held = alone_with(target.resolve(), found_key(**settings.key_from))
    except BankInUse:
        raise
    except BankError:  # damaged, or not a gieok bank: it is set aside unchanged
        held = None
    try:
        for suffix in _LOGS:  # a log belongs to the bank it was written for
            beside = target.with_name(target.name + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
        try:
            os.link(target, aside)  # so that a bank exists at `target` at any time
        except OSError:  # a file system without links
            target.rename(aside)
        made.replace(target)
        settle_folder(target.absolute().parent)
    finally:
        if held is not None:
            held.close()
    return aside


def rekey(
    location: str | os.PathLike[str] | None = None,
    *,
    new_key: str | None = None,
    new_key_file: str | None = None,
    new_key_command: str | None = None,
    decrypt: bool = False,
    settings: Settings | None = None,
    **overrides: object,
) -> Settings:
    """Encrypt the bank at `location` with a new key, or remove its encryption (`decrypt`).

    The settings (`key`, `key_file`, `key_command`) give the current key. The bank must not be open anywhere, this
    process included. Raises `WrongKey`, `BankInUse` and the like; the bank is then unchanged. Returns the settings
    with the old key; they no longer open the bank.
    """
    if settings is None:
        settings = load(given={"bank": location, **overrides})
    elif location is not None or overrides:
        raise InvalidQuery("give either settings or a location with single settings, not both")
    if "://" in settings.bank:
        raise InvalidQuery(ErrorText("key.not_for_server"))
    try:
        fresh = found_key(key=new_key, key_file=new_key_file, key_command=new_key_command)
    except InvalidSetting as trouble:  # its text names the settings of the old key
        told = str(trouble).replace("key_file", "new_key_file").replace("key_command", "new_key_command")
        raise InvalidSetting(ErrorText("key.new", told=told)) from trouble
    if decrypt == (fresh is not None):
        raise InvalidSetting(ErrorText("key.new_or_none"))
    rekey_file(settings.bank, found_key(**settings.key_from), fresh)
    return settings
