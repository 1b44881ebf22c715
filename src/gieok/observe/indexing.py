"""Making words findable: search terms from morphemes, vectors from the embedder."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from gieok.domain.memory import Change
from gieok.domain.scope import Scope
from gieok.errors import EmbedderFailed, GieokError
from gieok.language.sought import holds_number, holds_time
from gieok.language.terms import index_terms
from gieok.language.text import passages
from gieok.language.topics import Told, topics
from gieok.ports import Embedder, IndexEntry, Mark, Store, embedded

if TYPE_CHECKING:
    from gieok.ports import Matrix

log = logging.getLogger(__name__)
_AT_ONCE: Final = 16  #: items


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
        return {key: self._entry(text, rows) for (key, text), rows in zip(texts.items(), vectors, strict=True)}

    def with_new_memories(self, entries: Mapping[str, IndexEntry], changes: Iterable[Change]) -> dict[str, IndexEntry]:
        """Return `entries` and what is missing of the memories that `changes` make: one that resumes after another."""
        made = {change.after.id: change.after.findable for change in changes if change.after and not change.before}
        missing = {memory_id: content for memory_id, content in made.items() if memory_id not in entries}
        return {**entries, **self.entries(missing)} if missing else dict(entries)

    def entry_with(self, text: str, vectors: Matrix) -> IndexEntry:
        """Return the entry of a text whose vectors are known."""
        return self._entry(text, vectors)

    def _entry(self, text: str, vectors: Matrix | None) -> IndexEntry:
        terms = index_terms(text)
        learned = topics()
        known = vectors if self.embedder.name == learned.embedder else None
        within = (index_terms(passage) for passage in passages(text)[1:])
        told = learned.told(known, [terms, *within])
        return IndexEntry(terms=terms, tags=told.tags, marks=_marks(text, terms, told), vectors=vectors)

    def _vectors(self, texts: Sequence[str]) -> Sequence[Matrix | None]:
        if not texts:
            return []
        try:
            return passage_vectors(texts, self.embedder)
        except EmbedderFailed as trouble:
            log.warning("%d texts are kept without vectors: %s", len(texts), trouble)
            return [None] * len(texts)


def _marks(text: str, terms: Sequence[str], told: Told) -> int:
    return (
        Mark.TELLS * told.lasting
        | Mark.ASKS * text.rstrip().endswith("?")
        | Mark.HOLDS_TIME * holds_time(text)
        | Mark.HOLDS_NUMBER * holds_number(terms)
    )


def passage_vectors(texts: Sequence[str], embedder: Embedder) -> list[Matrix]:
    """Return the rows of each text, embedded in one batch. Raises `EmbedderFailed`."""
    split = [passages(text) for text in texts]
    rows = embedded(embedder, [passage for each in split for passage in each], "document")
    ends = accumulate(len(each) for each in split)
    return [rows[end - len(each) : end] for each, end in zip(split, ends, strict=True)]


def fill_in_vectors(store: Store, embedder: Embedder, scope: Scope, *, most: int = _AT_ONCE) -> int:
    """Give up to `most` items of `scope` that wait for their vectors theirs; return how many.

    It raises nothing: what is still missing waits for the next time, and is found by its words until then.
    """
    done = 0
    try:
        while done < most:
            with store.view(scope) as view:
                batch = view.vectorless(min(_AT_ONCE, most - done))
            if not batch:
                break
            vectors = passage_vectors([item.text for item in batch], embedder)
            store.fill_vectors([item.key for item in batch], vectors)
            done += len(batch)
    except GieokError as trouble:
        log.info("what waits for its vectors goes on waiting: %s", trouble)
    return done
