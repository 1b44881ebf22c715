"""What an endpoint sent, read: a whole answer, or the events of a stream. Nothing in it is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from gieok.llms.failing import Refusal, Unusable

_LONGEST_LINE: Final = 1_000_000  #: bytes of one event
_BROKE_INSIDE: Final = 500  #: what an error without a code of its own is taken for


@dataclass(frozen=True, slots=True, kw_only=True)
class Bit:
    """A piece of an answer, or the whole of it."""

    text: str = ""
    prompt_tokens: int = 0  #: 0: not told
    answer_tokens: int = 0


def whole(data: bytes) -> Bit:
    """Read the body of an answer that was not streamed."""
    try:
        return _bit(json.loads(data), "message")
    except (ValueError, RecursionError) as cause:
        raise Unusable("broken", f"no JSON came back: {data[:80].decode(errors='replace')!r}") from cause


def events(pieces: Iterator[bytes]) -> Iterator[Bit]:
    """Read the events of a stream as they come."""
    for line in _lines(pieces):
        if not line.startswith(b"data:"):
            continue
        data = line[len(b"data:") :].strip()
        if data == b"[DONE]":
            return
        try:
            yield _bit(json.loads(data), "delta")
        except (ValueError, RecursionError) as cause:
            raise Unusable("broken", f"no JSON in an event: {data[:80].decode(errors='replace')!r}") from cause


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held = bytearray()
    for piece in pieces:
        held += piece
        *lines, rest = held.split(b"\n")
        yield from (bytes(line.strip()) for line in lines)
        held = rest
        if len(held) > _LONGEST_LINE:
            raise Unusable("too_long", f"an event of more than {_LONGEST_LINE:,} bytes")
    yield bytes(held.strip())


def _bit(value: Any, where: str) -> Bit:
    """Read one object of the wire; `where` is "message" in a whole answer, "delta" in a stream."""
    if not isinstance(value, dict):
        raise Unusable("broken", f"no answer of a chat model came back: {str(value)[:80]!r}")
    if value.get("error"):
        raise _error_in(value["error"])
    choices, usage = value.get("choices"), value.get("usage")
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = choice.get(where) if isinstance(choice, dict) else None
    text = said.get("content") if isinstance(said, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    return Bit(
        text=text if isinstance(text, str) else "",
        prompt_tokens=_count(counts.get("prompt_tokens")),
        answer_tokens=_count(counts.get("completion_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _error_in(error: object) -> Refusal:
    """Return an error that came in an answer of which the status said that all is well."""
    code = error.get("code") if isinstance(error, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return Refusal(code if isinstance(code, int) and code >= 400 else _BROKE_INSIDE, str(message)[:400])
