"""Test doubles: a clock, an embedder without a model, and a scripted model."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from gieok.domain.answer import Message, Prompt, Task
from gieok.domain.turn import checked_moment
from gieok.errors import ModelFailed

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector

Answer = TypeVar("Answer")
Script = str | ModelFailed | Callable[[Sequence[Message]], str]


class FixedClock:
    """Stands still until it is set or advanced: `FixedClock(DAY_1).advance(days=30)`."""

    def __init__(self, moment: datetime) -> None:
        self.set(moment)

    def now(self) -> datetime:
        return self._moment

    def set(self, moment: datetime) -> None:
        """Set the clock to `moment`, which may be earlier."""
        self._moment = checked_moment(moment, "moment")

    def advance(self, **span: float) -> datetime:
        """Advance by `timedelta(**span)`, and return the new moment."""
        self._moment += timedelta(**span)
        return self._moment


class HashVectors:
    """An `Embedder` without a model. Two with different names give different vectors."""

    def __init__(self, dimension: int = 32, name: str | None = None) -> None:
        self.name = name or f"hash-{dimension}"
        self.dimension = dimension

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"] = "document") -> Matrix:
        """Return one unit row for each text, zeros for one without words; `purpose` makes no difference."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text: str) -> Vector:
        total = np.zeros(self.dimension)
        for word in text.split():
            total += _direction(self.name, word, self.dimension)
        length = float(np.linalg.norm(total))
        return (total / length if length else total).astype(np.float32)

    def warm(self) -> None:
        """There is nothing to load."""


@cache
def _direction(name: str, word: str, dimension: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    seed = hashlib.blake2b(f"{name}\n{word}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(seed, "big")).standard_normal(dimension)


class ScriptedModel:
    """Implements `gieok.ports.Model`: gives prepared answers by task, in order.

    The last answer of a task is repeated; a task without answers fails as an unreachable server does.
    """

    name = "scripted"

    def __init__(self, answers: Mapping[Task, Script | Sequence[Script]] | None = None) -> None:
        self._answers: defaultdict[Task, deque[Script]] = defaultdict(deque)
        self.asked: list[tuple[Task, tuple[Message, ...]]] = []  #: every question so far
        for task, given in (answers or {}).items():
            self.will_answer(task, *([given] if isinstance(given, str) or not isinstance(given, Sequence) else given))

    def will_answer(self, task: Task, *answers: Script) -> None:
        """Replace the remaining answers for `task`."""
        self._answers[task] = deque(answers)

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        text = self._said(prompt.task, prompt.messages)
        try:
            return prompt.read(text)
        except ValueError as cause:
            raise ModelFailed("broken", self.name, str(cause), answer=text) from cause

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        yield from self._said(task, messages)

    def _said(self, task: Task, messages: Sequence[Message]) -> str:
        self.asked.append((task, tuple(messages)))
        script = self._answers[task]
        if not script:
            raise ModelFailed("unreachable", self.name, f"nobody wrote an answer for {task!r}")
        answer = script.popleft() if len(script) > 1 else script[0]
        if isinstance(answer, ModelFailed):
            raise answer
        return answer if isinstance(answer, str) else answer(messages)
