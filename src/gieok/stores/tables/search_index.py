"""What a scope's searches look through: the layout of its items, and their vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed
from gieok.ports import NO_SITTING, Layout, Match, Occurrences, WordWeights
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

    def unpacked(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        """Return the rows of all items at length 1, one after the other; those of zeros stay so."""
        rows = np.frombuffer(b"".join(columns), np.uint8).reshape(-1, self.width(dimension))[:, self.head :]
        numbers = np.ascontiguousarray(rows).view(self.number).astype(np.float32)
        lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
        np.divide(numbers, lengths, out=numbers, where=lengths > 0)
        return numbers

    def firsts(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        """Return the first row of each item, which stands for the whole of it, at length 1."""
        return self.unpacked([column[: self.width(dimension)] for column in columns], dimension)


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
        eligible[self.owners] = limit > 0
        if memories_only:
            eligible &= self.layout.is_memory
        refs, scores = self.layout.refs[eligible], cosines[eligible]
        if len(refs) > limit:
            cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            refs, scores = refs[scores >= cut], scores[scores >= cut]
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
#: Of the arrays of a `Layout`.
_TYPES: Final[Mapping[str, Any]] = {
    "refs": np.int64, "is_memory": np.bool_, "lengths": np.int32, "marks": np.uint8, "parties": np.uint8,
    "moments": np.int64, "sittings": np.int32,
}  # fmt: skip
Query = Callable[..., Sequence[Row]]  #: takes the name of a query, and values beside those of the scope


class GrowingIndex:
    """One scope's arrays, with room to grow. What was handed out stays valid: rows are only ever added."""

    def __init__(self, scope_id: int, epoch: int, dimension: int, packing: Packing) -> None:
        self.epoch = epoch
        self._scope_id = scope_id
        self._lock = Lock()
        self._loaded_to = 0  #: every row up to this id is in
        self._dimension = dimension
        self._packing = packing
        self._count = 0
        self._row_count = 0
        self._room: dict[str, NDArray[Any]] = {name: np.zeros(_SMALLEST, kind) for name, kind in _TYPES.items()}
        self._room |= {"owners": np.zeros(_SMALLEST, np.intp), "matrix": np.zeros((_SMALLEST, dimension), np.float32)}
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
            if self._front is None or self._front[0] != last:
                room = self._room
                end = int(np.searchsorted(room["refs"][: self._count], last, side="right"))
                last_row = int(np.searchsorted(room["owners"][: self._row_count], end, side="left"))
                layout = Layout(**{name: room[name][:end] for name in _TYPES})
                index = ScopeIndex(layout=layout, owners=room["owners"][:last_row], matrix=room["matrix"][:last_row])
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
            matrix = self._packing.unpacked([column for column in vectors if column is not None], self._dimension)
            sittings = list(map(self._sitting_of, is_memory, moments, labels))
            columns = (refs, is_memory, lengths, marks, parties, moments, sittings)
            for name, column in zip(_TYPES, columns, strict=True):
                self._put(name, self._count, column)
            self._put("owners", self._row_count, np.repeat(np.arange(len(rows)) + self._count, owned))
            self._put("matrix", self._row_count, matrix)
            self._count += len(rows)
            self._row_count += len(matrix)
        self._loaded_to = up_to

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
