"""What a user gets to see of what is kept of them, in words and in one file: about-me, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, BankPath, Character, User, World


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


def _scope_record(scope: Any) -> dict[str, str | None]:
    return {"user": scope.user, "character": scope.character, "world": scope.world}
