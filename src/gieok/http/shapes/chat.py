"""What is said in a chat, as JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from gieok.http.shapes.base import Body, Moment, PlainId, Shape, Text, Word

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
