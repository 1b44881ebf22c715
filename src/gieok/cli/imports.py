"""`gieok import`: what others remember moves in, or what this bank handed out comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gieok.cli.common import AsJson, BankPath, World, settings_for
from gieok.cli.console import answers, asides, print_json
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from gieok.interop.importers import Report
    from gieok.ports import TakenIn
    from gieok.settings import Settings


OWN: Final = "gieok"  #: the kind of a file that `gieok export` wrote
_FATES: Final = {
    "new": "imported",
    "there": "is here already; nothing was done",
    "differs": "is kept here with other memories, which stay as they are; erase it first, or use another bank",
}


def import_(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="What it is: gieok (written by `gieok export`), mem0, social, synk, meowchat, vtuber, sillytavern, "
            "worldinfo, risuai, card.",
        ),
    ],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file or folder to take in.")],
    user: Annotated[
        str | None,
        typer.Option(
            "--user", "-u", metavar="NAME", help="Whose it is, where it does not say; of gieok: only if it is theirs."
        ),
    ] = None,
    character: Annotated[
        str | None, typer.Option("--character", "-c", metavar="NAME", help="Who remembers it, where it does not say.")
    ] = None,
    world: World = None,
    embedder: Annotated[
        str | None, typer.Option("--embedder", metavar="NAME", help="What made its vectors, where it does not say.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Look through it, and import nothing.")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Take in what is remembered elsewhere. What is here already stays as it is; twice is the same as once."""
    from gieok.interop.importers.importer import READERS

    if kind == OWN:
        if (character, world, embedder) != (None, None, None):
            raise InvalidQuery("a file of gieok says itself what belongs to whom; leave out all but --user")
        _take_back(path, user, bank, dry_run=dry_run, as_json=as_json)
    if kind not in READERS:
        raise InvalidQuery(f"unknown kind of file {kind!r}; choose one of {', '.join((OWN, *READERS))}")
    from gieok.bank import open_bank
    from gieok.interop.importers import Whose, import_file

    settings = settings_for(bank).without_models()
    whose = Whose(zone=settings.zone, user=user, character=character, world=world, embedder=embedder)
    with _place(settings, dry_run=dry_run) as where, open_bank(settings=where) as opened, _progress() as progress:
        report = import_file(opened, kind, path, whose=whose, dry_run=dry_run, progress=progress)
    if as_json:
        print_json(_record(report))
    else:
        _tell(report)


@contextmanager
def _place(settings: Settings, *, dry_run: bool) -> Iterator[Settings]:
    """Yield where the bank is; a dry run does not make one that is not there."""
    if not dry_run or "://" in settings.bank or Path(settings.bank).exists():
        yield settings
        return
    import tempfile
    from dataclasses import replace

    with tempfile.TemporaryDirectory(prefix="gieok-dry-run-") as folder:
        yield replace(settings, bank=str(Path(folder) / "bank.db"))


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=asides(), transient=True) as shown:
        task = shown.add_task("reading", total=None)
        yield lambda done, total: shown.update(task, description="importing", completed=done, total=total)


def _tell(report: Report) -> None:
    console = answers()
    console.print(_table(report))
    for why, many, where in report.reasons():
        places = f"{where}" if many == 1 else f"{where} and {many - 1:,} more"
        console.print(f"skipped: {why} ({places})", markup=False, soft_wrap=True)
    for folder in report.faces:
        console.print(f"faces: {folder}", markup=False, soft_wrap=True)
    if report.dry_run:
        console.print("This was a dry run: nothing was written.", markup=False)


def _table(report: Report) -> Table:
    from rich.table import Table

    table = Table("scope", "what", box=None, pad_edge=False)
    for heading in ("to import" if report.dry_run else "imported", "already present", "skipped"):
        table.add_column(heading, justify="right")
    for moved in report.scopes:
        name, skipped = f"[{moved.scope}]", f"{moved.skipped:,}"
        for what, tally in moved.tallies.items():
            table.add_row(name, what, f"{tally.new:,}", f"{tally.there:,}", skipped)
            name = skipped = ""
        if name:
            table.add_row(name, "", "", "", skipped)
    return table


def _record(report: Report) -> dict[str, Any]:
    return {
        "kind": report.kind,
        "path": str(report.path),
        "dry_run": report.dry_run,
        "scopes": [
            {
                "user": moved.scope.user,
                "character": moved.scope.character,
                "world": moved.scope.world,
                **{what: {"new": tally.new, "there": tally.there} for what, tally in moved.tallies.items()},
                "left_out": moved.skipped,
            }
            for moved in report.scopes
        ],
        "left_out": [{"where": each.where, "why": each.why} for each in report.skipped],
        "faces": [str(folder) for folder in report.faces],
    }


def _take_back(path: Path, user: str | None, bank: str | None, *, dry_run: bool, as_json: bool) -> None:
    """Take in what `gieok export` wrote, and leave."""
    from gieok.bank import open_bank

    with open_bank(settings=settings_for(bank).without_models()) as opened:
        taken = opened.import_export(path, user=user, dry_run=dry_run)
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
    scope = taken.scope
    named = {"user": scope.user, "character": scope.character, "world": scope.world}
    return {**named, "fate": taken.fate, "counts": dict(taken.counts)}
