"""Memories as JSON, and what is asked about them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field

from gieok.bank.versions import Version
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Origin, Polarity, Subject
from gieok.domain.memory import Change, Kind, Memory, MemoryState
from gieok.domain.operation import OperationKind
from gieok.http.shapes.base import Attribute, Body, Consent, Moment, Page, Shape, Share, Text, Word, given

EXAMPLE: Final[dict[str, Any]] = {
    "id": "01m7g3fgvk6vkvhzc20901h4zj-0",
    "content": "고양이를 좋아함",
    "state": "current",
    "type": "preference",
    "kind": "semantic",
    "speaker": "user",
    "subject": "user",
    "subject_id": "user",
    "attribute": "likes",
    "value": "고양이",
    "surface": "고양이",
    "polarity": "+",
    "certainty": 0.9,
    "importance": 0.6,
    "strength": 1.0,
    "emotion_intensity": 0.0,
    "mentions": 0,
    "uses": 2,
    "last_used_at": "2026-11-15T21:31:00+09:00",
    "pinned": False,
    "origin": "rule",
    "valid_at": "2026-11-15T21:30:00+09:00",
    "invalid_at": None,
    "known_at": "2026-11-15T21:30:00+09:00",
    "recorded_at": "2026-11-15T12:30:00Z",
    "forgotten_at": None,
    "closed_by": None,
    "made_from": [],
    "sources": ["01m7g3fgvk6vkvhzc20901h4zj"],
    "tags": [],
    "interpretation": None,
    "channel": None,
    "pii_flags": [],
    "version": 3,
}


class MemoryShape(Shape):
    """One thing that a character knows."""

    model_config = ConfigDict(frozen=True, title="Memory")

    id: str
    content: str
    state: MemoryState = Field(description="`past`: no longer true; `retracted`: never was; `faded`: let go of.")
    type: ContentType
    kind: Kind = Field(description="How it fades.")
    speaker: str = Field(description="Who said it: `user`, `character` or a name.")
    subject: Subject
    subject_id: str = Field(description="Whom it is about: `user`, `world` or a name.")
    attribute: str | None
    value: str | None = Field(description="Normalised; `surface` is how it was said.")
    surface: str | None
    polarity: Polarity
    certainty: float
    importance: float = Field(description="0 to 1.")
    strength: float = Field(description="0 to 1, when it was last touched.")
    emotion_intensity: float
    mentions: int = Field(description="How often it was said again.")
    uses: int = Field(description="How often it stood in a context.")
    last_used_at: datetime | None
    pinned: bool
    origin: Origin
    valid_at: datetime = Field(description="True from then on.")
    invalid_at: datetime | None = Field(description="No longer true from then on.")
    known_at: datetime = Field(description="When it was learned, in the story's time.")
    recorded_at: datetime = Field(description="When it was written down, by the clock on the wall.")
    forgotten_at: datetime | None
    closed_by: str | None = Field(description="The memory that took its place.")
    made_from: list[str]
    sources: list[str] = Field(description="The utterances that said it.")
    tags: list[str]
    interpretation: str | None = Field(description="The character's own view of it.")
    channel: str | None
    pii_flags: list[str] = Field(description="Kinds of personal data that it holds, or that are masked in it.")
    version: int

    @classmethod
    def of(cls, m: Memory) -> MemoryShape:
        return cls(
            id=m.id,
            content=m.content,
            state=m.state(datetime.now(UTC)),
            type=m.content_type,
            kind=m.kind,
            speaker=m.speaker,
            subject=m.subject,
            subject_id=m.subject_id,
            attribute=m.attribute,
            value=m.value,
            surface=m.surface,
            polarity=m.polarity,
            certainty=m.certainty,
            importance=m.importance,
            strength=m.strength,
            emotion_intensity=m.emotion_intensity,
            mentions=m.mentions,
            uses=m.uses,
            last_used_at=m.last_used_at,
            pinned=m.pinned,
            origin=m.origin,
            valid_at=m.valid_at,
            invalid_at=m.invalid_at,
            known_at=m.known_at,
            recorded_at=m.recorded_at,
            forgotten_at=m.forgotten_at,
            closed_by=m.closed_by,
            made_from=list(m.made_from),
            sources=list(m.sources),
            tags=list(m.tags),
            interpretation=m.interpretation,
            channel=m.channel,
            pii_flags=list(m.pii_flags),
            version=m.version,
        )


class MemoryPage(Page[MemoryShape]):
    """One page of memories."""


class ChangeShape(Shape):
    """A memory before and after something happened; null: it was not there."""

    model_config = ConfigDict(frozen=True, title="Change")

    before: MemoryShape | None
    after: MemoryShape | None

    @classmethod
    def of(cls, change: Change) -> ChangeShape:
        return cls(before=given(MemoryShape.of, change.before), after=given(MemoryShape.of, change.after))


class HappenedShape(Shape):
    """Something that happened to a memory."""

    model_config = ConfigDict(frozen=True, title="Happened")

    operation: str = Field(description="Its id in the journal.")
    number: int
    kind: OperationKind
    act: str = Field(description="The same, told more closely: a `correct` may be a `restore`, a `pin` an `unpin`.")
    version: int | None = Field(description="That the memory has since; null: it was removed.")
    at: datetime
    recorded_at: datetime
    actor: str | None = Field(description="On whose behalf: `key …`, `person …`, `local`, `library`; null: not known.")
    who: str = Field(description="What carried it out: a rule, prompt or pass with its version.")
    why: str
    turn_id: str | None
    before: MemoryShape | None
    after: MemoryShape | None

    @classmethod
    def of(cls, version: Version) -> HappenedShape:
        return cls(
            operation=version.operation_id,
            number=version.operation,
            kind=version.kind,
            act=version.act,
            version=version.number,
            at=version.at,
            recorded_at=version.recorded_at,
            actor=None if version.actor is None else str(version.actor),
            who=version.who,
            why=version.why,
            turn_id=version.turn_id,
            before=given(MemoryShape.of, version.before),
            after=given(MemoryShape.of, version.after),
        )


class History(Shape):
    """Everything that happened to a memory, oldest first."""

    items: list[HappenedShape]


class Remembering(Body):
    """Something to be remembered outright."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"content": "땅콩을 먹으면 안 됨", "about": "user", "attribute": "allergy", "value": "땅콩"}],
            "anyOf": [  # a value needs its attribute
                {"properties": {"value": {"type": "null"}}},
                {"required": ["attribute"], "properties": {"attribute": {"type": "string"}}},
            ],
        },
    )

    content: Text
    about: Word = Field(default="user", description="`user`, `character`, `world` or a name.")
    attribute: Attribute | None = Field(
        default=None, description="A name of the schema: `likes`, `allergy`, `favorite.food` …"
    )
    value: Text | None = None
    type: ContentType | None = None
    said_by: Word | None = None
    polarity: Polarity = "+"
    importance: Share | None = None
    valid_at: Moment | None = None
    invalid_at: Moment | None = None
    at: Moment | None = Field(default=None, description="When it is learned; null: the present of the story.")
    tags: list[Word] = Field(default_factory=list, max_length=50)
    origin: Literal["person", "import"] = "person"
    consent: Consent = Field(default_factory=list)


class Correcting(Body):
    """How a memory should have read."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"content": "나이는 26살임", "value": "26"}]}
    )

    content: Text
    value: Text | None = Field(default=None, description="Null: it is read from the new words.")
    at: Moment | None = None
    consent: Consent = Field(default_factory=list)


class Restoring(Body):
    """What a memory shall be again: name either."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"version": 1}],
            "oneOf": [
                {
                    "required": ["version"],
                    "properties": {"version": {"type": "integer"}, "operation": {"type": "null"}},
                },
                {
                    "required": ["operation"],
                    "properties": {"operation": {"type": "string"}, "version": {"type": "null"}},
                },
            ],
        },
    )

    version: int | None = Field(default=None, ge=1, le=2**31 - 1, description="A version of its history.")
    operation: str | None = Field(default=None, max_length=200, description="Or the operation after which it was so.")
    at: Moment | None = None
