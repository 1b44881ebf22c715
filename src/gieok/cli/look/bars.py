"""What tables are drawn with: bars of one line, to half a cell, and the columns that a narrow screen keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

PART_STYLES: Final[Mapping[str, str]] = {
    "recency": "blue",
    "importance": "magenta",
    "relevance": "green",
    "keyword": "yellow",
    "strength": "red",
    "graph": "cyan",
}
_FULL, _HALF, _TRACK = "━", "╸", "─"
_TINY: Final = "┃"  #: a segment without room for a letter
NARROW: Final = 60  #: columns of a screen


def meter(value: float, width: int, style: str) -> Text:
    """Return a bar of `width` cells, filled by `value` of 0–1. Anything above 0 shows."""
    halves = round(min(max(value, 0.0), 1.0) * width * 2)
    if value > 0 and halves == 0:
        halves = 1
    filled = _FULL * (halves // 2) + _HALF * (halves % 2)
    return Text.assemble((filled, style), (_TRACK * (width - len(filled)), "bright_black"))


def stacked(segments: Sequence[tuple[float, str]], whole: float, width: int) -> Text:
    """Return one bar whose coloured segments are (amount, style) of `whole`, to a cell; the rest is blank."""
    cells = _shared_out([amount for amount, _ in segments], whole, width)
    bar = Text()
    for (_, style), count in zip(segments, cells, strict=True):
        bar.append(_FULL * count, style)
    return bar.append(" " * (width - sum(cells)))


def labelled(segments: Sequence[tuple[float, str, str]], whole: float, width: int, *, coloured: bool) -> Text:
    """Return one bar whose segments are (amount, style, label) of `whole`, each beginning with its label if it fits.

    Without colours a line follows the label, so that where a segment begins and ends can still be seen.
    """
    cells = _shared_out([amount for amount, _, _ in segments], whole, width)
    bar = Text()
    for (_, style, label), count in zip(segments, cells, strict=True):
        if coloured:
            bar.append(set_cell_size(_fitting(label, count), count), f"reverse {style}")
        elif count:
            name = _fitting(label, count - 1) or _TINY
            bar.append(name + _FULL * (count - cell_len(name)), style)
    return bar


def _fitting(label: str, cells: int) -> str:
    return next((name for name in (label, label[0]) if cell_len(name) <= cells), "")


def _shared_out(amounts: Iterable[float], whole: float, width: int) -> list[int]:
    """Return the cells of each amount by their running total, so that the sum is right however many there are."""
    cells: list[int] = []
    total = 0.0
    for amount in amounts:
        total += amount
        end = round(width * min(total / whole, 1.0)) if whole > 0 else 0
        cells.append(end - sum(cells))
    return cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """`table`, of which a screen below `NARROW` shows the columns `kept` alone."""

    table: Table
    kept: Sequence[int]  #: places of columns, in the order of the table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= NARROW:
            yield self.table
            return
        few = copy(self.table)
        few.columns = [self.table.columns[place] for place in self.kept]
        yield few
