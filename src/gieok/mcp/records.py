"""What tools answer, as structures; the same stands in the text beside them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from gieok.domain.answer import Context, Hit
from gieok.domain.decision import Decision, Ignore, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope


class ScopeRecord(BaseModel):
    """Whose memory it is."""

    user: str | None = None
    character: str | None = None
    world: str | None = None


class MemoryRecord(BaseModel):
    """One thing that is remembered."""

    id: str = Field(description="Names it to `correct` and `forget`.")
    content: str
    about: str = Field(description="user, character, world, or somebody's name")
    type: str
    attribute: str | None = None
    value: str | None = None
    importance: float
    pinned: bool = False
    since: datetime = Field(description="True from then on.")
    until: datetime | None = Field(None, description="No longer true from then on; null: still true.")


class Remembered(BaseModel):
    """What became of something that was to be remembered."""

    outcome: Literal["remember", "reinforce", "supersede", "retract", "ignore"]
    memory: MemoryRecord | None = None
    replaced: list[MemoryRecord] = Field(default_factory=list, description="What is no longer true because of it.")


class HitRecord(BaseModel):
    """One answer to a question."""

    text: str
    score: float
    kind: Literal["memory", "said"] = Field(description="said: words of the conversation; they have no memory id")
    said_by: str
    at: datetime
    scope: ScopeRecord = Field(description="Where it is kept: the scope that was asked, or lore that it shares.")
    memory: MemoryRecord | None = None


class Recalled(BaseModel):
    """What came to mind, best first."""

    hits: list[HitRecord]


class Prepared(BaseModel):
    """What a model should see before it answers."""

    text: str
    tokens: int
    items: list[str] = Field(description="Ids of all that stands in it.")
    degraded: list[str] = Field(default_factory=list, description="What could not be used, in words.")


class Memories(BaseModel):
    """A page of memories."""

    memories: list[MemoryRecord]
    total: int
    offset: int = 0


class Changed(BaseModel):
    """A memory that was put right or forgotten."""

    memory: MemoryRecord


class ScopeContents(BaseModel):
    """What is known in one scope."""

    scope: ScopeRecord
    summary: str | None = None
    total: int = Field(description="Facts there are; the latest stand in `facts`.")
    facts: list[MemoryRecord]


class KnownScope(BaseModel):
    """A scope that is there, and the resource that tells of it."""

    scope: ScopeRecord
    uri: str
    turns: int
    memories: int
    latest_at: datetime | None = None


def scope_record(scope: Scope) -> ScopeRecord:
    return ScopeRecord(user=scope.user, character=scope.character, world=scope.world)


def memory_record(memory: Memory) -> MemoryRecord:
    return MemoryRecord(
        id=memory.id,
        content=memory.content,
        about=memory.subject_id,
        type=memory.content_type,
        attribute=memory.attribute,
        value=memory.surface or memory.value,
        importance=memory.importance,
        pinned=memory.pinned,
        since=memory.valid_at,
        until=memory.invalid_at,
    )


def remembered(decision: Decision) -> Remembered:
    return Remembered.model_validate(
        {
            "outcome": type(decision).__name__.lower(),
            "memory": None if isinstance(decision, Ignore) else memory_record(decision.memory),
            "replaced": [memory_record(each) for each in decision.closed] if isinstance(decision, Supersede) else [],
        }
    )


def hit_record(hit: Hit) -> HitRecord:
    item = hit.item
    if isinstance(item, Memory):
        return HitRecord(
            text=hit.text,
            score=hit.score,
            kind="memory",
            said_by=item.speaker,
            at=item.known_at,
            scope=scope_record(hit.scope),
            memory=memory_record(item),
        )
    return HitRecord(
        text=hit.text,
        score=hit.score,
        kind="said",
        said_by=item.speaker,
        at=item.at,
        scope=scope_record(hit.scope),
    )


def prepared(context: Context) -> Prepared:
    return Prepared(
        text=context.text, tokens=context.tokens, items=list(context.items), degraded=list(context.degraded)
    )
