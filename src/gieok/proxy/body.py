"""A client's request as it came: read for what it says, changed in two places, and byte for byte the same elsewhere.

Parsing a body and writing it anew would respell numbers, reorder or lose fields and change escapes. So the ends of
the values are looked up in its text, and what changes is cut out and put in there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_LEADING: Final = ("system", "developer")
_LONGEST_NUMBER: Final = 18  #: digits; longer ones are passed on, but nobody here counts with them


class Unreadable(ValueError):
    """The body is no JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request for a completion."""

    text: str
    fields: Mapping[str, Any]  #: of two fields with one name the last
    models: tuple[tuple[int, int], ...]  #: where the name of the model stands
    messages: tuple[Any, ...]
    places: tuple[tuple[int, int], ...]  #: where each message stands

    @property
    def model(self) -> str:
        model = self.fields.get("model")
        return model if isinstance(model, str) else ""

    @property
    def beside_messages(self) -> int:
        """How many characters there are beside the messages: tools and the like."""
        return len(self.text) - (self.places[-1][1] - self.places[0][0] if self.places else 0)

    def reply_tokens(self) -> int | None:
        """Return how long the reply may be, if the client says so."""
        for name in ("max_completion_tokens", "max_tokens"):
            most = self.fields.get(name)
            if isinstance(most, int) and not isinstance(most, bool) and most > 0:
                return most
        return None

    def passed_on(
        self, *, model: str | None, memory: str | None, shown: Callable[[str], str] = lambda words: words
    ) -> bytes:
        """Return the body with another `model` (None: as it is) and `memory` after the leading system messages.

        What was said, but no instruction, goes on as the model is `shown` it: without what is private.
        """
        changes = [(start, end, _json(model)) for start, end in self.models] if model is not None else []
        for message, (start, end) in zip(self.messages, self.places, strict=True):
            masked = _shown(message, shown)
            if masked is not message:
                changes.append((start, end, _json(masked)))
        if memory is not None and self.places:
            changes.append(self._insertion(memory))
        parts: list[str] = []
        done = 0
        for start, end, instead in sorted(changes):  # put together once: a body may name its model 100,000 times
            parts += (self.text[done:start], instead)
            done = end
        return "".join((*parts, self.text[done:])).encode("utf-8", "surrogatepass")

    def _insertion(self, memory: str) -> tuple[int, int, str]:
        roles = [each.get("role") if isinstance(each, Mapping) else None for each in self.messages]
        place = next((at for at, role in enumerate(roles) if role not in _LEADING), len(roles))
        role = roles[place - 1] if place else _LEADING[0]  # an endpoint may know only one of the two
        message = _json({"role": role, "content": memory})
        if place < len(roles):
            start = self.places[place][0]
            return start, start, f"{message},"
        end = self.places[-1][1]
        return end, end, f",{message}"


def _shown(message: Any, shown: Callable[[str], str]) -> Any:
    """Return `message` with its words as they are `shown`; the very same where none are others."""
    if not isinstance(message, Mapping) or message.get("role") in _LEADING:
        return message
    content = message.get("content")
    if isinstance(content, str):
        words = shown(content)
        return message if words == content else {**message, "content": words}
    if isinstance(content, list):
        parts = [_part(each, shown) for each in content]
        same = all(part is each for part, each in zip(parts, content, strict=True))
        return message if same else {**message, "content": parts}
    return message


def _part(part: Any, shown: Callable[[str], str]) -> Any:
    if not isinstance(part, Mapping) or not isinstance(text := part.get("text"), str):
        return part
    words = shown(text)
    return part if words == text else {**part, "text": words}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else 0


# Line breaks within a string are no JSON, but some clients send them and some endpoints take them.
_READER: Final = json.JSONDecoder(parse_int=_number, strict=False)


def read(data: bytes) -> Asked:
    """Read a body. Raises `Unreadable`."""
    try:
        text = data.decode("utf-8")
        return _read(text)
    except (ValueError, IndexError, RecursionError) as cause:  # IndexError: it ends in the middle
        raise Unreadable("the body is no JSON object in UTF-8") from cause


def _read(text: str) -> Asked:
    fields: dict[str, Any] = {}
    models: list[tuple[int, int]] = []
    messages: list[Any] = []
    places: list[tuple[int, int]] = []
    at = _after(text, _blank(text, 0), "{")
    at = _blank(text, at)
    while text[at] != "}":
        name, at = _READER.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError("a name is a string")
        at = _blank(text, _after(text, _blank(text, at), ":"))
        if name == "messages" and text[at] == "[":
            messages, places, end = _list(text, at)
            fields[name] = messages
        else:
            fields[name], end = _READER.raw_decode(text, at)
            if name == "messages":
                messages, places = [], []
        if name == "model":
            models.append((at, end))
        at = _next(text, end, "}")
    if _blank(text, at + 1) != len(text):
        raise ValueError("there is more behind it")
    return Asked(text=text, fields=fields, models=tuple(models), messages=tuple(messages), places=tuple(places))


def _list(text: str, at: int) -> tuple[list[Any], list[tuple[int, int]], int]:
    values: list[Any] = []
    places: list[tuple[int, int]] = []
    at = _blank(text, at + 1)
    while text[at] != "]":
        value, end = _READER.raw_decode(text, at)
        values.append(value)
        places.append((at, end))
        at = _next(text, end, "]")
    return values, places, at + 1


def _next(text: str, end: int, closing: str) -> int:
    """Return where the next value begins, or where `closing` stands."""
    at = _blank(text, end)
    if text[at] == closing:
        return at
    at = _blank(text, _after(text, at, ","))
    if text[at] == closing:
        raise ValueError("a comma too many")
    return at


def _after(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise ValueError(f"{sign} is missing")
    return at + 1


def _blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()
