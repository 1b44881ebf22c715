"""Teaching the reader on the command line: reader teach, forget, distil."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.cli.common import AsJson, BankPath, Where, minds_in, scoped, settings_for
from gieok.cli.console import DIM, show, terminal_words, text, waiting
from gieok.cli.table import Column, Listing
from gieok.errors import ErrorText, InvalidInput, InvalidQuery
from gieok.extract.learned import taught as lessons
from gieok.extract.learned.network import network
from gieok.extract.learned.taught import Taught
from gieok.settings import Settings


def teach(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    path = _beside(settings_for(bank))
    try:
        said = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(ErrorText("teaching.not_utf8", path=file)) from error
    with waiting(text("reader.learning")):
        net = network()
        taught = lessons.teach(lessons.lines_in(said, net), net)
    if not dry_run:
        lessons.save(path, taught)
    found = {
        "lines": taught.lines,
        "held_out": taught.held_out,
        "before": asdict(taught.before),
        "after": asdict(taught.after),
        "written": None if dry_run else str(path),
    }
    show(found, lambda: _view(taught, None if dry_run else path), as_json, soft_wrap=True)


def forget(bank: BankPath = None, as_json: AsJson = False) -> None:
    path = _beside(settings_for(bank))
    there = path.exists()
    path.unlink(missing_ok=True)
    done = text("reader.forgotten" if there else "reader.nothing_taught", path=path)
    show({"removed": str(path) if there else None}, lambda: done, as_json, soft_wrap=True)


@scoped
def distil(
    where: Where,
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False)],
    everywhere: Annotated[bool, typer.Option("--all")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> None:
    from gieok.bank.distilled import lines

    if file.exists() and not force:
        raise InvalidInput(ErrorText("teaching.exists", path=file))
    with where.open() as opened:
        minds = minds_in(opened, where, everywhere)
        found = list(dict.fromkeys(line for mind in minds for line in lines(mind)))
    if not found:
        raise InvalidQuery(text("errors.nothing_distilled"))
    file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    marked = sum("{" in line for line in found)
    done = {"lines": len(found), "marked": marked, "written": str(file)}
    show(done, lambda: text("reader.distilled", n=len(found), marked=marked, path=file), where.as_json, soft_wrap=True)


GROUPS: Final = {"reader": {"teach": teach, "forget": forget, "distil": distil}}


def _beside(settings: Settings) -> Path:
    if settings.reader_place is None:
        raise InvalidQuery(text("errors.reader_file_needed"))
    return settings.reader_place


def _view(taught: Taught, path: Path | None) -> RenderableType:
    rows = [("before", taught.before), ("after", taught.after)]
    columns = (
        Column("reader", lambda row: text(f"reader.{row[0]}"), style="cyan"),
        Column("labelled", lambda row: f"{row[1].labelled:,}", right=True),
        Column("found", lambda row: f"{row[1].found:,}", right=True),
        Column("extra", lambda row: f"{row[1].extra:,}", right=True),
    )
    scored = text("reader.held_out" if taught.held_out else "reader.same_lines", n=taught.held_out or taught.lines)
    written = text("reader.written", n=taught.lines, path=path) if path else text("reader.dry_run", n=taught.lines)
    return Group(Listing(rows, columns, terminal_words()), Text(scored, style=DIM), "", written)
