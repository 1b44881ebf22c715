"""Tables and bars. A table is a list of columns, each with a heading, a cell function and a style, over rows.

Colours are the terminal's own sixteen, so that they are readable on a dark and on a light ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from gieok.cli.console import DIM
from gieok.words import Words

_ROOM: Final = 16  #: cells that a column of long texts needs; otherwise the table drops columns
_FULL, _HALF, _TRACK = "━", "╸", "─"
_TINY: Final = "┃"  #: a segment without room for a letter


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    heading: str | Text | None  #: a key of `cli.columns`, or a text that is ready; None: without
    cell: Callable[[Any], RenderableType]
    style: str = ""
    fold: bool = False  #: a long text goes on in the next line
    right: bool = False
    drop: int = 0  #: 0: always shown; of the others the highest goes first where the screen is too narrow
    width: int | None = None
    min_width: int | None = None
    ratio: int | None = None  #: its share of what the other columns leave; the table fills the screen then
    overflow: Literal["fold", "ellipsis"] = "fold"


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows under the headings of their columns. Without any heading it is a grid."""

    rows: Sequence[Any]
    columns: Sequence[Column]
    words: Words | None = None  #: only needed for headings
    gap: int = 2
    empty: str = ""  #: what is said where there are no rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.empty and not self.rows:
            yield Text(self.empty, style=DIM)
            return
        columns = self._fitting(console, options)
        table = Table(
            box=None,
            padding=(0, self.gap, 0, 0),
            show_edge=False,
            show_header=any(each.heading is not None for each in columns),
            header_style=DIM,
            expand=any(each.ratio for each in columns),
        )
        for each in columns:
            table.add_column(
                self._heading(each),
                style=each.style,
                justify="right" if each.right else "left",
                no_wrap=not each.fold,
                overflow=each.overflow,
                width=each.width,
                min_width=each.min_width,
                ratio=each.ratio,
            )
        for row in self.rows:
            table.add_row(*(each.cell(row) for each in columns))
        yield table

    def _fitting(self, console: Console, options: ConsoleOptions) -> list[Column]:
        columns = [(each, self._room(each, console, options)) for each in self.columns]
        while sum(room for _, room in columns) > options.max_width and any(each.drop for each, _ in columns):
            columns.remove(max(reversed(columns), key=lambda known: known[0].drop))
        return [each for each, _ in columns]

    def _room(self, column: Column, console: Console, options: ConsoleOptions) -> int:
        """Return how many cells `column` needs: all of what it shows, of long texts some."""
        cells = (self._heading(column), *map(column.cell, self.rows))
        widest = max(Measurement.get(console, options, each).maximum for each in cells)
        long = column.fold or column.ratio is not None
        return (column.width or (min(widest, _ROOM) if long else widest)) + self.gap

    def _heading(self, column: Column) -> str | Text:
        if isinstance(column.heading, str) and column.heading and self.words is not None:
            return self.words(f"cli.columns.{column.heading}")
        return column.heading or ""


def grid(rows: Iterable[Sequence[RenderableType]], *styles: str, gap: int = 2) -> Listing:
    """Return `rows` without headings; all columns but the last keep on one line."""
    known = list(rows)
    wide = max((len(row) for row in known), default=0)
    columns = [
        Column(None, _at(place), style=styles[place] if place < len(styles) else "", fold=place == wide - 1)
        for place in range(wide)
    ]
    return Listing(known, columns, gap=gap)


def _at(place: int) -> Callable[[Sequence[RenderableType]], RenderableType]:
    return lambda row: row[place] if place < len(row) else ""


def meter(value: float, width: int, style: str) -> Text:
    """Return a bar of `width` cells, filled by `value` of 0–1, to half a cell. Anything above 0 shows."""
    halves = round(min(max(value, 0.0), 1.0) * width * 2)
    if value > 0 and halves == 0:
        halves = 1
    filled = _FULL * (halves // 2) + _HALF * (halves % 2)
    return Text.assemble((filled, style), (_TRACK * (width - len(filled)), DIM))


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
