"""What is kept of a scope's index in memory: it grows, it is loaded anew, and it shows each snapshot its own."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gieok.stores.sqlite.index_cache import IndexCache
from gieok.stores.sqlite.vectors import packed

DIMENSION = 4


def vector(number):
    return np.eye(DIMENSION, dtype=np.float32)[number % DIMENSION]


class Table:
    """Stands for the rows of one scope, and counts what is read of them."""

    def __init__(self, count):
        self.rows = [
            (number, number % 2, 3, packed(vector(number)[np.newaxis], DIMENSION)) for number in range(1, count + 1)
        ]
        self.read = []

    def __call__(self, first, last):
        found = [row for row in self.rows if first <= row[0] <= last]
        self.read.append([row[0] for row in found])
        return found


def look(cache, table, *, last, epoch=0, scope_id=1):
    return cache.index(scope_id, epoch=epoch, dimension=DIMENSION, first=0, last=last, load=table)


def test_new_rows_are_added_to_what_is_there():
    cache, table = IndexCache(), Table(100)
    assert list(look(cache, table, last=3).ids) == [1, 2, 3]
    assert list(look(cache, table, last=5).ids) == [1, 2, 3, 4, 5]
    assert list(look(cache, table, last=100).ids) == list(range(1, 101))
    assert table.read == [[1, 2, 3], [4, 5], list(range(6, 101))]


def test_what_is_loaded_is_what_was_stored():
    table = Table(50)
    table.rows[7] = (8, 0, 5, None)
    index = look(IndexCache(), table, last=50)
    assert index.lengths[7] == 5
    assert 7 not in index.owners
    assert len(index.owners) == len(index.matrix) == 49
    assert np.allclose(index.matrix[19], vector(21))
    assert index.owners[19] == 20
    assert list(index.is_memory[:3]) == [True, False, True]


def test_an_older_snapshot_sees_only_what_was_there_for_it():
    cache, table = IndexCache(), Table(100)
    look(cache, table, last=100)
    assert list(look(cache, table, last=4).ids) == [1, 2, 3, 4]
    assert len(table.read) == 1


def test_what_was_handed_out_does_not_change_while_the_index_grows():
    cache, table = IndexCache(), Table(1_000)
    early = look(cache, table, last=20)
    for last in range(21, 1_001, 7):
        look(cache, table, last=last)
    assert list(early.ids) == list(range(1, 21))
    assert np.allclose(early.matrix[10], vector(11))


def test_a_new_epoch_loads_everything_anew():
    cache, table = IndexCache(), Table(10)
    look(cache, table, last=10)
    del table.rows[4]
    assert 5 not in look(cache, table, last=10, epoch=1).ids
    assert len(look(cache, table, last=10, epoch=1).ids) == 9
    assert len(table.read) == 2


def test_a_snapshot_of_an_older_epoch_loads_for_itself():
    cache, table, old = IndexCache(), Table(9), Table(10)
    look(cache, table, last=10, epoch=1)
    assert len(look(cache, old, last=10, epoch=0).ids) == 10
    assert len(look(cache, table, last=10, epoch=1).ids) == 9
    assert len(table.read) == 1


def test_the_least_recently_used_scope_is_dropped_first():
    tables = {scope: Table(500) for scope in (1, 2, 3)}
    size = 500 * (DIMENSION * 4 + 8 + 8 + 4 + 1)
    cache = IndexCache(limit_bytes=2 * size + 100)
    for scope in (1, 2, 1, 3, 1, 2):
        look(cache, tables[scope], last=500, scope_id=scope)
    assert {scope: len(table.read) for scope, table in tables.items()} == {1: 1, 2: 2, 3: 1}


def test_an_index_larger_than_the_cache_still_answers():
    cache, table = IndexCache(limit_bytes=10), Table(500)
    assert len(look(cache, table, last=500).ids) == 500
    assert len(look(cache, table, last=500).ids) == 500


def test_a_load_that_fails_leaves_the_index_as_it_was():
    cache, table = IndexCache(), Table(10)
    look(cache, table, last=5)
    with pytest.raises(ZeroDivisionError):
        cache.index(1, epoch=0, dimension=DIMENSION, first=0, last=10, load=lambda first, last: 1 // 0)
    assert list(look(cache, table, last=10).ids) == list(range(1, 11))


def test_many_threads_at_different_snapshots_each_see_their_own():
    cache, table = IndexCache(), Table(2_000)
    start = threading.Barrier(8)

    def reader(seed):
        start.wait()
        lasts = np.random.default_rng(seed).integers(1, 2_001, 200)
        return all(len(look(cache, table, last=int(last)).ids) == last for last in lasts)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(reader, range(8)))
    read = sorted(number for numbers in table.read for number in numbers)
    assert read == list(range(1, len(read) + 1))


def test_an_item_may_own_several_rows():
    cache, table = IndexCache(), Table(50)
    table.rows[2] = (3, 0, 5, packed(np.stack([vector(1), vector(2), vector(3)]), DIMENSION))
    assert list(look(cache, table, last=2).owners) == [0, 1]
    index = look(cache, table, last=4)
    assert list(index.owners) == [0, 1, 2, 2, 2, 3]
    assert np.allclose(index.matrix[2:5], [vector(1), vector(2), vector(3)])
    assert list(look(cache, table, last=3).owners) == [0, 1, 2, 2, 2]
