"""What came to mind, and what each score is made of: a bar of its parts, the numbers, and who found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import PART_STYLES, labelled
from gieok.cli.look.hits import provenance
from gieok.cli.look.words import Words
from gieok.domain.answer import Hit
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES, SOURCE_PARTS, Combine, Weights

_LEFT: Final = 10  #: cells of place and score
_COLUMN: Final = range(7, 11)  #: cells of a part's number, by how much room there is


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedHits:
    """Hits with their `contributions`, below a legend that gives the weights; the best one's bar is the longest."""

    hits: Sequence[Hit]
    scope: Scope
    words: Words
    weights: Weights
    combine: Combine
    zone: ZoneInfo | None = None  #: whose days are shown; None: those of whoever said it

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.hits:
            yield Text(self.words.nothing, style="bright_black")
            return
        column = min(max((options.max_width - _LEFT) // len(PART_NAMES), _COLUMN.start), _COLUMN.stop - 1)
        coloured = console.color_system is not None and not console.no_color
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=2, justify="right", style="bright_black")
        table.add_column(width=6, justify="right", style="bold")
        table.add_column(overflow="fold")
        table.add_row("", Text(self.words.weight, style="bright_black"), self._legend(column))
        best = max(hit.score for hit in self.hits)
        for place, hit in enumerate(self.hits, start=1):
            table.add_row()
            table.add_row(str(place), f"{hit.score:.2f}", self._made_of(hit, best, column, coloured=coloured))
        yield table

    def _legend(self, column: int) -> RenderableType:
        names = [Text(self.words.parts[name], style=PART_STYLES[name]) for name in PART_NAMES]
        weights = [_number(getattr(self.weights, name), PART_STYLES[name]) for name in PART_NAMES]
        lines = [_row(names, column), _row(weights, column)]
        if self.combine == "mean_of_sources":
            sources = "·".join(self.words.parts[name] for name in SOURCE_PARTS)
            lines.append(Text(self.words.averaged.format(parts=sources), style="bright_black"))
        return Group(*lines)

    def _made_of(self, hit: Hit, best: float, column: int, *, coloured: bool) -> RenderableType:
        adds = hit.contributions or {}
        segments = [(adds.get(name, 0.0), PART_STYLES[name], self.words.parts[name]) for name in PART_NAMES]
        numbers = [_number(amount, style) for amount, style, _ in segments]
        return Group(
            Text(hit.text),
            labelled(segments, best, column * len(PART_NAMES), coloured=coloured),
            _row(numbers, column),
            provenance(hit, self.scope, self.words, self.zone),
        )


def _number(amount: float, style: str) -> Text:
    return Text(f"{amount:.2f}", style=style) if amount >= 0.005 else Text("·", style="bright_black")


def _row(cells: Sequence[Text], column: int) -> Text:
    row = Text()
    for cell in cells:
        cell.truncate(column, pad=True)
        row.append_text(cell)
    return row
