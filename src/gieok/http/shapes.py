"""What goes over the wire: requests as they must be, and domain values as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema

from gieok.bank.history import Feeling, Step, Version
from gieok.bank.privacy import AboutMe, Group, Told
from gieok.domain.actor import Actor
from gieok.domain.answer import Aid, Block, Context, Hit, LeftOut, Observed, Source, Where, Why
from gieok.domain.attributes import ContentType
from gieok.domain.audit import Deed, Finding, Verified
from gieok.domain.claim import Origin, Polarity, Subject
from gieok.domain.decision import Decision, Ignore, Supersede
from gieok.domain.emotion import Emotion, Felt, one_hot
from gieok.domain.entity import Entity
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.memory import Change, Kind, Memory, MemoryState
from gieok.domain.noticed import EntityKind
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.personal import PERSONAL_KINDS, PersonalKind
from gieok.domain.record import decision_name, promotion_of, request_record, to_record
from gieok.domain.relationship import Habit, Level, Manners, Relationship, Speech, score
from gieok.domain.scene import Scene
from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.state import Cause, Move, StateRecord
from gieok.domain.turn import LONGEST_UTTERANCE, Turn, Utterance, checked_moment
from gieok.domain.upkeep import Action, Kept, PassName
from gieok.errors import InvalidInput, NaiveDatetime
from gieok.http.problems import ATTRIBUTE, NAME, PLAIN_ID, TEXT

if TYPE_CHECKING:
    from gieok.domain.scope import Scope


PageItem = TypeVar("PageItem")
Made = TypeVar("Made")

_LOST_PLUS = re.compile(r" (?=\d\d:\d\d$)")  # in an address a plus that is not escaped is a space


def _moment(said: Any) -> Any:
    if said is None or isinstance(said, datetime):
        return said
    wanted = "must be a moment with an offset, such as 2026-11-15T21:30:00+09:00"
    if not isinstance(said, str) or "T" not in said.upper():
        raise ValueError(wanted)
    try:
        return checked_moment(datetime.fromisoformat(_LOST_PLUS.sub("+", said.upper())))
    except NaiveDatetime as cause:
        raise ValueError(f"has no offset; say which clock is meant, such as {said[:19]}+09:00") from cause
    except InvalidInput as cause:
        raise ValueError(str(cause).removeprefix("at=")) from cause
    except ValueError as cause:
        raise ValueError(wanted) from cause


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-15T21:30:00+09:00"]}),
]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_UTTERANCE, pattern=TEXT)]
Word = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=NAME)]
PlainId = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=PLAIN_ID)]
Attribute = Annotated[str, Field(max_length=LONGEST_NAME, pattern=ATTRIBUTE)]
Consent = Annotated[
    list[PersonalKind],
    Field(
        max_length=len(PERSONAL_KINDS),
        description="Kinds of personal data that the user agrees to have kept, where the settings say to ask.",
    ),
]
Share = Annotated[float, Field(ge=0, le=1)]


def given(make: Callable[[PageItem], Made], thing: PageItem | None) -> Made | None:
    """Return what `make` makes of a thing, if there is one."""
    return None if thing is None else make(thing)


class Body(BaseModel):
    """What a caller sends: by the letter, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Shape(BaseModel):
    """What a caller gets. Every field is always there; what is not known is null."""

    model_config = ConfigDict(frozen=True)


class Page(Shape, Generic[PageItem]):
    """One page of a list."""

    items: list[PageItem]
    next: str | None = Field(description="Hand it in as `cursor` to get the next page; null: this was the last one.")


class ScopeShape(Shape):
    """Whose memory it is."""

    model_config = ConfigDict(frozen=True, title="Scope")

    user: str | None
    character: str | None
    world: str | None

    @classmethod
    def of(cls, scope: Scope) -> ScopeShape:
        return cls(user=scope.user, character=scope.character, world=scope.world)


class ActorShape(Shape):
    """On whose behalf something was done."""

    model_config = ConfigDict(frozen=True, title="Actor")

    kind: str = Field(description="`key`, `person`, `local` (somebody on the server's machine) or `library`.")
    name: str = Field(description="Of a key what it is called and its id, never the key.")

    @classmethod
    def of(cls, actor: Actor) -> ActorShape:
        return cls(kind=actor.kind, name=actor.name)


class DeedShape(Shape):
    """Who did what, when and why; what was erased is null."""

    model_config = ConfigDict(frozen=True, title="Deed")

    number: int
    at: datetime
    act: str = Field(description="`observe`, `correct`, `restore`, `rewind`, `read`, `erase` …")
    actor: ActorShape | None
    who: str | None = Field(description="What carried it out: a rule, prompt or pass with its version.")
    why: str | None
    targets: list[str] = Field(description="Ids of the turn and the memories that it touched.")
    operation: int | None = Field(description="Its number in the journal, which tells what was before and after.")
    digest: str
    link: str

    @classmethod
    def of(cls, deed: Deed) -> DeedShape:
        return cls(
            number=deed.number,
            at=deed.at,
            act=deed.act,
            actor=given(ActorShape.of, deed.actor),
            who=deed.who,
            why=deed.why,
            targets=list(deed.touched),
            operation=deed.operation,
            digest=deed.digest,
            link=deed.link,
        )


class DeedPage(Page[DeedShape]):
    """One page of the audit log, the newest first."""


class FindingShape(Shape):
    """Something that is not as it was written."""

    model_config = ConfigDict(frozen=True, title="Finding")

    scope: ScopeShape | None = Field(description="Null: it was erased, or nobody knows whose it is.")
    chain: str | None
    number: int | None = Field(description="The first row that is concerned.")
    since: datetime | None = Field(description="The last moment before it that can be relied on.")
    what: str

    @classmethod
    def of(cls, finding: Finding) -> FindingShape:
        chain = finding.chain
        return cls(
            scope=given(ScopeShape.of, chain.scope if chain else None),
            chain=chain.mark if chain else None,
            number=finding.number,
            since=finding.since,
            what=finding.what,
        )


class VerifiedShape(Shape):
    """What came of looking the audit log through."""

    model_config = ConfigDict(frozen=True, title="Verified")

    sound: bool
    chains: int
    deeds: int
    findings: list[FindingShape]

    @classmethod
    def of(cls, verified: Verified) -> VerifiedShape:
        return cls(
            sound=verified.sound,
            chains=verified.chains,
            deeds=verified.deeds,
            findings=[FindingShape.of(each) for each in verified.findings],
        )


Persona = Annotated[str, Field(max_length=32_000, description="Who the character is: put first, as it stands.")]


class Message(Body):
    """Something said to the character."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"text": "나 고양이 좋아해", "turn_id": "t1", "persona": "너는 마법 학원의 학생 레티아다."}]
        },
    )

    text: Text
    turn_id: PlainId | None = Field(default=None, description="Your id for it; sent again, it is the same turn.")
    persona: Persona = ""
    session: Word | None = None
    speaker: Word | None = None
    present: Annotated[list[Word], Field(max_length=20)] = Field(default_factory=list)
    channel: Word | None = None
    at: Moment | None = None


class Again(Body):
    """How to answer once more."""

    persona: Persona = ""


class Edited(Again):
    """Other words for an earlier turn."""

    text: Text


class BrokenOff(Shape):
    """What became of a reply that was to be broken off."""

    turn_id: str
    kept: bool = Field(description="The turn is in the log; false: it will be as soon as it can be.")


class ToldShape(Shape):
    """One thing that is remembered of the user."""

    model_config = ConfigDict(frozen=True, title="Told")

    number: int = Field(description="By which the user can name it; 0: it cannot be forgotten by itself.")
    text: str
    when: str = Field(description="When, and from whom, it was learned.")
    memory_id: str | None

    @classmethod
    def of(cls, told: Told) -> ToldShape:
        return cls(number=told.number, text=told.text, when=told.when, memory_id=told.memory_id)


class ToldPart(Shape):
    """What belongs together."""

    group: Group
    heading: str
    told: list[ToldShape]


class AboutMeShape(Shape):
    """What is remembered of the user, in plain words."""

    model_config = ConfigDict(frozen=True, title="AboutMe")

    text: str = Field(
        examples=["letia가 김민수님에 대해 기억하고 있는 내용이에요.\n\n기본 정보\n1. 이름은 김민수예요."]
    )
    parts: list[ToldPart]

    @classmethod
    def of(cls, answer: AboutMe) -> AboutMeShape:
        parts = [
            ToldPart(group=part.group, heading=part.heading, told=[ToldShape.of(each) for each in part.told])
            for part in answer.parts
        ]
        return cls(text=answer.text, parts=parts)


class WhatToErase(Body):
    """Which part of a scope is to go."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"matching": "보라색 우산"}, {"when": "지난주 화요일", "dry_run": False}]},
    )

    session: Word | None = None
    turn: PlainId | None = None
    matching: Text | None = Field(None, description="Turns, memories and documents in which this stands.")
    when: Word | None = Field(None, description='Said then, in words: "지난주 화요일", "yesterday".')
    since: Moment | None = Field(None, description="Said at this moment of the story or later …")
    until: Moment | None = Field(None, description="… and before this one.")
    everything: bool = Field(False, description="All of the scope.")
    dry_run: bool = Field(True, description="Only tell how much would go.")


class CertificateShape(Shape):
    """That something was erased."""

    model_config = ConfigDict(frozen=True, title="Certificate")

    id: str
    at: Moment
    by: str
    salt: str
    subject: str = Field(description="Digest of the scope's names, with the salt.")
    asked: dict[str, str] = Field(description="Moments as they are, everything else as digests.")
    counts: dict[str, int]
    proven_at: Moment | None = Field(description="When the files were free of it; null: that is not certain yet.")
    means: str
    hash: str

    @classmethod
    def of(cls, certificate: Certificate) -> CertificateShape:
        return cls(
            id=certificate.id,
            at=certificate.at,
            by=certificate.by,
            salt=certificate.salt,
            subject=certificate.subject,
            asked=dict(certificate.asked),
            counts=dict(certificate.counts),
            proven_at=certificate.proven_at,
            means=certificate.means,
            hash=certificate.hash,
        )


class ErasureShape(Shape):
    """What went, or would go."""

    model_config = ConfigDict(frozen=True, title="Erasure")

    dry_run: bool
    counts: dict[str, int]
    certificates: list[CertificateShape]

    @classmethod
    def of(cls, erasure: Erasure) -> ErasureShape:
        return cls(
            dry_run=erasure.dry_run,
            counts=erasure.counts,
            certificates=[CertificateShape.of(each) for each in erasure.certificates],
        )


class Certificates(Shape):
    """What remains of erasures."""

    items: list[CertificateShape]


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


class FeltShape(Shape):
    """What somebody felt."""

    model_config = ConfigDict(frozen=True, title="Felt")

    speaker: str
    emotion: Emotion
    intensity: float = Field(description="0 to 1.")
    valence: float = Field(description="-1 (bad) to 1 (good).")
    by: str = Field(description="What told it.")
    one_hot: dict[Emotion, int] = Field(description="For a screen: exactly one is 1.")

    @classmethod
    def of(cls, felt: Felt) -> FeltShape:
        return cls(**_felt(felt))


class FeelingShape(FeltShape):
    """What somebody felt, and when."""

    model_config = ConfigDict(frozen=True, title="Feeling")

    at: datetime
    turn_id: str

    @classmethod
    def at_its_time(cls, feeling: Feeling) -> FeelingShape:
        return cls(at=feeling.at, turn_id=feeling.turn_id, **_felt(feeling.felt))


class RelationshipShape(Shape):
    """How close the two are."""

    model_config = ConfigDict(
        frozen=True,
        title="Relationship",
        json_schema_extra={
            "examples": [
                {
                    "level": "friend",
                    "score": 43.2,
                    "trust": 48.0,
                    "affection": 45.5,
                    "respect": 30.0,
                    "rivalry": 0.0,
                    "familiarity": 43.0,
                    "turns": 120,
                    "met_at": "2026-09-01T20:00:00+09:00",
                    "last_at": "2026-11-15T21:30:00+09:00",
                }
            ]
        },
    )

    level: Level
    score: float = Field(description="0 to 100, as the five axes are.")
    trust: float
    affection: float
    respect: float
    rivalry: float
    familiarity: float
    turns: int
    met_at: datetime | None
    last_at: datetime | None

    @classmethod
    def of(cls, r: Relationship) -> RelationshipShape:
        return cls(
            level=r.level,
            score=score(r),
            trust=r.trust,
            affection=r.affection,
            respect=r.respect,
            rivalry=r.rivalry,
            familiarity=r.familiarity,
            turns=r.turns,
            met_at=r.met_at,
            last_at=r.last_at,
        )


class CauseShape(Shape):
    """Why something moved."""

    model_config = ConfigDict(frozen=True, title="Cause")

    cause: str
    speaker: str | None
    words: str | None
    axis: str | None
    amount: float

    @classmethod
    def of(cls, c: Cause) -> CauseShape:
        return cls(cause=c.name, speaker=c.speaker or None, words=c.words or None, axis=c.axis or None, amount=c.amount)


class StepShape(Shape):
    """One change of the relationship."""

    model_config = ConfigDict(frozen=True, title="Step")

    at: datetime
    turn_id: str | None
    scene: str | None
    before: RelationshipShape | None
    after: RelationshipShape
    causes: list[CauseShape]

    @classmethod
    def of(cls, step: Step) -> StepShape:
        return cls(
            at=step.at,
            turn_id=step.turn_id,
            scene=step.scene,
            before=given(RelationshipShape.of, step.before),
            after=RelationshipShape.of(step.relationship),
            causes=[CauseShape.of(cause) for cause in step.causes],
        )


class HabitShape(Shape):
    """A way to speak, since when, and who asked for it."""

    model_config = ConfigDict(frozen=True, title="Habit")

    value: str
    since: datetime
    asked_by: str | None

    @classmethod
    def of(cls, habit: Habit) -> HabitShape:
        return cls(value=habit.value, since=habit.at, asked_by=habit.asked_by)


class SpeechShape(Shape):
    """How one of the two speaks: `formal`, `casual` or `intimate`, and what they call the other."""

    model_config = ConfigDict(frozen=True, title="Speech")

    style: HabitShape | None
    address: HabitShape | None

    @classmethod
    def of(cls, speech: Speech) -> SpeechShape:
        return cls(style=given(HabitShape.of, speech.style), address=given(HabitShape.of, speech.address))


class MannersShape(Shape):
    """How the two speak to each other."""

    model_config = ConfigDict(frozen=True, title="Manners")

    user: SpeechShape
    character: SpeechShape

    @classmethod
    def of(cls, manners: Manners) -> MannersShape:
        return cls(user=SpeechShape.of(manners.user), character=SpeechShape.of(manners.character))


class EntityShape(Shape):
    """Somebody that was spoken of."""

    model_config = ConfigDict(frozen=True, title="Entity")

    id: str
    name: str
    display_name: str
    aliases: list[str]
    kind: EntityKind
    summary: str | None
    interests: list[str]
    personality: list[str]
    interactions: int
    first_seen: datetime
    last_seen: datetime
    sentiment: float = Field(description="-1 to 1.")
    sentiment_label: str
    trust: float = Field(description="0 to 100.")

    @classmethod
    def of(cls, e: Entity) -> EntityShape:
        return cls(**_entity(e))


class Known(EntityShape):
    """Somebody that was spoken of, with what is known of them."""

    model_config = ConfigDict(frozen=True, title="Known")

    facts: list[MemoryShape]

    @classmethod
    def by(cls, entity: Entity, facts: list[MemoryShape]) -> Known:
        return cls(**_entity(entity), facts=facts)


class SceneShape(Shape):
    """A stretch of the story."""

    model_config = ConfigDict(frozen=True, title="Scene")

    id: str
    title: str
    session: str | None
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None = Field(description="Null: it goes on.")
    ended_by: str | None
    place: str | None
    daytime: str | None
    participants: list[str]
    tone: Emotion
    valence: float
    topics: list[str]
    turns: int

    @classmethod
    def of(cls, s: Scene) -> SceneShape:
        return cls(
            id=s.id,
            title=s.title,
            session=s.session,
            started_at=s.started_at,
            last_at=s.last_at,
            ended_at=s.ended_at,
            ended_by=s.ended_by,
            place=s.place,
            daytime=s.daytime,
            participants=list(s.participants),
            tone=s.tone,
            valence=s.valence,
            topics=list(s.topics),
            turns=s.turns,
        )


class MoveShape(Shape):
    """A thing beside the memories before and after; null: it was not there."""

    model_config = ConfigDict(frozen=True, title="Move")

    kind: str = Field(description="`relationship`, `manners`, `entity`, `scene`, `alias`, `pass` or `note`.")
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    causes: list[CauseShape]

    @classmethod
    def of(cls, move: Move) -> MoveShape:
        return cls(
            kind=move.kind,
            id=move.id,
            before=_thing(move.before),
            after=_thing(move.after),
            causes=[CauseShape.of(cause) for cause in move.causes],
        )


class StepPage(Page[StepShape]):
    """One page of changes of the relationship."""


class FeelingPage(Page[FeelingShape]):
    """One page of feelings."""


class EntityPage(Page[EntityShape]):
    """One page of people."""


class ScenePage(Page[SceneShape]):
    """One page of scenes."""


class StartScene(Body):
    """A scene that begins."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"place": "옥상", "daytime": "저녁", "participants": ["세라"]}]},
    )

    place: Word | None = None
    daytime: Word | None = None
    session: Word | None = None
    participants: list[Word] = Field(default_factory=list, max_length=50)
    at: Moment | None = None


class EndScene(Body):
    """When the scene that is on ends."""

    at: Moment | None = None


def _felt(felt: Felt) -> dict[str, Any]:
    return {
        "speaker": felt.speaker,
        "emotion": felt.emotion,
        "intensity": felt.intensity,
        "valence": felt.valence,
        "by": felt.by,
        "one_hot": one_hot(felt.emotion),
    }


def _entity(e: Entity) -> dict[str, Any]:
    return {
        "id": e.id,
        "name": e.name,
        "display_name": e.display_name,
        "aliases": list(e.aliases),
        "kind": e.kind,
        "summary": e.summary or None,
        "interests": [note.text for note in e.interests],
        "personality": [note.text for note in e.personality],
        "interactions": e.interactions,
        "first_seen": e.first_seen,
        "last_seen": e.last_seen,
        "sentiment": e.sentiment,
        "sentiment_label": e.sentiment_label(),
        "trust": e.trust,
    }


def _thing(thing: StateRecord | None) -> dict[str, Any] | None:
    if isinstance(thing, Relationship):
        return RelationshipShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Manners):
        return MannersShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Entity):
        return EntityShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Scene):
        return SceneShape.of(thing).model_dump(mode="json")
    return None if thing is None else dict(to_record(thing))


#: In a document: there is a text, or there is a reply.
_SAID: Final[list[JsonValue]] = [
    {"required": [name], "properties": {name: {"type": "string"}}} for name in ("text", "reply")
]


class Telling(Body):
    """An exchange to learn from: what the user said, what the character replied, or both."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "text": "나 고양이 좋아해. 이름은 나비야.",
                    "reply": "나비라니, 예쁜 이름이네요!",
                    "at": "2026-11-15T21:30:00+09:00",
                    "session": "저녁",
                }
            ],
            "anyOf": _SAID,
        },
    )

    text: Text | None = None
    reply: Text | None = None
    at: Moment | None = Field(default=None, description="When it was said in the story; null: now.")
    session: Word | None = Field(default=None, description="Your label for one sitting.")
    turn_id: PlainId | None = Field(
        default=None, description="Your id for it; the same id with the same words is one turn."
    )
    speaker: Word | None = Field(default=None, description="Who said `text`, if not the user.")
    present: Annotated[list[Word], Field(max_length=20)] = Field(
        default_factory=list, description="Other characters who hear it; the key must open their scopes, too."
    )
    channel: Word | None = None
    cut_off: bool = Field(default=False, description="The reply was broken off.")
    context_id: Word | None = Field(default=None, description="Of POST /v1/context: what stood in it counts as used.")
    consent: Consent = Field(default_factory=list)


class Rewording(Body):
    """Other words for a turn; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [{"text": "나 강아지 좋아해."}],
            "anyOf": _SAID,
        },
    )

    text: Text | None = None
    reply: Text | None = None
    consent: Consent = Field(default_factory=list)


class Rerolling(Body):
    """Another reply for a turn."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"reply": "고양이는 도도해서 좋아요."}]}
    )

    reply: Text
    context_id: Word | None = None


class Rewinding(Body):
    """How far to go back."""

    following: bool = Field(default=True, description="Take back every later turn as well; false: this one alone.")


class Rewound(Shape):
    """The turns that were taken back; their ids may be used again."""

    turns: list[str]


class UtteranceShape(Shape):
    """What one speaker said."""

    model_config = ConfigDict(frozen=True, title="Utterance")

    id: str
    turn_id: str
    speaker: str
    text: str
    at: datetime
    session: str | None

    @classmethod
    def of(cls, u: Utterance) -> UtteranceShape:
        return cls(id=u.id, turn_id=u.turn_id, speaker=u.speaker, text=u.text, at=u.at, session=u.session)


class TurnShape(Shape):
    """An exchange, as it is kept."""

    model_config = ConfigDict(frozen=True, title="Turn")

    id: str
    number: int = Field(description="Its place among the turns of the scope, from 1.")
    at: datetime
    recorded_at: datetime
    session: str | None
    channel: str | None
    present: list[str]
    cut_off: bool
    utterances: list[UtteranceShape]

    @classmethod
    def of(cls, turn: Turn) -> TurnShape:
        return cls(
            id=turn.id,
            number=turn.number,
            at=turn.at,
            recorded_at=turn.recorded_at,
            session=turn.session,
            channel=turn.channel,
            present=list(turn.present),
            cut_off=turn.cut_off,
            utterances=[UtteranceShape.of(each) for each in turn.utterances],
        )


class TurnPage(Page[TurnShape]):
    """One page of turns, the newest first."""


class DecisionShape(Shape):
    """What was done with something that was said."""

    model_config = ConfigDict(frozen=True, title="Decision")

    decision: Literal["remember", "reinforce", "supersede", "retract", "ignore"]
    content: str = Field(description="What was claimed.")
    why: str | None = Field(description="Why it was ignored.")
    promotion: float | None = Field(description="How worth remembering it is, 0 to 1.")
    memory: MemoryShape | None
    closed: list[MemoryShape] = Field(description="What the new memory took the place of.")

    @classmethod
    def of(cls, decision: Decision) -> DecisionShape:
        promotion = promotion_of(decision)
        return cls(
            decision=decision_name(decision),  # type: ignore[arg-type]  # one of the five: a decision is one of five
            content=decision.claim.content,
            why=decision.why if isinstance(decision, Ignore) else None,
            promotion=None if promotion is None else promotion.score,
            memory=None if isinstance(decision, Ignore) else MemoryShape.of(decision.memory),
            closed=[MemoryShape.of(each) for each in decision.closed] if isinstance(decision, Supersede) else [],
        )


class ObservedShape(Shape):
    """What became of a turn."""

    model_config = ConfigDict(frozen=True, title="Observed")

    turn: TurnShape
    decisions: list[DecisionShape]
    emotions: list[FeltShape]
    moves: list[MoveShape] = Field(description="What it did to the relationship, manners, people and scenes.")
    unread: bool = Field(description="Reading it failed; it is kept and will be read later.")
    again: bool = Field(description="It was observed before; this is what was stored then.")
    pii: list[str] = Field(description="Kinds of personal data in what was said; never the data.")
    ask: list[str] = Field(description="Those of them that are masked until the user agrees: send it with `consent`.")

    @classmethod
    def of(cls, observed: Observed) -> ObservedShape:
        return cls(
            turn=TurnShape.of(observed.turn),
            decisions=[DecisionShape.of(each) for each in observed.decisions],
            emotions=[FeltShape.of(each) for each in observed.emotions],
            moves=[MoveShape.of(each) for each in observed.moves],
            unread=observed.unread,
            again=observed.again,
            pii=list(observed.pii),
            ask=list(observed.ask),
        )


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


class KeptShape(Shape):
    """One thing that upkeep did to memories."""

    model_config = ConfigDict(frozen=True, title="Kept")

    action: Action
    why: str
    changes: list[ChangeShape]

    @classmethod
    def of(cls, kept: Kept) -> KeptShape:
        return cls(action=kept.action, why=kept.why, changes=[ChangeShape.of(change) for change in kept.changes])


class OperationShape(Shape):
    """One entry of the journal: who did what, when and why, and what it changed."""

    model_config = ConfigDict(frozen=True, title="Operation")

    id: str
    number: int
    kind: OperationKind
    at: datetime
    recorded_at: datetime
    who: str
    why: str
    turn_id: str | None
    undone: bool
    request: dict[str, Any] = Field(description="What was asked; `kind` tells what it is.")
    decisions: list[DecisionShape]
    kept: list[KeptShape]
    changes: list[ChangeShape]
    moves: list[MoveShape]

    @classmethod
    def of(cls, operation: Operation) -> OperationShape:
        return cls(
            id=operation.id,
            number=operation.number,
            kind=operation.kind,
            at=operation.moment.at,
            recorded_at=operation.moment.recorded_at,
            who=operation.who,
            why=operation.why,
            turn_id=operation.turn_id,
            undone=operation.undone,
            request=request_record(operation.request),
            decisions=[DecisionShape.of(each) for each in operation.decisions],
            kept=[KeptShape.of(each) for each in operation.kept],
            changes=[ChangeShape.of(each) for each in operation.changes],
            moves=[MoveShape.of(each) for each in operation.moves],
        )


class OperationPage(Page[OperationShape]):
    """One page of the journal, the newest first."""


class SummaryShape(Shape):
    """A summary, and what it tells of."""

    model_config = ConfigDict(frozen=True, title="Summary")

    id: str
    kind: str = Field(description="`rolling` (the story so far) or `weekly`.")
    content: str
    since: datetime
    until: datetime | None
    written_at: datetime
    made_from: list[str] = Field(description="Ids of the memories that it tells of.")
    sources: list[str] = Field(description="Ids of the utterances that it tells of.")

    @classmethod
    def of(cls, memory: Memory) -> SummaryShape:
        return cls(
            id=memory.id,
            kind="weekly" if "weekly" in memory.tags else "rolling",
            content=memory.content,
            since=memory.valid_at,
            until=memory.invalid_at,
            written_at=memory.known_at,
            made_from=list(memory.made_from),
            sources=list(memory.sources),
        )


class SummaryPage(Page[SummaryShape]):
    """One page of summaries."""


class Maintaining(Body):
    """Which upkeep to do."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"dry_run": True}, {"passes": ["merge", "prune"]}]}
    )

    passes: Annotated[list[PassName], Field(max_length=20)] | None = Field(
        default=None, description="Null: those that are due."
    )
    dry_run: bool = Field(default=False, description="Write nothing; tell what would be done.")
    at: Moment | None = None


class Did(Protocol):
    """What upkeep did in a scope."""

    @property
    def scope(self) -> Scope: ...
    @property
    def passes(self) -> tuple[PassName, ...]: ...
    @property
    def kept(self) -> tuple[Kept, ...]: ...
    @property
    def dry_run(self) -> bool: ...
    @property
    def busy(self) -> bool: ...


class UpkeptShape(Shape):
    """What upkeep did in a scope, or would do."""

    model_config = ConfigDict(frozen=True, title="Upkept")

    scope: ScopeShape
    passes: list[PassName]
    kept: list[KeptShape]
    dry_run: bool
    busy: bool = Field(description="Another process is at it; nothing was done.")

    @classmethod
    def of(cls, did: Did) -> UpkeptShape:
        return cls(
            scope=ScopeShape.of(did.scope),
            passes=list(did.passes),
            kept=[KeptShape.of(each) for each in did.kept],
            dry_run=did.dry_run,
            busy=did.busy,
        )


class ScopeCount(ScopeShape):
    """A scope, and how much is in it."""

    model_config = ConfigDict(frozen=True, title="ScopeCount")

    turns: int
    utterances: int
    memories: int
    latest_at: datetime | None


class ScopePage(Page[ScopeCount]):
    """One page of scopes."""


class BankShape(Shape):
    """What the bank is made of."""

    model_config = ConfigDict(frozen=True, title="Bank")

    engine: str
    schema_version: int
    encrypted: bool
    embedder: str
    dimension: int
    preset: str | None
    language: str
    timezone: str
    model: str | None = Field(description="What answers and extracts; null: rules alone.")
    size_bytes: int | None = Field(description="Null for a key that opens only a part of the bank; so are the counts.")
    counts: dict[str, int] | None
