"""Scope indexes kept in memory, the least recently used dropped first.

Between two epochs an index only grows, so that one kept copy serves every snapshot of its epoch: a newer one adds the
rows it sees beyond the copy's end, an older one looks at the front part that was there for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import fields
from threading import Lock
from typing import Final

import numpy as np

from gieok.stores.sqlite.connection import Row
from gieok.stores.sqlite.scope_index import ScopeIndex
from gieok.stores.sqlite.vectors import rows_in, unpacked

DEFAULT_BYTES: Final = 256 * 1024 * 1024
_SMALLEST: Final = 32
_ARRAYS: Final = tuple(field.name for field in fields(ScopeIndex))
_BY_ROW: Final = ("owners", "matrix")  #: the others are by item

Load = Callable[[int, int], Sequence[Row]]  # first and last id → (id, is_memory, terms, vector) rows, by id


class _Shelf:
    """One scope's arrays, with room to grow. What was handed out stays valid: rows are only ever added."""

    def __init__(self, epoch: int, dimension: int) -> None:
        self.epoch = epoch
        self.lock = Lock()
        self.loaded_to = 0  #: every row up to this id is in
        self._dimension = dimension
        self._count = 0
        self._row_count = 0
        self._room = _room(_SMALLEST, _SMALLEST, dimension)

    @property
    def size(self) -> int:
        return sum(getattr(self._room, name).nbytes for name in _ARRAYS)

    def add(self, rows: Sequence[Row], up_to: int) -> None:
        start, end = self._count, self._count + len(rows)
        if rows:
            ids, is_memory, terms, vectors = zip(*rows, strict=True)
            owned = [rows_in(blob, self._dimension) for blob in vectors]
            first, last = self._row_count, self._row_count + sum(owned)
            self._make_room_for(end, last)
            room = self._room
            room.ids[start:end] = ids
            room.is_memory[start:end] = is_memory
            room.lengths[start:end] = terms
            room.owners[first:last] = np.repeat(np.arange(start, end), owned)
            room.matrix[first:last] = unpacked([blob for blob in vectors if blob is not None], self._dimension)
            self._row_count = last
        self._count = end
        self.loaded_to = up_to

    def front(self, last: int) -> ScopeIndex:
        """Return the rows up to id `last`."""
        end = int(np.searchsorted(self._room.ids[: self._count], last, side="right"))
        last_row = int(np.searchsorted(self._room.owners[: self._row_count], end, side="left"))
        ends = {name: last_row if name in _BY_ROW else end for name in _ARRAYS}
        return ScopeIndex(**{name: getattr(self._room, name)[: ends[name]] for name in _ARRAYS})

    def _make_room_for(self, count: int, row_count: int) -> None:
        capacity, row_capacity = len(self._room.ids), len(self._room.matrix)
        if count > capacity or row_count > row_capacity:
            items = max(count, 2 * capacity) if count > capacity else capacity
            rows = max(row_count, 2 * row_capacity) if row_count > row_capacity else row_capacity
            larger = _room(items, rows, self._dimension)
            for name in _ARRAYS:
                kept = getattr(self._room, name)
                getattr(larger, name)[: len(kept)] = kept
            self._room = larger


def _room(capacity: int, rows: int, dimension: int) -> ScopeIndex:
    return ScopeIndex(
        ids=np.zeros(capacity, np.int64),
        is_memory=np.zeros(capacity, np.bool_),
        lengths=np.zeros(capacity, np.int32),
        owners=np.zeros(rows, np.intp),
        matrix=np.zeros((rows, dimension), np.float32),
    )


class IndexCache:
    """The indexes of the scopes that were searched last."""

    def __init__(self, limit_bytes: int = DEFAULT_BYTES) -> None:
        self._limit = limit_bytes
        self._shelves: OrderedDict[int, _Shelf] = OrderedDict()
        self._lock = Lock()

    def index(self, scope_id: int, *, epoch: int, dimension: int, first: int, last: int, load: Load) -> ScopeIndex:
        """Return the index as a snapshot sees it: at `epoch`, with the ids from `first` to `last`."""
        shelf = self._shelf(scope_id, epoch, dimension)
        with shelf.lock:
            if shelf.loaded_to < last:
                shelf.add(load(max(first, shelf.loaded_to + 1), last), last)
                self._make_way(scope_id)
            return shelf.front(last)

    def _shelf(self, scope_id: int, epoch: int, dimension: int) -> _Shelf:
        with self._lock:
            shelf = self._shelves.get(scope_id)
            if shelf is not None and shelf.epoch > epoch:
                return _Shelf(epoch, dimension)  # an older snapshot, for itself
            if shelf is None or shelf.epoch < epoch:
                shelf = self._shelves[scope_id] = _Shelf(epoch, dimension)
            self._shelves.move_to_end(scope_id)
            return shelf

    def _make_way(self, keep: int) -> None:
        with self._lock:
            size = sum(shelf.size for shelf in self._shelves.values())
            for scope_id in list(self._shelves):
                if size <= self._limit:
                    return
                if scope_id != keep:
                    size -= self._shelves.pop(scope_id).size
