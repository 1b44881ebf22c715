"""What is kept of a scope's index in memory: it grows, it is loaded anew, and it shows each snapshot its own."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest

from gieok.ports import NO_SITTING
from gieok.stores.sqlite.connection import INT16
from gieok.stores.tables.search_index import IndexCache

DIMENSION = 4
MINUTE = 60_000_000
HOUR = 60 * MINUTE


def vector(number):
    return np.eye(DIMENSION, dtype=np.float32)[number % DIMENSION]


def row(number, *, is_memory=None, moment=None, label=None, vectors=-1):
    """Return a row of load_index, in which every column is told by the item's number."""
    memory = number % 2 if is_memory is None else is_memory
    packed_rows = INT16.packed(vector(number)[np.newaxis], DIMENSION) if isinstance(vectors, int) else vectors
    moment = number * MINUTE if moment is None else moment
    return (number, memory, number % 9, number % 32, number % 3, moment, label, packed_rows)


class Table:
    """Stands for the rows of one scope, and counts what is read of them."""

    def __init__(self, count):
        self.rows = [row(number) for number in range(1, count + 1)]
        self.read = []

    def __call__(self, first, last):
        found = [row for row in self.rows if first <= row[0] <= last]
        self.read.append([row[0] for row in found])
        return found


def arrays(index):
    return [getattr(index.layout, each.name) for each in fields(index.layout)]


def sittings(*said, step=None):
    """Return the sittings of what was `said` (moment, label), loaded at once or `step` by step."""
    table, cache = Table(0), IndexCache(INT16)
    table.rows = [row(n, is_memory=0, moment=at, label=label) for n, (at, label) in enumerate(said, start=1)]
    for last in range(step or len(said), len(said) + 1, step or 1):
        seen = look(cache, table, last=last).layout.sittings.tolist()
        assert len(seen) == last
    return seen


def look(cache, table, *, last, epoch=0, scope_id=1):
    return cache.index(scope_id, epoch=epoch, dimension=DIMENSION, first=0, last=last, load=table)


def test_new_rows_are_added_to_what_is_there():
    cache, table = IndexCache(INT16), Table(100)
    assert list(look(cache, table, last=3).layout.refs) == [1, 2, 3]
    assert list(look(cache, table, last=5).layout.refs) == [1, 2, 3, 4, 5]
    assert list(look(cache, table, last=100).layout.refs) == list(range(1, 101))
    assert table.read == [[1, 2, 3], [4, 5], list(range(6, 101))]


def test_what_is_loaded_is_what_was_stored():
    table = Table(50)
    table.rows[7] = row(8, vectors=None)
    index = look(IndexCache(INT16), table, last=50)
    layout = index.layout
    assert layout.lengths.tolist() == [number % 9 for number in range(1, 51)]
    assert layout.marks.tolist() == [number % 32 for number in range(1, 51)]
    assert layout.parties.tolist() == [number % 3 for number in range(1, 51)]
    assert layout.moments.tolist() == [number * MINUTE for number in range(1, 51)]
    assert layout.sittings.tolist() == [NO_SITTING, 0] * 25
    assert 7 not in index.owners
    assert len(index.owners) == len(index.matrix) == 49
    assert np.allclose(index.matrix[19], vector(21))
    assert index.owners[19] == 20
    assert list(layout.is_memory[:3]) == [True, False, True]


def test_an_older_snapshot_sees_only_what_was_there_for_it():
    cache, table = IndexCache(INT16), Table(100)
    look(cache, table, last=100)
    assert list(look(cache, table, last=4).layout.refs) == [1, 2, 3, 4]
    assert len(table.read) == 1


def test_what_was_handed_out_does_not_change_while_the_index_grows():
    cache, table = IndexCache(INT16), Table(1_000)
    early = look(cache, table, last=20)
    for last in range(21, 1_001, 7):
        look(cache, table, last=last)
    assert list(early.layout.refs) == list(range(1, 21))
    assert np.allclose(early.matrix[10], vector(11))


def test_a_new_epoch_loads_everything_anew():
    cache, table = IndexCache(INT16), Table(10)
    look(cache, table, last=10)
    del table.rows[4]
    assert 5 not in look(cache, table, last=10, epoch=1).layout.refs
    assert len(look(cache, table, last=10, epoch=1).layout.refs) == 9
    assert len(table.read) == 2


def test_a_snapshot_of_an_older_epoch_loads_for_itself():
    cache, table, old = IndexCache(INT16), Table(9), Table(10)
    look(cache, table, last=10, epoch=1)
    assert len(look(cache, old, last=10, epoch=0).layout.refs) == 10
    assert len(look(cache, table, last=10, epoch=1).layout.refs) == 9
    assert len(table.read) == 1


def test_the_least_recently_used_scope_is_dropped_first():
    tables = {scope: Table(500) for scope in (1, 2, 3)}
    size = 500 * (
        DIMENSION * 4 + 8 + sum(array.dtype.itemsize for array in arrays(look(IndexCache(INT16), Table(1), last=1)))
    )
    cache = IndexCache(INT16, limit_bytes=2 * size + 100)
    for scope in (1, 2, 1, 3, 1, 2):
        look(cache, tables[scope], last=500, scope_id=scope)
    assert {scope: len(table.read) for scope, table in tables.items()} == {1: 1, 2: 2, 3: 1}


def test_an_index_larger_than_the_cache_still_answers():
    cache, table = IndexCache(INT16, limit_bytes=10), Table(500)
    assert len(look(cache, table, last=500).layout.refs) == 500
    assert len(look(cache, table, last=500).layout.refs) == 500


def test_a_load_that_fails_leaves_the_index_as_it_was():
    cache, table = IndexCache(INT16), Table(10)
    look(cache, table, last=5)
    with pytest.raises(ZeroDivisionError):
        cache.index(1, epoch=0, dimension=DIMENSION, first=0, last=10, load=lambda first, last: 1 // 0)
    assert list(look(cache, table, last=10).layout.refs) == list(range(1, 11))


def test_many_threads_at_different_snapshots_each_see_their_own():
    cache, table = IndexCache(INT16), Table(2_000)
    start = threading.Barrier(8)

    def reader(seed):
        start.wait()
        lasts = np.random.default_rng(seed).integers(1, 2_001, 200)
        return all(len(look(cache, table, last=int(last)).layout.refs) == last for last in lasts)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(reader, range(8)))
    read = sorted(number for numbers in table.read for number in numbers)
    assert read == list(range(1, len(read) + 1))


def test_an_item_may_own_several_rows():
    cache, table = IndexCache(INT16), Table(50)
    table.rows[2] = row(3, vectors=INT16.packed(np.stack([vector(1), vector(2), vector(3)]), DIMENSION))
    assert list(look(cache, table, last=2).owners) == [0, 1]
    index = look(cache, table, last=4)
    assert list(index.owners) == [0, 1, 2, 2, 2, 3]
    assert np.allclose(index.matrix[2:5], [vector(1), vector(2), vector(3)])
    assert list(look(cache, table, last=3).owners) == [0, 1, 2, 2, 2]


def test_all_arrays_grow_side_by_side():
    cache, table = IndexCache(INT16), Table(300)
    table.rows[40] = row(41, vectors=INT16.packed(np.stack([vector(1)] * 90), DIMENSION))  # outgrows the matrix alone
    whole = look(IndexCache(INT16), table, last=300)
    for last in (1, 31, 32, 33, 40, 41, 64, 65, 200, 300):
        grown = look(cache, table, last=last)
        assert [array.tolist() for array in arrays(grown)] == [array[:last].tolist() for array in arrays(whole)]
        rows = int((whole.owners < last).sum())
        assert grown.owners.tolist() == whole.owners[:rows].tolist()
        assert grown.matrix.tolist() == whole.matrix[:rows].tolist()


@pytest.mark.parametrize("step", [None, 1])
def test_a_sitting_lasts_as_long_as_its_label_or_until_a_long_silence(step):
    evening = [(0, "저녁"), (40 * HOUR, "저녁"), (40 * HOUR, "밤"), (40 * HOUR, None), (41 * HOUR, None)]
    assert sittings(*evening, (42 * HOUR + 1, None), (42 * HOUR + 2, "밤"), step=step) == [0, 0, 1, 2, 2, 3, 4]


@pytest.mark.parametrize("step", [None, 1])
def test_a_leap_back_in_the_story_parts_sittings_like_a_silence(step):
    assert sittings((9 * HOUR, None), (8 * HOUR, None), (6 * HOUR, None), (6 * HOUR, None), step=step) == [0, 0, 1, 1]


def test_the_first_utterance_opens_the_first_sitting_at_whatever_moment():
    assert sittings((0, None)) == sittings((-90 * HOUR, None)) == sittings((90 * HOUR, "저녁")) == [0]


class Spoken:
    """Stands for the words of a scope, and notes what is read of them."""

    def __init__(self):
        self.read = []

    def all_words(self):
        self.read.append("all")
        return [("1x가", "1,2"), ("1x나", "2")]

    def words_between(self, first, last):
        self.read.append((first, last))
        return [(last, "1x가")]

    def folded(self, term):
        return term


def words(cache, spoken, *, last, epoch=0, scope_id=1, times=1):
    for _ in range(times):
        found = cache.words(scope_id, epoch=epoch, last=last, source=spoken)
    return found


def test_words_are_kept_from_the_fourth_question_on():
    cache, spoken = IndexCache(INT16), Spoken()
    look(cache, Table(2), last=2)

    assert [words(cache, spoken, last=2) is None for _ in range(5)] == [True, True, True, False, False]
    assert spoken.read == ["all"]
    assert words(cache, spoken, last=2).standing("1x가").tolist() == [1, 2]


def test_kept_words_grow_by_what_was_written_since():
    cache, spoken = IndexCache(INT16), Spoken()
    look(cache, Table(2), last=2)
    words(cache, spoken, last=2, times=4)

    assert words(cache, spoken, last=5).standing("1x가").tolist() == [1, 2, 5]
    words(cache, spoken, last=3)
    words(cache, spoken, last=5)
    words(cache, spoken, last=6)
    assert spoken.read == ["all", (3, 5), (6, 6)]


def test_words_of_an_index_that_is_not_kept_or_of_another_epoch_are_looked_for_in_the_file():
    cache, spoken = IndexCache(INT16), Spoken()
    assert words(cache, spoken, last=2, times=9) is None
    look(cache, Table(2), last=2, epoch=1)
    assert words(cache, spoken, last=2, epoch=0, times=9) is None
    assert words(cache, spoken, last=2, epoch=2, times=9) is None
    assert words(cache, spoken, last=2, epoch=1, times=4) is not None
    look(cache, Table(2), last=2, epoch=2)
    assert words(cache, spoken, last=2, epoch=2, times=3) is None, "they are counted anew"


@pytest.mark.parametrize(("items", "kept"), [(30_000, True), (30_001, False)])
def test_words_of_a_very_large_scope_are_not_kept(items, kept):
    cache, table = IndexCache(INT16), Table(0)
    table.rows = [row(1, vectors=None)] * items
    look(cache, table, last=items)
    assert (words(cache, Spoken(), last=items, times=4) is not None) is kept


def test_words_count_against_the_limit_and_the_scope_that_is_looked_at_stays():
    once = IndexCache(INT16)
    look(once, Table(2), last=2)
    size = once._shelves[1].size
    cache, first, second = IndexCache(INT16, 2 * size), Table(2), Table(2)
    look(cache, first, last=2, scope_id=1)
    look(cache, second, last=2, scope_id=2)
    look(cache, second, last=2, scope_id=2)
    assert len(second.read) == 1, "both have room"
    words(cache, Spoken(), last=2, scope_id=2, times=4)

    look(cache, second, last=2, scope_id=2)
    look(cache, first, last=2, scope_id=1)
    assert (len(first.read), len(second.read)) == (2, 1)


def test_the_same_snapshot_is_handed_the_same_index():
    cache, table = IndexCache(INT16), Table(5)
    five = look(cache, table, last=5)
    assert look(cache, table, last=5) is five
    assert look(cache, table, last=3) is not five
    assert len(look(cache, table, last=3).matrix) == 3


def test_only_rows_beyond_those_that_are_there_are_asked_for():
    asked = []
    cache, table = IndexCache(INT16), Table(5)

    def load(first, last):
        asked.append((first, last))
        return table(first, last)

    for last in (2, 2, 1, 5):
        cache.index(1, epoch=0, dimension=DIMENSION, first=0, last=last, load=load)
    cache.index(2, epoch=0, dimension=DIMENSION, first=4, last=5, load=load)
    assert asked == [(1, 2), (3, 5), (4, 5)]
