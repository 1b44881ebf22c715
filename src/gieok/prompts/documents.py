"""The documents that prompts are rendered from.

A document has two parts with a line of three dashes between them: what a model is told, and what it is given. A slot
is a name in double braces; what is put into one is not read for further slots.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.answer import Message
from gieok.domain.model import Task
from gieok.prompts.quoting import Data, Language

_SLOT: Final = re.compile(r"\{\{([a-z_]+)\}\}")


@cache
def document(task: Task, language: Language) -> str:
    return files(__package__).joinpath(f"{task}.{language}.md").read_text(encoding="utf-8")


def slots(text: str) -> frozenset[str]:
    """Return the names of the slots in `text`."""
    return frozenset(_SLOT.findall(text))


def rendered(task: Task, language: Language, **data: Data) -> tuple[Message, ...]:
    """Return the document of `task` with `data` in its slots: each slot is filled, and nothing is left over."""
    text = document(task, language)
    if slots(text) != data.keys():
        raise KeyError(f"{task}.{language}.md has the slots {sorted(slots(text))}, not {sorted(data)}")
    told, given = text.split("\n---\n")
    return (
        Message(role="system", content=_filled(told, data)),
        Message(role="user", content=_filled(given, data)),
    )


def _filled(text: str, data: dict[str, Data]) -> str:
    return _SLOT.sub(lambda slot: data[slot[1]], text).strip()
