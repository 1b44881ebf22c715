"""Chat messages as utterances and replies, and helpers shared by adapters."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.errors import InvalidQuery

_SAID: Final = ("user", "assistant")  #: system and tool messages are ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The text of a message."""

    role: str  #: "user" or "assistant"
    text: str
    name: str | None = None  #: the name given in the message


def lines_of(messages: object) -> list[Line]:
    """Return the lines of a text, a message or a list of messages, split to fit into utterances.

    Raises `InvalidQuery` for anything else. Pictures and empty messages are skipped.
    """
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    elif isinstance(messages, Mapping):
        messages = [messages]
    if not isinstance(messages, list | tuple):
        raise InvalidQuery(
            f"messages must be a text, a message or a list of messages, not {type(messages).__name__}; nothing was kept"
        )
    return [line for message in messages for line in _lines(message)]


def exchanges(lines: Sequence[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    """Yield each user line with the reply that follows it; either may be missing."""
    said: Line | None = None
    for line in lines:
        if line.role == "user":
            if said is not None:
                yield said, None
            said = line
        else:
            yield said, line
            said = None
    if said is not None:
        yield said, None


def _lines(message: object) -> Iterator[Line]:
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise InvalidQuery("a message is like {'role': 'user', 'content': 'I like cats'}; nothing was kept")
    if message["role"] not in _SAID:
        return
    name, content = message.get("name"), message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    for piece in _pieces(content.strip() if isinstance(content, str) else ""):
        yield Line(role=message["role"], text=piece, name=name if isinstance(name, str) and name.strip() else None)


def _pieces(text: str) -> Iterator[str]:
    """Split a text into utterances at the end of a paragraph, a sentence or at least a word."""
    while len(text) > LONGEST_UTTERANCE:
        head = text[:LONGEST_UTTERANCE]
        cut = next((at for mark in ("\n", ". ", " ") if (at := head.rfind(mark) + 1) > 0), LONGEST_UTTERANCE)
        if head[:cut].strip():
            yield head[:cut].strip()
        text = text[cut:].strip()
    if text:
        yield text


def moment_of(timestamp: object) -> datetime | None:
    """Return the time of a timestamp: seconds since 1970, a datetime or ISO 8601; None: there is none."""
    if timestamp is None or isinstance(timestamp, datetime):
        return timestamp
    try:
        if isinstance(timestamp, int | float) and not isinstance(timestamp, bool):
            return datetime.fromtimestamp(timestamp, UTC)
        if isinstance(timestamp, str):
            return datetime.fromisoformat(timestamp)
    except (ValueError, OverflowError, OSError) as cause:
        raise InvalidQuery(f"timestamp={timestamp!r} is no moment: {cause}; nothing was kept") from cause
    raise InvalidQuery(f"timestamp={timestamp!r} is neither seconds since 1970 nor a datetime; nothing was kept")


def written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def masked(value: Any, mask: Callable[[str], str], *, whole: Collection[str] = ()) -> Any:
    """Return a record with all texts masked, except for keys and the fields in `whole`."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {key: part if key in whole else masked(part, mask, whole=whole) for key, part in value.items()}
    return [masked(part, mask, whole=whole) for part in value] if isinstance(value, list | tuple) else value


def as_json(value: Mapping[str, Any]) -> str:
    """Return `value` as JSON, with lone surrogates as escapes."""
    text = json.dumps(dict(value), ensure_ascii=False)
    return json.dumps(dict(value)) if any("\ud800" <= letter <= "\udfff" for letter in text) else text
