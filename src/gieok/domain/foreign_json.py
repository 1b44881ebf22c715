"""JSON that somebody hands in: read whole, and refused where it holds what no store can keep."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, Final

DEEPEST: Final = 32  #: objects and lists within one another


def value_of(text: bytes) -> Any:
    """Return the value that `text` is; raises ValueError, also for NaN, Infinity and brackets without end."""
    try:
        return json.loads(text.decode(), parse_constant=_no_number)
    except RecursionError as cause:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from cause


def kept(value: Any, depth: int = 0) -> Any:
    """Return `value`; raises ValueError where it holds what no store can keep."""
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    match value:
        case str():
            value.encode()  # a lone surrogate is a ValueError, too
            if "\0" in value:
                raise ValueError("a text holds NUL")
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


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")
