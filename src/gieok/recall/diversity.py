"""Choosing among hits: what says the same as a better one steps back, what says something else comes forward."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gieok.domain.answer import Hit
from gieok.domain.memory import Memory
from gieok.language.text import fold

Gist = tuple[frozenset[str], tuple[str, ...], frozenset[str], str]

_SAME: Final = 0.97  #: likeness from which one of two texts is enough
_SPREAD: Final = 0.02  #: what a hit that is quite like a better one loses
_COMPARED: Final = 12  #: hits that are compared with those before them; farther down only the same words count
_POOL: Final = 2  #: hits looked at for every one that is compared
_LETTERS: Final = re.compile(r"[^\W\d_ㄱ-ㅣ\u1100-\u11ff]+")  # ㅋㅋ says nothing
_FIGURES: Final = re.compile(r"\d+")
_NEGATING: Final = frozenset("안 못 아니 아니야 no not never don didn doesn isn".split())


def chosen(hits: Iterable[Hit], k: int) -> list[Hit]:
    """Return `k` of `hits`, the best first, none that says the same as another; ties go to the older id."""
    distinct: dict[Gist, Hit] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.item.id)):
        distinct.setdefault(_gist(hit), hit)
    compared = min(k, _COMPARED)
    first = _spread(list(distinct.items())[: _POOL * compared], compared)
    taken = {hit.item.id for hit in first}
    return [*first, *(hit for hit in distinct.values() if hit.item.id not in taken)][:k]


def _spread(pool: list[tuple[Gist, Hit]], count: int) -> list[Hit]:
    kept: list[Hit] = []
    likeness = [0.0] * len(pool)  #: to what was chosen already
    while pool and len(kept) < count:
        place = max(range(len(pool)), key=lambda at: (pool[at][1].score - _SPREAD * likeness[at], -at))
        likeness.pop(place)
        gist, best = pool.pop(place)
        kept.append(best)
        alike = [_alike(gist, other) for other, _ in pool]
        pool = [other for other, much in zip(pool, alike, strict=True) if much < _SAME]
        likeness = [max(before, much) for before, much in zip(likeness, alike, strict=True) if much < _SAME]
    return kept


def _alike(one: Gist, other: Gist) -> float:
    """Return how much of their letters two share in pairs; another's, other figures or a "not" make it another."""
    if one[1:] != other[1:]:
        return 0.0
    shared = len(one[0] & other[0])
    return shared / (len(one[0]) + len(other[0]) - shared)


def _gist(hit: Hit) -> Gist:
    """Return what a hit says (in pairs of letters, figures and negations), and of whom."""
    return (*_said(hit.text), hit.item.subject_id if isinstance(hit.item, Memory) else hit.item.speaker)


@lru_cache(maxsize=8192)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    folded = fold(text)
    words = _LETTERS.findall(folded)
    pairs = frozenset(word[at : at + 2] for word in words for at in range(max(len(word) - 1, 1)))
    return pairs or frozenset({folded}), tuple(_FIGURES.findall(folded)), _NEGATING.intersection(words)
