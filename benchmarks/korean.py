"""gieok's peers in the planted-facts test: the same Korean conversations, the same vectors.

    python benchmarks/korean.py --split test --scripts 20
    python benchmarks/korean.py --peers mem0,langgraph --envs FOLDER

Each gets every line of the user as a memory of its own, and answers with what it finds for a question: what `gieok eval
run` does with an adapter. Environments and versions are those of `peers.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from comparing.contenders import CONTENDERS, Contender, named
from comparing.environments import NotInstalled, python_of
from comparing.running import WorkerFailed
from comparing.talking import talker
from gieok.cli.console import answers, asides
from gieok.embedders import UniversalEncoder
from gieok.ports import Embedder
from gieok_evals.outside import run
from gieok_evals.reports import plain
from machine import ROOT

_PEERS: Final = ",".join(each.name for each in CONTENDERS if each.environment.own)


def main(
    peers: Annotated[str, typer.Option(metavar="NAME,NAME", help="Whom to compare.")] = _PEERS,
    split: Annotated[str, typer.Option(help="dev or test.")] = "dev",
    scripts: Annotated[int, typer.Option(min=1, help="How many scripts to play.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same sentences.")] = 0,
    envs: Annotated[Path, typer.Option(help="Where the peers' environments are kept.")] = ROOT / "benchmarks/.peers",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Put gieok's peers to the planted-facts test; a guide, not a test."""
    try:
        chosen = named(peers)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--peers") from error
    encoder = UniversalEncoder()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    results = []
    with Progress(*columns, console=asides(), transient=True) as shown:
        for contender in chosen:
            further = partial(shown.advance, shown.add_task(contender.name, total=scripts))
            results.append(_result(contender, envs, encoder, split, scripts, seed, further))
    if json_file is not None:
        json_file.write_text(json.dumps({"results": results}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    answers().print(_table(results))


def _result(
    contender: Contender,
    envs: Path,
    encoder: Embedder,
    split: str,
    scripts: int,
    seed: int,
    progress: Callable[[], None],
) -> dict[str, Any]:
    """Return what a peer gave, or what went wrong; the run goes on in either case."""
    about = {"name": contender.name, "how": contender.how}
    try:
        with talker(contender, python_of(contender.environment, envs), encoder) as memory:
            report = run(
                lambda: memory, name=contender.name, split=split, scripts=scripts, seed=seed, progress=progress
            )
    except (NotInstalled, WorkerFailed) as error:
        return about | {"trouble": str(error), "report": None}
    return about | {"trouble": None, "report": plain(report)}


def _table(results: list[dict[str, Any]]) -> Table:
    table = Table("memory", "found at 1", "at 5", "at 10", "fresh", "leaks")
    for each in results:
        if each["report"] is None:
            table.add_row(each["name"], each["trouble"])
            continue
        scores = {name: value["share"] for name, value in each["report"]["scores"].items()}
        shown = (scores[name]["rate"] for name in ("found_at_1", "found_at_5", "found_at_10", "fresh"))
        rates = ("–" if rate is None else f"{rate:.1%}" for rate in shown)
        table.add_row(each["name"], *rates, str(scores["leaks"]["hits"]))
    return table


if __name__ == "__main__":
    typer.run(main)
