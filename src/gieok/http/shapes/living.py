"""How things stand between the two, the people they know and what they did together, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import ConfigDict, Field

from gieok.bank.living import Feeling, Step
from gieok.domain.emotion import Emotion, Felt, one_hot
from gieok.domain.entity import Entity
from gieok.domain.manners import Habit, Manners, Speech
from gieok.domain.noticed import EntityKind
from gieok.domain.record import to_record
from gieok.domain.relationship import Level, Relationship, score
from gieok.domain.scene import Scene
from gieok.domain.things import Cause, Move, Thing
from gieok.http.shapes.base import Body, Moment, Page, Shape, Word, given
from gieok.http.shapes.memories import MemoryShape


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


def _thing(thing: Thing | None) -> dict[str, Any] | None:
    if isinstance(thing, Relationship):
        return RelationshipShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Manners):
        return MannersShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Entity):
        return EntityShape.of(thing).model_dump(mode="json")
    if isinstance(thing, Scene):
        return SceneShape.of(thing).model_dump(mode="json")
    return None if thing is None else dict(to_record(thing))
