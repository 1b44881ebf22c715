"""A question, worked out once: its words, its vector, whom it is about and what it asks for."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Final

from gieok.domain.turn import CHARACTER, USER, checked_text
from gieok.errors import EmbedderFailed
from gieok.language.parties import mentions
from gieok.language.periods import Period, asked_periods
from gieok.language.sought import asks_how_many, asks_when
from gieok.language.terms import QueryTerms, query_terms
from gieok.language.topics import topics
from gieok.ports import Embedder, Mark, Party, embedded

if TYPE_CHECKING:
    from gieok.ports import Vector

log = logging.getLogger(__name__)

_MOST_WORDS: Final = 64
_PARTIES: Final = {USER: Party.USER, CHARACTER: Party.CHARACTER}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, worked out once for all sources."""

    text: str
    terms: QueryTerms
    vector: Vector | None  #: None: the embedder is down
    about: Mapping[str, float] = field(default_factory=dict)  #: attributes it may ask for, with their shares
    party: Party | None = None  #: the one of the two that it is about
    periods: tuple[Period, ...] = ()  #: when it asks about
    wants: int = 0  #: `Mark`s of the values that would answer it
    wide: bool = False  #: what is known may be good to know, whether or not it is asked for
    degraded: tuple[str, ...] = ()


def asked(text: str, embedder: Embedder, names: Mapping[str, str], now: datetime, zone: tzinfo) -> Question:
    """Return `text`, asked at `now`, ready for the sources; without a working embedder, words alone must do.

    The speakers' names (`names` says whose each is) are set aside: everything they said is near to them.
    """
    text = checked_text(text, "query")
    meant = mentions(text, names, asker=USER, asked=CHARACTER)
    vector: Vector | None = None
    degraded: tuple[str, ...] = ()
    try:
        vector = embedded(embedder, [meant.rest], "query")[0]
    except EmbedderFailed as trouble:
        log.warning("recalling by keyword alone: %s", trouble)
        degraded = (f"dense search is off: {trouble}",)
    terms = query_terms(meant.rest)
    learned = topics()
    about = learned.asked(vector if embedder.name == learned.embedder else None, terms.words)
    [party] = meant.parties if len(meant.parties) == 1 else [None]
    return Question(
        text=text,
        terms=QueryTerms(words=terms.words[:_MOST_WORDS], prefixes=terms.prefixes[:_MOST_WORDS]),
        vector=vector,
        about=about,
        party=None if party is None else _PARTIES[party],
        periods=asked_periods(text, now, zone),
        wants=Mark.HOLDS_TIME * asks_when(text) | Mark.HOLDS_NUMBER * asks_how_many(text),
        degraded=degraded,
    )
