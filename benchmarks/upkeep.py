"""How long upkeep takes in one large scope.

    python benchmarks/upkeep.py --memories 100000

The scope is filled by the bulk loader of scaling/; then every pass runs once, as one operation.
"""

from __future__ import annotations

import multiprocessing
import resource
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Final

import typer
from rich.table import Table

import gieok
from gieok.cli.console import answers, asides
from gieok.domain.scope import Scope
from gieok.domain.upkeep import PASSES
from gieok.embedders import HashingEmbedder
from scaling.loading import Heard, Loader
from scaling.made_up import ITEMS_OF_A_TURN, people, questions

_SCOPE: Final = Scope(user="민수", character="레티아")


def main(
    memories: Annotated[int, typer.Option(min=1_000, help="Memories in the scope.")] = 100_000,
    cap: Annotated[int, typer.Option(min=0, help="The most that may stay; 0: no cap.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="A dry run before it.")] = False,
) -> None:
    """Measure every pass of upkeep over one scope; a guide, not a test."""
    folder = Path(mkdtemp(prefix="gieok-upkeep-"))
    try:
        answers().print(_measured(folder / "bank.db", memories, cap, dry_run_too=dry_run))
    finally:
        shutil.rmtree(folder)


def _load(path: Path, memories: int) -> None:
    embedder = HashingEmbedder()
    with Loader(path, embedder=embedder.name, dimension=embedder.dimension) as loader:
        loader.load(_SCOPE, _told(memories, embedder.dimension))


def _measured(path: Path, memories: int, cap: int, *, dry_run_too: bool) -> Table:
    embedder = HashingEmbedder()
    asides().print(f"loading {memories:,} memories …")
    loading = multiprocessing.get_context("spawn").Process(target=_load, args=(path, memories))  # memory of its own
    loading.start()
    loading.join()
    table = Table(title=f"upkeep over {memories:,} memories in one scope")
    for name in ("passes", "done", "CPU s", "wall s", "peak MB"):
        table.add_column(name, justify="left" if name == "passes" else "right")
    with gieok.open(path, embedder=embedder, upkeep="off", upkeep_cap=cap) as bank:
        mind = bank.mind(_SCOPE)
        for dry_run in (True, False) if dry_run_too else (False,):
            cpu, wall = time.process_time(), time.perf_counter()
            report = mind.maintain(PASSES, dry_run=dry_run)
            table.add_row(
                f"{', '.join(report.passes)}{' (dry run)' if dry_run else ''}",
                f"{len(report.kept):,}",
                f"{time.process_time() - cpu:.1f}",
                f"{time.perf_counter() - wall:.1f}",
                f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:,}",
            )
    return table


def _told(memories: int, dimension: int) -> Iterator[Heard]:
    """Yield turns that each gave one free memory: those with an attribute are never let go."""
    for heard in people(dimension, questions(5)).talk(_SCOPE, memories * ITEMS_OF_A_TURN):
        claims = tuple(replace(claim, attribute=None, value=None) for claim in heard.claims)
        yield replace(heard, claims=claims)


if __name__ == "__main__":
    typer.run(main)
