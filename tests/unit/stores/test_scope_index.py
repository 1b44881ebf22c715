"""Ranking: exact cosine and exact BM25, ties by age."""

import math

import numpy as np
import pytest

from gieok.errors import EmbedderFailed
from gieok.stores.sqlite.scope_index import Posting, ScopeIndex
from gieok.stores.sqlite.vectors import packed, unit, unpacked


def index_of(lengths, vectors=None, memories=None):
    count = len(lengths)
    return ScopeIndex(
        ids=np.arange(10, 10 + count),
        is_memory=np.array(memories or [False] * count),
        lengths=np.array(lengths, np.int32),
        owners=np.arange(len(vectors or ())),
        matrix=np.array(vectors or np.zeros((0, 2)), np.float32),
    )


def posting(*ids, weight=1.0):
    return Posting(ids=np.array(ids, np.int64), weight=weight)


def refs(matches):
    return [match.ref for match in matches]


def test_bm25_is_the_formula_over_the_scopes_own_statistics():
    index = index_of([4, 8, 6])
    found = index.best_by_words([posting(10, 10, 11)], 9, memories_only=False)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))

    def part(tf, length):
        return idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / 6))

    assert refs(found) == [10, 11]
    assert [match.score for match in found] == pytest.approx([part(2, 4), part(1, 8)])


def test_places_outside_the_index_do_not_count():
    index = index_of([4, 4])
    assert index.best_by_words([posting(3, 99, 12)], 9, memories_only=False) == []
    alone = index.best_by_words([posting(10)], 9, memories_only=False)
    assert index.best_by_words([posting(3, 10, 99)], 9, memories_only=False) == alone


def test_equal_scores_come_oldest_first_and_the_cut_is_sharp():
    same = index_of([1] * 50, [[1, 0]] * 50)
    assert refs(same.nearest(np.array([1, 0], np.float32), 7, memories_only=False)) == list(range(10, 17))
    everywhere = posting(*range(10, 60))
    assert refs(same.best_by_words([everywhere], 7, memories_only=False)) == list(range(10, 17))


def test_memories_alone():
    index = index_of([1, 1, 1], [[1, 0], [0.6, 0.8], [0, 1]], [False, True, True])
    assert refs(index.nearest(np.array([1, 0], np.float32), 9, memories_only=True)) == [11, 12]
    assert refs(index.best_by_words([posting(10, 12)], 9, memories_only=True)) == [12]


def test_of_several_rows_the_nearest_counts_and_the_item_comes_once():
    index = ScopeIndex(
        ids=np.array([10, 11]),
        is_memory=np.array([False, False]),
        lengths=np.array([1, 1], np.int32),
        owners=np.array([0, 1, 1]),
        matrix=np.array([[0.8, 0.6], [0, 1], [1, 0]], np.float32),
    )
    assert refs(index.nearest(np.array([1, 0], np.float32), 9, memories_only=False)) == [11, 10]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_room_for_an_answer_is_no_answer(limit):
    index = index_of([1], [[1, 0]])
    assert index.nearest(np.array([1, 0], np.float32), limit, memories_only=False) == []


def test_stored_vectors_keep_their_cosines():
    random = np.random.default_rng(7)
    vectors = [unit(random.standard_normal(512).astype(np.float32), 512) for _ in range(200)]
    loaded = unpacked([packed(vector[np.newaxis], 512) for vector in vectors], 512)
    assert np.abs(loaded @ vectors[0] - np.stack(vectors) @ vectors[0]).max() < 1e-5
    assert np.allclose(np.linalg.norm(loaded, axis=1), 1)


def test_a_vector_of_zeros_stays_one():
    assert not unpacked([packed(np.zeros((1, 8), np.float32), 8)], 8).any()


@pytest.mark.parametrize(
    "broken", [np.zeros((1, 7)), np.zeros((1, 2, 8)), np.full((2, 8), np.nan), np.full((1, 8), np.inf)]
)
def test_what_is_no_vector_is_refused(broken):
    with pytest.raises(EmbedderFailed, match="8 finite numbers"):
        packed(broken, 8)
