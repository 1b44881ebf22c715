"""How alike claims and memories are in a replay: by the words that a memory has then, not by those of today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.observe.indexing import Indexer
from gieok.ports import IndexEntry, View

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector


class WordVectors:
    """The vectors of memories as they stand: the store's where the words are those of today, else new ones."""

    def __init__(
        self, view: View, indexer: Indexer, today: Mapping[str, str], embedded: Mapping[str, IndexEntry]
    ) -> None:
        """`today` are the words of the memories in `view`, `embedded` some texts that were indexed already."""
        self._view = view
        self._indexer = indexer
        self._today = today
        self._by_text = {text: entry.vectors for text, entry in embedded.items()}

    def __call__(self, memories: Sequence[Memory]) -> dict[str, Vector]:
        """Return the vector of each as a whole, by id, for those that have one."""
        found = self._view.vectors([memory.id for memory in memories if self.settled(memory)])
        return found | {each: rows[0] for each, rows in self.rows(m for m in memories if not self.settled(m)).items()}

    def rows(self, memories: Iterable[Memory]) -> dict[str, Matrix]:
        """Return the rows of each by its words, the whole and its passages, by id, for those that have any."""
        words = {memory.id: memory.findable for memory in memories}
        missing = {text: text for text in words.values() if text not in self._by_text}
        self._by_text |= {text: entry.vectors for text, entry in self._indexer.entries(missing).items()}
        known = ((memory_id, self._by_text[text]) for memory_id, text in words.items())
        return {memory_id: rows for memory_id, rows in known if rows is not None}

    def settled(self, memory: Memory) -> bool:
        """Whether its words are those that it has in the view."""
        return self._today.get(memory.id) == memory.findable


class Likeness:
    """How alike a claim and a memory are."""

    def __init__(
        self,
        vectors: WordVectors,
        claims: Mapping[str, Vector],
        today: Mapping[tuple[str, str], float],
    ) -> None:
        """`claims` are the vectors of free claims, `today` the cosines with memories whose words are settled."""
        self._vectors = vectors
        self._claims = claims
        self._today = today

    def __call__(self, claim: Claim, memory: Memory) -> float:
        if self._vectors.settled(memory):
            return self._today.get((claim.id, memory.id), 0.0)
        said, known = self._claims.get(claim.id), self._vectors.rows([memory]).get(memory.id)
        return 0.0 if said is None or known is None else nearest(said, known)


def nearest(said: Vector, rows: Matrix) -> float:
    """Return the cosine with the nearest of `rows`, as a search does."""
    return float((rows @ said).max())
