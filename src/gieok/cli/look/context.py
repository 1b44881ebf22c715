"""An assembled context, block by block, and what each costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import meter
from gieok.cli.look.words import Words
from gieok.domain.answer import Context

_STYLES: Final[Mapping[str, str]] = {
    "system": "blue",
    "examples": "blue",
    "preface": "bright_black",
    "pinned": "yellow",
    "people": "yellow",
    "memories": "green",
    "summary": "cyan",
    "talk": "cyan",
    "message": "magenta",
}
_GIVEN: Final = ("system", "examples", "people", "summary")  #: not worth a line where nobody gave any
_METER: Final = 24
_EDGE: Final = "▌ "


@dataclass(frozen=True, slots=True)
class Edged:
    """A renderable with a coloured edge along its left side."""

    content: RenderableType
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style(self.style)
        inner = options.update_width(max(options.max_width - cell_len(_EDGE), 1))
        for line in console.render_lines(self.content, inner, pad=False):
            yield Segment(_EDGE, style)
            yield from line
            yield Segment.line()


def context_blocks(context: Context) -> RenderableType:
    """Return the text of every block, with an edge in the colour that its tokens have in the meter."""
    shown = (block for block in context.blocks if block.text)
    return Group(*(Edged(Text(block.text), _STYLES.get(block.name, "white")) for block in shown))


def token_meter(context: Context, words: Words) -> RenderableType:
    """Return a bar for each block against the largest, and the sum against the budget.

    Where the question alone is over the budget, a sentence says so in place of that sum.
    """
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    largest = max((block.tokens for block in context.blocks), default=0) or 1
    for block in (each for each in context.blocks if each.tokens or each.left_out or each.name not in _GIVEN):
        style = _STYLES.get(block.name, "white")
        name = Text(words.blocks.get(block.name, block.name), style=style)
        table.add_row(name, meter(block.tokens / largest, _METER, style), f"{block.tokens:,}")
    question = sum(block.tokens for block in context.blocks if block.name == "message")
    if question > context.budget:
        return Group(table, Text(words.over.format(n=question, budget=context.budget), style="bold red"))
    share = context.tokens / context.budget
    whole = Text(f"{context.tokens:,} / {context.budget:,} {words.tokens}", style="bold")
    table.add_row(Text(words.tokens, style="bold"), meter(share, _METER, "white"), whole)
    return table
