"""Where a store ranks words itself: it finds what counting finds, and weighs it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.ports import IndexEntry, Store, View, Weighed
from gieok.testing.builders import entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, Contract
from gieok_contract.keywords import BROKEN_WORDS, ODD_WORDS, counts, keep

#: Words that want to be a query, another scope's words, or more than an index holds.
HOSTILE = (
    *ODD_WORDS, *BROKEN_WORDS, '" OR 1x', '") OR ("', '\\"', '"\\', "\\\\", "라면\\", '라면"', "-", "~라면", ">라면",
    "<라면", "column:@x", "_key:^1", "라면 OR 비밀", "1x", "1x*", "*D+", "^", "$", "{}", "[]", "`", "🍜", "👩‍🚀",
    "라면\ufffe비밀", "\ufffe", "\ue000", "010-1234-5678", "C++", "ㅋㅋㅋ", "가" * 8_000, "a" * 3_000, "\U0010ffff",
)  # fmt: skip


def weighed(view: View, words: Sequence[str]) -> list[dict[int, float]]:
    """Return what each word weighs at which place."""
    found = view.weighed(words)
    assert found is not None, "this store has no ranking of its own"
    return [_by_place(each) for each in found]


def _by_place(each: Weighed) -> dict[int, float]:
    assert len(each.places) == len(each.weights) == len(set(each.places.tolist())), "each item is named once"
    assert all(weight > 0 for weight in each.weights.tolist())
    return dict(zip(each.places.tolist(), each.weights.tolist(), strict=True))


def found_by_both(view: View, words: Sequence[str]) -> bool:
    """Whether the ranking finds each word exactly where counting finds it."""
    return [set(each) for each in weighed(view, words)] == [set(counts(each)) for each in view.occurrences(words)]


class Rankings(Contract):
    """What a store promises that ranks words itself; `StoreContract` is for all of them."""

    def test_each_word_is_weighed_where_it_stands_in_the_order_asked(self, store: Store) -> None:
        keep(store, ("라면", "먹다"), ("김밥", "먹다"), ("라면집", "가다"))
        with store.view(LETIA) as view:
            found = weighed(view, ["먹다", "라면", "없다", "", "먹다", "라"])
            assert [set(each) for each in found] == [{0, 1}, {0}, set(), set(), {0, 1}, set()]
            assert weighed(view, []) == []

    def test_a_rarer_word_weighs_more_and_so_does_one_that_stands_there_more_often(self, store: Store) -> None:
        keep(store, ("비", "눈"), ("비",), ("비", "비", "비"), ("비", "해"), *[("달",)] * 12)
        with store.view(LETIA) as view:
            rain, snow = weighed(view, ["비", "눈"])
            assert rain[0] == pytest.approx(rain[1]) == pytest.approx(rain[3])
            assert rain[2] > rain[0]
            assert snow[0] > rain[0]

    def test_words_that_would_be_more_than_words_are_found_where_they_stand(self, store: Store) -> None:
        keep(store, *[(word, "하나") for word in HOSTILE], ("라면", "비밀"), ("하나", "둘"))
        Scribe(store, SERA).observe("라면 비밀 하나")
        with store.view(LETIA) as view:
            assert found_by_both(view, HOSTILE)
            assert found_by_both(view, [*HOSTILE[::-1], "둘"])

    def test_many_words_are_weighed_at_once(self, store: Store) -> None:
        words = [f"말{number}" for number in range(200)]
        keep(store, *[tuple(words[start : start + 3]) for start in range(0, 200, 7)])
        with store.view(LETIA) as view:
            assert found_by_both(view, words)

    def test_scopes_whose_numbers_begin_alike_do_not_find_one_another(self, store: Store) -> None:
        scopes = [Scope(user="민수", character=f"인물 {number}") for number in range(12)]
        for number, scope in enumerate(scopes):
            entry = IndexEntry(terms=("비밀", f"{number}", f"{number}x비밀", f"1{number}x비밀"), vectors=None)
            with store.locked(scope) as room:
                room.apply(entry_for(turn("말", id="t"), index={"t/0": entry}))
        words = ["비밀", "1x비밀", "11x비밀", *(f"{number}" for number in range(12))]
        for scope in scopes:
            with store.view(scope) as view:
                assert found_by_both(view, words)
                assert set(weighed(view, ["비밀"])[0]) == {0}
        with store.view(LETIA) as view:
            assert not any(weighed(view, words))

    def test_what_is_hidden_forgotten_rewound_or_erased_is_not_found(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1", claims=[note("비밀 기지", id="c1"), note("비밀 비밀 친구", id="c2")])
        scribe.observe("비밀 둘", id="t2")
        scribe.forget("c1")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["비밀", "기지", "둘"])
            assert weighed(view, ["기지"]) == [{}]
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["비밀", "둘"])
            assert weighed(view, ["둘"]) == [{}]
        scribe.store.erase(LETIA, datetime.now(UTC))
        with scribe.store.view(LETIA) as view:
            assert weighed(view, ["비밀", "하나", "친구"]) == [{}, {}, {}]

    def test_new_words_of_a_memory_take_the_place_of_the_old_ones(self, scribe: Scribe) -> None:
        scribe.observe("말", claims=[note("고양이 만난 날", id="c1")])
        scribe.correct("c1", "겨울 노래")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["고양이", "겨울", "노래"])
            assert weighed(view, ["고양이"]) == [{}]

    def test_a_view_weighs_what_stood_when_it_was_entered(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1")
        with scribe.store.view(LETIA) as view:
            assert set(weighed(view, ["비밀"])[0]) == {0}
            scribe.observe("비밀 둘", id="t2")
            assert set(weighed(view, ["비밀"])[0]) == {0}

    def test_tags_are_not_weighed_as_words(self, store: Store) -> None:
        index = {"m": IndexEntry(terms=("라면",), tags=("food", "food"), vectors=None)}
        with store.locked(LETIA) as room:
            room.apply(entry_for(memories=(memory(id="m"),), index=index))
        with store.view(LETIA) as view:
            assert [set(each) for each in weighed(view, ["food", "라면"])] == [set(), {0}]
