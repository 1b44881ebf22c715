"""Layouts and occurrences in a line, and a view that answers from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from gieok.language.terms import QueryTerms
from gieok.ports import NO_SITTING, Layout, Occurrences, View, WordWeights
from gieok.recall.gather import Evidence, evidence
from gieok.recall.question import Question
from gieok.recall.time_limit import Search

MEMORY = None  #: in place of a sitting


def layout_of(*sittings: int | None, **columns: Sequence[int]) -> Layout:
    """Return a layout with an item for each of `sittings`, `MEMORY` for a memory; `columns` are zeros unless given."""
    size = len(sittings)

    def column(name: str, kind: Any) -> Any:
        return np.array(columns.get(name, [0] * size), kind)

    return Layout(
        refs=np.arange(100, 100 + size),
        is_memory=np.array([sitting is MEMORY for sitting in sittings], np.bool_),
        lengths=column("lengths", np.int32),
        marks=column("marks", np.uint8),
        parties=column("parties", np.uint8),
        moments=column("moments", np.int64),
        sittings=np.array([NO_SITTING if sitting is MEMORY else sitting for sitting in sittings], np.int32),
    )


def standing(*times: int) -> Occurrences:
    """Return the occurrences of a word that stands `times` in each item."""
    places = np.flatnonzero(times)
    return Occurrences(places=places, times=np.array(times, np.intp)[places])


def weighing(*weights: float) -> WordWeights:
    """Return what a word weighs that weighs so much in each item; 0: it does not stand there."""
    places = np.flatnonzero(weights)
    return WordWeights(places=places, weights=np.array(weights, np.float32)[places])


def question(*words: str, prefixes: tuple[str, ...] = (), **fields: Any) -> Question:
    terms = QueryTerms(words=words, prefixes=prefixes)
    return Question(**{"text": " ".join(words), "terms": terms, "vector": None, **fields})


def known(view: FakeView, asked: Question, **options: Any) -> Evidence:
    found = evidence(Search(cast(View, view)), asked, **options)
    assert found is not None
    return found


class FakeView:
    """Answers searches from tables: how often each word, longer word and tag stands in each item of the layout.

    With `weights`, it ranks words by itself.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        cosines: Sequence[float] | None = None,
        words: Mapping[str, Sequence[int]] | None = None,
        longer: Mapping[str, Sequence[int]] | None = None,
        weights: Mapping[str, Sequence[float]] | None = None,
        tags: Mapping[str, Sequence[int]] | None = None,
        people: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self._layout = layout
        self._cosines = cosines
        self._weights = weights
        self._people = people or {}
        self._words, self._longer, self._tags = words or {}, longer or {}, tags or {}

    def layout(self) -> Layout:
        return self._layout

    def cosines(self, vector: Any) -> Any:
        assert self._cosines is not None, "nobody should ask"
        return np.array(self._cosines, np.float32)

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return [standing(*self._words.get(word, ())) for word in words]

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return [standing(*self._longer.get(prefix, ())) for prefix in prefixes]

    def word_weights(self, words: Sequence[str]) -> list[WordWeights] | None:
        if self._weights is None:
            return None
        return [weighing(*self._weights.get(word, ())) for word in words]

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        return [standing(*self._tags.get(tag, ())) for tag in tags]

    def people(self, text: str) -> dict[str, list[int]]:
        return {name: [*refs] for name, refs in self._people.items() if name in text}
