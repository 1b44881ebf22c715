"""Reading answers: from whatever a model wrote to what was asked for, or a ValueError that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Final, TypeVar

from gieok.domain.json_text import json_in
from gieok.prompts.plain_text import cut, seen

Value = TypeVar("Value")
Object = Mapping[str, object]

_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$|```", re.MULTILINE)
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』"}
_HALF: Final = 0.5


def schema_of(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with just these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def list_of(item: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    return {"type": "array", "items": item, "maxItems": most}


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """Return the schema of a string that is one of `names`, or of any where there are none."""
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
    """Return what `read` makes of the list under `key`, without what it makes nothing of.

    A bare list will do. A list in which nothing can be read is no answer; an empty one is.
    """
    value = json_in(answer)
    items = value.get(key) if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise ValueError(f'the answer has no list "{key}"')
    found = tuple(one for one in map(read, items) if one is not None)
    if items and not found:
        raise ValueError(f'nothing under "{key}" can be read')
    return found[:most]


def text_in(answer: str, *, most: int) -> str:
    """Return the text that was asked for, from `{"text": …}` or from plain words; of a long one the beginning."""
    answer = answer.rpartition("</think>")[2].strip()
    bare = _FENCE.sub("", answer).strip()
    if bare.startswith(("{", "[")) or '"text"' in bare:
        bare = words(object_in(answer).get("text"))
    text = _unquoted(seen(_FENCE.sub("", bare)))
    if not text:
        raise ValueError("the answer is empty")
    return cut(text, most)


def words(value: object, *, most: int = 1_000) -> str:
    """Return `value` on one line if it is text, else ""."""
    return cut(" ".join(seen(value).split()), most) if isinstance(value, str) else ""


def share(value: object) -> float:
    """Return `value` if it is a number from 0 to 1, also a written one; else the middle."""
    try:
        number = float(value) if isinstance(value, int | float | str) else _HALF
    except (ValueError, OverflowError):
        return _HALF
    return number if isfinite(number) and 0 <= number <= 1 else _HALF


def _unquoted(text: str) -> str:
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text
