"""What is nearest, found with few cosines worked out, is what is nearest of all."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.ports.nearness import Nearness, highest
from gieok.stores.sqlite.connection import INT16
from gieok.stores.tables import search_index
from gieok.stores.tables.search_index import GrowingIndex, ScopeIndex

DIMENSION = 512
SCOPE = 7
FIRST = SCOPE << 24
ROWS = 2_500


@pytest.fixture(autouse=True)
def sketched_from_a_few_thousand_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "_SKETCHED_FROM", 2_048)


part = st.integers(0, 20).map(lambda number: number / 20)


@given(st.lists(st.tuples(part, part), max_size=60), st.integers(0, 12))
def test_bounds_give_the_same_highest_scores_as_the_scores_themselves(parts, count):
    scores = np.array([score for score, _ in parts], np.float32)
    bounds = Nearness(scores + np.array([above for _, above in parts], np.float32), lambda places: scores[places])
    found = highest(lambda: bounds.most, count, bounds.measure)

    assert sorted(scores[found].tolist()) == sorted(sorted(scores[scores > 0].tolist())[::-1][:count])
    assert bounds.measured[found].all()
    assert bounds.most[bounds.measured].tolist() == scores[bounds.measured].tolist()


def vectors(count: int, *, spread: float, seed: int = 0) -> np.ndarray:
    """Return directions of which a few dozen matter, and so much of any other."""
    dice = np.random.default_rng(seed)
    few = dice.standard_normal((count, 40)) @ dice.standard_normal((40, DIMENSION))
    return (few / np.sqrt(40) + spread * dice.standard_normal((count, DIMENSION))).astype(np.float32)


def index_of(rows: np.ndarray, each: Sequence[int], *, asked: int) -> tuple[GrowingIndex, ScopeIndex]:
    """Return the index of items with so many of the rows each. Half of them came after it was asked for so often."""
    ends = np.cumsum(each)
    columns = [INT16.packed(rows[end - own : end], DIMENSION) or None for own, end in zip(each, ends, strict=True)]
    listed = [(FIRST + place, place % 2, 3, 0, 0, place, None, column) for place, column in enumerate(columns)]

    def query(name: str, low: int, high: int) -> list[tuple[object, ...]]:
        return listed[low - FIRST : high - FIRST + 1]

    growing = GrowingIndex(SCOPE, 1, DIMENSION, INT16, {})
    for _ in range(asked):
        growing.up_to(FIRST + len(listed) // 2 - 1, query)
    return growing, growing.up_to(FIRST + len(listed) - 1, query)


@pytest.mark.parametrize("memories_only", [False, True])
@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_a_sketch_of_many_rows_changes_no_answer(spread: float, memories_only: bool) -> None:
    rows = vectors(2 * ROWS, spread=spread)
    each = [place % 3 for place in range(2 * ROWS)]  # none, one or two
    (_, sketched), (_, plain) = index_of(rows, each, asked=4), index_of(rows, each, asked=0)
    assert sketched.sketch is not None
    assert plain.sketch is None
    worked_out = []
    for question in vectors(20, spread=spread, seed=1):
        question /= np.linalg.norm(question)
        near, exact = sketched.nearness(question), plain.nearness(question)
        assert (near.most >= exact.most - 1e-6).all(), "no bound is too low"
        best = sketched.nearest(near, 10, memories_only=memories_only)
        assert best == plain.nearest(exact, 10, memories_only=memories_only)
        assert (near.most[near.measured] == exact.most[near.measured]).all()
        worked_out.append(int(near.measured.sum()))
    if not spread:
        assert max(worked_out) < len(each) / 4


def test_a_sketch_is_counted_and_one_that_would_tell_little_is_not_made() -> None:
    alike, plain = vectors(2 * ROWS, spread=0.0), [1] * (2 * ROWS)
    anyhow = np.random.default_rng(0).standard_normal(alike.shape).astype(np.float32)
    (without, _), (with_one, sketched), (useless, none) = (
        index_of(rows, plain, asked=asked) for rows, asked in ((alike, 1), (alike, 4), (anyhow, 4))
    )
    assert none.sketch is None
    assert sketched.sketch is not None
    assert sketched.matrix.dtype == np.int16
    assert with_one.size >= sketched.matrix.nbytes + sketched.sketch.along.nbytes
    assert without.size == useless.size < with_one.size
