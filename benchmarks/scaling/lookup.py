"""An embedder that only looks vectors up, so that what is measured is the search and not the encoding."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from gieok.embedders import UniversalEncoder
from scaling.made_up import unit_rows

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector


class Lookup:
    """Gives each text the vector that was prepared for it, and any other text a direction of its own.

    It goes by the name of the default encoder, whose vectors the engine also looks at for what a text is about.
    """

    name = UniversalEncoder.name
    dimension = UniversalEncoder.dimension

    def __init__(self, ready: Mapping[str, Vector]) -> None:
        self._ready = ready

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        return np.stack([self._vector(text) for text in texts])

    def warm(self) -> None:
        """There is nothing to load."""

    def _vector(self, text: str) -> Vector:
        known = self._ready.get(text)
        if known is not None:
            return known
        dice = np.random.default_rng(zlib.crc32(text.encode()))
        vector: Vector = unit_rows(dice.standard_normal((1, self.dimension), dtype=np.float32))[0]
        return vector
