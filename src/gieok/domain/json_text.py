"""JSON in what a model wrote: alone, in a code fence, or with prose around it.

Only whole JSON counts. A piece of an answer that was cut off is no answer: whoever asked can ask again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_MOST_TRIED: Final = 64  #: openings of an object or a list that are tried in one text
_OPENING: Final = re.compile(r"[{\[]")
_FENCED: Final = re.compile(r"```[a-zA-Z0-9]{0,12}[ \t\r]*\n(.*?)```", re.DOTALL)


def json_in(text: str) -> Any:
    """Return the object or list that `text` holds; of several the longest. Raises ValueError where there is none.

    JSON that breaks off at the end of the text makes it fail, even if parts of it are whole.
    """
    said = text.rpartition("</think>")[2].strip()
    for whole in (said, *(fenced.strip() for fenced in _FENCED.findall(said))):
        if whole[:1] in ("{", "[") and (end := _value_at(whole, 0)) is not None and end[1] == len(whole):
            return end[0]
    found: list[tuple[int, Any]] = []
    at = 0
    for _ in range(_MOST_TRIED):
        opening = _OPENING.search(said, at)
        if opening is None:
            break
        start, at = opening.span()
        value = _value_at(said, start, cut_off_fails=True)
        if value is not None:
            at = value[1]
            found.append((at - start, value[0]))
    if not found:
        raise ValueError(f"no JSON in {said[:80]!r}")
    return max(found, key=lambda each: each[0])[1]


def values_in(text: str) -> Iterator[Any]:
    """Yield every whole JSON object and list in `text`, also those inside of one that is broken."""
    at = 0
    for _ in range(_MOST_TRIED):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        at = opening.end()
        value = _value_at(text, opening.start())
        if value is not None:
            at = value[1]
            yield value[0]


def _value_at(text: str, start: int, *, cut_off_fails: bool = False) -> tuple[Any, int] | None:
    """Return the value that begins at `start` and where it ends; None: no JSON begins there."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as trouble:
        if cut_off_fails and (trouble.pos >= len(text) or trouble.msg.startswith("Unterminated")):
            raise ValueError(f"the JSON breaks off: …{text[-40:]!r}") from trouble
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets in brackets
        pass
    return None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number)
