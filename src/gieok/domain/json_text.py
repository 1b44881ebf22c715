"""JSON in a model's answer: alone, in a code fence, or surrounded by prose.

Only complete JSON counts. A truncated answer is not used: the caller can ask again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final

from gieok.errors import InvalidText

_MAX_OPENINGS: Final = 64  #: objects and lists that are tried in one text
_OPENING: Final = re.compile(r"[{\[]")
_FENCED: Final = re.compile(r"```[a-zA-Z0-9]{0,12}[ \t\r]*\n(.*?)```", re.DOTALL)


def json_in(text: str) -> Any:
    """Return the longest object or list in `text`. Raises ValueError if there is none.

    JSON that is cut off at the end of the text is an error, even if parts of it are complete.
    """
    said = text.rpartition("</think>")[2].strip()
    for whole in (said, *(fenced.strip() for fenced in _FENCED.findall(said))):
        if whole[:1] in ("{", "[") and (end := _value_at(whole, 0)) is not None and end[1] == len(whole):
            return end[0]
    found = list(_values(said, cut_off_fails=True))
    if not found:
        raise ValueError(f"no JSON in {said[:80]!r}")
    return max(found, key=lambda each: each[0])[1]


def values_in(text: str) -> Iterator[Any]:
    """Yield every complete JSON object and list in `text`, also those inside a broken one."""
    return (value for _, value in _values(text))


def _values(text: str, *, cut_off_fails: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield the length and the value of each JSON value in `text`."""
    at = 0
    for _ in range(_MAX_OPENINGS):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        start, at = opening.span()
        value = _value_at(text, start, cut_off_fails=cut_off_fails)
        if value is not None:
            at = value[1]
            yield at - start, value[0]


def _value_at(text: str, start: int, *, cut_off_fails: bool = False) -> tuple[Any, int] | None:
    """Return the value that starts at `start` and its end; None: no JSON starts there."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as trouble:
        if cut_off_fails and (trouble.pos >= len(text) or trouble.msg.startswith("Unterminated")):
            raise ValueError(f"the JSON breaks off: …{text[-40:]!r}") from trouble
    except (ValueError, RecursionError):  # a number with thousands of digits; deep nesting
        pass
    return None


DEEPEST: Final = 32  #: maximum nesting of objects and lists
_HALF: Final = re.compile(r"[\ud800-\udfff]")


def value_of(text: bytes) -> Any:
    """Return the value of the JSON `text`; raises ValueError, also for NaN, Infinity and deep nesting."""
    try:
        return json.loads(text.decode(), parse_constant=no_number)
    except RecursionError as cause:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from cause


def kept(value: Any, depth: int = 0) -> Any:
    """Return `value`; raises ValueError if a store cannot hold it."""
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
    """Return `value`; raises `InvalidText` if a store cannot hold it."""
    try:
        return kept(value)
    except ValueError as cause:
        raise InvalidText(f"{cause}; it cannot be stored, remove it") from cause


def no_number(name: str) -> Any:
    """Reject NaN and Infinity, which are not JSON: `json.loads(…, parse_constant=no_number)`."""
    raise ValueError(f"{name} is no number")


_DECODER: Final = json.JSONDecoder(parse_constant=no_number)
