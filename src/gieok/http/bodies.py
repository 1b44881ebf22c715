"""What clients send: the JSON bodies of requests, and the types of their fields and of query parameters."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema

from gieok.bank.events import EventName
from gieok.domain import answer
from gieok.domain.answer import Aid
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Polarity
from gieok.domain.personal import PERSONAL_KINDS, PersonalKind
from gieok.domain.scope import LONGEST_NAME
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment
from gieok.domain.upkeep import PassName
from gieok.errors import InvalidInput, NaiveDatetime
from gieok.http.problems import ATTRIBUTE, NAME, PLAIN_ID, TEXT

MOST_HITS: Final = 200
MOST_TOKENS: Final = 200_000
_UNESCAPED_PLUS: Final = re.compile(r" (?=\d\d:\d\d$)")  # in an address a plus that is not escaped is a space


def _moment(sent: Any) -> Any:
    if sent is None or isinstance(sent, datetime):
        return sent
    wanted = "must be a moment with an offset, such as 2026-11-15T21:30:00+09:00"
    if not isinstance(sent, str) or "T" not in sent.upper():
        raise ValueError(wanted)
    try:
        return checked_moment(datetime.fromisoformat(_UNESCAPED_PLUS.sub("+", sent.upper())))
    except NaiveDatetime as cause:
        raise ValueError(f"has no offset; say which clock is meant, such as {sent[:19]}+09:00") from cause
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
Words = Annotated[list[Word], Field(max_length=50)]
PlainId = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=PLAIN_ID)]
Attribute = Annotated[str, Field(max_length=LONGEST_NAME, pattern=ATTRIBUTE)]
Persona = Annotated[str, Field(max_length=32_000, description="Who the character is; put first, unchanged.")]
Present = Annotated[list[Word], Field(max_length=20)]
Weight = Annotated[float, Field(ge=0, le=1_000)]
Ids = Annotated[list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=500)]
Hits = Annotated[int, Field(ge=1, le=MOST_HITS)]
Consent = Annotated[
    list[PersonalKind],
    Field(
        max_length=len(PERSONAL_KINDS),
        description="Kinds of personal data that the user agrees to have kept, where the settings ask for consent.",
    ),
]


def _examples(*examples: JsonValue, **rules: JsonValue) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": list(examples), **rules})


class Body(BaseModel):
    """A JSON object: types are exact, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


#: In the document: there is a text, or there is a reply.
_TEXT_OR_REPLY: Final[list[JsonValue]] = [
    {"required": [name], "properties": {name: {"type": "string"}}} for name in ("text", "reply")
]


class Telling(Body):
    """An exchange to learn from: what the user said, what the character replied, or both."""

    model_config = _examples(
        {
            "text": "나 고양이 좋아해. 이름은 나비야.",
            "reply": "나비라니, 예쁜 이름이네요!",
            "at": "2026-11-15T21:30:00+09:00",
            "session": "저녁",
        },
        anyOf=_TEXT_OR_REPLY,
    )

    text: Text | None = None
    reply: Text | None = None
    at: Moment | None = Field(default=None, description="When it was said in the story; null: now.")
    session: Word | None = Field(default=None, description="Your label for one sitting.")
    turn_id: PlainId | None = Field(
        default=None, description="Your id for it; the same id with the same words is one turn."
    )
    speaker: Word | None = Field(default=None, description="Who said `text`, if not the user.")
    present: Present = Field(
        default_factory=list, description="Other characters who hear it; the key must open their scopes, too."
    )
    channel: Word | None = None
    cut_off: bool = Field(default=False, description="The reply was cut off.")
    context_id: Word | None = Field(
        default=None, description="From POST /v1/context: what it contained counts as used."
    )
    consent: Consent = Field(default_factory=list)


class Rewording(Body):
    """Other words for a turn; what is left out stays."""

    model_config = _examples({"text": "나 강아지 좋아해."}, anyOf=_TEXT_OR_REPLY)

    text: Text | None = None
    reply: Text | None = None
    consent: Consent = Field(default_factory=list)


class Rerolling(Body):
    """Another reply for a turn."""

    model_config = _examples({"reply": "고양이는 도도해서 좋아요."})

    reply: Text
    context_id: Word | None = None


class Rewinding(Body):
    """How far to go back."""

    following: bool = Field(default=True, description="Undo every later turn as well; false: this one alone.")


class Remembering(Body):
    """Something to remember as it is stated."""

    model_config = _examples(
        {"content": "땅콩을 먹으면 안 됨", "about": "user", "attribute": "allergy", "value": "땅콩"},
        anyOf=[  # a value needs its attribute
            {"properties": {"value": {"type": "null"}}},
            {"required": ["attribute"], "properties": {"attribute": {"type": "string"}}},
        ],
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
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    valid_at: Moment | None = None
    invalid_at: Moment | None = None
    at: Moment | None = Field(default=None, description="When it is learned; null: the present of the story.")
    tags: Words = Field(default_factory=list)
    origin: Literal["person", "import"] = "person"
    consent: Consent = Field(default_factory=list)


class Correcting(Body):
    """What a memory should say."""

    model_config = _examples({"content": "26살임", "value": "26"})

    content: Text
    value: Text | None = Field(default=None, description="Null: it is read from the new words.")
    at: Moment | None = None
    consent: Consent = Field(default_factory=list)


class Restoring(Body):
    """What to restore a memory to: a version, or its state after an operation."""

    model_config = _examples(
        {"version": 1},
        oneOf=[
            {"required": ["version"], "properties": {"version": {"type": "integer"}, "operation": {"type": "null"}}},
            {"required": ["operation"], "properties": {"operation": {"type": "string"}, "version": {"type": "null"}}},
        ],
    )

    version: int | None = Field(default=None, ge=1, le=2**31 - 1, description="A version of its history.")
    operation: str | None = Field(default=None, max_length=200, description="Or the operation after which it was so.")
    at: Moment | None = None


class Where(Body):
    """What a recall is limited to; what is left out does not limit."""

    about: Word | None = None
    said_by: Word | None = None
    type: ContentType | None = None
    attribute: Attribute | None = None
    since: Moment | None = None
    until: Moment | None = None
    kind: Literal["memory", "utterance"] | None = None
    history: bool = Field(default=False, description="Include what is no longer true.")
    without: list[Aid] = Field(default_factory=list, max_length=9)

    def value(self) -> answer.Where:
        return answer.Where(**{**dict(self), "without": tuple(self.without)})


class Weights(Body):
    """How much each part of the score counts; what is left out keeps its configured weight."""

    recency: Weight | None = None
    importance: Weight | None = None
    relevance: Weight | None = None
    keyword: Weight | None = None
    strength: Weight | None = None
    graph: Weight | None = None

    def value(self) -> dict[str, float]:
        return self.model_dump(exclude_none=True)


class Recalling(Body):
    """A question."""

    model_config = _examples({"query": "반려동물", "k": 5}, {"query": "알레르기 있어?", "explain": True})

    query: Text
    k: Hits | None = Field(default=None, description="How many hits at most.")
    at: Moment | None = Field(default=None, description="When it is asked in the story; null: now.")
    where: Where | None = None
    weights: Weights | None = None
    explain: bool = Field(default=False, description="Return what each part adds to the score.")


class ContextAsked(Body):
    """What a model is about to be asked."""

    model_config = _examples(
        {"query": "오늘 뭐 먹을까?", "budget": 1200, "system": "너는 레티아, 마법 학교의 학생이다."}
    )

    query: Text
    budget: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = Field(
        default=None, description="Tokens of the whole context."
    )
    k: Hits | None = None
    at: Moment | None = None
    include: Ids = Field(default_factory=list, description="Ids of items that must be part of it.")
    system: Annotated[str, Field(max_length=100_000)] = Field(
        default="", description="Your own prompt; it comes first."
    )
    examples: list[Annotated[str, Field(max_length=20_000)]] = Field(default_factory=list, max_length=50)
    weights: Weights | None = None
    shown: Ids | None = Field(
        default=None, description="Ids of the utterances that you show the model yourself; then no talk is quoted."
    )


class StartScene(Body):
    """A scene that begins."""

    model_config = _examples({"place": "옥상", "daytime": "저녁", "participants": ["세라"]})

    place: Word | None = None
    daytime: Word | None = None
    session: Word | None = None
    participants: Words = Field(default_factory=list)
    at: Moment | None = None


class EndScene(Body):
    """When the open scene ends."""

    at: Moment | None = None


class Message(Body):
    """A message to the character."""

    model_config = _examples(
        {"text": "나 고양이 좋아해", "turn_id": "t1", "persona": "너는 마법 학원의 학생 레티아다."}
    )

    text: Text
    turn_id: PlainId | None = Field(default=None, description="Your id for it; sent again, it is the same turn.")
    persona: Persona = ""
    session: Word | None = None
    speaker: Word | None = None
    present: Present = Field(default_factory=list)
    channel: Word | None = None
    at: Moment | None = None


class Again(Body):
    """How to answer once more."""

    persona: Persona = ""


class Edited(Again):
    """Other words for an earlier turn."""

    text: Text


class Maintaining(Body):
    """Which upkeep to do."""

    model_config = _examples({"dry_run": True}, {"passes": ["merge", "prune"]})

    passes: Annotated[list[PassName], Field(max_length=20)] | None = Field(
        default=None, description="Null: those that are due."
    )
    dry_run: bool = Field(default=False, description="Change nothing; return what would be done.")
    at: Moment | None = None


class WhatToErase(Body):
    """Which part of a scope to erase."""

    model_config = _examples({"matching": "보라색 우산"}, {"when": "지난주 화요일", "dry_run": False})

    session: Word | None = None
    turn: PlainId | None = None
    matching: Text | None = Field(default=None, description="Turns, memories and documents that contain this.")
    when: Word | None = Field(default=None, description='Said then, in words: "지난주 화요일", "yesterday".')
    since: Moment | None = Field(default=None, description="Said at this moment of the story or later …")
    until: Moment | None = Field(default=None, description="… and before this one.")
    everything: bool = Field(default=False, description="All of the scope.")
    dry_run: bool = Field(default=True, description="Only return how much would be erased.")


class NewWebhook(Body):
    """A webhook to create."""

    model_config = _examples({"url": "http://127.0.0.1:9000/gieok", "events": ["memory.remembered"]})

    url: str = Field(min_length=1, max_length=2_000, description="Where events are posted to.")
    events: list[EventName | Literal["*"]] = Field(
        default=["*"], min_length=1, max_length=50, description="The events to post; * for all."
    )
    secret: str | None = Field(
        default=None,
        min_length=16,
        max_length=200,
        pattern=TEXT,
        description="What posted events are signed with; made if not given.",
    )
    include_text: bool = Field(default=False, description="Include what memories say.")
