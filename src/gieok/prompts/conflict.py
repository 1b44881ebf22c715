"""Asking which memories cannot both hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any, Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Quoted, aliases, dated, named_by, remembered, rendered
from gieok.prompts.reading import items_in, list_of, one_of, schema_of

VERSION: Final = "conflict/1"
_MOST: Final = 8
Pair = tuple[str, str]


def conflict_prompt(
    *, memories: Sequence[Quoted], today: date, language: Language
) -> Prompt[tuple[tuple[str, str], ...]]:
    """Ask for pairs of ids, the newer one first, of memories of which only the newer still holds."""
    name = one_of(aliases(memories))
    return Prompt(
        task="conflict",
        version=VERSION,
        messages=rendered("conflict", language, today=dated(today, language), memories=remembered(memories)),
        schema=schema_of(conflicts=list_of(schema_of(newer=name, older=name), most=_MOST)),
        read=partial(_read, memories=tuple(memories)),
        most_tokens=256,
    )


def _read(answer: str, *, memories: Sequence[Quoted]) -> tuple[Pair, ...]:
    return tuple(dict.fromkeys(items_in(answer, "conflicts", partial(_pair, memories=memories), most=_MOST)))


def _pair(item: Any, *, memories: Sequence[Quoted]) -> Pair | None:
    if not isinstance(item, dict):
        return None
    newer, older = named_by(item.get("newer"), memories), named_by(item.get("older"), memories)
    return (newer, older) if newer is not None and older is not None and newer != older else None
