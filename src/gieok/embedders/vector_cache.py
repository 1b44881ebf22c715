"""Vectors that were asked for lately, as many as fit into so many bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ENTRY: Final = 300  #: bytes that an entry costs beside its text and its numbers


class VectorCache:
    """The vectors used last, by the text they are of. Whoever shares it holds a lock."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self.size = 0  #: bytes, about

    def get(self, text: str) -> NDArray[np.float32] | None:
        vector = self._held.get(text)
        if vector is not None:
            self._held.move_to_end(text)
        return vector

    def put(self, text: str, vector: NDArray[np.float32]) -> None:
        if text in self._held:
            self.size -= _size(text, self._held.pop(text))
        self._held[text] = vector
        self.size += _size(text, vector)
        while self.size > self._most:
            self.size -= _size(*self._held.popitem(last=False))


def _size(text: str, vector: NDArray[np.float32]) -> int:
    return 2 * len(text) + vector.nbytes + _ENTRY
