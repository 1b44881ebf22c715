"""What retrieval is measured on: lines that were said, and questions with the lines that answer them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from gieok.errors import InvalidQuery

FIRST_MOMENT: Final = datetime.fromisoformat("2024-03-04T12:00")  #: of talk that does not say when it was
PACE: Final = timedelta(seconds=20)  #: from one line of a session to the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that somebody said."""

    id: str
    speaker: str
    text: str
    at: datetime  #: without a time zone: on the clocks where the bank is
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question and the lines that answer it."""

    text: str
    evidence: frozenset[str]  #: ids of lines; at least one
    category: str = ""
    apart: bool = False  #: reported by itself, and no part of the overall figures
    group: str = ""  #: questions of one group hang together
    itself: str | None = None  #: id of the line that is the question, and so no answer to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Lines in the order they were said, and what is asked about them."""

    id: str
    lines: tuple[Line, ...]
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A file of conversations."""

    name: str
    format: str
    conversations: tuple[Conversation, ...]
    captions: bool | None = None  #: whether lines tell what a shared photo shows; None: there are no photos
    left_out: int = 0  #: questions without evidence among the lines
    unasked: int = 0  #: questions that a sample left out
    quick: int | None = None  #: how many questions to ask unless told otherwise; None: all

    @property
    def lines(self) -> int:
        return sum(len(each.lines) for each in self.conversations)

    @property
    def queries(self) -> int:
        return sum(len(each.queries) for each in self.conversations)

    @property
    def unit(self) -> str:
        """What intervals are drawn over: whole conversations, or in a single one the groups of its questions."""
        if len(self.conversations) > 1:
            return "conversation"
        grouped = any(query.group for each in self.conversations for query in each.queries)
        return "group" if grouped else "question"


def answerable(queries: Iterable[Query], lines: Iterable[Line]) -> tuple[Query, ...]:
    """Return the queries that `lines` can answer, with the evidence that is among them."""
    known = {line.id for line in lines}
    narrowed = (replace(query, evidence=query.evidence & known) for query in queries)
    return tuple(query for query in narrowed if query.evidence)


def sampled(dataset: Dataset, count: int | None, *, seed: int) -> Dataset:
    """Return `dataset` with `count` questions, the same for the same seed; 0: all, None: as many as is quick."""
    if count is not None and count < 0:
        raise InvalidQuery(f"queries={count}: give how many to ask, or 0 for all")
    wanted = dataset.quick if count is None else count
    if not wanted or wanted >= dataset.queries:
        return dataset
    places = [(at, number) for at, each in enumerate(dataset.conversations) for number in range(len(each.queries))]
    drawn = set(random.Random(seed).sample(places, wanted))
    kept = tuple(
        replace(each, queries=tuple(query for number, query in enumerate(each.queries) if (at, number) in drawn))
        for at, each in enumerate(dataset.conversations)
    )
    asked = tuple(each for each in kept if each.queries)
    return replace(dataset, conversations=asked, unasked=dataset.queries - wanted)
