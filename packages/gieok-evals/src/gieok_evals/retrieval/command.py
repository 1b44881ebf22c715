"""`gieok eval retrieval`: how well what was said is found again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def retrieval(
    data: Annotated[
        Path,
        typer.Option(metavar="FILE", help="LoCoMo, ParaKQC, SmileStyle or JSON Lines.", exists=True, dir_okay=False),
    ],
    queries: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Questions to ask; 0: all (default: all, 1,000 of a TSV)."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed draws the same questions.")] = 0,
    captions: Annotated[bool, typer.Option(help="LoCoMo: with what a shared photo shows.")] = True,
    with_memories: Annotated[
        bool, typer.Option("--with-memories", help="Rank memories, too, each for the turn it was read from.")
    ] = False,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help='Another embedder than the settings say, e.g. "hashing".')
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Leave out each part and each source in turn.")] = False,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help='Presets side by side, with a model\'s help as in "default+rerank,heroine+compress+rewrite", '
            'or weights: "a=graph:0,b=keyword:1,graph:0.5".',
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help='The model that helps, e.g. "ollama:qwen3:8b" (default: from the settings).'),
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="Tune the weights on all conversations but one, and try them on that one.")
    ] = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the figures.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Observe conversations, recall their questions, and look for the turns that answer."""
    from gieok_evals.retrieval import chart as charts
    from gieok_evals.retrieval.datasets import sampled
    from gieok_evals.retrieval.loading import load
    from gieok_evals.retrieval.measuring import Plan, measure
    from gieok_evals.retrieval.record import record
    from gieok_evals.retrieval.tables import show
    from gieok_evals.retrieval.ways import compared

    if chart is not None:
        charts.check(chart)
    plan = Plan(
        with_memories=with_memories,
        ablate=ablate,
        compare=compared(compare or ""),
        tune=tune,
        seed=seed,
        llm=llm,
    )
    dataset = sampled(load(data, captions=captions), queries, seed=seed)
    with _progress() as bar:
        tasks = {
            "observed": bar.add_task("observing", total=dataset.lines),
            "asked": bar.add_task("asking", total=len(plan.ways) * dataset.queries),
        }
        report = measure(dataset, plan, embedder=embedder, progress=lambda done: bar.advance(tasks[done]))
    if as_json:
        typer.echo(json.dumps(record(report), ensure_ascii=False, indent=2))
    else:
        show(report, Console(emoji=False, highlight=False))
    if chart is not None:
        charts.save(report, chart)


def _progress() -> Progress:
    asides = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=asides,
        transient=True,
        disable=not asides.is_terminal,  # it would leave an empty line
    )
