"""Results of recall: hits with the parts of their scores, and the context assembled from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from gieok.domain.attributes import ContentType
from gieok.domain.decision import Decision
from gieok.domain.emotion import Emotion, Felt
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.state import Move
from gieok.domain.turn import Turn, Utterance

Item = Memory | Utterance
Why = Literal[  #: over_cap: above its block's cap, whatever the budget; block_off: the caller excluded the block
    "over_budget", "over_cap", "item_too_long", "said_elsewhere", "block_off"
]
Source = Literal["dense", "keyword", "topic", "speaker", "person", "period", "value", "included", "rerank"]
Aid = Literal[  #: can be left out
    "dense", "keyword", "topic", "speaker", "person", "period", "value", "neighbours", "sitting"
]
BLOCKS: Final = ("pinned", "people", "examples", "talk", "memories", "summary")  #: blocks that a context can omit
SHARES: Final[dict[str, float]] = {
    "system": 0.15,
    "people": 0.10,  #: entities, relationship and emotion
    "memories": 0.20,
    "examples": 0.05,
    "talk": 0.40,  #: summary, recent turns and the new message
    "reply": 0.10,  #: reserved for the reply
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The source that found a hit, and the rank there."""

    source: Source
    rank: int  #: from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory or an utterance that matches the query."""

    item: Item
    scope: Scope  #: the scope that holds it: the requested one, or canon
    score: float
    parts: Parts
    why: tuple[Found, ...]
    answers: Utterance | None = None  #: the preceding question, if the utterance cannot be understood without it
    taken_back: Utterance | None = None  #: a later utterance that takes back what this one says
    contributions: Mapping[str, float] | None = field(default=None, compare=False)
    """weight × part for each part, adding up to the score; with `recall(explain=True)`"""

    @property
    def text(self) -> str:
        return self.item.content if isinstance(self.item, Memory) else self.item.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Filters for recall; an empty field does not filter."""

    about: str | None = None  #: "user", "character", "world" or a name
    said_by: str | None = None
    type: ContentType | None = None
    attribute: str | None = None
    since: datetime | None = None  #: said or true at or after
    until: datetime | None = None  #: said or true before
    kind: Literal["memory", "utterance"] | None = None
    history: bool = False  #: include what is no longer true
    without: tuple[Aid, ...] = ()  #: parts of the search to disable


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An item that was left out of a context."""

    item_id: str  #: for text without an id: the name of its block, numbered if there are several
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a context."""

    name: str
    text: str
    tokens: int
    items: tuple[str, ...] = ()  #: ids of the items in it
    shortened: tuple[str, ...] = ()  #: ids of items that were shortened
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message for a chat model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model should see before it answers."""

    query: str
    blocks: tuple[Block, ...]
    messages: tuple[Message, ...]
    hits: tuple[Hit, ...]
    budget: int
    degraded: tuple[str, ...] = ()  #: sources that could not be used, in words
    took: tuple[tuple[str, float], ...] = field(default=(), compare=False)  #: seconds, by source; "whole": in total

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks if block.text)

    @property
    def tokens(self) -> int:
        return sum(block.tokens for block in self.blocks)

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item for block in self.blocks for item in block.items))


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The result of observing a turn."""

    turn: Turn
    decisions: tuple[Decision, ...]
    emotions: tuple[Felt, ...] = ()  #: what each speaker felt
    moves: tuple[Move, ...] = ()  #: changes of relationship, manners, people and scenes
    unread: bool = False  #: extraction failed or took too long; the turn is stored and will be read later
    again: bool = False  #: this turn was observed before; this is the stored result
    pii: tuple[str, ...] = ()  #: kinds of personal data in the turn; never the data itself
    ask: tuple[str, ...] = ()  #: kinds that stay masked until the user consents to store them
    questions: tuple[str, ...] = ()
    """what to ask the user, at most one question: about what is doubtful, or a plan whose day has passed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Upper bounds in tokens, independent of the budget."""

    memories: int = 1_200
    memory_item: int = 150
    pinned: int = 400


def share_budget(room: int, wants: Mapping[str, int], floors: Mapping[str, int]) -> dict[str, int]:
    """Return the tokens for each block of `wants`: at most what it wants, and at most `room` in total.

    Blocks are served in the order of `wants`, the least important last. Each gets its floor before any gets more.
    """
    given = dict.fromkeys(wants, 0)
    left = max(room, 0)
    for bound in (floors, wants):
        for name, want in wants.items():
            more = max(min(want, bound.get(name, 0)) - given[name], 0)
            given[name] += min(more, left)
            left -= min(more, left)
    return given


Answer = TypeVar("Answer")

Task = Literal[
    "reply", "extract", "reflect", "summarise", "interpret", "profile", "emotion", "director", "rewrite_query",
    "conflict", "rerank", "compress", "embed",
]  # fmt: skip
Failure = Literal[
    "unreachable",  #: no connection, or it broke
    "timeout",
    "rate_limited",  #: 429, or the cool-down after one
    "refused",  #: other 4xx: wrong key, unknown model
    "server_error",  #: 5xx
    "empty",
    "too_long",  #: longer than any valid answer
    "broken",  #: not the requested JSON, also after a repair
    "cancelled",  #: the caller disconnected
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[Answer]):
    """A question to a model."""

    task: Task
    version: str  #: "extract/1"; the journal records it with everything derived from the answer
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]  #: JSON schema of the answer
    read: Callable[[str], Answer]  #: raises ValueError if the text is not a valid answer
    most_tokens: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """The cost and outcome of one model call."""

    task: Task
    model: str
    at: datetime
    seconds: float
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0  #: in the currency of the configured prices
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSum:
    """Totals of the calls of one day, task, model and outcome."""

    day: str  #: "2026-11-15", UTC
    task: Task
    model: str
    failure: Failure | None
    calls: int
    seconds: float
    prompt_tokens: int
    answer_tokens: int
    cost: float


_LONGEST_ANSWER: Final = 1_000  #: characters of a raw answer that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A source that was queried."""

    source: str
    hits: int = 0  #: number of final hits that it found
    seconds: float | None = None  #: None: not timed


class Scored(NamedTuple):  # a dataclass takes four times as long to create, and every turn creates dozens
    """A candidate with its score."""

    item_id: str
    score: float
    parts: Parts
    why: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """A block of the context shown to the model."""

    name: str
    tokens: int
    items: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()  #: ids of items that were shortened
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """How a feeling was read."""

    speaker: str
    emotion: Emotion
    intensity: float = 0.0
    by: str  #: the reader: "emotion/1 gpt-4o-mini", "classifier/2"
    raw: str = ""  #: a model's raw answer, also if it was invalid; "": no model was called


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How one turn was produced."""

    budget: int | None = None  #: token budget of the context; None: the turn was observed without a context
    tokens: int = 0  #: tokens used
    gathered: tuple[Gathered, ...] = ()
    scored: tuple[Scored, ...] = ()
    injected: tuple[Injected, ...] = ()
    used: tuple[str, ...] = ()  #: ids of memories counted as used
    degraded: tuple[str, ...] = ()
    emotions: tuple[Read, ...] = ()
    calls: tuple[ModelCall, ...] = ()

    @property
    def seconds(self) -> float:
        return sum(call.seconds for call in self.calls)

    @property
    def cost(self) -> float:
        return sum(call.cost for call in self.calls)


def trace_of(context: Context | None, calls: Iterable[ModelCall] = ()) -> Trace:
    if context is None:
        return Trace(calls=tuple(calls))
    hits: Counter[str] = Counter(source for hit in context.hits for source in {found.source for found in hit.why})
    seconds: dict[str, float] = {}
    for source, took in context.took:
        seconds[source] = seconds.get(source, 0.0) + took
    return Trace(
        budget=context.budget,
        tokens=context.tokens,
        gathered=tuple(  # in the order of their timings, untimed sources last
            Gathered(source=source, hits=hits[source], seconds=seconds.get(source))
            for source in dict.fromkeys([*seconds, *sorted(hits)])
        ),
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


def emotion_reading(felt: Felt) -> Read:
    raw = felt.raw[:_LONGEST_ANSWER]
    return Read(speaker=felt.speaker, emotion=felt.emotion, intensity=felt.intensity, by=felt.by, raw=raw)
