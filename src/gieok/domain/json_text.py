"""JSON in what a model wrote, whatever stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_OPENING: Final = re.compile(r"[{\[]")
_MOST_VALUES: Final = 64


def json_in(text: str) -> Any:
    """Return the JSON that `text` is, or the longest object or list in it. Raises ValueError where there is none."""
    text = text.rpartition("</think>")[2]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    found = max(values_in(text), key=lambda each: each[0], default=None)
    if found is None:
        raise ValueError("there is no JSON in it")
    return found[1]


def values_in(text: str) -> Iterator[tuple[int, Any]]:
    """Yield every whole JSON object and list in `text`, with its length there."""
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(_MOST_VALUES):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        at = opening.end()
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield at - opening.start(), value
