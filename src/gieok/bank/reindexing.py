"""Giving every item a vector of the embedder in use: to all after a change of embedder, else to those without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gieok.observe.index import passage_vectors
from gieok.ports import Embedder, Masker, Store

_BATCH: Final = 64


def reindex(
    store: Store,
    embedder: Embedder,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    mask: Masker | None = None,
) -> int:
    """Embed what has no vector of `embedder`, switch to it, and return how many items were embedded.

    `progress` hears (done, total) after each batch; total grows when others write meanwhile. An interrupted run loses
    at most a batch, and the next one goes on from there; until the end the old vectors answer. What the log keeps in
    its own words is masked by `mask`.
    """
    total = store.begin_reindex(embedder.name, embedder.dimension)
    done = 0
    progress(done, total)
    while batch := store.unembedded(_BATCH):
        texts = [item.text if mask is None else mask(item.text).text for item in batch]
        vectors = passage_vectors(texts, embedder)
        store.put_vectors([item.key for item in batch], vectors)
        done += len(batch)
        total = max(total, done)
        progress(done, total)
    store.finish_reindex()
    return done
