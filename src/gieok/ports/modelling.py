"""What the engine asks of language models. Every one of them is optional: without, rules do what they can."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from gieok.domain.answer import Message
from gieok.domain.model import Prompt, Task

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One whole answer of a model."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0


class Llm(Protocol):
    """A chat model behind some wire. Safe to use from many threads."""

    @property
    def name(self) -> str:
        """What the journal and the log of calls name it by, e.g. "gpt-4o-mini"."""
        ...

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        """Return the whole answer, as JSON of `schema` where one is given and the model can. Raises `ModelFailed`."""
        ...

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        """Yield the answer bit by bit and return it whole; closing it hangs up. Raises `ModelFailed`."""
        ...

    def close(self) -> None: ...


class Model(Protocol):
    """What the rooms hold: a model whose every call is counted, and whose answers are typed."""

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        """Return the typed answer; one that cannot be read is asked to be put right once. Raises `ModelFailed`."""
        ...

    def stream(self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int) -> Generator[str]:
        """Yield an answer bit by bit; closing it hangs up. Raises `ModelFailed`."""
        ...
