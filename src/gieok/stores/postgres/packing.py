"""Vectors as pgvector takes and gives them: as text on the way in, as its binary form on the way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.stores.tables.scope_index import at_length_one, unit

if TYPE_CHECKING:
    from gieok.ports import Matrix

_HEAD: Final = 4  #: bytes before the numbers of each row: how many there are
_SENT: Final = np.dtype(">f4")


class PlainVectors:
    """Implements `tables.connection.Packing`."""

    def packed(self, vectors: Matrix, dimension: int) -> list[str]:
        return [f"[{','.join(map(repr, unit(row, dimension).tolist()))}]" for row in vectors]

    def rows_in(self, column: bytes | None, dimension: int) -> int:
        return len(column) // _width(dimension) if column else 0

    def unpacked(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        sent = np.frombuffer(b"".join(columns), dtype=np.uint8).reshape(-1, _width(dimension))[:, _HEAD:]
        rows = np.ascontiguousarray(sent).view(_SENT).astype(np.float32)
        return at_length_one(rows.reshape(-1, dimension))

    def firsts(self, columns: Sequence[bytes], dimension: int) -> Matrix:
        return self.unpacked([column[: _width(dimension)] for column in columns], dimension)


PLAIN: Final = PlainVectors()


def _width(dimension: int) -> int:
    return _HEAD + _SENT.itemsize * dimension
