"""What recalling gives, as JSON, and how it is asked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from gieok.domain.answer import Aid, Block, Context, Hit, LeftOut, Source, Where, Why
from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.domain.scoring import PART_NAMES
from gieok.http.shapes.base import Attribute, Body, Moment, ScopeShape, Shape, Text, Word
from gieok.http.shapes.memories import MemoryShape
from gieok.http.shapes.turns import UtteranceShape

MOST_HITS = 200
MOST_TOKENS = 200_000

Weight = Annotated[float, Field(ge=0, le=1_000)]
Ids = Annotated[list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=500)]


class WhereBody(Body):
    """What a recall is limited to; what is left out does not limit."""

    model_config = ConfigDict(extra="forbid", strict=True, title="Where")

    about: Word | None = None
    said_by: Word | None = None
    type: ContentType | None = None
    attribute: Attribute | None = None
    since: Moment | None = None
    until: Moment | None = None
    kind: Literal["memory", "utterance"] | None = None
    history: bool = Field(default=False, description="Also what is no longer true.")
    without: list[Aid] = Field(default_factory=list, max_length=9)

    def where(self) -> Where:
        return Where(
            about=self.about,
            said_by=self.said_by,
            type=self.type,
            attribute=self.attribute,
            since=self.since,
            until=self.until,
            kind=self.kind,
            history=self.history,
            without=tuple(self.without),
        )


class WeightsBody(Body):
    """How much each part of the score counts; what is left out stays as it is set."""

    model_config = ConfigDict(extra="forbid", strict=True, title="Weights")

    recency: Weight | None = None
    importance: Weight | None = None
    relevance: Weight | None = None
    keyword: Weight | None = None
    strength: Weight | None = None
    graph: Weight | None = None

    def given(self) -> dict[str, float]:
        return self.model_dump(exclude_none=True)


class Recalling(Body):
    """A question."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"query": "반려동물", "k": 5}, {"query": "알레르기 있어?", "explain": True}]},
    )

    query: Text
    k: Annotated[int, Field(ge=1, le=MOST_HITS)] | None = Field(default=None, description="How many hits, at most.")
    at: Moment | None = Field(default=None, description="When it is asked in the story; null: now.")
    where: WhereBody | None = None
    weights: WeightsBody | None = None
    explain: bool = Field(default=False, description="Tell what each part adds to the score.")


class Contexting(Body):
    """What a model is about to be asked."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        title="ContextAsked",
        json_schema_extra={
            "examples": [{"query": "오늘 뭐 먹을까?", "budget": 1200, "system": "너는 레티아, 마법 학교의 학생이다."}]
        },
    )

    query: Text
    budget: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = Field(
        default=None, description="Tokens of the whole context."
    )
    k: Annotated[int, Field(ge=1, le=MOST_HITS)] | None = None
    at: Moment | None = None
    include: Ids = Field(default_factory=list, description="Ids of items that must stand in it.")
    system: Annotated[str, Field(max_length=100_000)] = Field(
        default="", description="Your own prompt; it stands first."
    )
    examples: list[Annotated[str, Field(max_length=20_000)]] = Field(default_factory=list, max_length=50)
    weights: WeightsBody | None = None
    shown: Ids | None = Field(
        default=None, description="Ids of the utterances that you show the model yourself; then no talk is quoted."
    )


class FoundShape(Shape):
    """Which source found it, at which place of its list."""

    model_config = ConfigDict(frozen=True, title="Found")

    source: Source
    rank: int


class PartsShape(Shape):
    """The parts of a score, each 0 to 1."""

    model_config = ConfigDict(frozen=True, title="Parts")

    recency: float
    importance: float
    relevance: float
    keyword: float
    strength: float
    graph: float


class HitShape(Shape):
    """Something that answers the question: a memory or an utterance, and the other one is null."""

    model_config = ConfigDict(frozen=True, title="Hit")

    text: str
    score: float
    parts: PartsShape
    contributions: dict[str, float] | None = Field(description="With `explain`: they add up to the score.")
    why: list[FoundShape]
    scope: ScopeShape
    memory: MemoryShape | None
    utterance: UtteranceShape | None

    @classmethod
    def of(cls, hit: Hit) -> HitShape:
        item = hit.item
        return cls(
            text=hit.text,
            score=hit.score,
            parts=PartsShape(**{name: getattr(hit.parts, name) for name in PART_NAMES}),
            contributions=None if hit.contributions is None else dict(hit.contributions),
            why=[FoundShape(source=found.source, rank=found.rank) for found in hit.why],
            scope=ScopeShape.of(hit.scope),
            memory=MemoryShape.of(item) if isinstance(item, Memory) else None,
            utterance=None if isinstance(item, Memory) else UtteranceShape.of(item),
        )


class Hits(Shape):
    """What comes to mind, best first."""

    hits: list[HitShape]


class LeftOutShape(Shape):
    """What did not make it into a context."""

    model_config = ConfigDict(frozen=True, title="LeftOut")

    id: str
    why: Why

    @classmethod
    def of(cls, left: LeftOut) -> LeftOutShape:
        return cls(id=left.item_id, why=left.why)


class BlockShape(Shape):
    """One part of a context."""

    model_config = ConfigDict(frozen=True, title="Block")

    name: str
    text: str
    tokens: int
    items: list[str]
    shortened: list[str]
    left_out: list[LeftOutShape]

    @classmethod
    def of(cls, block: Block) -> BlockShape:
        return cls(
            name=block.name,
            text=block.text,
            tokens=block.tokens,
            items=list(block.items),
            shortened=list(block.shortened),
            left_out=[LeftOutShape.of(each) for each in block.left_out],
        )


class MessageShape(Shape):
    """One message for a chat model."""

    model_config = ConfigDict(frozen=True, title="ContextMessage")

    role: Literal["system", "user", "assistant"]
    content: str


class ContextShape(Shape):
    """What a model should see before it answers."""

    model_config = ConfigDict(frozen=True, title="Context")

    context_id: str = Field(description="Name it in POST /v1/turns within ten minutes: what was used is then recorded.")
    query: str
    text: str
    tokens: int
    budget: int
    messages: list[MessageShape]
    blocks: list[BlockShape]
    items: list[str]
    degraded: list[str] = Field(description="What could not be used, in words.")

    @classmethod
    def of(cls, context: Context, context_id: str) -> ContextShape:
        return cls(
            context_id=context_id,
            query=context.query,
            text=context.text,
            tokens=context.tokens,
            budget=context.budget,
            messages=[MessageShape(role=each.role, content=each.content) for each in context.messages],
            blocks=[BlockShape.of(block) for block in context.blocks],
            items=list(context.items),
            degraded=list(context.degraded),
        )
