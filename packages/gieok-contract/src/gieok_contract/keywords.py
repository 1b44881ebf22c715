"""Where words stand: how often in which items of the layout, and words that try to be more than words."""

from __future__ import annotations

import pytest

from gieok.ports import IndexEntry, Occurrences, Store, View
from gieok.testing.builders import claim, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, VECTORS, Contract, held, laid_out, saying

#: Words that are syntax somewhere, or look like another scope's words in an index with scope prefixes.
ODD_WORDS = (
    '"', '""', '" OR *', "*", "라면*", "OR", "AND", "NOT", "NEAR", "NEAR(a,b)", "-라면", "+라면", "^라면", "c++", "c#",
    "(", ")", "{a}:b", "a:b", "terms:라면", "'", "';--", "\\", "%", "_", "a@7x라면",
    "#7x비밀", "💕7x비밀", "7x라면", "1x비밀", "&", "|", "!", "라면&비밀", "<->", "라면:*",
    "👨‍👩‍👧", "é", "１２３", "$1", "?", "%s",
)  # fmt: skip

#: Words with something inside that no index takes as part of a word.
BROKEN_WORDS = (
    "라면\n비밀", "라면\x00비밀", "라면 비밀", "\t", "\x00", " ", "", "\u3000", "라면\u00a0비밀", "\r\n7x비밀",
)  # fmt: skip


def keep(store: Store, *texts: tuple[str, ...]) -> None:
    """Log one turn in which utterance number n has the words `texts[n]`."""
    said = turn(*("말" for _ in texts), id="t")
    index = {
        f"t/{number}": IndexEntry(terms=terms, vectors=VECTORS.embed([" ".join(terms)]))
        for number, terms in enumerate(texts)
    }
    with store.locked(LETIA) as room:
        room.apply(entry_for(said, index=index))


def counts(found: Occurrences) -> dict[int, int]:
    """Return how often a word stands at which place."""
    return dict(zip(found.places.tolist(), found.times.tolist(), strict=True))


def everywhere(view: View, *words: str) -> dict[str, int]:
    """Return what `words` find in any way at all."""
    return held(view, *view.occurrences(words), *view.beginnings(words), *view.tagged(words))


class Keywords(Contract):
    """What a store promises about words, beginnings of words, and tags."""

    def test_a_word_finds_what_holds_it_and_nothing_else(self, store: Store) -> None:
        keep(store, ("라면", "먹다"), ("김밥", "먹다"), ("라면집", "가다"))
        assert saying(store, "라면") == ["t/0"]
        assert saying(store, "먹다") == ["t/0", "t/1"]
        assert saying(store, "라면", "김밥") == ["t/0", "t/1"]

    def test_each_word_is_answered_for_itself_in_the_order_asked(self, store: Store) -> None:
        keep(store, ("비", "눈", "비"), ("눈", "오다"), ("해",), ("비", "비", "비", "눈"))
        with store.view(LETIA) as view:
            assert laid_out(view) == ["t/0", "t/1", "t/2", "t/3"]
            found = view.occurrences(["눈", "비", "없다", "눈", "해"])
            snow, rain = {0: 1, 1: 1, 3: 1}, {0: 2, 3: 3}
            assert [counts(each) for each in found] == [snow, rain, {}, snow, {2: 1}]

    def test_places_are_places_in_the_layout_whatever_left_it(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1", claims=[note("비밀 기지", id="c1"), note("비밀 비밀 친구", id="c2")])
        scribe.observe("비밀 둘", id="t2")
        scribe.observe("비밀 셋", id="t3")
        scribe.forget("c1")
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert laid_out(view) == ["t1/0", "c2", "t3/0"]
            assert [counts(each) for each in view.occurrences(["비밀", "셋"])] == [{0: 1, 1: 2, 2: 1}, {2: 1}]
            assert [counts(each) for each in view.beginnings(["비", "기", "둘"])] == [{0: 1, 1: 2, 2: 1}, {}, {}]

    def test_nothing_of_a_hidden_item_is_found_by_word_beginning_or_tag(self, store: Store) -> None:
        entry = IndexEntry(terms=("비밀번호",), tags=("secret",), vectors=None)
        index = {"t/0": entry, "m": entry, "n": entry}
        hidden = memory(id="n", retracted=True)
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn("말", id="t"), memories=(memory(id="m"), hidden), index=index))
        with store.view(LETIA) as view:
            for found in (view.occurrences(["비밀번호"]), view.beginnings(["비밀"]), view.tagged(["secret"])):
                assert held(view, *found) == {"t/0": 1, "m": 1}

    def test_tags_are_found_apart_from_words_and_do_not_count_as_words(self, store: Store) -> None:
        vectors = VECTORS.embed(["라면"])
        index = {
            "t/0": IndexEntry(terms=("라면",), tags=("residence",), vectors=vectors),
            "t/1": IndexEntry(terms=("라면",), tags=("residence",) * 3 + ("pet",), vectors=None),
            "t/2": IndexEntry(terms=("residence",), vectors=vectors),
            "t/3": IndexEntry(terms=(), tags=("pet",), vectors=None),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn(*"말말말말", id="t"), index=index))
        with store.view(LETIA) as view:
            tagged = view.tagged(["residence", "없음", "pet", "", "resid"])
            assert [counts(each) for each in tagged] == [{0: 1, 1: 3}, {}, {1: 1, 3: 1}, {}, {}]
            assert held(view, *view.occurrences(["residence"])) == {"t/2": 1}
            assert held(view, *view.beginnings(["resid"])) == {"t/2": 1}
            assert view.layout().lengths.tolist() == [1, 1, 1, 0]
        with store.view(SERA) as view:
            assert [counts(each) for each in view.tagged(["residence"])] == [{}]

    def test_unknown_words_and_no_words_find_nothing(self, store: Store) -> None:
        keep(store, ("라면", "먹다"))
        assert saying(store, "짜장면") == saying(store) == saying(store, prefixes=["짜"]) == []
        assert saying(store, "짜장면", "라면") == ["t/0"]
        with store.view(LETIA) as view:
            assert (view.occurrences([]), view.beginnings([]), view.tagged([])) == ([], [], [])

    def test_what_no_index_holds_is_answered_with_nothing_in_its_place(self, store: Store) -> None:
        keep(store, ("라면", "라면집", "먹다"))
        nothing = ["", " ", "\n", "\x00", "\u3000"]
        with store.view(LETIA) as view:
            for search, word in ((view.occurrences, "먹다"), (view.beginnings, "라면")):
                found = [counts(each) for each in search([*nothing, word, *nothing])]
                assert found == [{}] * len(nothing) + [{0: 1}] + [{}] * len(nothing)
            assert [counts(each) for each in view.tagged([*nothing, "먹다"])] == [{}] * (len(nothing) + 1)

    def test_a_beginning_finds_longer_words_and_not_itself(self, store: Store) -> None:
        keep(store, ("김밥천국", "김밥집"), ("김밥", "먹다"), ("김", "굽다"), ("참치김밥",), ("김밥천국", "김밥"))
        with store.view(LETIA) as view:
            found = [counts(each) for each in view.beginnings(["김밥", "김", "참치", "굽다"])]
            assert found == [{0: 2, 4: 1}, {0: 2, 1: 1, 4: 2}, {3: 1}, {}]
        assert saying(store, "굽다", prefixes=["김밥"]) == ["t/0", "t/2", "t/4"]

    def test_the_scope_next_door_does_not_count(self, store: Store) -> None:
        keep(store, ("비", "비바람"), ("눈", "비"))
        with store.view(LETIA) as view:
            alone = [*view.occurrences(["비", "눈"]), *view.beginnings(["비"])]
        other = Scribe(store, SERA)
        for _ in range(6):
            other.observe("비 비 비 비바람 눈사람 오는 날")
        with store.view(LETIA) as view:
            among_others = [*view.occurrences(["비", "눈"]), *view.beginnings(["비"])]
            assert list(map(counts, among_others)) == list(map(counts, alone)) == [{0: 1, 1: 1}, {1: 1}, {0: 1}]
            assert [counts(each) for each in view.beginnings(["눈"])] == [{}]

    def test_a_word_that_everything_holds_finds_everything(self, store: Store) -> None:
        keep(store, *[("고양이",)] * 300)
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.occurrences(["고양이"])] == [dict.fromkeys(range(300), 1)]

    def test_memories_are_found_with_utterances_or_alone(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")])
        assert saying(scribe.store, "고양이") == ["t1/0", "c1"]
        assert saying(scribe.store, "고양이", memories_only=True) == ["c1"]

    @pytest.mark.parametrize("word", ODD_WORDS)
    def test_a_word_that_is_syntax_elsewhere_is_a_word_here(self, store: Store, word: str) -> None:
        keep(store, (word, "하나", word), ("라면", "비밀"), ("하나", "둘"))
        assert saying(store, word) == ["t/0"]
        assert "t/1" not in saying(store, prefixes=[word])
        assert saying(store, word, "라면") == ["t/0", "t/1"]
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.occurrences([word, "라면"])] == [{0: 2}, {1: 1}]
            assert held(view, *view.tagged([word])) == {}

    @pytest.mark.parametrize("word", ODD_WORDS)
    def test_an_odd_tag_is_a_tag_and_no_word(self, store: Store, word: str) -> None:
        index = {
            "t/0": IndexEntry(terms=("하나",), tags=(word, word), vectors=None),
            "t/1": IndexEntry(terms=("라면", "비밀"), vectors=None),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn("말", "말", id="t"), index=index))
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.tagged([word, "하나"])] == [{0: 2}, {}]
            assert held(view, *view.occurrences([word])) == {}
        with store.view(SERA) as view:
            assert everywhere(view, word, "비밀", "하나") == {}

    @pytest.mark.parametrize("word", BROKEN_WORDS)
    def test_a_broken_word_breaks_nothing(self, store: Store, word: str) -> None:
        keep(store, (word, "하나"), ("둘", "셋"))
        with store.view(LETIA) as view:
            assert set(everywhere(view, word)) <= {"t/0"}
            assert [counts(each) for each in view.occurrences([word, "셋", word, "하나"])][1::2] == [{1: 1}, {0: 1}]
        with store.view(SERA) as view:
            assert everywhere(view, word, "비밀", "하나") == {}
