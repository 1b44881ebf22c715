"""How a turn came about: what was found, how it scored, what was put before the model, and what all of it took.

Ids and numbers, no words: what an item says is asked of the item, so that a trace keeps nothing alive that is
forgotten. The one exception is what a model answered when asked for a feeling, as it stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from gieok.domain.answer import Context, Found, LeftOut
from gieok.domain.emotion import Emotion, Felt
from gieok.domain.model import ModelCall
from gieok.domain.scoring import Parts

_LONGEST_ANSWER: Final = 1_000  #: characters that are kept of a raw answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A source that was asked."""

    source: str
    hits: int = 0  #: how many of the hits it had found
    seconds: float | None = None  #: None: it was not timed


class Scored(NamedTuple):  # a dataclass takes four times as long to make, and every turn makes dozens
    """An item that came to mind."""

    item_id: str
    score: float
    parts: Parts
    why: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """A block of what the model saw."""

    name: str
    tokens: int
    items: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()  #: those of them of which only a part stood in it
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """How a feeling was read."""

    speaker: str
    emotion: Emotion
    intensity: float = 0.0
    by: str  #: what told it: "emotion/1 gpt-4o-mini", "classifier/1", "keywords/1"
    raw: str = ""  #: what a model answered, also where that could not be read; "": no model was heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How one turn came about."""

    budget: int | None = None  #: tokens that the context might have; None: the turn was observed without one
    tokens: int = 0  #: that it had
    gathered: tuple[Gathered, ...] = ()
    scored: tuple[Scored, ...] = ()
    injected: tuple[Injected, ...] = ()
    used: tuple[str, ...] = ()  #: memories that were counted as used
    degraded: tuple[str, ...] = ()
    emotions: tuple[Read, ...] = ()
    calls: tuple[ModelCall, ...] = ()

    @property
    def seconds(self) -> float:
        """What the models took together."""
        return sum(call.seconds for call in self.calls)

    @property
    def cost(self) -> float:
        return sum(call.cost for call in self.calls)


def traced(context: Context | None, calls: Iterable[ModelCall] = ()) -> Trace:
    """Return what is known of a turn before it is observed."""
    if context is None:
        return Trace(calls=tuple(calls))
    return Trace(
        budget=context.budget,
        tokens=context.tokens,
        gathered=_gathered(context),
        scored=tuple([Scored(hit.item.id, hit.score, hit.parts, hit.why) for hit in context.hits]),
        injected=tuple(
            Injected(
                name=block.name,
                tokens=block.tokens,
                items=block.items,
                shortened=block.shortened,
                left_out=block.left_out,
            )
            for block in context.blocks
            if block.tokens or block.left_out
        ),
        degraded=context.degraded,
        calls=tuple(calls),
    )


def how_read(felt: Felt) -> Read:
    """Return how `felt` was read."""
    raw = felt.raw[:_LONGEST_ANSWER]
    return Read(speaker=felt.speaker, emotion=felt.emotion, intensity=felt.intensity, by=felt.by, raw=raw)


def _gathered(context: Context) -> tuple[Gathered, ...]:
    """Return the sources in the order in which they were timed, those that were not last."""
    hits: Counter[str] = Counter(source for hit in context.hits for source in {found.source for found in hit.why})
    seconds: dict[str, float] = {}
    for source, took in context.took:
        seconds[source] = seconds.get(source, 0.0) + took
    return tuple(
        Gathered(source=source, hits=hits[source], seconds=seconds.get(source))
        for source in dict.fromkeys([*seconds, *sorted(hits)])
    )
