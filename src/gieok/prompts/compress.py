"""Asking for what memories say to a question, in fewer words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Quoted, aliases, cited, quoted, remembered, rendered
from gieok.prompts.reading import TEXT, items_in, list_of, one_of, schema_of, words

VERSION: Final = "compress/1"
_MOST: Final = 12
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """What one or more memories say to a question."""

    content: str
    memory_ids: tuple[str, ...]  #: at least one


def compress_prompt(*, query: str, memories: Sequence[Quoted], language: Language) -> Prompt[tuple[Compressed, ...]]:
    """Ask for short sentences that answer `query`, each with the memories it comes from."""
    item = schema_of(memory_ids=list_of(one_of(aliases(memories)), most=8), content=TEXT)
    return Prompt(
        task="compress",
        version=VERSION,
        messages=rendered("compress", language, query=quoted(query), memories=remembered(memories)),
        schema=schema_of(items=list_of(item, most=_MOST)),
        read=partial(_read, memories=tuple(memories)),
        most_tokens=768,
    )


def _read(answer: str, *, memories: Sequence[Quoted]) -> tuple[Compressed, ...]:
    return items_in(answer, "items", partial(_compressed, memories=memories), most=_MOST)


def _compressed(item: Any, *, memories: Sequence[Quoted]) -> Compressed | None:
    if not isinstance(item, dict):
        return None
    content = words(item.get("content"), most=_LONGEST)
    ids = cited(item.get("memory_ids"), memories)
    return Compressed(content=content, memory_ids=ids) if content and ids else None
