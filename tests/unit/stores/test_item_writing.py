"""A memory that changes: whether it is found, and by which words."""

from gieok.domain.memory import Change
from gieok.testing import day, entry_for, memory

FACT = memory("고양이", id="m1", attribute="likes")


def write(scribe, before, after):
    with scribe.store.locked(scribe.scope) as room:
        room.apply(entry_for(memories=(Change(before=before, after=after),)))


def found(scribe, *words):
    with scribe.store.view(scribe.scope) as view:
        return [len(each.places) for each in view.occurrences(words)]


def test_a_memory_that_is_hidden_is_not_found_until_it_is_shown_again(scribe):
    write(scribe, None, FACT)
    gone = FACT.changed(forgotten_at=day(2))
    write(scribe, FACT, gone)
    assert found(scribe, "고양이") == [0]
    write(scribe, gone, gone.changed(forgotten_at=None))
    assert found(scribe, "고양이") == [1]
    write(scribe, None, memory("숨김", id="m2", retracted=True))
    assert found(scribe, "숨김") == [0]


def test_new_words_replace_the_old_ones_and_without_them_it_stays_indexed_as_it_was(scribe):
    write(scribe, None, FACT)
    dog = FACT.changed(content="강아지")
    write(scribe, FACT, dog)
    write(scribe, dog, dog.changed(uses=4))
    assert found(scribe, "고양이", "강아지") == [0, 1]
    with scribe.store.view(scribe.scope) as view:
        assert view.memories_by_id(["m1"])["m1"].uses == 4


def test_a_memory_that_goes_leaves_nothing_and_one_that_was_never_there_does_not_matter(scribe):
    write(scribe, None, FACT)
    write(scribe, FACT, None)
    write(scribe, FACT, None)
    assert found(scribe, "고양이") == [0]
    with scribe.store.view(scribe.scope) as view:
        assert (view.refs(["m1"]), len(view.layout().refs)) == ({}, 0)
    assert scribe.store.problems() == []
