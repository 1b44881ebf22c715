"""Searching a scope through a view: what is asked twice, what is asked anew, and what has no vector."""

import numpy as np
import pytest

from gieok.ports import IndexEntry
from gieok.testing import HashVectors, entry_for, memory, turn

VECTORS = HashVectors(32)


def write(scribe, *memories, **index):
    with scribe.store.locked(scribe.scope) as room:
        room.apply(entry_for(memories=memories, index=index or None, vectors=VECTORS))


@pytest.fixture
def view(scribe, letia):
    write(scribe, memory("고양이 라면", id="m1"), memory("강아지", id="m2"))
    scribe.observe("고양이 김밥", id="t1")
    with scribe.store.view(letia) as view:
        yield view


def found(view, matches):
    items = view.items(match.ref for match in matches)
    return [items[match.ref].id for match in matches]


def test_each_vector_has_its_own_cosines_and_the_same_one_is_scanned_once(view):
    cat, dog = VECTORS.vector("고양이"), VECTORS.vector("강아지")
    assert found(view, view.dense(dog, 1)) == ["m2"]
    assert found(view, view.dense(cat, 1))[0] in ("m1", "t1/0")
    assert view.cosines(cat) is view.cosines(cat)
    assert view.cosines(dog).tolist() != view.cosines(cat).tolist()
    with pytest.raises(ValueError, match="read-only"):
        view.cosines(dog)[0] = 1.0


def test_a_vector_of_zeros_finds_nothing_and_memories_may_be_asked_for_alone(view):
    assert view.dense(np.zeros(32, np.float32), 9) == []
    assert len(view.dense(VECTORS.vector("고양이"), 9)) == 3
    assert set(found(view, view.dense(VECTORS.vector("고양이"), 9, memories_only=True))) == {"m1", "m2"}


def test_words_stand_where_they_stand_however_often_it_is_asked(view):
    for _ in range(6):
        cat, none, ramen = view.occurrences(["고양이", "", "라면"])
        assert (len(cat.places), len(none.places), len(ramen.places)) == (2, 0, 1)
        [longer] = view.prefix_occurrences(["고양"])
        assert len(longer.places) == 2
        assert view.occurrences([]) == []


def test_tags_are_asked_for_by_name_each_once(scribe, letia):
    terms = IndexEntry(terms=("라면",), vectors=None, tags=("likes", "likes", "food"))
    write(scribe, memory("라면", id="m1"), m1=terms)
    with scribe.store.view(letia) as view:
        likes, nothing, food, again = view.tagged(["likes", "", "food", "likes"])
        assert (likes.times.tolist(), food.times.tolist(), nothing.times.tolist()) == ([2], [1], [])
        assert again.times.tolist() == view.tagged(["likes"])[0].times.tolist() == [2]
        assert view.occurrences(["likes"])[0].times.tolist() == []


def test_items_are_those_that_are_there_in_the_order_they_were_asked_for(view):
    refs = view.refs(["t1/0", "m1", "nobody"])
    assert refs.keys() == {"t1/0", "m1"}
    for _ in range(2):
        assert [each.id for each in view.items([refs["m1"], 5, refs["t1/0"]]).values()] == ["m1", "t1/0"]


def test_what_waits_for_its_vector_is_told_oldest_first(scribe, letia):
    write(scribe, memory("하나", id="m1"), m1=IndexEntry(terms=("하나",), vectors=None))
    write(scribe, memory("둘", id="m2"), m2=IndexEntry(terms=("둘",), vectors=None))
    with scribe.store.view(letia) as view:
        assert [each.text for each in view.vectorless(9)] == ["하나", "둘"]
        assert [each.text for each in view.vectorless(1)] == ["하나"]
        assert view.cosines(VECTORS.vector("하나")).tolist() == [-1, -1]


def test_a_scope_of_which_nothing_was_written_finds_nothing(store, letia):
    with store.view(letia) as view:
        assert view.dense(VECTORS.vector("하나"), 9) == []
        assert len(view.layout().refs) == 0
        assert view.latest_at is None
        assert (view.version, view.turn_number) == (0, 0)
        assert view.items([1, 2]) == {}
        assert view.existing_scopes([letia]) == view.existing_scopes([]) == frozenset()


def test_more_items_than_are_kept_are_read_all_the_same(scribe, letia, opened):
    write(scribe, *(memory(f"{number}", id=f"m{number}") for number in range(257)))
    with opened().view(letia) as view:
        refs = view.layout().refs.tolist()
        assert len(view.items(refs)) == 257
        assert view.items(refs)[refs[0]] is not view.items(refs)[refs[0]], "so many are not kept"
        assert view.items(refs[:256])[refs[0]] is view.items(refs[:256])[refs[0]]


def test_a_turn_that_is_rewound_leaves_the_index(scribe, letia):
    scribe.observe("고양이", id="t1")
    scribe.rewind("t1")
    scribe.observe(*turn("강아지").utterances[0].text.split(), id="t2")
    with scribe.store.view(letia) as view:
        assert [len(each.places) for each in view.occurrences(["고양이", "강아지"])] == [0, 1]
        assert len(view.layout().refs) == 1
