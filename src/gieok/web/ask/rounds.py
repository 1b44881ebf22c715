"""One question after another, while somebody turns knobs faster than they are answered: only the last one counts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Rounds(Generic[Question, Answer]):
    """Answers one question at a time; of those that come meanwhile, the last. For one event loop."""

    def __init__(self, answer: Callable[[Question], Awaitable[Answer]], show: Callable[[Answer], None]) -> None:
        self._answer = answer
        self._show = show
        self._next: list[Question] = []  #: at most one
        self._busy = False

    async def ask(self, question: Question) -> None:
        """Have `question` answered and shown; returns at once where another one is under way, which it follows.

        Raises what answering the last one raises; an older one that fails is forgotten, as is its answer.
        """
        self._next = [question]
        if self._busy:
            return
        self._busy = True
        try:
            while self._next:
                await self._round(self._next.pop())
        finally:
            self._busy = False

    async def _round(self, question: Question) -> None:
        try:
            answer = await self._answer(question)
        except Exception:  # nobody waits for an older one: the next meets the same trouble, if it lasts
            if not self._next:
                raise
            return
        if not self._next:
            self._show(answer)
