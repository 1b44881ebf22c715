"""Vectors as they are stored: each number in 16 bits, scaled so that a vector's largest one uses all of them.

The scale is not kept: a vector gets its length, 1, back when it is loaded. In the same two bytes float16 is off by
ten times as much, and takes longer to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.errors import EmbedderFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Matrix, Vector

_LARGEST: Final = 32_767
_STORED: Final = np.dtype("<i2")


def packed(vectors: Matrix, dimension: int) -> bytes:
    """Return the rows of an item for the file; raises `EmbedderFailed` if they have another dimension."""
    return b"".join(_packed_row(vector, dimension) for vector in vectors)


def _packed_row(vector: Vector, dimension: int) -> bytes:
    checked = unit(vector, dimension)
    largest = float(np.abs(checked).max(initial=0.0)) or 1.0
    scaled: NDArray[np.int16] = np.rint(checked * (_LARGEST / largest)).astype(_STORED)
    return scaled.tobytes()


def unit(vector: Vector, dimension: int) -> Vector:
    """Return `vector` at length 1; one of zeros stays so."""
    wide = np.asarray(vector, dtype=np.float32)
    if wide.shape != (dimension,) or not np.isfinite(wide).all():
        raise EmbedderFailed(f"a vector of shape {wide.shape} came where {dimension} finite numbers are kept")
    length = float(np.linalg.norm(wide))
    return wide / np.float32(length) if length > 0 else wide


def rows_in(blob: bytes | None, dimension: int) -> int:
    """Return how many rows an item has."""
    return len(blob) // (_STORED.itemsize * dimension) if blob else 0


def unpacked(blobs: list[bytes], dimension: int) -> Matrix:
    """Return the rows of all blobs at length 1, one after the other; those of zeros stay so."""
    rows = np.frombuffer(b"".join(blobs), dtype=_STORED).reshape(-1, dimension).astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows
