"""What clients send: the JSON bodies of requests, and the types of their fields and of query parameters."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

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
_TEXTS: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("bodies.toml").read_text(encoding="utf-8")
)
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


def _document(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Add descriptions, examples and rules to the schema of a body."""
    for name, text in _TEXTS.get(model.__name__, {}).items():
        if name == "SCHEMA":
            schema |= text
        else:
            schema["properties"][name]["description"] = text


class Body(BaseModel):
    """A JSON object: types are exact, and unknown fields are refused. `bodies.toml` describes the fields."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=_document)


class Telling(Body):
    """An exchange to learn from: what the user said, what the character replied, or both."""

    text: Text | None = None
    reply: Text | None = None
    at: Moment | None = None
    session: Word | None = None
    turn_id: PlainId | None = None
    speaker: Word | None = None
    present: Present = Field(default_factory=list)
    channel: Word | None = None
    cut_off: bool = False
    context_id: Word | None = None
    consent: Consent = Field(default_factory=list)


class Rewording(Body):
    """Other words for a turn; what is left out stays."""

    text: Text | None = None
    reply: Text | None = None
    consent: Consent = Field(default_factory=list)


class Rerolling(Body):
    """Another reply for a turn."""

    reply: Text
    context_id: Word | None = None


class Rewinding(Body):
    """How far to go back."""

    following: bool = True


class Remembering(Body):
    """Something to remember as it is stated."""

    content: Text
    about: Word = "user"
    attribute: Attribute | None = None
    value: Text | None = None
    type: ContentType | None = None
    said_by: Word | None = None
    polarity: Polarity = "+"
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    valid_at: Moment | None = None
    invalid_at: Moment | None = None
    at: Moment | None = None
    tags: Words = Field(default_factory=list)
    origin: Literal["person", "import"] = "person"
    consent: Consent = Field(default_factory=list)


class Correcting(Body):
    """What a memory should say."""

    content: Text
    value: Text | None = None
    at: Moment | None = None
    consent: Consent = Field(default_factory=list)


class Restoring(Body):
    """What to restore a memory to: a version, or its state after an operation."""

    version: int | None = Field(default=None, ge=1, le=2**31 - 1)
    operation: str | None = Field(default=None, max_length=200)
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
    history: bool = False
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

    query: Text
    k: Hits | None = None
    at: Moment | None = None
    where: Where | None = None
    weights: Weights | None = None
    explain: bool = False


class ContextAsked(Body):
    """What a model is about to be asked."""

    query: Text
    budget: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = None
    k: Hits | None = None
    at: Moment | None = None
    include: Ids = Field(default_factory=list)
    system: Annotated[str, Field(max_length=100_000)] = ""
    examples: list[Annotated[str, Field(max_length=20_000)]] = Field(default_factory=list, max_length=50)
    weights: Weights | None = None
    shown: Ids | None = None


class StartScene(Body):
    """A scene that begins."""

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

    text: Text
    turn_id: PlainId | None = None
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

    passes: Annotated[list[PassName], Field(max_length=20)] | None = None
    dry_run: bool = False
    at: Moment | None = None


class WhatToErase(Body):
    """Which part of a scope to erase."""

    session: Word | None = None
    turn: PlainId | None = None
    matching: Text | None = None
    when: Word | None = None
    since: Moment | None = None
    until: Moment | None = None
    everything: bool = False
    dry_run: bool = True


class NewWebhook(Body):
    """A webhook to create."""

    url: str = Field(min_length=1, max_length=2_000)
    events: list[EventName | Literal["*"]] = Field(default=["*"], min_length=1, max_length=50)
    secret: str | None = Field(default=None, min_length=16, max_length=200, pattern=TEXT)
    include_text: bool = False
