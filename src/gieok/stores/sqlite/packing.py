"""The vectors of an item in one BLOB: 16 bits a number, each row scaled by its largest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.stores.tables.scope_index import at_length_one, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Matrix, Vector

_LARGEST: Final = 32_767
_STORED: Final = np.dtype("<i2")


class Int16:
    """Implements `tables.connection.Packing`."""

    def packed(self, vectors: Matrix, dimension: int) -> bytes:
        return b"".join(_packed_row(vector, dimension) for vector in vectors)

    def rows_in(self, column: bytes | None, dimension: int) -> int:
        return len(column) // (_STORED.itemsize * dimension) if column else 0

    def unpacked(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        rows = np.frombuffer(b"".join(columns), dtype=_STORED).reshape(-1, dimension).astype(np.float32)
        return at_length_one(rows)

    def firsts(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        width = _STORED.itemsize * dimension
        return self.unpacked([column[:width] for column in columns], dimension)


INT16: Final = Int16()


def _packed_row(vector: Vector, dimension: int) -> bytes:
    checked = unit(vector, dimension)
    largest = float(np.abs(checked).max(initial=0.0)) or 1.0
    scaled: NDArray[np.int16] = np.rint(checked * (_LARGEST / largest)).astype(_STORED)
    return scaled.tobytes()
