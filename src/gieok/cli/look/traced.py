"""How a turn came about: the hits, what each block cost, the calls of models, and who read which feeling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gieok.cli.look.context import token_meter
from gieok.cli.look.hits import HitsTable
from gieok.cli.look.living_words import LIVING_WORDS
from gieok.cli.look.words import WORDS
from gieok.domain.answer import Block, Context, Hit
from gieok.domain.model import ModelCall
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.trace import Read, Trace
from gieok.domain.turn import Turn


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
