"""Searching a scope: by vectors, by words, by tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.domain.answer import Item
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.errors import EmbedderMismatch
from gieok.ports import Layout, Match, Occurrences, Unembedded, WordWeights
from gieok.stores.tables.columns import Row, dump
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.rows import memory_from, utterance_from
from gieok.stores.tables.search_index import TAG, GrowingIndex, ScopeIndex, WordIndex, scoped_terms, unit
from gieok.stores.tables.snapshot import Mask, Shared, Snapshot

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector
    from gieok.stores.tables.search_index import Ids

_MOST_PLACES: Final = 100_000  # of one word


class SearchView(Snapshot):
    """The part of a view that finds items."""

    def __init__(self, connection: Connection, scope: Scope, shared: Shared, mask: Mask | None = None) -> None:
        super().__init__(connection, scope, shared, mask)
        self._ranks = self.held().ranks
        self._found: tuple[GrowingIndex, ScopeIndex] | None = None
        self._scanned: tuple[bytes, Scores] | None = None  #: the last vector, and the cosines with it

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        asked = self._asked(vector)
        if not asked.any():
            return []
        return self._index().nearest(self._cosines(asked), limit, memories_only=memories_only)

    def vectorless(self, limit: int) -> list[Unembedded]:
        question = (self._here.index_epoch, limit)
        rows = self._known("vectorless", question, lambda: self._rows("find_vectorless", limit=limit))
        return [Unembedded(key=key, text=self._mask(text) if self._mask else text) for key, text in rows]

    def layout(self) -> Layout:
        return self._index().layout

    def cosines(self, vector: Vector) -> Scores:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        return self._cosines(self._asked(vector))

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return self._occurrences("word_postings", words, WordIndex.standing)

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return self._occurrences("prefix_postings", prefixes, WordIndex.beginning)

    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None:
        if not self._ranks:
            return None
        index, terms = self._index(), self._terms(words)
        found = self._weights(list(dict.fromkeys(term for term in terms if term is not None)))
        # An engine whose index is gone may still find words, and weighs nothing.
        self._ranks = found is not None and all((weights > 0).all() for _, weights in found.values())
        if found is None or not self._ranks:
            return None
        nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return [index.weighed(*found.get(term or "", nothing)) for term in terms]

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        known = self._index().tagged
        new = [tag for tag in dict.fromkeys(tags) if tag not in known]
        found = self.occurrences([f"{TAG}{tag}" if tag else "" for tag in new])
        known |= dict(zip(new, found, strict=True))
        return [known[tag] for tag in tags]

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        wanted, read = list(refs), self._answers.topic("items")
        found = {ref: read[ref] for ref in wanted if ref in read}
        if len(found) < len(wanted):
            found = self._items("load_memories", memory_from, wanted)
            found |= self._items("load_utterances", utterance_from, [ref for ref in wanted if ref not in found])
            found = {ref: found[ref] for ref in wanted if ref in found}
        if self._mask is None:
            return found
        return {ref: self._masked(item) if isinstance(item, Utterance) else item for ref, item in found.items()}

    def _masked(self, utterance: Utterance) -> Utterance:
        if self._mask is None:
            return utterance
        masked = self._mask(utterance.text)
        return utterance if masked == utterance.text else replace(utterance, text=masked)

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        wanted, known = list(item_ids), self._answers.topic("refs")
        if new := [item_id for item_id in wanted if item_id not in known]:
            rows = self._rows("find_items", public_ids=dump(new))
            known.update({item_id: ref for item_id, ref, *_ in rows})
        return {item_id: known[item_id] for item_id in wanted if item_id in known}

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        rows = self._rows("load_vectors", public_ids=dump(list(item_ids)))
        firsts = self._shared.cache.packing.firsts([column for _, column in rows], self._here.dimension)
        return {public_id: row for (public_id, _), row in zip(rows, firsts, strict=True)}

    def index_rows(self, first: int, last: int) -> list[Row]:
        return self._rows("load_index", low=first, high=last)

    def all_words(self) -> list[Row]:
        scope_id = self._here.scope_id
        return self._rows("all_postings", start=f"{scope_id}x", beyond=f"{scope_id}y")

    def words_between(self, first: int, last: int) -> list[Row]:
        return self._rows("load_words", low=first, high=last)

    def folded(self, term: str) -> str | None:
        with self._turn:
            return self.held().folded(term)

    @property
    def _last(self) -> int:
        """The highest id that this snapshot can have seen."""
        return self._here.first + max(self._here.next_seq - 1, 0)

    def _index(self) -> ScopeIndex:
        if self._found is None:
            growing = self._shared.cache.index(self._here)
            self._found = growing, growing.up_to(self._last, self._here.first, self)
            self._shared.cache.settle(self._here)
        return self._found[1]

    def _word_index(self) -> WordIndex | None:
        """Return the words of the scope; None: they are to be looked for in the tables."""
        self._index()
        assert self._found is not None, "the index was found just now"
        words = self._found[0].words(self._last, self)
        self._shared.cache.settle(self._here)
        return words

    def _cosines(self, asked: Vector) -> Scores:
        """Return the cosine of every item with `asked`; a question asks for the same ones twice."""
        key, scanned = asked.tobytes(), self._scanned
        if scanned is None or scanned[0] != key:
            scanned = self._scanned = (key, self._index().cosines(asked))
            scanned[1].setflags(write=False)
        return scanned[1]

    def _asked(self, vector: Vector) -> Vector:
        if self._here.embedder != self._shared.embedder:
            raise EmbedderMismatch(built_with=self._here.embedder, configured=self._shared.embedder)
        return unit(vector, self._here.dimension)

    def _occurrences(
        self, query: str, words: Sequence[str], look: Callable[[WordIndex, str | None], Ids]
    ) -> list[Occurrences]:
        if not words:
            return []
        index, terms, known = self._index(), self._terms(words), self._word_index()
        if known is not None:
            return [index.occurrences(look(known, term)) for term in terms]
        # One text for each word instead of a row for each place: more than twice as fast for a common word.
        rows = self._rows(query, words=dump(terms), most=_MOST_PLACES)
        found = {key: np.fromstring(places or "", dtype=np.int64, sep=",") for key, places in rows}
        return [index.occurrences(found[number]) for number in range(len(words))]

    def _weights(self, terms: Sequence[str]) -> dict[str, tuple[Ids, Scores]] | None:
        """Return the ids of the items with each of `terms`, and what it weighs there; None: the engine fails."""
        with self._turn:
            place = (self._here.first, self._here.last, _MOST_PLACES)
            rows = self.held().weights(terms, *place) if terms else []
        if rows is None:
            return None
        return {
            term: (np.fromstring(ids or "", np.int64, sep=","), np.fromstring(weights or "", np.float32, sep=","))
            for term, (ids, weights) in zip(terms, rows, strict=True)
        }

    def _terms(self, words: Sequence[str]) -> list[str | None]:
        """Return each of `words` as the index holds it; None for one that it cannot hold."""
        with self._turn:
            fold = self.held().folded
            terms = (scoped_terms(self._here.scope_id, [word]) for word in words)
            return [fold(scoped[0]) if scoped else None for scoped in terms]
