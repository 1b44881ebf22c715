"""An embedder without a model: hashed words and character n-grams. It knows spelling, no meaning.

Tests use it, and it is the encoder of last resort.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+|[^\w\s]")
_LENGTHS = (1, 2, 3)
_WORD_WEIGHT = 2.0


class HashingEmbedder:
    """Vectors of hashed words and character n-grams; the same in every process and on every machine."""

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise ValueError(f"dimension={dimension} must be at least 1")
        self.dimension = dimension
        self.name = f"hashing-{dimension}"

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, all zeros for one without a visible character."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                digest = zlib.crc32(feature.encode("utf-8", "replace"))
                # The top bit decides the sign, so that features which collide cancel out on average.
                row[digest % self.dimension] += weight if digest >> 31 else -weight
            length = float(np.linalg.norm(row))
            if length:
                row /= length
        return rows

    def warm(self) -> None:
        """Do nothing: there is no model to load."""


def _features(text: str) -> Iterator[tuple[str, float]]:
    for match in _WORD.finditer(text.casefold()):
        word = match.group()
        yield f"={word}", _WORD_WEIGHT
        for length in _LENGTHS:
            for start in range(len(word) - length + 1):
                yield word[start : start + length], 1.0
