"""How long upkeep takes in one large scope.

    python benchmarks/upkeep.py --memories 100000

The scope is filled by the bulk loader of scaling/; then every pass runs once, as one operation.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Final

import typer
from rich.table import Table

import gieok
from figures import peak_memory_mb
from gieok.cli.console import answers, asides
from gieok.domain.scope import Scope
from gieok.domain.upkeep import PASSES
from gieok.embedders import HashingEmbedder
from scaling.loading import Heard, Loader
from scaling.made_up import ITEMS_OF_A_TURN, people, questions

_SCOPE: Final = Scope(user="민수", character="레티아")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Every pass once; `--json` writes a list of these."""

    memories: int
    passes: tuple[str, ...]
    dry_run: bool
    done: int
    cpu_seconds: float
    seconds: float
    peak_mb: float | None


def main(
    memories: Annotated[int, typer.Option(min=1_000, help="Memories in the scope.")] = 100_000,
    cap: Annotated[int, typer.Option(min=0, help="The most that may stay; 0: no cap.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="A dry run before it.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure every pass of upkeep over one scope; a guide, not a test."""
    folder = Path(mkdtemp(prefix="gieok-upkeep-"))
    try:
        rounds = _measured(folder / "bank.db", memories, cap, dry_run_too=dry_run)
    finally:
        shutil.rmtree(folder)
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(each) for each in rounds], indent=2) + "\n", encoding="utf-8")
    answers().print(_table(rounds))


def _load(path: Path, memories: int) -> None:
    embedder = HashingEmbedder()
    with Loader(path, embedder=embedder.name, dimension=embedder.dimension) as loader:
        loader.load(_SCOPE, _told(memories, embedder.dimension))


def _measured(path: Path, memories: int, cap: int, *, dry_run_too: bool) -> list[Round]:
    embedder = HashingEmbedder()
    asides().print(f"loading {memories:,} memories …")
    loading = multiprocessing.get_context("spawn").Process(target=_load, args=(path, memories))  # memory of its own
    loading.start()
    loading.join()
    rounds = []
    with gieok.open(path, embedder=embedder, upkeep="off", upkeep_cap=cap) as bank:
        mind = bank.mind(_SCOPE)
        for dry_run in (True, False) if dry_run_too else (False,):
            cpu, wall = time.process_time(), time.perf_counter()
            report = mind.maintain(PASSES, dry_run=dry_run)
            rounds.append(
                Round(
                    memories=memories,
                    passes=tuple(report.passes),
                    dry_run=dry_run,
                    done=len(report.kept),
                    cpu_seconds=time.process_time() - cpu,
                    seconds=time.perf_counter() - wall,
                    peak_mb=peak_memory_mb(),
                )
            )
    return rounds


def _table(rounds: list[Round]) -> Table:
    table = Table(title=f"upkeep over {rounds[0].memories:,} memories in one scope")
    for name in ("passes", "done", "CPU s", "wall s", "peak MB"):
        table.add_column(name, justify="left" if name == "passes" else "right")
    for each in rounds:
        table.add_row(
            f"{', '.join(each.passes)}{' (dry run)' if each.dry_run else ''}",
            f"{each.done:,}",
            f"{each.cpu_seconds:.1f}",
            f"{each.seconds:.1f}",
            "–" if each.peak_mb is None else f"{each.peak_mb:,.0f}",
        )
    return table


def _told(memories: int, dimension: int) -> Iterator[Heard]:
    """Yield turns that each gave one free memory: those with an attribute are never let go."""
    for heard in people(dimension, questions(5)).talk(_SCOPE, memories * ITEMS_OF_A_TURN):
        claims = tuple(replace(claim, attribute=None, value=None) for claim in heard.claims)
        yield replace(heard, claims=claims)


if __name__ == "__main__":
    typer.run(main)
