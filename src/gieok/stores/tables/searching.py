"""Searching a scope: by meaning and by words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.domain.answer import Item
from gieok.domain.scope import Scope
from gieok.errors import EmbedderMismatch
from gieok.ports import Layout, Match, Occurrences, Unembedded, Weighed
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.index_cache import IndexCache
from gieok.stores.tables.item_cache import ItemCache
from gieok.stores.tables.rows import dump, memory_from, utterance_from
from gieok.stores.tables.scope_index import ScopeIndex, unit
from gieok.stores.tables.snapshot import Snapshot
from gieok.stores.tables.word_index import TAG, WordIndex, scoped_terms

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector
    from gieok.stores.tables.scope_index import Ids

_MOST_PLACES: Final = 100_000  # of one word


class Searching(Snapshot):
    """The part of a view that finds items."""

    def __init__(
        self, connection: Connection, scope: Scope, *, embedder: str, cache: IndexCache, known: ItemCache
    ) -> None:
        super().__init__(connection, scope, known)
        self._embedder = embedder
        self._cache = cache
        self._ranks = connection.ranks
        self._seen: ScopeIndex | None = None
        self._scanned: tuple[bytes, Scores] | None = None  #: the last vector, and the cosines with it

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        asked = self._asked(vector)
        if not asked.any():
            return []
        return self._index().nearest(self._cosines(asked), limit, memories_only=memories_only)

    def vectorless(self, limit: int) -> list[Unembedded]:
        rows = self._rows("find_vectorless", low=self._first, high=self._last, limit=limit)
        return [Unembedded(key=key, text=text) for key, text in rows]

    def layout(self) -> Layout:
        return self._index().layout

    def cosines(self, vector: Vector) -> Scores:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        return self._cosines(self._asked(vector))

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return self._found("word_postings", words, WordIndex.standing)

    def beginnings(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return self._found("prefix_postings", prefixes, WordIndex.beginning)

    def weighed(self, words: Sequence[str]) -> list[Weighed] | None:
        if not self._ranks:
            return None
        index, terms = self._index(), self._terms(words)
        asked = list(dict.fromkeys(term for term in terms if term is not None))
        found = self._weights(asked)
        # An engine whose index is gone may still find words, and weighs nothing.
        self._ranks = found is not None and all((weights > 0).all() for _, weights in found.values())
        if found is None or not self._ranks:
            return None
        nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return [index.weighed(*found.get(term or "", nothing)) for term in terms]

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        known = self._index().tagged
        new = [tag for tag in dict.fromkeys(tags) if tag not in known]
        found = self._found("word_postings", [f"{TAG}{tag}" if tag else "" for tag in new], WordIndex.standing)
        known |= dict(zip(new, found, strict=True))
        return [known[tag] for tag in tags]

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        wanted = list(refs)
        read = self._known.items
        known = {ref: read[ref] for ref in wanted if ref in read}
        if len(known) == len(wanted):
            return known
        found = self._items("load_memories", memory_from, wanted)
        found |= self._items("load_utterances", utterance_from, [ref for ref in wanted if ref not in found])
        return {ref: found[ref] for ref in wanted if ref in found}

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        public_ids = dump(list(item_ids))
        return dict(self._rows("find_items", scope_id=self._standing.scope_id, public_ids=public_ids))

    def _index(self) -> ScopeIndex:
        if self._seen is not None:
            return self._seen
        held = self._standing
        self._seen = self._cache.index(
            held.scope_id,
            epoch=held.index_epoch,
            dimension=held.dimension,
            first=self._first,
            last=self._first + max(held.next_seq - 1, 0),
            load=lambda first, last: self._rows("load_index", low=first, high=last),
        )
        return self._seen

    def _cosines(self, asked: Vector) -> Scores:
        """Return the cosine of every item with `asked`; a question asks for the same ones twice."""
        key, scanned = asked.tobytes(), self._scanned
        if scanned is None or scanned[0] != key:
            scanned = self._scanned = (key, self._index().cosines(asked))
            scanned[1].setflags(write=False)
        return scanned[1]

    def _asked(self, vector: Vector) -> Vector:
        held = self._standing
        if held.embedder != self._embedder:
            raise EmbedderMismatch(built_with=held.embedder, configured=self._embedder)
        return unit(vector, held.dimension)

    def all_words(self) -> list[tuple[str, str]]:
        scope_id = self._standing.scope_id
        start, beyond = f"{scope_id}x", f"{scope_id}y"
        return [
            (term, ids)
            for term, ids in self._rows("all_postings", start=start, beyond=beyond, low=self._first, high=self._last)
        ]

    def words_between(self, first: int, last: int) -> list[tuple[int, str]]:
        return [(id, terms) for id, terms in self._rows("load_words", low=first, high=last)]

    def folded(self, term: str) -> str | None:
        with self._turn:
            return self._held().folded(term)

    def _found(
        self, query: str, words: Sequence[str], look: Callable[[WordIndex, str | None], Ids]
    ) -> list[Occurrences]:
        if not words:
            return []
        index = self._index()
        held = self._standing
        known = self._cache.words(
            held.scope_id, epoch=held.index_epoch, last=self._first + max(held.next_seq - 1, 0), source=self
        )
        if known is not None:
            return [index.occurrences(look(known, term)) for term in self._terms(words)]
        # One text for each word instead of a row for each place: more than twice as fast for a common word.
        terms = dump(self._terms(words))
        rows = self._rows(query, words=terms, low=self._first, high=self._last, most=_MOST_PLACES)
        found = {key: np.fromstring(places or "", dtype=np.int64, sep=",") for key, places in rows}
        return [index.occurrences(found[number]) for number in range(len(words))]

    def _weights(self, terms: Sequence[str]) -> dict[str, tuple[Ids, Scores]] | None:
        """Return the ids of the items with each of `terms`, and what it weighs there; None: the engine fails."""
        with self._turn:
            rows = self._held().weights(terms, self._first, self._last, _MOST_PLACES) if terms else []
        if rows is None:
            return None
        return {
            term: (np.fromstring(ids or "", np.int64, sep=","), np.fromstring(weights or "", np.float32, sep=","))
            for term, (ids, weights) in zip(terms, rows, strict=True)
        }

    def _terms(self, words: Sequence[str]) -> list[str | None]:
        """Return each of `words` as the index holds it; None for one that it cannot hold."""
        scope_id = self._standing.scope_id
        with self._turn:
            fold = self._held().folded
            return [fold(scoped[0]) if (scoped := scoped_terms(scope_id, [word])) else None for word in words]
