"""Asking which memories help with a question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Quoted, aliases, named_by, quoted, remembered, rendered
from gieok.prompts.reading import items_in, list_of, one_of, schema_of

VERSION: Final = "rerank/1"


def rerank_prompt(*, query: str, memories: Sequence[Quoted], language: Language) -> Prompt[tuple[str, ...]]:
    """Ask for the ids of those that help, the most useful first; whatever is left out is of no use."""
    return Prompt(
        task="rerank",
        version=VERSION,
        messages=rendered("rerank", language, query=quoted(query), memories=remembered(memories)),
        schema=schema_of(ids=list_of(one_of(aliases(memories)), most=len(memories))),
        read=partial(_read, memories=tuple(memories)),
        most_tokens=32 + 8 * len(memories),
    )


def _read(answer: str, *, memories: Sequence[Quoted]) -> tuple[str, ...]:
    found = items_in(answer, "ids", partial(named_by, memories=memories), most=len(answer))
    return tuple(dict.fromkeys(found))
