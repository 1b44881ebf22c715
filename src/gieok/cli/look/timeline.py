"""What was ever true, by when it began."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import Fitting
from gieok.cli.look.facts import day
from gieok.cli.look.relationship import Speaking
from gieok.domain.memory import Memory

_DIM: Final = "bright_black"


def timeline_table(memories: Sequence[Memory], speaking: Speaking) -> RenderableType:
    """Return `memories` in the order given; what is over, or has faded, is told quietly."""
    if not memories:
        return Text(speaking.living.nothing_happened, style=_DIM)
    words = speaking.words
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(words.true_from, no_wrap=True)
    table.add_column(words.true_until, no_wrap=True)
    table.add_column(words.about, no_wrap=True, style="cyan")
    table.add_column(words.attribute, no_wrap=True, style="magenta")
    table.add_column(words.memory, overflow="fold")
    for memory in memories:
        over = memory.invalid_at is not None or memory.faded_at is not None
        table.add_row(
            day(memory.valid_at, speaking.zone),
            _until(memory, speaking),
            speaking.named(memory.subject_id),
            memory.attribute or memory.content_type,
            Text(in_a_line(memory.content), style=_DIM if over else ""),
        )
    return Fitting(table=table, kept=(0, 4))


def in_a_line(content: str) -> str:
    """Return the first line of a summary that has several."""
    first, _, rest = content.partition("\n")
    return f"{first} …" if rest else first


def _until(memory: Memory, speaking: Speaking) -> Text:
    if memory.invalid_at is not None:
        return Text(day(memory.invalid_at, speaking.zone))
    if memory.faded_at is not None:
        return Text(speaking.living.faded, style=_DIM)
    return Text(speaking.words.still, style="green")
