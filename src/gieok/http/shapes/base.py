"""What all shapes share: moments with an offset, names, texts, pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from gieok.domain.personal import PERSONAL_KINDS, PersonalKind
from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment
from gieok.errors import InvalidInput, NaiveDatetime
from gieok.http.misread import ATTRIBUTE, NAME, PLAIN_ID, TEXT

Thing = TypeVar("Thing")
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


def given(make: Callable[[Thing], Made], thing: Thing | None) -> Made | None:
    """Return what `make` makes of a thing, if there is one."""
    return None if thing is None else make(thing)


class Body(BaseModel):
    """What a caller sends: by the letter, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Shape(BaseModel):
    """What a caller gets. Every field is always there; what is not known is null."""

    model_config = ConfigDict(frozen=True)


class Page(Shape, Generic[Thing]):
    """One page of a list."""

    items: list[Thing]
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
