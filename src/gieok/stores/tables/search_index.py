"""What a scope's searches look through: the layout of its items, and their vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed
from gieok.ports import NO_SITTING, Layout, Match, Occurrences, WordWeights
from gieok.ports.blas import use_one_thread
from gieok.ports.nearness import Nearness, highest
from gieok.stores.tables.columns import Row, first_id

if TYPE_CHECKING:
    from gieok.ports import Matrix, Places, Scores, Vector

    Ids = NDArray[np.int64]

_NONE: Final = -1.0  #: the cosine of what has no vector
_NOWHERE: Final = np.zeros(0, np.intp)


def unit(vector: Vector, dimension: int) -> Vector:
    """Return `vector` at length 1; one of zeros stays so."""
    wide = np.asarray(vector, dtype=np.float32)
    if wide.shape != (dimension,) or not np.isfinite(wide).all():
        raise EmbedderFailed(f"a vector of shape {wide.shape} came where {dimension} finite numbers are kept")
    length = float(np.linalg.norm(wide))
    return wide / np.float32(length) if length > 0 else wide


class Packing(ABC):
    """How the vectors of an item stand in their column."""

    number: np.dtype[Any]  #: as a number of a vector stands there
    head: int = 0  #: bytes before the numbers of each row

    @abstractmethod
    def packed(self, vectors: Matrix, dimension: int) -> Any:
        """Return the rows of an item for its column; raises `EmbedderFailed` if they have another dimension."""

    def width(self, dimension: int) -> int:
        return self.head + self.number.itemsize * dimension

    def rows_in(self, column: bytes | None, dimension: int) -> int:
        return len(column) // self.width(dimension) if column else 0

    def rows(self, columns: Sequence[bytes], dimension: int) -> NDArray[Any]:
        """Return the rows of all items, one after the other, in their own numbers."""
        rows = np.frombuffer(b"".join(columns), np.uint8).reshape(-1, self.width(dimension))[:, self.head :]
        return np.ascontiguousarray(rows).view(self.number)

    def unpacked(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        """Return the same at length 1; those of zeros stay so."""
        rows = self.rows(columns, dimension).astype(np.float32)
        rows *= _scales(rows)[:, None]
        return rows

    def firsts(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        """Return the first row of each item, which stands for the whole of it, at length 1."""
        return self.unpacked([column[: self.width(dimension)] for column in columns], dimension)


def _scales(rows: Matrix) -> Scores:
    """Return what brings each row to length 1; 0 for one of zeros."""
    lengths: Scores = np.sqrt(np.vecdot(rows, rows))
    scales: Scores = np.divide(np.float32(1), lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return scales


_AT_ONCE: Final = 128  #: rows that are brought to floats together: they stay in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """The rows of a matrix, of length 1, along the few directions in which they differ most.

    What a row is beside these has a length, and the cosine with a vector is at most what their directions share, and
    the product of what is beside them.
    """

    directions: Matrix  #: columns of length 1, each at right angles with the others
    along: Matrix
    beside: Scores  #: the length of what is left of each row

    def most(self, vector: Vector) -> Scores:
        """Return an upper bound for the cosine of each row with `vector`, which has the length 1."""
        there = vector @ self.directions
        left = np.sqrt(np.maximum(1 - np.dot(there, there), 0), dtype=np.float32)
        bounds: Scores = self.along @ there
        bounds += left * self.beside
        return bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeIndex:
    """The items, and the rows of the matrix that each of them owns: several, one, or none."""

    layout: Layout
    owners: NDArray[np.intp]  #: for each row of the matrix, the place of its item
    matrix: NDArray[Any]  #: rows as they are stored: as floats, or many as whole numbers …
    scales: Scores  #: … and what brings each to length 1
    sketch: Sketch | None = None  #: of many rows
    tagged: dict[str, Occurrences] = field(default_factory=dict)  #: what was asked for already

    def nearness(self, vector: Vector) -> Nearness:
        """Return how near every item is to `vector` (of unit length), of several rows the nearest."""
        if self.sketch is None:
            return Nearness(self._best_of(self._dots(vector, None), self.owners, len(self.layout.refs)))
        most = self._best_of(self.sketch.most(vector), self.owners, len(self.layout.refs))
        return Nearness(most, partial(self._cosines, vector))

    def cosines(self, vector: Vector) -> Scores:
        """Return the cosine of every item with `vector` (of unit length), of several rows the nearest."""
        return self._best_of(self._dots(vector, None), self.owners, len(self.layout.refs))

    def _cosines(self, vector: Vector, places: Places) -> Scores:
        """Return the cosines of the items at `places`."""
        if 3 * len(places) > len(self.layout.refs):
            return self.cosines(vector)[places]
        first = np.searchsorted(self.owners, places)
        counts = np.searchsorted(self.owners, places, side="right") - first
        rows = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
        return self._best_of(self._dots(vector, rows), np.repeat(np.arange(len(places)), counts), len(places))

    def _dots(self, vector: Vector, rows: Places | None) -> Scores:
        """Return the cosines of `rows` (None: of all) with `vector`, a few hundred at a time."""
        # Not `@`: BLAS would spread so small a product over threads, which cost four times the work and fight with
        # those of other callers; this one also gives equal vectors equal scores wherever they stand.
        if rows is None and self.matrix.dtype == np.float32:
            all_dots: Scores = np.vecdot(self.matrix, vector) * self.scales
            return all_dots
        count, width = len(self.matrix) if rows is None else len(rows), self.matrix.shape[1]
        dots: Scores = np.empty(count, np.float32)
        floats, kept = np.empty((_AT_ONCE, width), np.float32), np.empty((_AT_ONCE, width), self.matrix.dtype)
        for start in range(0, count, _AT_ONCE):
            end = min(start + _AT_ONCE, count)
            some = self.matrix[start:end]
            if rows is not None:
                some = np.take(self.matrix, rows[start:end], axis=0, out=kept[: end - start], mode="clip")
            np.copyto(floats[: end - start], some)
            np.vecdot(floats[: end - start], vector, out=dots[start:end])
        dots *= self.scales if rows is None else self.scales[rows]
        return dots

    @staticmethod
    def _best_of(scores: Scores, owners: NDArray[np.intp], count: int) -> Scores:
        best = np.full(count, _NONE, dtype=np.float32)
        np.maximum.at(best, owners, scores)
        return best

    def nearest(self, nearness: Nearness, limit: int, *, memories_only: bool) -> list[Match]:
        """Return the nearest items, best first; of equals the older."""
        eligible = np.zeros(len(nearness.most), np.bool_)
        eligible[self.owners] = True
        if memories_only:
            eligible &= self.layout.is_memory
        # Above 0, as `highest` wants them.
        places = highest(lambda: np.where(eligible, nearness.most + 2, 0), limit, nearness.measure)
        refs, scores = self.layout.refs[places], nearness.most[places]
        order = np.lexsort((refs, -scores))[:limit]
        best = zip(refs[order].tolist(), scores[order].tolist(), strict=True)
        return [Match(ref=ref, score=score) for ref, score in best]

    def occurrences(self, ids: Sequence[Ids]) -> list[Occurrences]:
        """Return where the items stand that each of `ids` names once for each time; what is not here does not count."""
        size = len(self.layout.refs)
        if not size or not any(map(len, ids)):
            return [Occurrences(places=_NOWHERE, times=_NOWHERE)] * len(ids)
        places, here = self._places(np.concatenate(ids))
        rows = np.repeat(np.arange(len(ids)), [*map(len, ids)])
        keys = np.sort((rows * size + places)[here])
        # By hand: `np.unique` takes three times as long for so few.
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        named, times = keys[firsts], np.diff(firsts, append=len(keys))
        ends = np.searchsorted(named, size * np.arange(1, len(ids) + 1)).tolist()
        return [
            Occurrences(places=named[start:end] - row * size, times=times[start:end])
            for row, (start, end) in enumerate(zip([0, *ends], ends, strict=False))
        ]

    def weighed(self, ids: Ids, weights: Scores) -> WordWeights:
        """Return where the items stand that `ids` names once each; what is not here does not count."""
        if not len(self.layout.refs) or not len(ids):
            return WordWeights(places=_NOWHERE, weights=np.zeros(0, np.float32))
        places, here = self._places(ids)
        return WordWeights(places=places[here], weights=weights[here])

    def _places(self, ids: Ids) -> tuple[Places, NDArray[np.bool_]]:
        """Return a place for each of `ids`, and whether it is its own."""
        refs = self.layout.refs
        places = np.minimum(np.searchsorted(refs, ids), len(refs) - 1)
        return places, refs[places] == ids


TAG: Final = "\ue000"  #: begins a tag; no word of a language does
# Python does not count these as white space, but FTS5 splits there (U+180E was a space once).
_SPLITTERS: Final = {0x0000: None, 0x180E: None}
_MOST_PLACES: Final = 100_000  #: of one word
_LAST: Final = "\U0010ffff"
_ENTRY: Final = 200  #: bytes that a word costs beside the ids of its items


def scoped_terms(scope_id: int, terms: Iterable[str]) -> list[str]:
    """Return `terms` with their scope's prefix, without those of which nothing is left."""
    whole = ("".join(term.translate(_SPLITTERS).split()).encode(errors="ignore").decode() for term in terms)
    return [f"{scope_id}x{term}" for term in whole if term]


class WordIndex:
    """In which items each word stands. Whoever adds to it keeps others from it; readers may share it."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """Take the words in order, each with the ids of its items: once for each time, separated by commas."""
        #: Bytes: whoever reads them sees them whole.
        self._ids = {word: np.fromstring(ids, dtype=np.int64, sep=",").tobytes() for word, ids in rows}
        self._words = list(self._ids)
        self.size = sum(map(len, self._ids.values())) + _ENTRY * len(self._words)  #: bytes, about

    def add(self, rows: Iterable[tuple[int, str]], folded: Callable[[str], str | None]) -> None:
        """Take in items by their ids, each with its words; `folded` says how the index spells a word."""
        for id, terms in rows:
            for term in terms.split(" "):
                word = folded(term)
                if word is None:
                    continue
                known = self._ids.get(word)
                here = np.int64(id).tobytes()
                self._ids[word] = here if known is None else known + here
                self.size += len(here)
                if known is None:
                    insort(self._words, word)
                    self.size += _ENTRY

    def standing(self, word: str | None) -> Ids:
        """Return the ids of the items in which a word stands, once for each time."""
        return _ids(self._ids.get(word, b"") if word is not None else b"")

    def beginning(self, start: str | None) -> Ids:
        """Return the same for all longer words that begin with `start`."""
        if start is None:
            return _ids(b"")
        first, last = bisect_right(self._words, start), bisect_left(self._words, start + _LAST)
        return _ids(b"".join(self._ids[word] for word in self._words[first:last]))


def _ids(kept: bytes) -> Ids:
    return np.frombuffer(kept, dtype=np.int64)[:_MOST_PLACES]


_SMALLEST: Final = 32
_SILENCE: Final = 3_600_000_000  #: microseconds between utterances without a label that part two sittings
_ASKED_OFTEN: Final = 4  #: a question looks for words, longer ones and tags; with the next one it is worth it
_MOST_ITEMS: Final = 30_000  #: whose words are kept
_SKETCHED_FROM: Final = 16_384  #: rows; fewer are read as fast without a sketch
_DIRECTIONS: Final = 128  #: of a sketch
_SAMPLED: Final = 2_048  #: rows in which the directions are looked for
_SHARED: Final = 0.6  #: of what the rows are, at least so much must lie along the directions
_ROUNDED: Final = np.float32(1e-3)  #: what rounding may hide
#: Of the arrays of a `Layout`.
_TYPES: Final[Mapping[str, Any]] = {
    "refs": np.int64, "is_memory": np.bool_, "lengths": np.int32, "marks": np.uint8, "parties": np.uint8,
    "moments": np.int64, "sittings": np.int32,
}  # fmt: skip
Query = Callable[..., Sequence[Row]]  #: takes the name of a query, and values beside those of the scope


class GrowingIndex:
    """One scope's arrays, with room to grow. What was handed out stays valid: rows are only ever added."""

    def __init__(
        self, scope_id: int, epoch: int, dimension: int, packing: Packing, directions: dict[int, Matrix]
    ) -> None:
        """`directions` are those of sketches by dimension, for all scopes of a bank; a missing one is added."""
        self.epoch = epoch
        self._scope_id = scope_id
        self._lock = Lock()
        self._loaded_to = 0  #: every row up to this id is in
        self._dimension = dimension
        self._packing = packing
        self._count = 0
        self._row_count = 0
        self._room: dict[str, NDArray[Any]] = {name: np.zeros(_SMALLEST, kind) for name, kind in _TYPES.items()}
        self._room |= {
            "owners": np.zeros(_SMALLEST, np.intp),
            "matrix": np.zeros((_SMALLEST, dimension), np.float32),
            "scales": np.zeros(_SMALLEST, np.float32),
        }
        self._every_directions = directions
        self._directions: Matrix | None = None  #: of the sketch
        self._sketched_from = _SKETCHED_FROM
        self._looked_at = 0  #: how often the index was asked for
        self._sitting: tuple[int, str | None, int] = (NO_SITTING, None, 0)  #: the last one, its label and last moment
        self._front: tuple[int, ScopeIndex] | None = None  #: what was handed out last
        self._words: WordIndex | None = None
        self._words_to = 0  #: the words of every item up to this id are in
        self._asked = 0  #: how often words were looked for in vain

    @property
    def size(self) -> int:
        """Bytes, about."""
        arrays = sum(array.nbytes for array in self._room.values())
        return arrays + (self._words.size if self._words is not None else 0)

    def up_to(self, last: int, query: Query) -> ScopeIndex:
        """Return the items of the scope up to id `last`."""
        with self._lock:
            if self._loaded_to < last:
                first = max(first_id(self._scope_id), self._loaded_to + 1)
                self._add(query("load_index", low=first, high=last), last)
            self._looked_at += 1
            if self._directions is None and self._row_count >= self._sketched_from and self._looked_at >= _ASKED_OFTEN:
                self._begin_sketch()
            if self._front is None or self._front[0] != last:
                room = self._room
                end = int(np.searchsorted(room["refs"][: self._count], last, side="right"))
                last_row = int(np.searchsorted(room["owners"][: self._row_count], end, side="left"))
                layout = Layout(**{name: room[name][:end] for name in _TYPES})
                sketch = None
                if self._directions is not None:
                    along, beside = room["along"][:last_row], room["beside"][:last_row]
                    sketch = Sketch(directions=self._directions, along=along, beside=beside)
                owners, matrix, scales = (room[name][:last_row] for name in ("owners", "matrix", "scales"))
                index = ScopeIndex(layout=layout, owners=owners, matrix=matrix, scales=scales, sketch=sketch)
                self._front = (last, index)
            return self._front[1]

    def without(self, refs: Collection[int], epoch: int) -> GrowingIndex:
        """Return the index of a later epoch, in which some items are no longer; it takes over the words of this one."""
        with self._lock:
            later = copy(self)
            later._lock, later.epoch, later._front = Lock(), epoch, None
            self._words, self._asked = None, 0
            places = np.flatnonzero(np.isin(self._room["refs"][: self._count], list(refs)))
            rows = np.flatnonzero(np.isin(self._room["owners"][: self._row_count], places))
            later._room = {
                name: np.delete(array, places if name in _TYPES else rows, axis=0) for name, array in self._room.items()
            }
            later._count -= len(places)
            later._row_count -= len(rows)
            owners = later._room["owners"][: later._row_count]
            owners -= np.searchsorted(places, owners)
        return later

    def words(self, last: int, query: Query, folded: Callable[[str], str | None]) -> WordIndex | None:
        """Return the words of the items up to id `last`, and perhaps of later ones; None: look in the tables."""
        with self._lock:
            if self._words is None:
                self._asked += 1
                if self._asked < _ASKED_OFTEN or self._count > _MOST_ITEMS:
                    return None
                self._words = WordIndex(query("all_postings", start=f"{self._scope_id}x", beyond=f"{self._scope_id}y"))
            elif self._words_to < last:
                self._words.add(query("load_words", low=self._words_to + 1, high=last), folded)
            self._words_to = max(self._words_to, last)
            return self._words

    def _add(self, rows: Sequence[Row], up_to: int) -> None:
        if rows:
            refs, is_memory, lengths, marks, parties, moments, labels, vectors = zip(*rows, strict=True)
            owned = [self._packing.rows_in(column, self._dimension) for column in vectors]
            matrix = self._packing.rows([column for column in vectors if column is not None], self._dimension)
            sittings = list(map(self._sitting_of, is_memory, moments, labels))
            columns = (refs, is_memory, lengths, marks, parties, moments, sittings)
            for name, column in zip(_TYPES, columns, strict=True):
                self._put(name, self._count, column)
            self._put("owners", self._row_count, np.repeat(np.arange(len(rows)) + self._count, owned))
            if matrix.dtype.kind == "i" and self._row_count + len(matrix) >= _SKETCHED_FROM:
                self._room["matrix"] = self._room["matrix"].astype(matrix.dtype, copy=False)
            self._put("matrix", self._row_count, matrix)
            first, self._row_count = self._row_count, self._row_count + len(matrix)
            for start in range(first, self._row_count, _AT_ONCE):
                self._put("scales", start, _scales(self._floats(start, min(start + _AT_ONCE, self._row_count))))
            if self._directions is not None:
                self._sketch(first, self._directions)
            self._count += len(rows)
        self._loaded_to = up_to

    def _floats(self, start: int, end: int) -> Matrix:
        return self._room["matrix"][start:end].astype(np.float32)

    def _begin_sketch(self) -> None:
        """Make a sketch of the matrix, if its rows differ in few directions; else try again with twice as many."""
        count, dimension = self._row_count, self._dimension
        self._sketched_from = 2 * count
        if dimension < 2 * _DIRECTIONS:
            return
        use_one_thread()  # a sketch is read by BLAS
        directions = self._every_directions.get(dimension)
        if directions is None:
            some = np.linspace(0, count - 1, _SAMPLED).astype(np.intp)
            rows = self._room["matrix"][some] * self._room["scales"][some, None]
            strengths, found = np.linalg.eigh(rows.T @ rows)
            if strengths[-_DIRECTIONS:].sum() < _SHARED * strengths.sum():
                return
            directions = self._every_directions[dimension] = np.ascontiguousarray(found[:, -_DIRECTIONS:])
        self._room |= {"along": np.zeros((count, _DIRECTIONS), np.float32), "beside": np.zeros(count, np.float32)}
        self._directions, self._front = directions, None
        self._sketch(0, directions)

    def _sketch(self, first: int, directions: Matrix) -> None:
        for start in range(first, self._row_count, _AT_ONCE):
            end = min(start + _AT_ONCE, self._row_count)
            rows = self._floats(start, end) * self._room["scales"][start:end, None]
            along = rows @ directions
            self._put("along", start, along)
            left = np.vecdot(rows, rows) - np.vecdot(along, along)
            self._put("beside", start, np.sqrt(np.maximum(left, 0)) + _ROUNDED)

    def _put(self, name: str, start: int, values: Sequence[Any] | NDArray[Any]) -> None:
        """Put values into an array from a place on; it is made larger where they do not fit."""
        room, end = self._room[name], start + len(values)
        if end > len(room):
            larger = np.zeros((max(end, 2 * len(room)), *room.shape[1:]), room.dtype)
            larger[: len(room)] = room
            self._room[name] = larger
        self._room[name][start:end] = values

    def _sitting_of(self, is_memory: int, moment: int, label: str | None) -> int:
        """Return the sitting of the next item: another label opens one, or, without a label, a long silence."""
        if is_memory:
            return NO_SITTING
        number, before, at = self._sitting
        silent = label is None and abs(moment - at) > _SILENCE
        self._sitting = (number + (number == NO_SITTING or label != before or silent), label, moment)
        return self._sitting[0]
