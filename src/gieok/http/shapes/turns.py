"""Turns and what became of them, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, JsonValue

from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Supersede
from gieok.domain.record import decision_name, promotion_of
from gieok.domain.turn import Turn, Utterance
from gieok.http.shapes.base import Body, Consent, Moment, Page, PlainId, Shape, Text, Word
from gieok.http.shapes.living import FeltShape, MoveShape
from gieok.http.shapes.memories import MemoryShape

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
