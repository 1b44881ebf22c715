"""What is kept of a scope's search index: it grows, and shows each snapshot its own."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest

from gieok.ports import NO_SITTING
from gieok.stores.sqlite.connection import INT16
from gieok.stores.tables.search_index import GrowingIndex

DIMENSION = 4
MINUTE = 60_000_000
HOUR = 60 * MINUTE


def vector(number):
    return np.eye(DIMENSION, dtype=np.float32)[number % DIMENSION]


def packed(*numbers):
    return INT16.packed(np.stack([vector(number) for number in numbers]), DIMENSION)


def row(number, *, is_memory=None, moment=None, label=None, vectors=-1):
    """Return a row of load_index, in which every column is told by the item's number."""
    memory = number % 2 if is_memory is None else is_memory
    moment = number * MINUTE if moment is None else moment
    return (
        number,
        memory,
        number % 9,
        number % 32,
        number % 3,
        moment,
        label,
        packed(number) if vectors == -1 else vectors,
    )


class Source:
    """Stands for the rows and words of one scope, and counts what is read of them."""

    def __init__(self, count=0, rows=None):
        self.rows = [row(number) for number in range(1, count + 1)] if rows is None else rows
        self.read = []
        self.words_read = []

    def index_rows(self, first, last):
        self.read.append((first, last))
        return [row for row in self.rows if first <= row[0] <= last]

    def all_words(self):
        self.words_read.append("all")
        return [("1x가", "1,2"), ("1x나", "2")]

    def words_between(self, first, last):
        self.words_read.append((first, last))
        return [(last, "1x가")]

    def folded(self, term):
        return term


def new():
    return GrowingIndex(0, DIMENSION, INT16)


def arrays(index):
    return [getattr(index.layout, each.name) for each in fields(index.layout)]


def test_new_rows_are_added_and_only_they_are_read():
    index, source = new(), Source(100)
    for last in (3, 3, 2, 5, 100, 4):
        assert index.up_to(last, 0, source).layout.refs.tolist() == list(range(1, last + 1))
    assert source.read == [(1, 3), (4, 5), (6, 100)]
    assert new().up_to(5, 4, source).layout.refs.tolist() == [4, 5]


def test_what_is_loaded_is_what_was_stored():
    source = Source(50)
    source.rows[7] = row(8, vectors=None)
    index = new().up_to(50, 0, source)
    layout, numbers = index.layout, range(1, 51)
    assert layout.lengths.tolist() == [number % 9 for number in numbers]
    assert layout.marks.tolist() == [number % 32 for number in numbers]
    assert layout.parties.tolist() == [number % 3 for number in numbers]
    assert layout.moments.tolist() == [number * MINUTE for number in numbers]
    assert layout.sittings.tolist() == [NO_SITTING, 0] * 25
    assert layout.is_memory.tolist() == [True, False] * 25
    assert index.owners.tolist() == [place for place in range(50) if place != 7]
    assert np.allclose(index.matrix[19], vector(21))


def test_an_item_may_own_several_rows_and_all_arrays_grow_side_by_side():
    index, source = new(), Source(300)
    source.rows[2] = row(3, vectors=packed(1, 2, 3))
    source.rows[40] = row(41, vectors=packed(*[1] * 90))  # outgrows the matrix alone
    whole = new().up_to(300, 0, source)
    assert whole.owners[:6].tolist() == [0, 1, 2, 2, 2, 3]
    assert np.allclose(whole.matrix[2:5], [vector(1), vector(2), vector(3)])
    for last in (1, 31, 32, 33, 40, 41, 64, 65, 200, 300):
        grown, rows = index.up_to(last, 0, source), int((whole.owners < last).sum())
        assert [array.tolist() for array in arrays(grown)] == [array[:last].tolist() for array in arrays(whole)]
        assert grown.owners.tolist() == whole.owners[:rows].tolist()
        assert grown.matrix.tolist() == whole.matrix[:rows].tolist()


def test_what_was_handed_out_does_not_change_while_the_index_grows():
    index, source = new(), Source(1_000)
    early = index.up_to(20, 0, source)
    assert index.up_to(20, 0, source) is early
    for last in range(21, 1_001, 7):
        index.up_to(last, 0, source)
    assert early.layout.refs.tolist() == list(range(1, 21))
    assert np.allclose(early.matrix[10], vector(11))


def test_a_load_that_fails_leaves_the_index_as_it_was():
    index, source, broken = new(), Source(10), Source()
    index.up_to(5, 0, source)
    broken.rows = None
    with pytest.raises(TypeError):
        index.up_to(10, 0, broken)
    assert index.up_to(10, 0, source).layout.refs.tolist() == list(range(1, 11))


def test_many_threads_at_different_snapshots_each_see_their_own():
    index, source, start = new(), Source(2_000), threading.Barrier(8)

    def reader(seed):
        start.wait()
        lasts = np.random.default_rng(seed).integers(1, 2_001, 200)
        return all(len(index.up_to(int(last), 0, source).layout.refs) == last for last in lasts)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(reader, range(8)))
    assert [first for first, _ in source.read[1:]] == [last + 1 for _, last in source.read[:-1]]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            [(0, "저녁"), (40, "저녁"), (40, "밤"), (40, None), (41, None), (42.1, None), (42.1, "밤")],
            [0, 0, 1, 2, 2, 3, 4],
        ),
        ([(9, None), (8, None), (6, None), (6, None)], [0, 0, 1, 1]),  # a leap back parts sittings like a silence
        ([(0, None)], [0]),
        ([(-90, None)], [0]),
        ([(90, "저녁")], [0]),
    ],
)
def test_a_sitting_lasts_as_long_as_its_label_or_until_a_long_silence(said, expected, at_once):
    rows = [row(n, is_memory=0, moment=int(at * HOUR), label=label) for n, (at, label) in enumerate(said, start=1)]
    index, source = new(), Source(rows=rows)
    for last in [len(said)] if at_once else range(1, len(said) + 1):
        seen = index.up_to(last, 0, source).layout.sittings.tolist()
    assert seen == expected


def test_words_are_kept_from_the_fourth_question_on_and_grow():
    index, source = new(), Source(2)
    index.up_to(2, 0, source)
    before = index.size
    assert [index.words(2, source) is None for _ in range(5)] == [True, True, True, False, False]
    assert index.size > before
    assert index.words(2, source).standing("1x가").tolist() == [1, 2]
    assert index.words(5, source).standing("1x가").tolist() == [1, 2, 5]
    for last in (3, 5, 6):
        index.words(last, source)
    assert source.words_read == ["all", (3, 5), (6, 6)]


@pytest.mark.parametrize(("items", "kept"), [(30_000, True), (30_001, False)])
def test_words_of_a_very_large_scope_are_not_kept(items, kept):
    index, source = new(), Source(rows=[row(1, vectors=None)] * items)
    index.up_to(items, 0, source)
    assert [index.words(items, source) is not None for _ in range(4)][-1] is kept
