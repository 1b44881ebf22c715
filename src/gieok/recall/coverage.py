"""Whether memories say all that somebody said, so that quoting the words would only say it twice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gieok.domain.memory import Memory
from gieok.language.text import fold, sentences

_SURE: Final = 0.8
_PLAINEST: Final = 16
_PLAIN: Final = 40  #: characters that one fact takes to say; a longer sentence says more than it


def covered(text: str, memories: Iterable[Memory], *, plain: int = _PLAIN) -> bool:
    """Whether every sentence of `text` has given its memories."""
    memories = list(memories)
    surfaces = [_squeezed(memory.surface) for memory in memories if memory.surface]
    free = len(memories) - len(surfaces)  # an opinion keeps no words of its own: any one sentence may have given it
    uncovered = 0
    for length, said in _said(text):
        facts = sum(surface in said for surface in surfaces)
        uncovered += length > plain * facts
    return bool(memories) and uncovered <= free


def surely_covered(text: str, memories: Iterable[Memory]) -> bool:
    """The same, where no doubt is left: what was read in passing, or out of a longer sentence, may be read by half."""
    return covered(text, (memory for memory in memories if memory.certainty >= _SURE), plain=_PLAINEST)


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences of `text`: how long each is, and its letters."""
    return tuple((len(sentence), _squeezed(sentence)) for sentence in sentences(text))


@lru_cache(maxsize=4096)
def _squeezed(text: str) -> str:
    return "".join(fold(text).split())
