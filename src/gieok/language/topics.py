"""What a text is about: a linear look at its vector and its words for each attribute, learned beforehand.

A question and its answer seldom share words ("택배 어디로 보내면 돼?" – "지난달에 판교로 이사했어"), and their vectors
lie apart as well; that both are about where somebody lives can be seen in each. `training/topics.py` learns it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.language.weights import shipped

NOTHING: Final = "-"  #: about no attribute at all
SCALE: Final = 4.0  #: what a vector counts beside words
_CLEAR: Final = 0.05  #: what a text may be about has at least this share
_MOST: Final = 3
_SMALL_TALK: Final = 0.5
CLEAREST: Final = 8  #: how often a text bears the tag of what it is about and nothing else

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a vector and words are shared out among names."""

    names: tuple[str, ...]  #: attributes, and `NOTHING`
    weights: Floats  #: a row for each name: first for the vector, then for the words
    bias: Floats
    words: Mapping[str, int]  #: their places behind the vector

    def shares(self, vector: Floats | None, terms: Iterable[str]) -> dict[str, float]:
        """Return what a text is most likely about, with the shares, the likeliest first."""
        looks = self.bias.copy()
        if vector is not None:
            looks += np.einsum("ij,j->i", self.weights[:, : len(vector)], SCALE * vector)
        places = [self.words[term] for term in {*terms} if term in self.words]
        looks += self.weights[:, places].sum(axis=1)
        looks -= looks.max()
        shares = np.exp(looks)
        shares /= shares.sum()
        likeliest = np.argsort(-shares)[:_MOST].tolist()
        return {self.names[place]: float(shares[place]) for place in likeliest if shares[place] >= _CLEAR}


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTags:
    """What a text is about."""

    tags: tuple[str, ...]  #: each attribute as often as it is clear
    lasting: bool  #: it is no mere small talk


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """What questions ask for and statements tell."""

    embedder: str  #: whose vectors were looked at
    asking: Look
    telling: Look

    def asked(self, vector: Floats | None, terms: Iterable[str]) -> dict[str, float]:
        """Return the attributes a question asks for, with their shares."""
        shares = self.asking.shares(vector, terms)
        return {name: share for name, share in shares.items() if name != NOTHING}

    def told(self, vectors: Floats | None, terms: Sequence[Iterable[str]]) -> TopicTags:
        """Return what the passages of a text tell something about."""
        told: dict[str, float] = {}
        lasting = False
        for number, words in enumerate(terms):
            shares = self.telling.shares(None if vectors is None else vectors[number], words)
            lasting |= shares.pop(NOTHING, 0.0) < _SMALL_TALK
            for name, share in shares.items():
                told[name] = max(share, told.get(name, 0.0))
        tags = tuple(name for name, share in told.items() for _ in range(ceil(share * CLEAREST)))
        return TopicTags(tags=tags, lasting=lasting)


@cache
def topics() -> Topics:
    """Return what was learned, loaded when first asked for."""
    arrays, meta = shipped(__package__, "topics.npz")
    looks = {}
    for what in ("asked", "told"):
        names, words, weights = meta[f"{what}_names"], meta[f"{what}_words"], arrays[f"{what}_weights"]
        behind = weights.shape[1] - len(words)  # the vector stands before the words
        looks[what] = Look(
            names=tuple(names),
            weights=weights,
            bias=arrays[f"{what}_bias"],
            words={word: place for place, word in enumerate(words, behind)},
        )
    return Topics(embedder=meta["embedder"], asking=looks["asked"], telling=looks["told"])
