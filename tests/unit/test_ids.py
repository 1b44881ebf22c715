"""Ids are never reused and sort by when they were made."""

from concurrent.futures import ThreadPoolExecutor

from gieok.ids import new_id


def test_ids_made_one_after_another_sort_that_way():
    made = [new_id() for _ in range(5_000)]

    assert sorted(made) == made
    assert len(set(made)) == len(made)


def test_threads_never_get_the_same_id():
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: new_id(), range(5_000)))

    assert len(set(made)) == len(made)
    assert {len(each) for each in made} == {26}
