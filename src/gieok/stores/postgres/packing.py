"""Vectors and words as the server takes and gives them.

One vector comes in as text, many come in, and all go out, in the binary form of pgvector.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.stores.tables.scope_index import at_length_one, unit

if TYPE_CHECKING:
    from gieok.ports import Matrix

_HEAD: Final = 4  #: bytes before the numbers of each row: how many there are
_SENT: Final = np.dtype(">f4")
_BEGIN: Final = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_END: Final = struct.pack(">h", -1)
_LAST_PLACE: Final = 16_383  #: of a lexeme in a tsvector


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


def binary_rows(owner: str, vectors: Mapping[int, Matrix], dimension: int) -> bytes:
    """Return rows of the table of vectors (owner, id, position, embedding) as COPY takes them in its binary form."""
    whose = owner.encode()
    begin = struct.pack(f">hi{len(whose)}s", 4, len(whose), whose)
    place = struct.Struct(">iqiii")
    width, head = _width(dimension), struct.pack(">hh", dimension, 0)
    rows = [_BEGIN]
    for id, matrix in vectors.items():
        for position, row in enumerate(matrix):
            numbers = unit(row, dimension).astype(_SENT).tobytes()
            rows.append(begin + place.pack(8, id, 4, position, width) + head + numbers)
    return b"".join([*rows, _END])


def lexemes(words: Iterable[str]) -> str:
    """Return words as a tsvector is written, as the function of that name in the schema does."""
    return " ".join(f"{_quoted(word)}:{min(place, _LAST_PLACE)}" for place, word in enumerate(words, start=1))


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
