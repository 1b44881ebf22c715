"""Asking what several memories show together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Quoted, aliases, cited, dated, named, remembered, rendered
from gieok.prompts.reading import NUMBER, TEXT, items_in, list_of, one_of, schema_of, share, words

VERSION: Final = "reflect/1"
_MOST: Final = 3
_FEWEST_MEMORIES: Final = 2
_LONGEST: Final = 300
_LONGEST_ABOUT: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What a model sees in several memories."""

    content: str
    about: str  #: in a word or two
    memory_ids: tuple[str, ...]  #: at least two
    importance: float  #: 0–1


def reflect_prompt(
    *, memories: Sequence[Quoted], today: date, user: str, character: str, language: Language
) -> Prompt[tuple[Reflection, ...]]:
    """Ask for at most three insights, each out of two memories or more."""
    item = schema_of(memory_ids=list_of(one_of(aliases(memories)), most=8), about=TEXT, content=TEXT, importance=NUMBER)
    return Prompt(
        task="reflect",
        version=VERSION,
        messages=rendered(
            "reflect",
            language,
            user=named(user),
            character=named(character),
            today=dated(today, language),
            memories=remembered(memories),
        ),
        schema=schema_of(reflections=list_of(item, most=_MOST)),
        read=partial(_read, memories=tuple(memories)),
        most_tokens=768,
    )


def _read(answer: str, *, memories: Sequence[Quoted]) -> tuple[Reflection, ...]:
    return items_in(answer, "reflections", partial(_reflection, memories=memories), most=_MOST)


def _reflection(item: Any, *, memories: Sequence[Quoted]) -> Reflection | None:
    if not isinstance(item, dict):
        return None
    content = words(item.get("content"), most=_LONGEST)
    about = words(item.get("about"), most=_LONGEST_ABOUT)
    ids = cited(item.get("memory_ids"), memories)
    if not content or not about or len(ids) < _FEWEST_MEMORIES:
        return None
    return Reflection(content=content, about=about, memory_ids=ids, importance=share(item.get("importance")))
