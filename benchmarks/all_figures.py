"""All figures in one go: runs every measurement, each in a process of its own, and writes `docs/figures.md`.

    python benchmarks/all_figures.py --data FOLDER
    python benchmarks/all_figures.py --data FOLDER --resume          # what is measured already stays
    python benchmarks/all_figures.py --data FOLDER --only year,facts # these anew; all others stay
    python benchmarks/all_figures.py --data FOLDER --quick           # small counts, to see that it works

What each told is kept in `benchmarks/.figures/NAME.json`, so that a run that was stopped can go on. It ends with 1
where something could not be measured; a goal that is missed stands in the page, and ends nothing.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from gieok.cli.console import answers, asides
from holding.measurement import Measurement, Places
from holding.measurements import MEASUREMENTS, named
from holding.page import Row, page, rows
from holding.parts import PARTS
from holding.running import Result, measured
from machine import ROOT, Machine

_KEPT: Final = ROOT / "benchmarks" / ".figures"
_COLOURS: Final = {"yes": "green", "no": "yellow", "not measured": "bold red"}


def main(
    data: Annotated[Path, typer.Option(help="The folder with the data.")] = Path("data"),
    model: Annotated[Path | None, typer.Option(help="A model file (.gguf) for the figures with a model.")] = None,
    envs: Annotated[Path, typer.Option(help="Where the peers' environments are kept.")] = ROOT / "benchmarks/.peers",
    only: Annotated[str | None, typer.Option(metavar="NAME,NAME", help="These anew; all others stay.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: what is measured already stays.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small counts; writes no page into docs/.")] = False,
    kept: Annotated[Path | None, typer.Option(help="Where what each told is kept.")] = None,
) -> None:
    """Measure everything that must hold, and write the page."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what runs is ended, too
    chosen = _chosen(only)
    folder = kept or (_KEPT / "quick" if quick else _KEPT)
    places = Places(data=data.absolute(), model=model.absolute() if model else None, envs=envs.absolute())
    machine = Machine.here()
    results = _results(chosen, places, folder, afresh=not resume and only is None, resume=resume, quick=quick)
    target = folder / "figures.md" if quick else ROOT / "docs" / "figures.md"
    target.write_text(page(PARTS, MEASUREMENTS, results, machine, quick=quick), encoding="utf-8")
    found = [row for part in PARTS for row in rows(part, results)]
    answers().print(_table(found))
    answers().print(f"written: {target}")
    unmeasured = [row for row in found if row.verdict == "not measured"]
    if unmeasured:
        asides().print(
            f"{len(unmeasured)} conditions were NOT MEASURED; --resume measures what is missing", style="red"
        )
    sys.exit(1 if unmeasured else 0)


def _chosen(only: str | None) -> Sequence[Measurement]:
    try:
        return MEASUREMENTS if only is None else named(only)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--only") from error


def _results(
    chosen: Sequence[Measurement], places: Places, folder: Path, *, afresh: bool, resume: bool, quick: bool
) -> dict[str, Result]:
    if afresh:
        for file in folder.glob("*.json"):
            file.unlink()
    results = {each.name: kept for each in MEASUREMENTS if (kept := Result.kept(folder, each.name))}
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=asides()) as shown:
        task = shown.add_task("measuring", total=len(chosen))
        for each in chosen:
            before = results.get(each.name)
            if not (resume and before is not None and before.trouble is None):
                shown.update(task, description=each.name)
                result = measured(each, places, folder, quick=quick)
                result.keep(folder)
                results[each.name] = result
                _tell(shown, result)
            shown.advance(task)
    return results


def _tell(shown: Progress, result: Result) -> None:
    if result.trouble is None:
        shown.console.print(f"{result.name}: {result.seconds:,.0f} s")
    else:
        shown.console.print(f"{result.name}: NOT MEASURED: {result.trouble}", style="bold red", markup=False)


def _table(found: Sequence[Row]) -> Table:
    table = Table("what must hold", "goal", "measured", "met")
    for row in found:
        verdict = Text(row.verdict, style=_COLOURS[row.verdict])
        table.add_row(row.condition.what, row.condition.goal, row.measured, verdict)
    return table


if __name__ == "__main__":
    typer.run(main)
