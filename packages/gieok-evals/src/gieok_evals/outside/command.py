"""`gieok eval run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from gieok_evals.outside.report import OutsideReport


def run(
    adapter: Annotated[
        str, typer.Option(metavar="MODULE:CLASS", help="The memory to try: package.module:Class, or file.py:Class.")
    ],
    split: Annotated[str, typer.Option(help="Whose sentences: dev, or test, of which only figures are shown.")] = "dev",
    scripts: Annotated[int, typer.Option(min=1, help="How many scripts to play.")] = 10,
    turns: Annotated[int, typer.Option(help="101, or the long form with 1000.")] = 101,
    seed: Annotated[int, typer.Option(help="The same seed gives the same sentences.")] = 0,
    show_misses: Annotated[
        bool, typer.Option("--show-misses", help="List what failed (not for the test split).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Put any memory to the planted-facts test, through an adapter of your own. A leak fails the run."""
    from rich.progress import Progress

    from gieok_evals.figures import as_json as written
    from gieok_evals.outside.adapter import load
    from gieok_evals.outside.playing import run as played

    made = load(adapter)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"playing {scripts} scripts", total=scripts)
        report = played(
            made,
            name=made.__name__,
            split=split,
            scripts=scripts,
            turns=turns,
            seed=seed,
            show=show_misses,
            progress=lambda: bar.advance(task),
        )
    if as_json:
        typer.echo(written(report))
    else:
        show(report, Console(emoji=False, highlight=False, markup=False))
    if not report.passed:
        raise typer.Exit(1)


def show(report: OutsideReport, console: Console) -> None:
    """Print a report: what failed, the shares with their intervals, and what was found by kind and slot."""
    from gieok_evals.outside.report import MEANINGS
    from gieok_evals.tables import percent, share, shares

    for failure in report.failures:
        console.print(failure, soft_wrap=True)
    kinds = {name: report.by[name] for name in ("direct", "indirect") if name in report.by}
    console.print(shares("found at 10 by kind", kinds))
    console.print(shares("found at 10 by slot", {name: each for name, each in report.by.items() if name not in kinds}))
    table = Table("", "", "95 %", title=f"{report.adapter}: split {report.split}, {report.scripts} scripts")
    for name, meaning in MEANINGS.items():
        headline = report.scores[name]
        ends = "" if headline.interval is None else " – ".join(map(percent, headline.interval))
        table.add_row(meaning, share(headline.share), ends)
    console.print(table)
    console.print(
        f"median: observe {report.observe_ms:.1f} ms, ask {report.ask_ms:.1f} ms; "
        f"{report.characters:,.0f} characters of answers on average"
    )
