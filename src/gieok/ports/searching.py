"""What makes items findable, and what a search sees of a scope."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]
    Scores = NDArray[np.float32]
    Places = NDArray[np.intp]


class Mark(IntFlag):
    """What can be seen of a text at a glance."""

    TELLS = 1  #: it tells something lasting
    ASKS = 2  #: it is a question
    HOLDS_TIME = 4
    HOLDS_NUMBER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What makes an item findable. A store receives terms and vectors, never text to analyse."""

    terms: tuple[str, ...]  #: with repetition
    tags: tuple[str, ...] = ()  #: with repetition; apart from the terms, and not counted among them
    marks: int = 0  #: `Mark`s
    vectors: Matrix | None  #: a row for the whole, and for each of its passages; None: the embedder was down


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """An item whose vector is missing or was made by another embedder."""

    key: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An item that a search found. `ref` is private to the store and valid for its view."""

    ref: int
    score: float


class Party(IntEnum):
    """Who said an utterance; whom a memory is about."""

    USER = 0
    CHARACTER = 1
    OTHER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Every searchable item of a scope, in parallel arrays, in the order they came in."""

    refs: NDArray[np.int64]
    is_memory: NDArray[np.bool_]
    lengths: NDArray[np.int32]  #: in terms
    marks: NDArray[np.uint8]
    parties: NDArray[np.uint8]
    moments: NDArray[np.int64]  #: said at, or true since: UTC microseconds
    sittings: NDArray[np.int32]  #: which sitting an utterance belongs to, counted from 0; NO_SITTING for a memory


NO_SITTING: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """In which items of the layout a word stands, and how often."""

    places: Places
    times: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """In which items of the layout a word stands, and what it weighs in each by the store's own ranking."""

    places: Places
    weights: Scores  #: above 0, in the ranking's own unit
