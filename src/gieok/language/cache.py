"""Remembering what was read of a text: the same words come again.

A reroll, an edit and every other character that is present read the same utterance once more, and one turn is looked
at by many readers. Only readers that depend on nothing but their arguments, and return values that nobody changes, may
be remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

_SHORT: Final = 300  #: characters; what is read of a page takes hundreds of kilobytes
_SHORT_ONES: Final = 512
_LONG_ONES: Final = 32

Rest = ParamSpec("Rest")
Read = TypeVar("Read")


def cached_by_text(
    reader: Callable[Concatenate[str, Rest], Read], *, short_ones: int = _SHORT_ONES
) -> Callable[Concatenate[str, Rest], Read]:
    """Return `reader` with a memory for the latest texts: many short ones and a few long ones. Threads may share it."""
    of_short: Callable[..., Read] = lru_cache(maxsize=short_ones)(reader)
    of_long: Callable[..., Read] = lru_cache(maxsize=_LONG_ONES)(reader)

    @wraps(reader)
    def read(text: str, /, *rest: Rest.args, **options: Rest.kwargs) -> Read:
        return (of_short if len(text) <= _SHORT else of_long)(text, *rest, **options)

    return read
