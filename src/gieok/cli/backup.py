"""`gieok backup` and `gieok restore`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gieok.cli.common import AsJson, BankPath, Character, Names, User, World, settings_for
from gieok.cli.console import answers, print_json, waiting
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank.restore import Restored
    from gieok.stores.backups import Backup


_POINT = "To an earlier moment"


def backup(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="TARGET", help="A folder, or one file: NAME.db (default: backup_folder).", show_default=False
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Copy all, not only what changed since the last one.")] = False,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep", min=1, metavar="N", help="Remove all but the last N in that folder.", show_default=False
        ),
    ] = None,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Make a backup of a bank, which may be in use: encrypted as it is, checked, only what changed."""
    from gieok.bank.backups import back_up
    from gieok.cli.banks import opened_store

    settings = settings_for(bank)
    place = target or settings.backup_folder
    if place is None:
        raise InvalidQuery("where to? name a folder or a file: gieok backup FOLDER, or set backup_folder")
    settings = replace(settings, backup_folder=settings.backup_folder or place)  # a server's key is for backups then
    with waiting("making a backup …"), closing(opened_store(settings, create=False)) as store:
        made = back_up(store, settings, target, full=full, keep=keep)
    assert made is not None
    if as_json:
        print_json(_backup_record(made))
        return
    changed = "all" if made.kind == "full" else f"{made.fresh:,} changed"
    sealed = "encrypted" if made.encrypted else "not encrypted"
    answers().print(
        f"{made.path}: {changed} of {made.scopes:,} scopes, {made.counts.get('turns', 0):,} turns in the bank; "
        f"{made.size / 1024 / 1024:.1f} MB, {sealed}, sha256 {made.sha256[:12]}…",
        soft_wrap=True,
    )
    if made.removed:
        answers().print(f"{len(made.removed)} older ones removed")


def restore(
    source: Annotated[str, typer.Argument(metavar="BACKUP", help="A backup's file, or a folder: the last one there.")],
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="A new file, or an empty server.", show_default=False)
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check all of it; without TARGET nothing is kept.")] = False,
    at_turn: Annotated[
        str | None,
        typer.Option(
            "--at-turn", metavar="ID", help="End a scope with that turn.", rich_help_panel=_POINT, show_default=False
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="ISO",
            help="Take back what was recorded later.",
            rich_help_panel=_POINT,
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Set a bank aside that stands in the way.")] = False,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup back, checked to the last row, at its end or at an earlier turn."""
    from gieok.bank.restore import restore as put_back
    from gieok.domain.turn import moment

    if target is None and not verify:
        raise InvalidQuery("where to? name a new file: gieok restore BACKUP TARGET, or only check it: --verify")
    settings = settings_for(None)
    names = Names(user, character, world)
    with waiting("checking …" if target is None else "restoring …"):
        done = put_back(
            source,
            target,
            at_turn=at_turn,
            scope=names.scope if names.given else None,
            until=None if until is None else moment(until, settings.zone),
            force=force,
            settings=settings,
        )
    if as_json:
        print_json(_restored_record(done))
        return
    _tell(done)


def _tell(done: Restored) -> None:
    console = answers()
    parts = f" and {len(done.files) - 1:,} parts" if len(done.files) > 1 else ""
    held = f"{done.scopes:,} scopes, {done.counts.get('turns', 0):,} turns, {done.counts.get('memories', 0):,} memories"
    console.print(
        f"{done.backup}: whole ({held}; a full backup{parts}; checksums and all rows compared)", soft_wrap=True
    )
    if done.location is not None:
        console.print(f"restored to {done.location}", soft_wrap=True)
    for scope, turns in done.taken_back.items():
        console.print(f"[{scope}]: {turns:,} later turns taken back")
    if done.set_aside is not None:
        console.print(f"what was there is {done.set_aside} now", soft_wrap=True)


def _backup_record(made: Backup) -> dict[str, Any]:
    return {
        "path": str(made.path),
        "kind": made.kind,
        "made_at": made.made_at.isoformat(),
        "bytes": made.size,
        "sha256": made.sha256,
        "encrypted": made.encrypted,
        "scopes": made.scopes,
        "fresh": made.fresh,
        "rows": dict(made.counts),
        "removed": list(made.removed),
    }


def _restored_record(done: Restored) -> dict[str, Any]:
    return {
        "location": done.location,
        "backup": str(done.backup),
        "made_at": done.made_at.isoformat(),
        "files": [str(path) for path in done.files],
        "scopes": done.scopes,
        "rows": dict(done.counts),
        "taken_back": {str(scope): turns for scope, turns in done.taken_back.items()},
        "set_aside": None if done.set_aside is None else str(done.set_aside),
    }
