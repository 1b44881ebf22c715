"""The words by which a text would be known again: what stands in it and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gieok.domain.erasure import spelt
from gieok.language.terms import index_terms

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HANGUL: Final = re.compile("[가-힣]")
_SHORTEST: Final = 2
_LONGEST_ENDING: Final = 3  #: syllables: 우산이라니


def telling_words(gone: Iterable[str], left: Iterable[str], worded: Iterable[str] = ()) -> frozenset[str]:
    """Return the words of the texts `gone` that stand in none of the texts `left`, in small letters.

    Nouns and names are looked for in `left` alone; whatever else stands there also in what was `worded` by rules.
    """
    said = "\n".join(map(spelt, left))
    told = "\n".join(map(spelt, worded))
    found: set[str] = set()
    for text in gone:
        small = spelt(text)
        names = {term for term in index_terms(text) if len(term) >= _SHORTEST and term in small}
        tokens = {part for token in _TOKEN.findall(small) for part in _without_endings(token)}
        found.update(name for name in names - found if name not in said)
        found.update(token for token in tokens - found if token not in said and token not in told)
    return frozenset(found)


def _without_endings(token: str) -> Iterator[str]:
    """Yield a word, and what it may be without a particle or an ending that was written to it."""
    shortest = max(len(token) - _LONGEST_ENDING, _SHORTEST) if _HANGUL.search(token) else len(token)
    for length in range(max(shortest, _SHORTEST), len(token) + 1):
        yield token[:length]
