"""A question, as the sources need it: a vector for meaning, terms for words."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gieok.domain.turn import checked_text
from gieok.errors import EmbedderFailed
from gieok.language.terms import QueryTerms, query_terms
from gieok.language.topics import topics
from gieok.ports import Embedder, embedded

if TYPE_CHECKING:
    from gieok.ports import Vector

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, worked out once for all sources."""

    text: str
    terms: QueryTerms
    vector: Vector | None  #: None: the embedder is down
    about: Mapping[str, float] = field(default_factory=dict)  #: attributes it may ask for, with their shares
    degraded: tuple[str, ...] = ()


def asked(text: str, embedder: Embedder) -> Question:
    """Return `text` ready for the sources; without a working embedder, words alone must do."""
    text = checked_text(text, "query")
    vector: Vector | None = None
    degraded: tuple[str, ...] = ()
    try:
        vector = embedded(embedder, [text], "query")[0]
    except EmbedderFailed as trouble:
        log.warning("recalling by keyword alone: %s", trouble)
        degraded = (f"dense search is off: {trouble}",)
    terms = query_terms(text)
    learned = topics()
    about = learned.asked(vector if embedder.name == learned.embedder else None, terms.words)
    return Question(text=text, terms=terms, vector=vector, about=about, degraded=degraded)
