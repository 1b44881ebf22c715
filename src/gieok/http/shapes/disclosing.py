"""What a user gets to see of what is remembered of them."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from gieok.bank.disclosing import AboutMe, Group, Told
from gieok.http.shapes.base import Shape


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
