"""What an endpoint sent, read: a whole answer, or the events of a stream. Nothing in it is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from gieok.llms.failing import Refusal, Unusable

_LONGEST_LINE: Final = 1_000_000  #: bytes of one event
_BROKE_INSIDE: Final = 500  #: what an error without a code of its own is taken for
_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"


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


class Aloud:
    """Leaves the thoughts out of an answer that comes bit by bit; a tag may be spread over bits."""

    def __init__(self) -> None:
        self._held = ""  #: may be the beginning of a tag
        self._thinking = False
        self._begun = False  #: something was said; before that, blank space is part of the thinking

    def hear(self, bit: str) -> str:
        """Return what of `bit`, and of what was held back before, is said aloud."""
        text, aloud = self._held + bit, ""
        while True:
            tag = _CLOSES if self._thinking else _OPENS
            before, found, after = text.partition(tag)
            if not found:
                break
            aloud += "" if self._thinking else before
            text, self._thinking = after, not self._thinking
        kept = _tail(text, tag)
        self._held = text[len(text) - kept :]
        if not self._thinking:
            aloud += text[: len(text) - kept]
        return self._from_the_first_word(aloud)

    def end(self) -> str:
        """Return what was held back and turned out to be no tag."""
        rest, self._held = ("" if self._thinking else self._held), ""
        return self._from_the_first_word(rest)

    def _from_the_first_word(self, aloud: str) -> str:
        if not self._begun:
            aloud = aloud.lstrip()
            self._begun = bool(aloud)
        return aloud


def aloud(text: str) -> str:
    """Return a whole answer without thoughts, also where its template opened them before the answer began."""
    listening = Aloud()
    said = listening.hear(text) + listening.end()
    return said.rpartition(_CLOSES)[2].lstrip() if _CLOSES in said else said


def _tail(text: str, tag: str) -> int:
    """Return how many characters at the end of `text` may be the beginning of `tag`."""
    return next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
