"""What was found, as tables: every figure beside its ratio to gieok's."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from comparing.contenders import BASELINE
from comparing.findings import Findings, Result, Stage


def tables(found: Findings) -> RenderableType:
    troubles = [_trouble(result) for result in found.results if result.trouble]
    sizes: list[RenderableType] = []
    for size in found.sizes:
        sizes += [_speed(found, size), Text()]
    ways = [Text(f"{result.name}: {result.how}", style="bright_black") for result in found.results]
    return Group(*troubles, _finding(found), Text(), *sizes, *ways, Text(_SAME, style="bright_black"))


_SAME = (
    "the same texts and vectors for all, one thread, no network; ms on the clock, CPU ms of the median call, all "
    "threads together; × is against gieok"
)


def _trouble(result: Result) -> Text:
    return Text.assemble((f" {result.name} ", "bold white on red"), (f" {result.trouble}", "bold red"))


def _finding(found: Findings) -> Table:
    title = f"LoCoMo, {found.conversations} conversations, {found.turns:,} turns"
    table = _table(title, "questions", "R@10", "×", "MRR", "×")
    base = found.of(BASELINE)
    for result in found.results:
        finding, ours = result.finding, base.finding if base else None
        if finding is None:
            table.add_row(result.name, "–")
            continue
        table.add_row(
            result.name,
            f"{finding.questions:,}",
            f"{finding.recall_at_10:.3f}",
            ratio(finding.recall_at_10, ours.recall_at_10 if ours else None),
            f"{finding.mrr:.3f}",
            ratio(finding.mrr, ours.mrr if ours else None),
        )
    return table


def _speed(found: Findings, size: int) -> Table:
    headings = ("add p50", "p95", "×", "CPU", "×", "search p50", "p95", "×", "CPU", "×", "peak MB", "×", "disk MB", "×")
    table = _table(f"{size:,} memories", *headings, "")
    base = found.of(BASELINE)
    ours = base.at(size) if base else None
    for result in found.results:
        stage = result.at(size)
        if stage is None:
            table.add_row(result.name, *["–"] * len(headings), "see above" if result.trouble else "not reached")
        else:
            table.add_row(result.name, *_figures(stage, ours), remark(stage, found.limit_seconds))
    return table


def _figures(stage: Stage, ours: Stage | None) -> list[str]:
    return [
        f"{stage.add_wall.p50:.2f}",
        f"{stage.add_wall.p95:.2f}",
        ratio(stage.add_wall.p50, ours.add_wall.p50 if ours else None),
        f"{stage.add_cpu.p50:.2f}",
        ratio(stage.add_cpu.p50, ours.add_cpu.p50 if ours else None),
        f"{stage.search_wall.p50:.2f}",
        f"{stage.search_wall.p95:.2f}",
        ratio(stage.search_wall.p50, ours.search_wall.p50 if ours else None),
        f"{stage.search_cpu.p50:.2f}",
        ratio(stage.search_cpu.p50, ours.search_cpu.p50 if ours else None),
        "–" if stage.peak_mb is None else f"{stage.peak_mb:,.0f}",
        ratio(stage.peak_mb, ours.peak_mb if ours else None),
        f"{stage.disk_mb:,.1f}",
        ratio(stage.disk_mb, ours.disk_mb if ours else None),
    ]


def remark(stage: Stage, limit_seconds: float) -> str:
    """Return what has to be said of a stage: nothing, unless it was too slow."""
    return f"> {limit_seconds:,.0f} s; measured at {stage.added:,} adds" if stage.cut else ""


def ratio(value: float | None, ours: float | None) -> str:
    """Return how many times `ours` it is, in three figures."""
    return "" if value is None or not ours else f"{value / ours:.2f}" if value < 10 * ours else f"{value / ours:,.0f}"


def _table(title: str, *headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(Text(title, style="bold"), min_width=18)
    for heading in headings:
        table.add_column(heading, justify="right", style="bright_black" if heading == "×" else None)
    return table
