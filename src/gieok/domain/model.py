"""What is asked of a language model, and what became of the asking.

A prompt carries how its answer is read, so that every task has one typed answer and no caller parses text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from gieok.domain.answer import Message

Answer = TypeVar("Answer")

Task = Literal[
    "reply", "extract", "reflect", "summarise", "interpret", "profile", "emotion", "director", "rewrite_query",
    "conflict", "rerank", "compress", "embed",
]  # fmt: skip
Failure = Literal[
    "unreachable",  #: no connection, or it broke
    "timeout",
    "rate_limited",  #: 429, or the cool-down after one
    "refused",  #: another 4xx: wrong key, unknown model
    "server_error",  #: 5xx
    "empty",
    "too_long",  #: more than any answer could be
    "broken",  #: not the JSON that was asked for, also after a repair
    "cancelled",  #: whoever listened to it went away
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[Answer]):
    """One question to a model."""

    task: Task
    version: str  #: "extract/1": the journal names it with everything that came of the answer
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]  #: JSON schema of the answer
    read: Callable[[str], Answer]  #: raises ValueError where the text is not what was asked for
    most_tokens: int = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """What one call of a model took, and how it ended."""

    task: Task
    model: str
    at: datetime
    seconds: float
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0  #: in the currency that the prices are set in
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSum:
    """The calls of one day, task, model and outcome together."""

    day: str  #: "2026-11-15", UTC
    task: Task
    model: str
    failure: Failure | None
    calls: int
    seconds: float
    prompt_tokens: int
    answer_tokens: int
    cost: float
