"""What a scope's searches look through: the layout of its items, and their vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.errors import EmbedderFailed
from gieok.ports import Layout, Match, Occurrences, Weighed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Matrix, Places, Scores, Vector

    Ids = NDArray[np.int64]

_NONE: Final = -1.0  #: the cosine of what has no vector


def unit(vector: Vector, dimension: int) -> Vector:
    """Return `vector` at length 1; one of zeros stays so."""
    wide = np.asarray(vector, dtype=np.float32)
    if wide.shape != (dimension,) or not np.isfinite(wide).all():
        raise EmbedderFailed(f"a vector of shape {wide.shape} came where {dimension} finite numbers are kept")
    length = float(np.linalg.norm(wide))
    return wide / np.float32(length) if length > 0 else wide


def at_length_one(rows: Matrix) -> Matrix:
    """Bring every row to length 1, in place; those of zeros stay so."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeIndex:
    """The items, and the rows of the matrix that each of them owns: several, one, or none."""

    layout: Layout
    owners: NDArray[np.intp]  #: for each row of the matrix, the place of its item
    matrix: Matrix  #: unit rows
    tagged: dict[str, Occurrences] = field(default_factory=dict)  #: what was asked for already

    def cosines(self, vector: Vector) -> Scores:
        """Return the cosine of every item with `vector` (of unit length), of several rows the nearest."""
        # Not `@`: BLAS would spread so small a product over threads, which cost four times the work and fight with
        # those of other callers; this one also gives equal vectors equal scores wherever they stand.
        rows = np.vecdot(self.matrix, vector)
        cosines = np.full(len(self.layout.refs), _NONE, dtype=np.float32)
        np.maximum.at(cosines, self.owners, rows)
        return cosines

    def nearest(self, cosines: Scores, limit: int, *, memories_only: bool) -> list[Match]:
        """Return the items with the highest of `cosines`, best first; of equals the older."""
        eligible = np.zeros(len(cosines), np.bool_)
        eligible[self.owners] = True
        if memories_only:
            eligible &= self.layout.is_memory
        return _best(self.layout.refs[eligible], cosines[eligible], limit)

    def occurrences(self, ids: Ids) -> Occurrences:
        """Return where the items stand that `ids` names once for each time; what is not here does not count."""
        refs = self.layout.refs
        if not len(refs) or not len(ids):
            return Occurrences(places=np.zeros(0, np.intp), times=np.zeros(0, np.intp))
        ids = np.sort(ids)
        # By hand: `np.unique` takes three times as long for so few.
        firsts = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
        named, times = ids[firsts], np.diff(firsts, append=len(ids))
        places, here = self._places(named)
        return Occurrences(places=places[here], times=times[here])

    def weighed(self, ids: Ids, weights: Scores) -> Weighed:
        """Return where the items stand that `ids` names once each; what is not here does not count."""
        if not len(self.layout.refs) or not len(ids):
            return Weighed(places=np.zeros(0, np.intp), weights=np.zeros(0, np.float32))
        places, here = self._places(ids)
        return Weighed(places=places[here], weights=weights[here])

    def _places(self, ids: Ids) -> tuple[Places, NDArray[np.bool_]]:
        """Return a place for each of `ids`, and whether it is its own."""
        refs = self.layout.refs
        places = np.minimum(np.searchsorted(refs, ids), len(refs) - 1)
        return places, refs[places] == ids


def _best(refs: Ids, scores: Scores, limit: int) -> list[Match]:
    """Return the highest scores first; among equals the older item."""
    if limit <= 0:
        return []
    if len(refs) > limit:
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        refs, scores = refs[scores >= cut], scores[scores >= cut]
    order = np.lexsort((refs, -scores))[:limit]
    best = zip(refs[order].tolist(), scores[order].tolist(), strict=True)
    return [Match(ref=ref, score=score) for ref, score in best]
