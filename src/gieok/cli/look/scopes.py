"""Whose memories a bank holds, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.fitting import Fitting
from gieok.ports import ScopeSummary


def scopes_table(summaries: Sequence[ScopeSummary], zone: ZoneInfo) -> RenderableType:
    if not summaries:
        return Text("This bank is still empty; tell it something first: gieok chat", style="bright_black")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    for heading in ("user", "character", "world"):
        table.add_column(heading, style="cyan", overflow="fold")
    for heading in ("turns", "memories"):
        table.add_column(heading, justify="right")
    table.add_column("latest", style="bright_black", no_wrap=True)
    for each in summaries:
        latest = f"{each.latest_at.astimezone(zone):%Y-%m-%d %H:%M}" if each.latest_at else ""
        names = (each.scope.user or "–", each.scope.character or "–", each.scope.world or "–")
        table.add_row(*names, f"{each.turns:,}", f"{each.memories:,}", latest)
    return Fitting(table=table, kept=(0, 1, 2, 4))
