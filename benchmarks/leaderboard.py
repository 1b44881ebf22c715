"""gieok beside others, on one page: measures what is not measured yet, and writes `docs/leaderboard.md`.

    python benchmarks/leaderboard.py --data FOLDER
    python benchmarks/leaderboard.py --data FOLDER --anew benchmark-gieok,pii   # these once more
    python benchmarks/leaderboard.py --as-it-is                                 # the page alone, from what is kept

Most of it is what `make figures` measures, and is kept in the same place (`benchmarks/.figures`). It ends with 1 where
something could not be measured; the page says what and why.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gieok.cli.console import answers, asides
from holding.measurement import Places
from holding.running import Result, measured
from machine import ROOT, Machine
from ranking.boards import BOARDS
from ranking.measurements import MEASUREMENTS
from ranking.page import missing, page

_KEPT: Final = ROOT / "benchmarks" / ".figures"


def main(
    data: Annotated[Path, typer.Option(help="The folder with the data.")] = Path("data"),
    envs: Annotated[Path, typer.Option(help="Where the peers' environments are kept.")] = ROOT / "benchmarks/.peers",
    anew: Annotated[str, typer.Option(metavar="NAME,NAME", help="Measure these once more.")] = "",
    as_it_is: Annotated[bool, typer.Option("--as-it-is", help="Measure nothing; write what is kept.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small counts; writes no page into docs/.")] = False,
    kept: Annotated[Path | None, typer.Option(help="Where what each told is kept.")] = None,
) -> None:
    """Write the leaderboard."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what runs is ended, too
    folder = kept or (_KEPT / "quick" if quick else _KEPT)
    target = folder / "leaderboard.md" if quick else ROOT / "docs" / "leaderboard.md"
    results = {each.name: found for each in MEASUREMENTS if (found := Result.kept(folder, each.name))}
    if not as_it_is:
        places = Places(data=data.absolute(), model=None, envs=envs.absolute())
        _measure(results, _again(anew), places, folder, quick=quick)
    folder.mkdir(parents=True, exist_ok=True)
    target.write_text(page(BOARDS, MEASUREMENTS, results, Machine.here()), encoding="utf-8")
    answers().print(f"written: {target}")
    lacking = {name: why for board in BOARDS for name, why in missing(board, results).items()}
    for name, why in lacking.items():
        asides().print(f"{name}: NOT MEASURED: {why}", style="red")
    sys.exit(1 if lacking else 0)


def _again(names: str) -> set[str]:
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    unknown = wanted - {each.name for each in MEASUREMENTS}
    if unknown:
        known = ", ".join(each.name for each in MEASUREMENTS)
        raise typer.BadParameter(f"there is no {', '.join(sorted(unknown))}; there are {known}", param_hint="--anew")
    return wanted


def _measure(results: dict[str, Result], again: set[str], places: Places, folder: Path, *, quick: bool) -> None:
    due = [each for each in MEASUREMENTS if each.name in again or not _is_there(results.get(each.name))]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=asides()) as shown:
        task = shown.add_task("measuring", total=len(due))
        for each in due:
            shown.update(task, description=each.name)
            results[each.name] = measured(each, places, folder, quick=quick)
            results[each.name].keep(folder)
            shown.advance(task)


def _is_there(result: Result | None) -> bool:
    return result is not None and result.trouble is None


if __name__ == "__main__":
    typer.run(main)
