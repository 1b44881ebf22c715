"""Asking what a talk tells that is worth remembering."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final, Literal

from gieok.domain.answer import Prompt
from gieok.domain.attributes import SCHEMA, ContentType, attribute
from gieok.domain.claim import Polarity
from gieok.errors import InvalidQuery
from gieok.prompts.quoting import Data, Language, Line, dated, named, rendered, said
from gieok.prompts.reading import NUMBER, TEXT, items_in, list_of, one_of, schema_of, share, words

Whose = Literal["user", "character", "other"]
ProposedAct = Literal["assert", "correct", "end"]

VERSION: Final = "extract/1"
_MOST: Final = 8
_WHOSE: Final[tuple[Whose, ...]] = ("user", "character", "other")
_CALLED: Final[Mapping[str, Whose]] = {
    **{each: each for each in _WHOSE},
    "사용자": "user",
    "캐릭터": "character",
}
_NONE: Final = frozenset({"none", "null", "n/a", "-"})
_ACTS: Final[tuple[ProposedAct, ...]] = ("assert", "correct", "end")
_TYPES: Final[tuple[ContentType, ...]] = (
    "fact", "preference", "trait", "event", "opinion", "personal", "constraint", "decision", "todo", "promise",
)  # fmt: skip
_SCHEMA: Final[Mapping[str, Any]] = schema_of(
    memories=list_of(
        schema_of(
            quote=TEXT,
            subject=one_of(_WHOSE),
            name=TEXT,
            attribute=TEXT,
            value=TEXT,
            content=TEXT,
            type=one_of(_TYPES),
            polarity=one_of(("+", "-")),
            act=one_of(_ACTS),
            importance=NUMBER,
            certainty=NUMBER,
        ),
        most=_MOST,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What a model thinks was said; nobody has checked it."""

    subject: Whose
    name: str | None  #: of another
    attribute: str | None  #: may be outside the schema
    value: str | None
    content: str  #: a short self-contained sentence
    content_type: ContentType
    polarity: Polarity
    act: ProposedAct
    quote: str  #: the words that say it; "" where the model gave none
    importance: float  #: 0–1
    certainty: float  #: 0–1


def extract_prompt(
    *, lines: Sequence[Line], before: Sequence[Line], today: date, user: str, character: str, language: Language
) -> Prompt[tuple[Proposed, ...]]:
    """Ask what `lines` tell; those `before` only help to understand them."""
    return Prompt(
        task="extract",
        version=VERSION,
        messages=rendered(
            "extract",
            language,
            attributes=attribute_list(language),
            user=named(user),
            character=named(character),
            today=dated(today, language),
            before=said(before),
            lines=said(lines),
        ),
        schema=_SCHEMA,
        read=partial(_read, user=user, character=character),
        most_tokens=1_024,
    )


@cache
def attribute_list(language: Language) -> Data:
    """Return every attribute of the schema, with a word on it where its name does not tell."""
    told = tomllib.loads(files(__package__).joinpath("attributes.toml").read_text(encoding="utf-8"))[language]
    return Data(", ".join(f"{key}({told[key]})" if key in told else key for key in SCHEMA))


def _read(answer: str, *, user: str, character: str) -> tuple[Proposed, ...]:
    whose = {words(user).lower(): "user", words(character).lower(): "character", **_CALLED}
    return items_in(answer, "memories", partial(_proposed, whose=whose), most=_MOST)


def _proposed(item: Any, *, whose: Mapping[str, Whose]) -> Proposed | None:
    if not isinstance(item, dict):
        return None
    quote, value = words(item.get("quote")), words(item.get("value"))
    content = words(item.get("content")) or quote
    said_of = words(item.get("subject"))
    key = _key(item.get("attribute"))
    if not content or not said_of:
        return None
    subject = whose.get(said_of.lower(), "other")
    return Proposed(
        subject=subject,
        name=_name(words(item.get("name")), said_of, whose) if subject == "other" else None,
        attribute=key or None,
        value=value or None,
        content=content,
        content_type=_type(key, item.get("type")),
        polarity="-" if item.get("polarity") == "-" else "+",
        act=next((act for act in _ACTS if act == item.get("act")), "assert"),
        quote=quote,
        importance=share(item.get("importance")),
        certainty=share(item.get("certainty")),
    )


def _name(name: str, said_of: str, whose: Mapping[str, Whose]) -> str | None:
    """Return the name of another; some models put it where "other" belongs."""
    if name.lower() in _NONE:
        name = ""
    return name or (said_of if said_of.lower() not in whose else None)


def _key(given: object) -> str:
    """Return the attribute as the schema would write it; some models copy what explains it: "job(직업)"."""
    key = words(given).partition("(")[0].strip().lower().replace(" ", "_")
    return "" if key in _NONE else key


def _type(key: str, proposed: object) -> ContentType:
    try:
        return attribute(key).content_type
    except InvalidQuery:
        return next((each for each in _TYPES if each == proposed), "fact")
