"""`gieok eval year`: a simulated year of ten characters, and what must be left of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:  # all commands are listed before one is run
    from gieok_evals.year.report import Condition, YearReport


def show(report: YearReport, console: Console, *, misses: bool = False) -> None:
    if misses:
        for miss in report.misses:
            console.print(f"[red]✗[/] {escape(miss)}", soft_wrap=True)
    console.print(_lives(report))
    console.print(_conditions(report))
    verdict = (
        "[green]everything that must hold does[/]" if report.passed else "[red]something that must hold does not[/]"
    )
    console.print(
        f"[bold]{report.characters} characters, {report.turns:,} turns each, seed {report.seed}, {report.embedder}: "
        f"{verdict}[/] ({report.seconds:.0f} s)"
    )


def _conditions(report: YearReport) -> Table:
    from gieok_evals.tables import percent

    table = Table("", "", title="what a year must leave", title_justify="left")
    table.add_column("so many", justify="right")
    table.add_column("", justify="right")
    table.add_column("")
    for condition in report.conditions:
        share = condition.share
        table.add_row(
            _sign(condition), condition.name, f"{share.hits:,}/{share.of:,}", percent(share.rate), condition.note
        )
    return table


def _sign(condition: Condition) -> str:
    if condition.holds:
        return "[green]✓[/]"
    return "[red]✗[/]" if condition.must else "[yellow]·[/]"


def _lives(report: YearReport) -> Table:
    table = Table("", title="ten lives" if report.characters == 10 else "lives", title_justify="left")
    for heading in ("made", "in view", "most", "merged", "let go", "score", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("levels")
    for lived in report.lives:
        levels = [point.level for point in lived.course]
        changes = [level for number, level in enumerate(levels) if number == 0 or levels[number - 1] != level]
        table.add_row(
            f"{lived.user} – {lived.character} [dim]{escape(lived.title)}[/]",
            f"{lived.made:,}",
            f"{lived.visible:,}",
            f"{lived.most:,}",
            f"{lived.merged:,}",
            f"{lived.let_go:,}",
            f"{lived.course[-1].score:.0f}" if lived.course else "–",
            f"{lived.seconds:.0f}",
            " → ".join(changes),
        )
    return table


def year(
    characters: Annotated[int, typer.Option(min=1, max=10, metavar="N", help="How many lives.")] = 10,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="Turns of each, over 365 days.")] = 3_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same year.")] = 0,
    embedder: Annotated[str, typer.Option(metavar="NAME", help="What makes the vectors.")] = "hashing",
    cap: Annotated[int, typer.Option(min=0, metavar="N", help="Memories of a character at most; 0: no cap.")] = 100,
    workers: Annotated[int, typer.Option(min=0, metavar="N", help="Processes; 0: one for each core.")] = 0,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw how close they became.")] = None,
    show_misses: Annotated[bool, typer.Option("--show-misses", help="List what failed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Live through a year and look what is left: facts, promises, feelings, and how close they became."""
    from gieok_evals.figures import as_json as written
    from gieok_evals.retrieval import chart as charts
    from gieok_evals.year import chart as courses
    from gieok_evals.year.command import show
    from gieok_evals.year.running import Plan, run

    if chart is not None:
        charts.check(chart)
    plan = Plan(
        characters=characters, turns=turns, seed=seed, embedder=embedder, cap=cap or None, workers=workers or None
    )
    with _progress() as bar:
        task = bar.add_task("living through a year", total=characters * turns)
        report = run(plan, progress=lambda turns: bar.advance(task, turns))
    if as_json:
        typer.echo(written(report))
    else:
        show(report, Console(emoji=False, highlight=False), misses=show_misses)
    if chart is not None:
        courses.save(report, chart)
    if not report.passed:
        raise typer.Exit(1)


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
