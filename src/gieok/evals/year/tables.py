"""A year as tables for a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.evals.tables import percent
from gieok.evals.year.report import Condition, YearReport


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
