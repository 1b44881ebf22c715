"""What was found, as tables."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scaling.findings import Findings, Reading, Scan, Stage


def tables(found: Findings) -> RenderableType:
    beside = (
        f"before that, a question costs {found.encode_cpu_ms:.1f} ms CPU of encoding ({found.embedder}) "
        f"and {found.morphology_cpu_ms:.1f} ms of morphology"
    )
    return Group(
        _reading(found.stages),
        Text(beside, style="bright_black"),
        Text(),
        _writing(found.stages),
        Text(),
        *_beside(found),
        _scan(found.scan),
    )


def _reading(stages: tuple[Stage, ...]) -> Table:
    headings = (
        "items in bank",
        "scopes",
        "bank MB",
        "warm p50",
        "warm p95",
        "cold p50",
        "cold p95",
        "warm p50 changed",
    )
    table = table_of("recall, CPU ms, vector and morphemes given", *headings)
    first = {reading.scope_items: reading for reading in stages[0].reading}
    for place, reading in enumerate(stages[0].reading):
        for stage in stages:
            at = stage.reading[place]
            title = f"scopes of {reading.scope_items:,} items" if stage is stages[0] else ""
            table.add_row(
                title,
                f"{stage.items:,}",
                f"{stage.scopes:,}",
                f"{stage.bank_mb:,.0f}",
                *(f"{value:.2f}" for value in (at.warm.p50, at.warm.p95, at.cold.p50, at.cold.p95)),
                "" if stage is stages[0] else f"{change(first[at.scope_items], at):+.1f} %",
            )
    return table


def _beside(found: Findings) -> list[RenderableType]:
    """Return the file and the server side by side, by the clock: a server works while we wait for it."""
    if not found.server:
        return []
    headings = ("items in bank", "file MB", "server MB", "file p50", "server p50", "p95", "server cold p50", "p95")
    table = table_of("recall, ms by the clock", *headings)
    for stage, server in zip(found.stages, found.server, strict=True):
        for here, there in zip(stage.reading, server.reading, strict=True):
            times = (
                here.warm_wall.p50,
                there.warm_wall.p50,
                there.warm_wall.p95,
                there.cold_wall.p50,
                there.cold_wall.p95,
            )
            sizes = (f"{stage.items:,}", f"{stage.bank_mb:,.0f}", f"{server.bank_mb:,.0f}")
            table.add_row(f"scopes of {here.scope_items:,} items", *sizes, *(f"{value:.2f}" for value in times))
    return [table, Text(), Text("on the server", style="bold"), _writing(found.server), Text()]


def change(before: Reading, after: Reading) -> float:
    """Return by how many percent the warm median changed."""
    return (after.warm.p50 / before.warm.p50 - 1) * 100


def _writing(stages: tuple[Stage, ...]) -> Table:
    table = table_of("writing, one thread, vectors given", "items in bank", "per second", "CPU ms each", "count")
    for stage in stages:
        for each in stage.writing:
            row = (f"{stage.items:,}", f"{each.per_second:,.0f}", f"{each.cpu_ms:.2f}", f"{each.count:,}")
            table.add_row(each.act, *row)
    for before, stage in zip((None, *stages), stages, strict=False):
        items = stage.items - (before.items if before else 0)
        rate = items / max(stage.load_seconds, 1e-9)
        table.add_row(
            "bulk load",
            f"{stage.items:,}",
            f"{rate:,.0f}",
            f"{stage.load_cpu_seconds * 1000 / items:.2f}",
            f"{items:,}",
        )
    return table


def _scan(scan: Scan) -> Table:
    title = f"exact vector scan, {scan.rows:,} × {scan.dimension}, {scan.milliseconds:.2f} ms"
    table = table_of(title, "scan GB/s", "machine GB/s", "scan / machine")
    against = (
        ("in cache, against numpy reading as much", scan.cached_gb_s, scan.read_cached_gb_s),
        ("in memory, against numpy reading 1 GiB", scan.uncached_gb_s, scan.read_uncached_gb_s),
        ("in memory, against copying 1 GiB", scan.uncached_gb_s, scan.copy_uncached_gb_s),
    )
    for name, ours, machine in against:
        table.add_row(name, f"{ours:.1f}", f"{machine:.1f}", f"{ours / machine:.0%}")
    return table


def table_of(title: str, *numbers: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(Text(title, style="bold"), min_width=36, style="bright_black")
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
