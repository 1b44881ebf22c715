"""Listening to a reply that is passed on: its words, whatever pieces they come in.

Nothing that an endpoint sends stops the passing on; what cannot be read is not heard.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

_LONGEST: Final = 200_000  #: characters of a reply; an utterance is shorter by far
_LONGEST_LINE: Final = 10_000_000  #: bytes; unpacked, a piece that holds more is not heard to its end
_LONGEST_HELD: Final = 64_000  #: bytes of an event that is spread over lines
_DONE: Final = b"[DONE]"
_UNPACKED: Final = ("gzip", "deflate")  #: an endpoint may pack what it was asked not to
_ANY_WRAPPING: Final = 32 + zlib.MAX_WBITS


class Hearing:
    """What was heard so far: events of a stream, or one body."""

    def __init__(self, *, events: bool, encoding: str = "") -> None:
        self._events = events
        self._unpack = zlib.decompressobj(_ANY_WRAPPING) if encoding in _UNPACKED else None
        self._line = bytearray()
        self._held = b""  #: data of an event that goes on in the next line
        self._bits: list[str] = []
        self._length = 0
        self.done = False  #: it was said that this is the whole reply
        self.ended = False  #: … and that no event follows

    @property
    def text(self) -> str:
        return "".join(self._bits)

    def hear(self, piece: bytes) -> None:
        """Take in what comes next."""
        if self._unpack is not None:
            try:
                piece = self._unpack.decompress(piece, _LONGEST_LINE)
            except zlib.error:
                return
        if len(self._line) + len(piece) > _LONGEST_LINE:
            return
        self._line += piece
        if self._events and b"\n" in piece:
            *lines, rest = self._line.split(b"\n")
            self._line = rest
            for line in lines:
                self._read_line(bytes(line))

    def whole(self, data: bytes) -> None:
        """Take in everything at once."""
        self.hear(data)
        self.end()

    def end(self) -> None:
        """Nothing comes any more."""
        rest, self._line = bytes(self._line), bytearray()
        if self._events:
            self._read_line(rest)
        elif isinstance(whole := _parsed(rest), Mapping):
            self.done = True
            self._read_choices(whole)

    def _read_line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            if not line.strip():
                self._held = b""
            return
        data = line[5:].strip()
        if data == _DONE:
            self.done = self.ended = True
            return
        event = _parsed(self._held + data)
        if isinstance(event, Mapping):
            self._held = b""
            self._read_choices(event)
        else:
            held = self._held + data + b"\n"
            self._held = held if len(held) <= _LONGEST_HELD else b""

    def _read_choices(self, event: Mapping[str, Any]) -> None:
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and choice.get("index", 0) == 0:
                said = choice.get("delta") or choice.get("message")
                if isinstance(said, Mapping):
                    self._take(said)
                self.done = self.done or bool(choice.get("finish_reason"))

    def _take(self, said: Mapping[str, Any]) -> None:
        for words in (said.get("content"), said.get("refusal")):
            if isinstance(words, str) and self._length < _LONGEST:
                self._bits.append(words)
                self._length += len(words)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
