"""`gieok bench`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, asides, print_json, wake
from gieok.cli.options import AsJson

if TYPE_CHECKING:
    from gieok.cli.bench.measuring import Report
    from gieok.settings import Settings

Sizes = Annotated[str, typer.Option("--memories", metavar="N,N", help="How many memories in a scope to recall from.")]
Turns = Annotated[int, typer.Option("--turns", min=1, help="How many turns each thread observes.")]


def bench(memories: Sizes = "1000,10000", turns: Turns = 200, as_json: AsJson = False) -> None:
    """Measure observing and recalling on this machine; a guide, not a test."""
    from tempfile import TemporaryDirectory

    from gieok.cli.opening import settings_for

    sizes = _numbers(memories)
    with TemporaryDirectory(prefix="gieok-bench-") as folder:
        report = _measured(settings_for(None).for_a_trial(str(Path(folder) / "bench.db")), sizes, turns)
    if as_json:
        print_json(asdict(report))
        return
    from gieok.cli.look.bench import bench_tables

    answers().print(bench_tables(report))


def _measured(settings: Settings, sizes: list[int], turns: int) -> Report:
    from itertools import islice

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gieok import embedders
    from gieok.bank import MemoryBank
    from gieok.cli.bench import measuring, sentences
    from gieok.cli.bench.measuring import Report

    embedder = measuring.Prepared(
        embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    )
    readings = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with MemoryBank(settings, embedder=embedder) as bank:
        wake(bank)
        asking = measuring.asking(embedder)
        with Progress(*columns, console=asides(), transient=True) as shown:
            task = shown.add_task("observing", total=2)
            writings = []
            for threads in (1, 8):
                writings.append(measuring.writing(bank, threads=threads, turns=turns))
                shown.advance(task)
            for size in sizes:
                for name, count in ((f"full-{size}", size), (f"beside-{size}", 10)):
                    mind = bank.scope(user=name, character="레티아")
                    task = shown.add_task(f"remembering {count:,}", total=count)
                    for done in measuring.fill(mind, embedder, islice(sentences.memories(), count)):
                        shown.advance(task, done)
                    readings.append(measuring.reading(mind, embedder, scope=name, memories=count))
        size_mb = bank.info().size_bytes / 1024 / 1024
    return Report(
        embedder=embedder.name,
        asking=asking,
        writing=tuple(writings),
        reading=tuple(readings),
        peak_memory_mb=measuring.peak_memory_mb(),
        bank_mb=size_mb,
    )


def _numbers(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.replace("_", "").split(",")]
    except ValueError:
        sizes = []
    if not sizes or min(sizes) < 1:
        raise typer.BadParameter(f"{text!r}: write whole numbers above 0, e.g. 1000,10000", param_hint="--memories")
    return sizes
