"""txtai with external vectors and content in SQLite; "hybrid" adds its BM25.

It knows no users, so each has an index of their own. Adding changes the index in memory; `save` writes it whole, which
is not counted as adding.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from txtai.embeddings import Embeddings

from comparing.locomo import Note
from comparing.worker import Peer, Setup, main

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Txtai(Peer):
    """A user is an index."""

    def __init__(self, setup: Setup) -> None:
        def transform(texts: list[str]) -> NDArray[np.float32]:
            return np.stack([setup.vectors(text) for text in texts])

        self._folder = setup.folder
        self._config = {
            "method": "external",
            "transform": transform,
            "content": True,
            "hybrid": setup.variant == "hybrid",
        }
        self._indexes: dict[str, Any] = {}

    def add(self, user: str, note: Note) -> None:
        index = self._indexes.get(user)
        if index is None:
            index = self._indexes[user] = Embeddings(dict(self._config))
        index.upsert([(note.key, note.text, None)])

    def search(self, user: str, query: str, k: int) -> list[Collection[str]]:
        return [[each["id"]] for each in self._indexes[user].search(query, k)]

    def settle(self) -> None:
        for user, index in self._indexes.items():
            index.save(str(self._folder / user))

    def close(self) -> None:
        for index in self._indexes.values():
            index.close()


if __name__ == "__main__":
    main(Txtai)
