"""What a bench found, as tables."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.bench.measuring import Report


def bench_tables(report: Report) -> RenderableType:
    asking = report.asking
    prepared = f"before that, a question costs {asking.encode_ms:.1f} ms of encoding ({report.embedder}) and "
    peak = "" if report.peak_memory_mb is None else f"peak memory {report.peak_memory_mb:,.0f} MB, "
    return Group(
        _writing(report),
        Text(),
        _reading(report),
        Text(f"{prepared}{asking.morphology_ms:.1f} ms of morphology", style="bright_black"),
        Text(f"{peak}bank file {report.bank_mb:,.1f} MB", style="bright_black"),
    )


def _writing(report: Report) -> Table:
    table = _table("observe, two sentences", "threads", "turns", "turns/s", "CPU ms/turn")
    for each in report.writing:
        table.add_row("", str(each.threads), f"{each.turns:,}", f"{each.per_second:,.0f}", f"{each.cpu_ms:.1f}")
    return table


def _reading(report: Report) -> Table:
    table = _table("recall, vector and morphemes given", "memories", "p50 ms", "p95 ms", "CPU ms")
    for each in report.reading:
        beside = "a small scope beside it" if each.scope.startswith("beside") else ""
        table.add_row(beside, f"{each.memories:,}", f"{each.p50_ms:.2f}", f"{each.p95_ms:.2f}", f"{each.cpu_ms:.2f}")
    return table


def _table(title: str, *numbers: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(Text(title, style="bold"), min_width=36, style="bright_black")
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
