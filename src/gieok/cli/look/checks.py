"""A check of the doctor, as a row. Rows are printed one by one, as they are found."""

from __future__ import annotations

from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.doctor.findings import Check

_MARKS: Final = {"ok": ("✓", "green"), "note": ("·", "bright_black"), "bad": ("✗", "bold red")}
_NAME_WIDTH: Final = 13


def check_line(check: Check) -> RenderableType:
    mark, style = _MARKS[check.state]
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(width=1, style=style)
    row.add_column(width=_NAME_WIDTH, style="bold")
    row.add_column(overflow="fold")
    row.add_row(mark, check.name, Text(check.detail, style="red" if check.state == "bad" else ""))
    if check.remedy:
        row.add_row("", "", Text(f"→ {check.remedy}", style="yellow"))
    return row
