"""What came to mind, with every part of its score as a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import NARROW, PART_STYLES, labelled, meter, stacked
from gieok.cli.look.words import Words
from gieok.domain.answer import Hit
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES, SOURCE_PARTS, Combine, Weights

_TIGHT: Final = 90  #: columns below which the bars are shorter
_LEFT: Final = 10  #: cells of place and score
_COLUMN: Final = range(7, 11)  #: cells of a part's number, by how much room there is


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsTable:
    """Hits, two lines each: the parts of the score, and below them what they add up to under `weights`."""

    hits: Sequence[Hit]
    scope: Scope
    words: Words
    weights: Weights
    zone: ZoneInfo | None = None  #: whose days are shown; None: those of whoever said it

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.hits:
            yield Text(self.words.nothing, style="bright_black")
            return
        cell = 4 if options.max_width < _TIGHT else 6
        bars = options.max_width >= NARROW  # else there is no room beside what came to mind
        table = Table(box=None, padding=(0, 1, 0, 0), expand=True, show_edge=False, header_style="bright_black")
        table.add_column("#", justify="right", style="bright_black", width=2)
        table.add_column(self.words.score, width=5, style="bold")
        table.add_column(self.words.memory, ratio=1, overflow="fold")
        if bars:
            table.add_column(_headings(self.words, cell), width=(cell + 1) * len(PART_NAMES) - 1, no_wrap=True)
        for place, hit in enumerate(self.hits, start=1):
            text = Group(Text(hit.text), provenance(hit, self.scope, self.words, self.zone))
            parts = [Group(_parts(hit, cell), _sum(hit, self.weights, cell))] if bars else []
            table.add_row(str(place), f"{hit.score:.2f}", text, *parts)
        yield table


def _headings(words: Words, cell: int) -> Text:
    headings = Text()
    for name in PART_NAMES:
        label = Text(words.parts[name], style=PART_STYLES[name])
        label.truncate(cell, pad=True)
        headings.append_text(label).append(" ")
    headings.right_crop(1)
    return headings


def _parts(hit: Hit, cell: int) -> Text:
    return Text(" ").join(meter(getattr(hit.parts, name), cell, PART_STYLES[name]) for name in PART_NAMES)


def _sum(hit: Hit, weights: Weights, cell: int) -> Text:
    shares = [(getattr(hit.parts, name) * getattr(weights, name), PART_STYLES[name]) for name in PART_NAMES]
    whole = sum(getattr(weights, name) for name in PART_NAMES)
    return stacked(shares, whole, (cell + 1) * len(PART_NAMES) - 1)


def provenance(hit: Hit, scope: Scope, words: Words, zone: ZoneInfo | None) -> Text:
    """Return whose and when it is, and which sources found it, at which place."""
    item = hit.item
    if isinstance(item, Memory):
        who, when = words.named(item.subject_id, scope), item.known_at
    else:
        who, when = f"{words.named(item.speaker, scope)} {words.said}", item.at
    when = when if zone is None else when.astimezone(zone)
    places: dict[str, int] = {}
    for found in hit.why:  # a memory inherits what found the words it was read from: the best place counts
        places[found.source] = min(found.rank, places.get(found.source, found.rank))
    sources = [words.sources[source].format(n=rank) for source, rank in places.items()]
    canon = [str(hit.scope)] if hit.scope != scope else []
    line = " · ".join([who, words.date.format(at=when), " ".join(sources), *canon])
    return Text(line, style="bright_black", no_wrap=True, overflow="ellipsis")


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
