"""A question, worked out once: its words, its vector, whom it is about and what it asks for."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Final

from gieok.domain.turn import CHARACTER, USER, checked_text
from gieok.errors import EmbedderFailed
from gieok.language.people import find_parties, named
from gieok.language.periods import Period, asked_periods
from gieok.language.terms import QueryTerms, asks_how_many, asks_when, query_terms
from gieok.language.topics import topics
from gieok.ports import Embedder, Mark, Party, embedded

if TYPE_CHECKING:
    from gieok.ports import Vector

log = logging.getLogger(__name__)

_MOST_WORDS: Final = 64
_CLEARLY: Final = 0.5  #: share of what a question asks for
_PARTIES: Final = {USER: Party.USER, CHARACTER: Party.CHARACTER}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, worked out once for all sources."""

    text: str
    terms: QueryTerms
    vector: Vector | None  #: None: the embedder is down
    about: Mapping[str, float] = field(default_factory=dict)  #: attributes it may ask for, with their shares
    party: Party | None = None  #: the one of the two that it is about
    people: tuple[str, ...] = ()  #: others whom it names
    periods: tuple[Period, ...] = ()  #: when it asks about
    wants: int = 0  #: `Mark`s of the values that would answer it
    wide: bool = False  #: what is known may be good to know, whether or not it is asked for
    degraded: tuple[str, ...] = ()


def read_question(
    text: str,
    embedder: Embedder,
    names: Mapping[str, str],
    now: datetime,
    zone: tzinfo,
    others: Collection[str] = (),
    *,
    wide: bool = False,
) -> Question:
    """Return `text`, asked at `now`, ready for the sources; without a working embedder, words alone must do.

    The speakers' names (`names` says whose each is) are set aside: everything they said is near to them. So are those
    of `others` whom it is about, but in their case what is said of them is found by the name as well.
    """
    text = checked_text(text, "query")
    meant = find_parties(text, names, asker=USER, asked=CHARACTER)
    terms = query_terms(meant.rest)
    wordings = [(meant.rest, terms.words)]
    third = named(text, others)
    if third.people:
        meant = find_parties(third.rest, names, asker=USER, asked=CHARACTER)
        if not meant.parties:
            of_oneself = find_parties(third.of_oneself, names, asker=USER, asked=CHARACTER).rest
            wordings.append((of_oneself, query_terms(of_oneself).words))
    vector: Vector | None = None
    degraded: tuple[str, ...] = ()
    learned, about = topics(), dict[str, float]()
    try:
        vectors = embedded(embedder, [wording for wording, _ in wordings], "query")
    except EmbedderFailed as trouble:
        log.warning("recalling by keyword alone: %s", trouble)
        degraded = (f"dense search is off: {trouble}",)
        about = learned.asked(None, wordings[-1][1])
    else:
        # The last wording that clearly asks for something; the first if none does. What is asked for is learned from
        # questions that people ask about themselves; not every question can be turned so.
        for (_, words), vector in reversed([*zip(wordings, vectors, strict=True)]):
            about = learned.asked(vector if embedder.name == learned.embedder else None, words)
            if max(about.values(), default=0.0) >= _CLEARLY:
                break
    [party] = meant.parties if len(meant.parties) == 1 else [None]
    return Question(
        text=text,
        terms=QueryTerms(words=terms.words[:_MOST_WORDS], prefixes=terms.prefixes[:_MOST_WORDS]),
        vector=vector,
        about=about,
        party=None if party is None else _PARTIES[party],
        people=third.people,
        periods=asked_periods(text, now, zone),
        wants=Mark.HOLDS_TIME * asks_when(text) | Mark.HOLDS_NUMBER * asks_how_many(text),
        wide=wide,
        degraded=degraded,
    )
