"""Memories to and from other systems: export, import."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Group, RenderableType

from gieok.bank import open_bank
from gieok.cli.common import AsJson, BankPath, Character, World, open_existing, settings_for
from gieok.cli.console import progress, show, terminal_words, text
from gieok.cli.records import record
from gieok.cli.table import Column, Listing
from gieok.errors import InvalidQuery, in_language
from gieok.interop.exporters import export_file
from gieok.interop.importers import Report, Whose, import_file
from gieok.interop.importers.importer import READERS
from gieok.ports import TakenIn
from gieok.settings import Settings

OWN: Final = "gieok"  #: the kind of a file that `gieok export` wrote


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    user: Annotated[str | None, typer.Option("--user", "-u", metavar="NAME")] = None,
    character: Character = None,
    world: World = None,
    format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT")] = "zip",
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    with open_existing(bank) as opened:
        exported = export_file(opened, format, file, user=user, character=character, world=world)
    scopes = ", ".join(f"[{scope}]" for scope in exported.scopes)
    told = text("transfer.exported", path=exported.path, scopes=scopes, size=exported.size_bytes)
    show(exported, lambda: told, as_json, soft_wrap=True)


def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND")],
    path: Annotated[Path, typer.Argument(metavar="PATH")],
    user: Annotated[str | None, typer.Option("--user", "-u", metavar="NAME")] = None,
    character: Annotated[str | None, typer.Option("--character", "-c", metavar="NAME")] = None,
    world: World = None,
    embedder: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    settings = settings_for(bank).without_models()
    if kind == OWN:
        if (character, world, embedder) != (None, None, None):
            raise InvalidQuery(text("errors.own_file"))
        _import_own(path, user, settings, dry_run=dry_run, as_json=as_json)
    if kind not in READERS:
        raise InvalidQuery(text("errors.unknown_kind", kind=repr(kind), known=", ".join((OWN, *READERS))))
    whose = Whose(zone=settings.zone, user=user, character=character, world=world, embedder=embedder)
    with _place(settings, dry_run=dry_run) as where, open_bank(settings=where) as opened, progress() as shown:
        task = shown.add_task(text("transfer.reading"), total=None)
        importing = text("transfer.importing")

        def advance(done: int, total: int) -> None:
            shown.update(task, description=importing, completed=done, total=total)

        report = import_file(opened, kind, path, whose=whose, dry_run=dry_run, progress=advance)
    show(_record(report), lambda: report_view(report), as_json, soft_wrap=True)


@contextmanager
def _place(settings: Settings, *, dry_run: bool) -> Iterator[Settings]:
    """Yield where the bank is; a dry run does not make one that is not there."""
    if not dry_run or "://" in settings.bank or Path(settings.bank).exists():
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="gieok-dry-run-") as folder:
        yield replace(settings, bank=str(Path(folder) / "bank.db"))


def report_view(report: Report) -> RenderableType:
    words = terminal_words()
    rows: list[tuple[str, str, str, str, str]] = []
    for moved in report.scopes:
        counts = [
            (words.some("cli.counted").get(what, what), f"{tally.new:,}", f"{tally.there:,}")
            for what, tally in moved.tallies.items()
        ]
        for number, (what, new, there) in enumerate(counts or [("", "", "")]):
            first = number == 0
            rows.append((f"[{moved.scope}]" if first else "", what, new, there, f"{moved.skipped:,}" if first else ""))
    columns = (
        Column("scope", lambda row: row[0], fold=True),
        Column("what", lambda row: row[1]),
        Column("would_import" if report.dry_run else "imported", lambda row: row[2], right=True),
        Column("present", lambda row: row[3], right=True),
        Column("skipped", lambda row: row[4], right=True),
    )
    lines = []
    for why, many, where in report.reasons():
        told, first = in_language(why, words), in_language(where, words)
        place = first if many == 1 else text("transfer.and_more", where=first, n=many - 1)
        lines.append(text("transfer.skipped", why=told, where=place))
    lines += [text("transfer.faces", folder=folder) for folder in report.faces]
    if report.dry_run:
        lines.append(text("transfer.dry_run"))
    return Group(Listing(rows, columns, words), *lines)


def _record(report: Report) -> dict[str, Any]:
    return {
        "kind": report.kind,
        "path": report.path,
        "dry_run": report.dry_run,
        "scopes": [
            {
                **record(moved.scope),
                **{what: {"new": tally.new, "there": tally.there} for what, tally in moved.tallies.items()},
                "left_out": moved.skipped,
            }
            for moved in report.scopes
        ],
        "left_out": [{"where": each.where, "why": each.why} for each in report.skipped],
        "faces": report.faces,
    }


def _import_own(path: Path, user: str | None, settings: Settings, *, dry_run: bool, as_json: bool) -> None:
    """Import what `gieok export` wrote, and leave."""
    with open_bank(settings=settings) as opened:
        taken = opened.import_export(path, user=user, dry_run=dry_run)
    show(taken, lambda: "\n".join(_fate(each, dry_run=dry_run) for each in taken), as_json, soft_wrap=True)
    raise typer.Exit(1 if any(each.fate == "differs" for each in taken) else 0)


def _fate(taken: TakenIn, *, dry_run: bool) -> str:
    names = terminal_words().some("cli.counted")
    counts = ", ".join(
        f"{names[table]} {taken.counts.get(table, 0):,}" for table in ("turns", "memories", "operations")
    )
    fate = "would_import" if dry_run and taken.fate == "new" else taken.fate
    return text(f"transfer.fates.{fate}", scope=taken.scope, counts=counts)
