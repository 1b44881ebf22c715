"""Chat clients as people use them: a history that is edited, re-rolled, deleted from and shortened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Pair = tuple[str | None, str | None]  #: what the user said, and what was answered
Answer = Callable[[list[dict[str, Any]]], str | None]  #: sends messages, returns the reply


def messages(pairs: Sequence[Pair], pending: str | None = None) -> list[dict[str, Any]]:
    """Return what a client sends for a conversation, ending with the words to be answered."""
    said: list[dict[str, Any]] = []
    for text, reply in pairs:
        said += [{"role": "user", "content": text}] if text is not None else []
        said += [{"role": "assistant", "content": reply}] if reply is not None else []
    return said + ([{"role": "user", "content": pending}] if pending is not None else [])


@dataclass
class Client:
    """One chat in somebody's window; `keeps` is how many exchanges of it are sent (None: all)."""

    answer: Answer
    pairs: list[Pair] = field(default_factory=list)
    keeps: int | None = None
    persona: str | None = None

    def say(self, text: str) -> None:
        self.pairs.append((text, self._ask(text)))

    def reroll(self) -> None:
        text, _ = self.pairs.pop()
        assert text is not None
        self.say(text)

    def edit(self, at: int, *, text: str | None = None, reply: str | None = None) -> None:
        """Change words somewhere in the window; the model is not asked."""
        was_text, was_reply = self.pairs[at]
        self.pairs[at] = (text or was_text, reply or was_reply)

    def delete(self, at: int) -> None:
        del self.pairs[at]

    def _ask(self, text: str) -> str | None:
        shown = self.pairs if self.keeps is None else self.pairs[-self.keeps :]
        head = [{"role": "system", "content": self.persona}] if self.persona else []
        return self.answer([*head, *messages(shown, text)])
