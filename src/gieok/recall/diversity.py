"""Choosing among hits: what says the same as a better one steps back, what says something else comes forward."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.language.text import fold
from gieok.recall.noted import Noted

Gist = tuple[frozenset[str], tuple[str, ...], frozenset[str], str]

_SAME: Final = 0.97  #: likeness from which one of two texts is enough
_SPREAD: Final = 0.02  #: what a hit that is quite like a better one loses
COMPARED: Final = 12  #: hits that are compared with those before them; farther down only the same words count
_POOL: Final = 2  #: hits looked at for every one that is compared
_LETTERS: Final = re.compile(r"[^\W\d_ㄱ-ㅣ\u1100-\u11ff]+")  # ㅋㅋ says nothing
_FIGURES: Final = re.compile(r"\d+")
_NEGATING: Final = frozenset("안 못 아니 아니야 no not never don didn doesn isn".split())


class Scored(Protocol):
    """What can be chosen: a hit, or what may become one."""

    @property
    def item(self) -> Item: ...
    @property
    def score(self) -> float: ...


Answer = TypeVar("Answer", bound=Scored)


def chosen(hits: Iterable[Answer], k: int) -> list[Answer]:
    """Return `k` of `hits`, the best first, none that says the same as another; ties go to the older id."""
    compared = min(k, COMPARED)
    enough = max(k, _POOL * compared)
    distinct: dict[Gist, Answer] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.item.id)):
        distinct.setdefault(_gist(hit.item), hit)
        if len(distinct) == enough:
            break
    first = _spread(list(distinct.items())[: _POOL * compared], compared)
    taken = {hit.item.id for hit in first}
    return [*first, *(hit for hit in distinct.values() if hit.item.id not in taken)][:k]


@dataclass(slots=True)
class _Rival(Generic[Answer]):
    """A hit that may be chosen, compared only with as many of those before it as it takes to decide."""

    gist: Gist
    hit: Answer
    compared: int = 0
    likeness: float = 0.0  #: to those it was compared with

    def worth(self, chosen: list[_Rival[Answer]]) -> float:
        """Return its score, less for being like one of `chosen`."""
        for other in chosen[self.compared :]:
            self.likeness = max(self.likeness, _alike(other.gist, self.gist))
        self.compared = len(chosen)
        return self.hit.score - _SPREAD * self.likeness


def _spread(pool: list[tuple[Gist, Answer]], count: int) -> list[Answer]:
    """Return `count` of `pool`, which is sorted by score."""
    rivals = [_Rival(gist, hit) for gist, hit in pool]
    kept: list[_Rival[Answer]] = []
    while len(kept) < count:
        best, most = None, float("-inf")
        for rival in rivals:
            if rival.hit.score <= most:  # nobody is worth more than their score
                break
            worth = rival.worth(kept)
            if rival.likeness < _SAME and worth > most:
                best, most = rival, worth
        if best is None:
            break
        rivals = [rival for rival in rivals if rival is not best and rival.likeness < _SAME]
        kept.append(best)
    return [rival.hit for rival in kept]


def _alike(one: Gist, other: Gist) -> float:
    """Return how much of their letters two share in pairs; another's, other figures or a "not" make it another."""
    if one[1:] != other[1:]:
        return 0.0
    shared = len(one[0] & other[0])
    return shared / (len(one[0]) + len(other[0]) - shared)


_GISTS: Final[Noted[Item, Gist]] = Noted()


def _gist(item: Item) -> Gist:
    """Return what `item` says (in pairs of letters, figures and negations), and of whom."""
    return _GISTS.note(item, _new_gist)


def _new_gist(item: Item) -> Gist:
    if isinstance(item, Memory):
        return (*_said(item.content), item.subject_id)
    return (*_said(item.text), item.speaker)


@lru_cache(maxsize=8192)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    folded = fold(text)
    words = _LETTERS.findall(folded)
    pairs = frozenset(word[at : at + 2] for word in words for at in range(max(len(word) - 1, 1)))
    return pairs or frozenset({folded}), tuple(_FIGURES.findall(folded)), _NEGATING.intersection(words)
