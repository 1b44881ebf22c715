"""Models that say what they are told to."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeVar

from gieok.domain.answer import Message
from gieok.domain.model import Prompt, Task
from gieok.errors import ModelFailed

Answer = TypeVar("Answer")
Script = str | ModelFailed | Callable[[Sequence[Message]], str]


class ScriptedModel:
    """Implements `gieok.ports.Model`: gives the answers it was handed, by task, one after another.

    The last answer of a task is given again and again; a task without any fails as a server would that is not there.
    """

    name = "scripted"

    def __init__(self, answers: Mapping[Task, Script | Sequence[Script]] | None = None) -> None:
        self._answers: defaultdict[Task, deque[Script]] = defaultdict(deque)
        self.asked: list[tuple[Task, tuple[Message, ...]]] = []  #: every question so far
        for task, given in (answers or {}).items():
            self.will_answer(task, *([given] if isinstance(given, str) or not isinstance(given, Sequence) else given))

    def will_answer(self, task: Task, *answers: Script) -> None:
        """Take over what it has left to say for `task`."""
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
