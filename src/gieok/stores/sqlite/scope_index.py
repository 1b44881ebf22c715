"""What a scope's searches look through: every searchable item's id, length and vectors, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.ports import Match

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Matrix, Vector

    Ids = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Scores = NDArray[np.float32] | NDArray[np.float64]

_NONE: Final = -2.0  #: below every cosine
_K1: Final = 1.2
_B: Final = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """The items in which a word stands, once for each time."""

    ids: Ids
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeIndex:
    """Parallel arrays, by ascending id; an item may own several rows of the matrix, or none."""

    ids: Ids
    is_memory: Mask
    lengths: NDArray[np.int32]  #: in terms
    owners: NDArray[np.intp]  #: for each row of the matrix, the place of its item
    matrix: Matrix  #: unit rows

    def nearest(self, vector: Vector, limit: int, *, memories_only: bool) -> list[Match]:
        """Return the items with the highest cosine to `vector` (of unit length), best first."""
        # Not `@`: BLAS would spread so small a product over threads, which cost four times the work and fight with
        # those of other callers; this one also gives equal vectors equal scores wherever they stand.
        scores = np.einsum("ij,j->i", self.matrix, vector)
        best = np.full(len(self.ids), _NONE, dtype=np.float32)
        np.maximum.at(best, self.owners, scores)
        eligible = (best > _NONE) & self.is_memory if memories_only else best > _NONE
        return _best(self.ids[eligible], best[eligible], limit)

    def most_often(self, ids: Ids, limit: int, *, memories_only: bool) -> list[Match]:
        """Return the items that stand in `ids`, those that stand there most often first; among equals the newer."""
        if not len(self.ids):
            return []
        places, times = np.unique(self._places(ids), return_counts=True)
        eligible = self.is_memory[places] if memories_only else np.ones(len(places), np.bool_)
        bearing, often = self.ids[places][eligible], times[eligible]
        order = np.lexsort((-bearing, -often))[: max(limit, 0)]
        return [Match(ref=int(bearing[place]), score=float(often[place])) for place in order]

    def best_by_words(self, postings: Sequence[Posting], limit: int, *, memories_only: bool) -> list[Match]:
        """Return the items with the highest BM25, best first, by the statistics of this index alone."""
        if not len(self.ids):
            return []
        scores = np.zeros(len(self.ids))
        long = _K1 * (1 - _B + _B * self.lengths / max(float(self.lengths.mean()), 1.0))
        for posting in postings:
            places, times = np.unique(self._places(posting.ids), return_counts=True)
            rarity = np.log(1 + (len(self.ids) - len(places) + 0.5) / (len(places) + 0.5))
            scores[places] += posting.weight * rarity * times * (_K1 + 1) / (times + long[places])
        eligible = (scores > 0) & self.is_memory if memories_only else scores > 0
        return _best(self.ids[eligible], scores[eligible], limit)

    def _places(self, ids: Ids) -> NDArray[np.intp]:
        """Return where `ids` stand, without those that are not here (hidden, or not of this scope)."""
        places = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        here: NDArray[np.intp] = places[self.ids[places] == ids]
        return here


def _best(ids: Ids, scores: Scores, limit: int) -> list[Match]:
    """Return the highest scores first; among equals the older item."""
    if limit <= 0:
        return []
    if len(ids) > limit:
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        ids, scores = ids[scores >= cut], scores[scores >= cut]
    order = np.lexsort((ids, -scores))[:limit]
    return [Match(ref=int(ids[place]), score=float(scores[place])) for place in order]
