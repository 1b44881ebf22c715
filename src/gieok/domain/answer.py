"""What recalling gives: hits with the parts of their scores, and the context put together from them."""

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
Why = Literal[  #: over_cap: what its block may take, whatever the budget; block_off: the caller did not want that block
    "over_budget", "over_cap", "item_too_long", "said_elsewhere", "block_off"
]
Source = Literal["dense", "keyword", "topic", "speaker", "person", "period", "value", "included", "rerank"]
Aid = Literal[  #: can be left out
    "dense", "keyword", "topic", "speaker", "person", "period", "value", "neighbours", "sitting"
]
BLOCKS: Final = ("pinned", "people", "examples", "talk", "memories", "summary")  #: that a context can do without
SHARES: Final[dict[str, float]] = {
    "system": 0.15,
    "people": 0.10,  #: entity, relationship and emotion
    "memories": 0.20,
    "examples": 0.05,
    "talk": 0.40,  #: summary, recent turns and the new message
    "reply": 0.10,  #: kept free for the answer
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Which source found a hit, at which place of its list."""

    source: Source
    rank: int  #: from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory or an utterance that answers the question."""

    item: Item
    scope: Scope  #: where it is kept: the asked scope, or canon
    score: float
    parts: Parts
    why: tuple[Found, ...]
    answers: Utterance | None = None  #: the question just before an utterance that is too short to be understood alone
    taken_back: Utterance | None = None  #: the later words that took back something an utterance tells
    contributions: Mapping[str, float] | None = field(default=None, compare=False)
    """weight × part for each part, adding up to the score; with `recall(explain=True)`"""

    @property
    def text(self) -> str:
        return self.item.content if isinstance(self.item, Memory) else self.item.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What a recall is limited to; an empty field does not limit."""

    about: str | None = None  #: "user", "character", "world" or a name
    said_by: str | None = None
    type: ContentType | None = None
    attribute: str | None = None
    since: datetime | None = None  #: said or true at or after
    until: datetime | None = None  #: said or true before
    kind: Literal["memory", "utterance"] | None = None
    history: bool = False  #: also what is no longer true
    without: tuple[Aid, ...] = ()  #: what must not help in finding it


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that did not make it into a context."""

    item_id: str  #: of a text that has no id: the name of its block, and its number where there are several
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a context."""

    name: str
    text: str
    tokens: int
    items: tuple[str, ...] = ()  #: ids of what stands in it
    shortened: tuple[str, ...] = ()  #: those of them of which only a part stands in it
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
    degraded: tuple[str, ...] = ()  #: what could not be used, in words
    took: tuple[tuple[str, float], ...] = field(default=(), compare=False)  #: seconds, by source; "whole": all of it

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
    """What became of a turn."""

    turn: Turn
    decisions: tuple[Decision, ...]
    emotions: tuple[Felt, ...] = ()  #: what each speaker felt
    moves: tuple[Move, ...] = ()  #: of the relationship, manners, people and scenes
    unread: bool = False  #: reading it failed or took too long; the turn is kept and will be read later
    again: bool = False  #: this turn was observed before; this is what was stored then
    pii: tuple[str, ...] = ()  #: kinds of personal data in what was said; never the data
    ask: tuple[str, ...] = ()  #: those of them that are masked until the user agrees to have them kept
    questions: tuple[str, ...] = ()
    """what to ask the user, at most one question: about what is doubtful, or a plan whose day has passed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Upper bounds in tokens, whatever the budget."""

    memories: int = 1_200
    memory_item: int = 150
    pinned: int = 400


def share_budget(room: int, wants: Mapping[str, int], floors: Mapping[str, int]) -> dict[str, int]:
    """Return how many tokens each block of `wants` gets: never more than it wants, together never over `room`.

    The order of `wants` is the order of serving, those that are sacrificed first last. Everybody is served up to
    their floor before anybody gets more.
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
    "refused",  #: another 4xx: wrong key, unknown model
    "server_error",  #: 5xx
    "empty",
    "too_long",  #: more than any answer could be
    "broken",  #: not the JSON that was asked for, also after a repair
    "cancelled",  #: whoever listened to it went away
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[Answer]):
    """One question to a model."""

    task: Task
    version: str  #: "extract/1": the journal names it with everything that came of the answer
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]  #: JSON schema of the answer
    read: Callable[[str], Answer]  #: raises ValueError where the text is not what was asked for
    most_tokens: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """What one call of a model took, and how it ended."""

    task: Task
    model: str
    at: datetime
    seconds: float
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0  #: in the currency that the prices are set in
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSum:
    """The calls of one day, task, model and outcome together."""

    day: str  #: "2026-11-15", UTC
    task: Task
    model: str
    failure: Failure | None
    calls: int
    seconds: float
    prompt_tokens: int
    answer_tokens: int
    cost: float


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
    by: str  #: what told it: "emotion/1 gpt-4o-mini", "classifier/2"
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
        gathered=tuple(  # in the order in which they were timed, those that were not last
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
