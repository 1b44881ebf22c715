"""Parsing of model answers into typed values; a ValueError says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Final, TypeVar

from gieok.domain.json_text import json_in
from gieok.prompts.data import cut, seen

Value = TypeVar("Value")
Object = Mapping[str, object]

_JSON_LIKE: Final = re.compile(r"""^(?:[{\[]|(?:null|true|false|-?[0-9.]+)$)|\{\s{0,8}["'\w]{1,20}\s{0,8}:""")
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[A-Za-z0-9_+-]{0,20}[ \t]*$|```", re.MULTILINE)
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』"}
_HALF: Final = 0.5


def schema_of(**fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def list_of(item: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    return {"type": "array", "items": item, "maxItems": most}


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """Return the schema of a string that is one of `names`, or any string if there are none."""
    listed = list(names)
    return {"type": "string", "enum": listed} if listed else {"type": "string"}


TEXT: Final[Mapping[str, Any]] = {"type": "string"}
NUMBER: Final[Mapping[str, Any]] = {"type": "number"}
TEXT_ANSWER: Final[Mapping[str, Any]] = schema_of(text=TEXT)


def object_in(answer: str) -> Object:
    value = json_in(answer)
    if not isinstance(value, dict):
        raise ValueError("the answer is not a JSON object")
    return value


def items_in(answer: str, key: str, read: Callable[[Any], Value | None], *, most: int) -> tuple[Value, ...]:
    """Return the non-None results of `read` for the list under `key`.

    A bare list is accepted. A list without any readable item is an error; an empty one is not.
    """
    value = json_in(answer)
    whole = isinstance(value, dict) or f'"{key}"' not in answer  # else a list inside a truncated answer
    items = value.get(key) if isinstance(value, dict) else value if whole else None
    if not isinstance(items, list):
        raise ValueError(f'the answer has no list "{key}"')
    found = tuple(one for one in map(read, items) if one is not None)
    if items and not found:
        raise ValueError(f'nothing under "{key}" can be read')
    return found[:most]


def text_in(answer: str, *, most: int) -> str:
    """Return the requested text on one line, from `{"text": …}` or plain text.

    A longer text is cut at the end of a sentence.
    """
    text = _FENCE.sub("", answer.rpartition("</think>")[2]).strip()
    if _JSON_LIKE.search(text):
        given = object_in(answer).get("text")
        if not isinstance(given, str):
            raise ValueError('the answer has no text "text"')
        text = _FENCE.sub("", given)
    text = words(text, most=len(text))
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    if not text:
        raise ValueError("the answer is empty")
    return cut(text, most)


def words(value: object, *, most: int = 1_000) -> str:
    """Return `value` on one line if it is text, else ""."""
    return cut(" ".join(seen(value).split()), most) if isinstance(value, str) else ""


def share(value: object) -> float:
    """Return `value` if it is a number from 0 to 1, also as text; else 0.5."""
    given = number(value)
    return given if given is not None and 0 <= given <= 1 else _HALF


def number(value: object) -> float | None:
    """Return `value` if it is a finite number, also as text."""
    try:
        given = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None
    return given if given is not None and isfinite(given) else None
