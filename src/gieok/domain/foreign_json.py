"""JSON that somebody hands in: read whole, and refused where it holds what no store can keep."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, Final

from gieok.errors import InvalidText

DEEPEST: Final = 32  #: objects and lists within one another
_HALF: Final = re.compile(r"[\ud800-\udfff]")


def value_of(text: bytes) -> Any:
    """Return the value that `text` is; raises ValueError, also for NaN, Infinity and brackets without end."""
    try:
        return json.loads(text.decode(), parse_constant=no_number)
    except RecursionError as cause:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from cause


def kept(value: Any, depth: int = 0) -> Any:
    """Return `value`; raises ValueError where it holds what no store can keep."""
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    match value:
        case str():
            if "\0" in value or _HALF.search(value):
                raise ValueError("a text holds NUL or half a character")
        case float() if not isfinite(value):
            raise ValueError("a number is too large")
        case dict():
            for name, part in value.items():
                kept(name, depth + 1)
                kept(part, depth + 1)
        case list():
            for part in value:
                kept(part, depth + 1)
    return value


def storable(value: Any) -> Any:
    """Return `value`; raises `InvalidText` where it holds what no store can keep."""
    try:
        return kept(value)
    except ValueError as cause:
        raise InvalidText(f"{cause}; it cannot be stored, remove it") from cause


def no_number(name: str) -> Any:
    """Refuse NaN and Infinity, which JSON does not have: `json.loads(…, parse_constant=no_number)`."""
    raise ValueError(f"{name} is no number")
