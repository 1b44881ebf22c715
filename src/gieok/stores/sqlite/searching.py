"""Searching a scope: by meaning, by words, and by what stands beside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.domain.answer import Item
from gieok.domain.scope import Scope
from gieok.errors import EmbedderMismatch
from gieok.ports import Match
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.index_cache import IndexCache
from gieok.stores.sqlite.keyword_terms import TAG, scoped_terms
from gieok.stores.sqlite.rows import dump, memory_from, utterance_from
from gieok.stores.sqlite.scope_index import Posting, ScopeIndex
from gieok.stores.sqlite.snapshot import Snapshot
from gieok.stores.sqlite.vectors import unit

if TYPE_CHECKING:
    from gieok.ports import Vector
    from gieok.stores.sqlite.scope_index import Ids

_MOST_WORDS: Final = 64
_MOST_PLACES: Final = 100_000  # of one word
_PREFIX_WEIGHT: Final = 0.5


class Searching(Snapshot):
    """The part of a view that finds items."""

    def __init__(self, connection: Connection, scope: Scope, *, embedder: str, cache: IndexCache) -> None:
        super().__init__(connection, scope)
        self._embedder = embedder
        self._cache = cache

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        held = self._standing
        if held.embedder != self._embedder:
            raise EmbedderMismatch(built_with=held.embedder, configured=self._embedder)
        asked = unit(vector, held.dimension)
        if not asked.any():
            return []
        return self._index().nearest(asked, limit, memories_only=memories_only)

    def tagged(self, tag: str, limit: int, *, memories_only: bool = False) -> list[Match]:
        places = [self._places("word_postings", term) for term in self._terms([f"{TAG}{tag}"])]
        bearing = places[0] if places else np.zeros(0, np.int64)
        return self._index().most_often(bearing, limit, memories_only=memories_only)

    def keyword(
        self, words: Sequence[str], prefixes: Sequence[str], limit: int, *, memories_only: bool = False
    ) -> list[Match]:
        wholes, starts = self._terms(words), self._terms(prefixes)
        found = {term: self._places("word_postings", term) for term in {*wholes, *starts}}
        postings = [Posting(ids=found[term], weight=1.0) for term in wholes]
        for term in starts:
            longer = self._places("prefix_postings", term)
            postings.append(Posting(ids=np.concatenate((found[term], longer)), weight=_PREFIX_WEIGHT))
        return self._index().best_by_words(postings, limit, memories_only=memories_only)

    def neighbours(self, refs: Sequence[int], reach: int) -> dict[int, list[tuple[int, int]]]:
        said = [row[0] for row in self._loaded("load_utterances", refs)]
        beside: dict[int, list[tuple[int, int]]] = {ref: [] for ref in refs}
        for ref, around in self._around(said, reach).items():
            before, after = [at for at in around if at < ref], [at for at in around if at > ref]
            beside[ref] += [(at, place) for place, at in enumerate(reversed(before), 1)]
            beside[ref] += [(at, place) for place, at in enumerate(after, 1)]
        for memory, utterance in self._loaded("find_sources", refs):
            beside[memory].append((utterance, 1))
        return beside

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        wanted = list(refs)
        found: dict[int, Item] = {row[0]: memory_from(row) for row in self._loaded("load_memories", wanted)}
        found |= {row[0]: utterance_from(row) for row in self._loaded("load_utterances", wanted)}
        return {ref: found[ref] for ref in wanted if ref in found}

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        public_ids = dump(list(item_ids))
        return dict(self._rows("find_items", scope_id=self._standing.scope_id, public_ids=public_ids))

    def _around(self, refs: Sequence[int], reach: int) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        ids = dump(refs)
        for ref, at in self._rows("find_utterances_beside", ids=ids, low=self._first, high=self._last, reach=reach):
            found.setdefault(ref, []).append(at)
        return found

    def _index(self) -> ScopeIndex:
        held = self._standing
        return self._cache.index(
            held.scope_id,
            epoch=held.index_epoch,
            dimension=held.dimension,
            first=self._first,
            last=self._first + max(held.next_seq - 1, 0),
            load=lambda first, last: self._rows("load_index", low=first, high=last),
        )

    def _terms(self, words: Sequence[str]) -> list[str]:
        distinct = dict.fromkeys(scoped_terms(self._standing.scope_id, words))
        with self._turn:
            folded = dict.fromkeys(map(self._held().folded, distinct))
        return [term for term in folded if term is not None][:_MOST_WORDS]

    def _places(self, query: str, term: str) -> Ids:
        # One text instead of a row for each place: more than twice as fast for a common word.
        [[places]] = self._rows(query, term=term, low=self._first, high=self._last, most=_MOST_PLACES)
        return np.fromstring(places or "", dtype=np.int64, sep=",")
