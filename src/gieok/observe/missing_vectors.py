"""Vectors that were missing when something was kept: filled in once the embedder answers again, a few at a time."""

from __future__ import annotations

import logging
from typing import Final

from gieok.domain.scope import Scope
from gieok.errors import GieokError
from gieok.observe.indexing import passage_vectors
from gieok.ports import Embedder, Store

log = logging.getLogger(__name__)

_AT_ONCE: Final = 16  #: items


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
