"""A tiny embedder: every word has its own direction, and a text points where its words point together.

The same text gives the same vector on every machine; only texts that share words are near each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector


class HashVectors:
    """An `Embedder` without a model. Two with different names disagree about every word."""

    def __init__(self, dimension: int = 32, name: str | None = None) -> None:
        self.name = name or f"hash-{dimension}"
        self.dimension = dimension

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"] = "document") -> Matrix:
        """Return one unit row for each text, zeros for one without words; `purpose` makes no difference."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self.vector(text) for text in texts])

    def vector(self, text: str) -> Vector:
        """Return the row of a single text."""
        total = np.zeros(self.dimension)
        for word in text.split():
            total += _direction(self.name, word, self.dimension)
        length = float(np.linalg.norm(total))
        return (total / length if length else total).astype(np.float32)

    def warm(self) -> None:
        """There is nothing to load."""


@cache
def _direction(name: str, word: str, dimension: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    seed = hashlib.blake2b(f"{name}\n{word}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(seed, "big")).standard_normal(dimension)
