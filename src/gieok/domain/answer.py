"""What recalling gives: hits with the parts of their scores, and the context put together from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gieok.domain.attributes import ContentType
from gieok.domain.decision import Decision
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import Turn, Utterance

Item = Memory | Utterance
Source = Literal["dense", "keyword", "graph", "topic", "pinned", "included"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that did not make it into a context."""

    item_id: str
    why: Literal["over_budget", "item_too_long", "nothing_left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a context."""

    name: str
    text: str
    tokens: int
    items: tuple[str, ...] = ()  #: ids of what stands in it
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

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks if block.text)

    @property
    def tokens(self) -> int:
        return sum(block.tokens for block in self.blocks)

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of everything in it, in order."""
        return tuple(dict.fromkeys(item for block in self.blocks for item in block.items))


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What became of a turn."""

    turn: Turn
    decisions: tuple[Decision, ...]
    unread: bool = False  #: reading it failed; the turn is kept and will be read later
    again: bool = False  #: this turn was observed before; this is what was stored then
