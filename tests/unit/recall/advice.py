"""A story whose recaller a scripted model helps, and the answers that such a model gives."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import gieok
from gieok.domain.answer import Context, Hit, Message, Where
from gieok.recall.recaller import Recaller
from gieok.testing import ScriptedModel

_ROW = re.compile(r'\{"id": .*\}')


class Advised:
    """Recalls in a mind with a model's help."""

    def __init__(self, bank: gieok.MemoryBank, mind: gieok.Mind, model: ScriptedModel, **fields: Any) -> None:
        self.bank = bank
        self.mind = mind
        self.model = model
        self.recaller: Recaller = replace(bank.services.recaller, model=model, **fields)

    def recall(self, query: str, k: int = 8, **options: Any) -> list[Hit]:
        return self.recaller.recall(self.mind.key, query, k=k, at=None, where=Where(), **options)

    def context(self, query: str, budget: int = 4_096, include: Sequence[str] = ()) -> Context:
        return self.recaller.context(self.mind.key, query, budget=budget, k=60, at=None, include=include)


class Stuck:
    """A script that says nothing until it is let go."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.returned = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        self.released.wait(60)
        self.returned += 1
        return '{"ids": ["m2", "m1"], "items": [], "text": "too late"}'


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def shown(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return the memories that a prompt shows."""
    return [json.loads(row) for row in _ROW.findall(messages[-1].content)]


def naming(*texts: str) -> Callable[[Sequence[Message]], str]:
    """Return a script that names the memories in which `texts` stand, in that order."""

    def answer(messages: Sequence[Message]) -> str:
        return json.dumps({"ids": [_alias(messages, text) for text in texts]})

    return answer


def shortening(*lines: tuple[str, Sequence[str]]) -> Callable[[Sequence[Message]], str]:
    """Return a script that says each line of the memories in which its texts stand."""

    def answer(messages: Sequence[Message]) -> str:
        items = [{"content": line, "memory_ids": [_alias(messages, text) for text in texts]} for line, texts in lines]
        return json.dumps({"items": items}, ensure_ascii=False)

    return answer


def _alias(messages: Sequence[Message], text: str) -> str:
    return next((row["id"] for row in shown(messages) if text in row["text"]), text)
