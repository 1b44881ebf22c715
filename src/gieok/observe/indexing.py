"""Making words findable: search terms from morphemes, vectors from the embedder."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.errors import EmbedderFailed
from gieok.language.terms import index_terms
from gieok.ports import Embedder, IndexEntry

if TYPE_CHECKING:
    from gieok.ports import Vector

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Indexer:
    """Makes index entries of texts."""

    embedder: Embedder

    def entries(self, texts: Mapping[str, str]) -> dict[str, IndexEntry]:
        """Return an index entry for each text, by the same keys, embedded in one batch.

        Without a working embedder the entries have no vector: keyword search finds them, and
        `gieok reindex` fills the vectors in later.
        """
        vectors = self._vectors(list(texts.values()))
        return {
            key: IndexEntry(terms=index_terms(text), vector=vector)
            for (key, text), vector in zip(texts.items(), vectors, strict=True)
        }

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        if not texts:
            return []
        try:
            return list(self.embedder.embed(texts, purpose="document"))
        except EmbedderFailed as trouble:
            log.warning("%d texts are kept without vectors: %s", len(texts), trouble)
            return [None] * len(texts)
