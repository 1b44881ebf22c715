"""A model whose every bit, stall and failure a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from threading import Event

from gieok.domain.answer import Message, Task

LONGEST = 20  #: seconds until a test that hangs is given up


class BitByBit:
    """Streams what it is given: a string is sent, an error raised, an event waited for, anything else called."""

    name = "bit-by-bit"

    def __init__(self, *bits: str | BaseException | Event | Callable[[], object]) -> None:
        self.bits = bits
        self.begun = Event()
        self.hung_up = 0
        self.seen: list[tuple[Message, ...]] = []

    def ask(self, prompt: object) -> object:
        raise AssertionError("a reply is streamed")

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        self.seen.append(tuple(messages))
        self.begun.set()
        try:
            for bit in self.bits:
                if isinstance(bit, Event):
                    assert bit.wait(LONGEST), "nobody let it go on"
                elif isinstance(bit, BaseException):
                    raise bit
                elif isinstance(bit, str):
                    yield bit
                else:
                    bit()
        except GeneratorExit:
            self.hung_up += 1
            raise
