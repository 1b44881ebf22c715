"""An assembled context, block by block, and how the turn that used it came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import meter
from gieok.cli.look.hits import HitsTable
from gieok.cli.look.living_words import LIVING_WORDS
from gieok.cli.look.words import WORDS, Words
from gieok.domain.answer import Block, Context, Hit
from gieok.domain.model import ModelCall
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.trace import Read, Trace
from gieok.domain.turn import Turn

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedTurn:
    """A trace, with the hits as they are now."""

    turn: Turn
    trace: Trace
    hits: Sequence[Hit]
    scope: Scope
    weights: Weights
    language: str
    zone: ZoneInfo

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        trace, words = self.trace, WORDS[self.language]
        said = Table.grid(padding=(0, 2, 0, 0))
        for utterance in self.turn.utterances:
            said.add_row(Text(words.named(utterance.speaker, self.scope), style="bold"), utterance.text)
        yield Text(self.turn.id, style="bright_black")
        yield said
        yield Text()
        if self.hits:
            yield HitsTable(hits=self.hits, scope=self.scope, words=words, weights=self.weights, zone=self.zone)
            yield Text()
        if trace.budget is not None:
            yield token_meter(_context(trace, trace.budget), words)
            yield Text()
        lines = Table.grid(padding=(0, 2, 0, 0))
        for read in trace.emotions:
            lines.add_row(words.named(read.speaker, self.scope), *self._felt(read))
        for call in trace.calls:
            lines.add_row(call.task, call.model, _took(call, words.tokens))
        yield lines
        for trouble in trace.degraded:
            yield Text(trouble, style="red")

    def _felt(self, read: Read) -> tuple[str, Text]:
        name = LIVING_WORDS[self.language].emotions[read.emotion]
        by = Text(read.by, style="bright_black")
        if read.raw:
            by.append(f"  {' '.join(read.raw.split())}", style="italic")
        return f"{name} {read.intensity:.2f}", by


def _context(trace: Trace, budget: int) -> Context:
    """Return as much of the context as the meter looks at."""
    blocks = tuple(
        Block(name=each.name, text="", tokens=each.tokens, left_out=each.left_out) for each in trace.injected
    )
    return Context(query="", blocks=blocks, messages=(), hits=(), budget=budget)


def _took(call: ModelCall, tokens: str) -> Text:
    took = f"{call.seconds:.2f} s · {call.prompt_tokens:,} + {call.answer_tokens:,} {tokens}"
    text = Text(f"{took} · {call.cost:.6f}" if call.cost else took, style="bright_black")
    if call.failure is not None:
        text.append(f" · {call.failure}", style="red")
    return text
