"""gieok: `remember`, one text after the other, or `observe`, which also keeps the turn and reads its facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import numpy as np

import gieok
from comparing.locomo import Note
from comparing.worker import Peer, Setup, main
from comparing.workload import Vectors
from gieok.domain.memory import Memory
from gieok.embedders import UniversalEncoder

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector


class _Lookup:
    """The common vectors. gieok also embeds the sentences of a text, which nobody foresaw.

    Where answers count, those are encoded by the encoder that made the others; where time counts, looked up as well.
    """

    name = UniversalEncoder.name

    def __init__(self, vectors: Vectors, encoder: UniversalEncoder | None) -> None:
        self._vectors = vectors
        self._encoder = encoder
        self.dimension = vectors.dimension

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        strange = [text for text in texts if not self._vectors.known(text)]
        found = dict(zip(strange, self._strangers(strange), strict=True))
        return np.stack([found[text] if text in found else self._vectors(text) for text in texts])

    def _strangers(self, texts: list[str]) -> Iterable[Vector]:
        if self._encoder is None:
            return map(self._vectors.stranger, texts)
        return self._encoder.embed(texts, purpose="document")

    def warm(self) -> None:
        """There is nothing to load."""


class Gieok(Peer):
    """A user is a scope."""

    def __init__(self, setup: Setup) -> None:
        encoder = None if setup.timed else UniversalEncoder()
        self._bank = gieok.open(setup.folder / "bank.db", embedder=_Lookup(setup.vectors, encoder))
        self._bank.warm()
        self._observes = setup.variant == "observe"
        self._keys: dict[str, str] = {}  # of memories or utterances

    def add(self, user: str, note: Note) -> None:
        mind = self._bank.scope(user=user)
        at = datetime.fromisoformat(note.at)
        if self._observes:
            observed = mind.observe(note.text, speaker=note.speaker, at=at)
            self._keys[observed.turn.utterances[0].id] = note.key
        else:
            for change in mind.remember(note.text, at=at).changes:
                self._keys.setdefault(change.memory_id, note.key)

    def search(self, user: str, query: str, k: int) -> list[Collection[str]]:
        hits = self._bank.scope(user=user).recall(query, k=k)
        return [self._stands_for(hit.item.id, hit.item) for hit in hits]

    def _stands_for(self, item_id: str, item: object) -> list[str]:
        ids = [item_id, *(item.sources if isinstance(item, Memory) else ())]
        return [self._keys[each] for each in ids if each in self._keys]

    def close(self) -> None:
        self._bank.close()


if __name__ == "__main__":
    main(Gieok)
