"""What a user gets to see of what is kept of them, in words and in one file: about-me, export, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_to_read, settings_for
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.ports import TakenIn

KINDS: Final = ("gieok",)  #: of files that `import` takes
_FATES: Final = {
    "new": "imported",
    "there": "is here already; nothing was done",
    "differs": "is kept here with other memories, which stay as they are; erase it first, or use another bank",
}


def about_me(
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Tell a user what is remembered of them, in plain words."""
    with open_to_read(bank) as opened:
        answer = known_mind(opened, Names(user, character, world)).about_me()
    if as_json:
        from dataclasses import asdict

        print_json(asdict(answer))
    else:
        answers().print(answer.text, markup=False, highlight=False, soft_wrap=True)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to. A file that is there is replaced.")],
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="NAME", help="Whose memories; else canon.", show_default=False),
    ] = None,
    character: Character = None,
    world: World = None,
    format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="zip, jsonl, lorebook, worldinfo or mem0.")
    ] = "zip",
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Write what is kept of a user into one file: all of it in a zip, or memories as other systems read them."""
    from gieok.interop.leaving.formats import leave

    with open_to_read(bank) as opened:
        exported = leave(opened, format, file, user=user, character=character, world=world)
    if as_json:
        told: dict[str, Any] = {"path": str(exported.path), "size_bytes": exported.size_bytes}
        print_json({**told, "scopes": [_scope_record(scope) for scope in exported.scopes]})
        return
    names = ", ".join(f"[{scope}]" for scope in exported.scopes)
    answers().print(f"{exported.path}: {names}, {exported.size_bytes:,} bytes", markup=False, soft_wrap=True)


def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What the file is: gieok (written by `gieok export`).")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to take in.")],
    user: Annotated[
        str | None, typer.Option("--user", "-u", metavar="NAME", help="Only if it is theirs.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Look through it, and import nothing.")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Take in a user's memories from a file. What is here already stays as it is; twice is the same as once."""
    from gieok.bank import open_bank

    if kind not in KINDS:
        raise InvalidQuery(f"unknown kind of file {kind!r}; choose one of {', '.join(KINDS)}")
    with open_bank(settings=settings_for(bank).without_models()) as opened:
        taken = opened.import_export(file, user=user, dry_run=dry_run)
    if as_json:
        print_json([_taken_record(each) for each in taken])
    else:
        for each in taken:
            answers().print(_told(each, dry_run=dry_run), markup=False, soft_wrap=True)
    raise typer.Exit(1 if any(each.fate == "differs" for each in taken) else 0)


def _told(taken: TakenIn, *, dry_run: bool) -> str:
    if taken.fate != "new":
        return f"[{taken.scope}] {_FATES[taken.fate]}"
    counts = ", ".join(f"{taken.counts.get(table, 0):,} {table}" for table in ("turns", "memories", "operations"))
    return f"[{taken.scope}] {'would be ' if dry_run else ''}{_FATES[taken.fate]}: {counts}"


def _taken_record(taken: TakenIn) -> dict[str, Any]:
    return {**_scope_record(taken.scope), "fate": taken.fate, "counts": dict(taken.counts)}


def _scope_record(scope: Any) -> dict[str, str | None]:
    return {"user": scope.user, "character": scope.character, "world": scope.world}
