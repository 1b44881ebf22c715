"""Searching a scope's index: exact cosine, ties by age, and where words stand."""

import numpy as np
import pytest

from gieok.errors import EmbedderFailed
from gieok.ports import NO_SITTING, Layout
from gieok.stores.sqlite.connection import INT16
from gieok.stores.tables.search_index import ScopeIndex, unit

EAST = np.array([1, 0], np.float32)


def index_of(count, vectors=(), *, owners=None, memories=None, first=10):
    layout = Layout(
        refs=np.arange(first, first + count),
        is_memory=np.array(memories or [False] * count, np.bool_),
        lengths=np.ones(count, np.int32),
        marks=np.zeros(count, np.uint8),
        parties=np.zeros(count, np.uint8),
        moments=np.zeros(count, np.int64),
        sittings=np.full(count, NO_SITTING, np.int32),
    )
    return ScopeIndex(
        layout=layout,
        owners=np.array(range(len(vectors)) if owners is None else owners, np.intp),
        matrix=np.array(vectors, np.float32).reshape(-1, 2),
    )


def standing(index, *ids):
    found = index.occurrences(np.array(ids, np.int64))
    return found.places.tolist(), found.times.tolist()


def refs(matches):
    return [match.ref for match in matches]


def test_a_word_stands_in_its_items_as_often_as_they_are_named():
    index = index_of(4)
    assert standing(index, 12, 10, 12, 13, 12) == ([0, 2, 3], [1, 3, 1])
    assert standing(index) == ([], [])


def test_items_outside_the_index_do_not_count():
    index = index_of(2)
    assert standing(index, 3, 99, 12) == ([], [])
    assert standing(index, 3, 10, 99) == standing(index, 10) == ([0], [1])
    assert standing(index_of(0), 3, 10) == ([], [])


def test_an_item_that_left_leaves_its_place_to_the_next():
    index = index_of(3)
    index.layout.refs[:] = [10, 14, 15]
    assert standing(index, 10, 11, 14, 14, 15, 16) == ([0, 1, 2], [1, 2, 1])


def test_every_item_has_its_cosine_of_several_rows_the_nearest():
    index = index_of(3, [[0.8, 0.6], [0, 1], [1, 0], [0.6, -0.8]], owners=[0, 2, 2, 2])
    assert index.cosines(EAST).tolist() == pytest.approx([0.8, -1.0, 1.0])
    assert index.cosines(-EAST).tolist() == pytest.approx([-0.8, -1.0, 0.0])
    assert index_of(0).cosines(EAST).tolist() == []


def test_equal_vectors_have_equal_cosines_wherever_they_stand():
    random = np.random.default_rng(3)
    vector = unit(random.standard_normal(2).astype(np.float32), 2)
    cosines = index_of(1_001, [vector] * 1_001).cosines(unit(random.standard_normal(2).astype(np.float32), 2))
    assert len(set(cosines.tolist())) == 1


def test_equal_scores_come_oldest_first_and_the_cut_is_sharp():
    same = index_of(50, [[1, 0]] * 50)
    assert refs(same.nearest(same.cosines(EAST), 7, memories_only=False)) == list(range(10, 17))


def test_memories_alone():
    index = index_of(3, [[1, 0], [0.6, 0.8], [0, 1]], memories=[False, True, True])
    assert refs(index.nearest(index.cosines(EAST), 9, memories_only=True)) == [11, 12]


def test_of_several_rows_the_nearest_counts_and_the_item_comes_once():
    index = index_of(2, [[0.8, 0.6], [0, 1], [1, 0]], owners=[0, 1, 1])
    assert refs(index.nearest(index.cosines(EAST), 9, memories_only=False)) == [11, 10]


def test_what_has_no_vector_is_not_among_the_nearest_even_if_all_others_are_opposite():
    index = index_of(3, [[-1, 0], [-1, 0]], owners=[0, 2])
    assert refs(index.nearest(index.cosines(EAST), 9, memories_only=False)) == [10, 12]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_room_for_an_answer_is_no_answer(limit):
    index = index_of(1, [[1, 0]])
    assert index.nearest(index.cosines(EAST), limit, memories_only=False) == []


def test_stored_vectors_keep_their_cosines():
    random = np.random.default_rng(7)
    vectors = [unit(random.standard_normal(512).astype(np.float32), 512) for _ in range(200)]
    loaded = INT16.unpacked([INT16.packed(vector[np.newaxis], 512) for vector in vectors], 512)
    assert np.abs(loaded @ vectors[0] - np.stack(vectors) @ vectors[0]).max() < 1e-5
    assert np.allclose(np.linalg.norm(loaded, axis=1), 1)


def test_a_vector_of_zeros_stays_one():
    assert not INT16.unpacked([INT16.packed(np.zeros((1, 8), np.float32), 8)], 8).any()


@pytest.mark.parametrize(
    "broken", [np.zeros((1, 7)), np.zeros((1, 2, 8)), np.full((2, 8), np.nan), np.full((1, 8), np.inf)]
)
def test_what_is_no_vector_is_refused(broken):
    with pytest.raises(EmbedderFailed, match="8 finite numbers"):
        INT16.packed(broken, 8)
