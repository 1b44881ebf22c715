"""Bars of one line, drawn to half a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

PART_STYLES: Final[Mapping[str, str]] = {
    "recency": "blue",
    "importance": "magenta",
    "relevance": "green",
    "keyword": "yellow",
    "strength": "red",
    "graph": "cyan",
    "topic": "bright_green",
}
_FULL, _HALF, _TRACK = "━", "╸", "─"


def meter(value: float, width: int, style: str) -> Text:
    """Return a bar of `width` cells, filled by `value` of 0–1. Anything above 0 shows."""
    halves = round(min(max(value, 0.0), 1.0) * width * 2)
    if value > 0 and halves == 0:
        halves = 1
    filled = _FULL * (halves // 2) + _HALF * (halves % 2)
    return Text.assemble((filled, style), (_TRACK * (width - len(filled)), "bright_black"))


def stacked(segments: Sequence[tuple[float, str]], whole: float, width: int) -> Text:
    """Return one bar whose coloured segments are (amount, style) of `whole`, to a cell; the rest is blank.

    Cells go to segments by their running total, so that the bar's length is right however many there are.
    """
    bar = Text()
    total, drawn = 0.0, 0
    for amount, style in segments:
        total += amount
        end = round(width * min(total / whole, 1.0)) if whole > 0 else 0
        bar.append(_FULL * (end - drawn), style)
        drawn = max(drawn, end)
    return bar.append(" " * (width - drawn))
