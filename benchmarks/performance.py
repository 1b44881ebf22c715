"""Where the time goes: profiles observing, recalling, making contexts and serving, and writes `docs/performance.md`.

    python benchmarks/performance.py            # some 10 minutes
    python benchmarks/performance.py --peers peers.json    # with the part about others
    python benchmarks/performance.py --quick    # small; writes nothing into docs/

Each size is profiled in a process of its own. The pictures stand beside the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Annotated, Final

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from gieok.cli.console import answers, asides
from machine import ROOT, Machine
from profiling.acting import acts
from profiling.beside import PICTURE, Limits, findings_from, picture
from profiling.findings import Profiled
from profiling.page import Unexplained, page, pictures, reasons
from profiling.phases import PHASES, found
from profiling.served import served

_SIZES: Final = (100, 1_000, 10_000)


def main(
    count: Annotated[int, typer.Option(min=1, help="Calls of each kind and size that are counted.")] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="How long a server is under load.")] = 30,
    quick: Annotated[
        bool, typer.Option("--quick", help="Two small sizes and few calls, to see that it works.")
    ] = False,
    peers: Annotated[
        Path | None, typer.Option(exists=True, metavar="FILE", help="What peers.py --json wrote: a part of the page.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Where page and pictures go (default: docs/).")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Profile the four ways and write the page."""
    try:
        why = reasons()
        for phase in PHASES:
            for dotted in phase.of:
                found(dotted)
    except (LookupError, Unexplained) as trouble:
        asides().print(str(trouble), style="bold red")
        sys.exit(1)
    sizes = (100, 300) if quick else _SIZES
    calls, load = (20, 3.0) if quick else (count, seconds)
    work: dict[str, Callable[[], list[Profiled]]] = {f"{size:,} memories": partial(acts, size, calls) for size in sizes}
    work["serving"] = lambda: [served(seconds=load, clients=10 if quick else 50, people=20 if quick else 200)]
    machine = Machine.here()
    profiles = _measured(work)
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(each) for each in profiles], indent=2) + "\n", encoding="utf-8")
    place = folder or (Path(mkdtemp(prefix="gieok-performance-page-")) if quick else ROOT / "docs")
    beside = None if peers is None else findings_from(peers)
    with TemporaryDirectory() as trial:
        limits = Limits.here(Path(trial))
    (place / "performance.md").write_text(page(profiles, machine, why, limits=limits, beside=beside), encoding="utf-8")
    drawn = pictures(profiles) | ({} if beside is None else {PICTURE: picture(beside)})
    for name, content in drawn.items():
        (place / name).write_text(content, encoding="utf-8")
    answers().print(f"written: {place / 'performance.md'}")


def _measured(work: dict[str, Callable[[], list[Profiled]]]) -> list[Profiled]:
    profiles: list[Profiled] = []
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=asides()) as shown:
        for name, profile in work.items():
            task = shown.add_task(f"profiling: {name}", total=1)
            profiles += profile()
            shown.update(task, completed=1)
            if not shown.console.is_terminal:  # where no line is drawn until the end
                shown.console.print(f"profiled: {name}")
    return profiles


if __name__ == "__main__":
    typer.run(main)
