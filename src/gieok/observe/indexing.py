"""Making words findable: search terms from morphemes, vectors from the embedder."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.domain.memory import Change
from gieok.errors import EmbedderFailed
from gieok.language.terms import index_terms
from gieok.ports import Embedder, IndexEntry, embedded

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

    def with_new_memories(self, entries: Mapping[str, IndexEntry], changes: Iterable[Change]) -> dict[str, IndexEntry]:
        """Return `entries` and what is missing of the memories that `changes` make: one that resumes after another."""
        made = {change.after.id: change.after.content for change in changes if change.after and not change.before}
        missing = {memory_id: content for memory_id, content in made.items() if memory_id not in entries}
        return {**entries, **self.entries(missing)} if missing else dict(entries)

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        if not texts:
            return []
        try:
            return list(embedded(self.embedder, texts, "document"))
        except EmbedderFailed as trouble:
            log.warning("%d texts are kept without vectors: %s", len(texts), trouble)
            return [None] * len(texts)
