"""Search by words: BM25 over the scope's own statistics, and words that try to be more than words."""

from __future__ import annotations

import pytest

from gieok.ports import IndexEntry, Store
from gieok.testing.builders import claim, entry_for, turn
from gieok.testing.contract.base import LETIA, SERA, VECTORS, Contract, ids, saying
from gieok.testing.scribe import Scribe

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


class Keywords(Contract):
    """What a store promises about keyword search."""

    def test_a_word_finds_what_holds_it_and_nothing_else(self, store: Store) -> None:
        keep(store, ("라면", "먹다"), ("김밥", "먹다"), ("라면집", "가다"))
        assert saying(store, "라면") == ["t/0"]
        assert set(saying(store, "먹다")) == {"t/0", "t/1"}
        assert set(saying(store, "라면", "김밥")) == {"t/0", "t/1"}

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
            tagged = view.tagged("residence", 9)
            assert (ids(view, tagged), [match.score for match in tagged]) == (["t/1", "t/0"], [3.0, 1.0])
            assert ids(view, view.tagged("residence", 1)) == ["t/1"]
            assert set(ids(view, view.tagged("pet", 9))) == {"t/1", "t/3"}
            assert view.tagged("pet", 9, memories_only=True) == view.tagged("없음", 9) == view.tagged("", 9) == []
            assert ids(view, view.keyword(["residence"], ["resid"], 9)) == ["t/2"]
            scores = [match.score for match in view.keyword(["라면"], [], 9)]
            assert scores[0] == scores[1]
        with store.view(SERA) as view:
            assert view.tagged("residence", 9) == []

    def test_unknown_words_and_no_words_find_nothing(self, store: Store) -> None:
        keep(store, ("라면", "먹다"))
        assert saying(store, "짜장면") == saying(store) == saying(store, prefixes=["짜"]) == []
        assert saying(store, "짜장면", "라면") == ["t/0"]

    def test_a_prefix_finds_compounds_and_the_word_itself(self, store: Store) -> None:
        keep(store, ("김밥천국", "가다"), ("김밥", "먹다"), ("김", "굽다"), ("참치김밥",))
        assert set(saying(store, prefixes=["김밥"])) == {"t/0", "t/1"}
        assert set(saying(store, "굽다", prefixes=["김밥"])) == {"t/0", "t/1", "t/2"}

    def test_the_rarer_word_weighs_more(self, store: Store) -> None:
        common = [("먹다", f"말{number}") for number in range(8)]
        keep(store, *common, ("먹다", "조금"), ("떡볶이", "조금"))
        assert saying(store, "먹다", "떡볶이")[0] == "t/9"

    def test_more_occurrences_weigh_more(self, store: Store) -> None:
        keep(store, ("비", "오다", "오늘"), ("비", "비", "오늘"), ("눈", "오다", "오늘"), ("해", "뜨다", "오늘"))
        assert saying(store, "비") == ["t/1", "t/0"]

    def test_the_shorter_text_weighs_more(self, store: Store) -> None:
        long = ("비", *(f"말{number}" for number in range(20)))
        keep(store, long, ("비", "오다"), ("눈", "오다"), ("해", "뜨다"))
        assert saying(store, "비") == ["t/1", "t/0"]

    def test_the_statistics_are_the_scopes_own(self, store: Store) -> None:
        keep(store, ("비", "a"), ("눈", "b"), ("눈", "c"), ("눈", "d"))
        with store.view(LETIA) as view:
            alone = view.keyword(["비", "눈"], [], 9)
        other = Scribe(store, SERA)
        for _ in range(6):
            other.observe("비 비 비 오는 날")
        with store.view(LETIA) as view:
            among_others = view.keyword(["비", "눈"], [], 9)
            assert ids(view, among_others)[0] == "t/0"
        assert [each.score for each in among_others] == pytest.approx([each.score for each in alone])

    def test_the_best_come_first_with_falling_positive_scores(self, store: Store) -> None:
        keep(store, *[("라면",) * count + ("먹다",) * (6 - count) for count in range(1, 6)])
        with store.view(LETIA) as view:
            matches = view.keyword(["라면"], [], 9)
            scores = [each.score for each in matches]
            assert scores == sorted(scores, reverse=True)
            assert all(score > 0 for score in scores)
            assert view.keyword(["라면"], [], 2) == matches[:2]
            assert view.keyword(["라면"], [], 0) == []

    def test_a_word_that_everything_holds_still_finds_everything(self, store: Store) -> None:
        keep(store, ("고양이",), ("고양이",), ("고양이",))
        with store.view(LETIA) as view:
            assert all(each.score > 0 for each in view.keyword(["고양이"], [], 9))
        assert len(saying(store, "고양이")) == 3

    def test_memories_are_found_with_utterances_or_alone(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")])
        assert set(saying(scribe.store, "고양이")) == {"t1/0", "c1"}
        assert saying(scribe.store, "고양이", memories_only=True) == ["c1"]

    @pytest.mark.parametrize("word", ODD_WORDS)
    def test_a_word_that_is_syntax_elsewhere_is_a_word_here(self, store: Store, word: str) -> None:
        keep(store, (word, "하나"), ("라면", "비밀"), ("하나", "둘"))
        assert saying(store, word) == ["t/0"]
        assert "t/1" not in saying(store, prefixes=[word])
        assert set(saying(store, word, "라면")) == {"t/0", "t/1"}

    @pytest.mark.parametrize("word", BROKEN_WORDS)
    def test_a_broken_word_breaks_nothing(self, store: Store, word: str) -> None:
        keep(store, (word, "하나"), ("둘", "셋"))
        assert set(saying(store, word, prefixes=[word])) <= {"t/0"}
        assert saying(store, word, "셋") in (["t/1"], ["t/0", "t/1"], ["t/1", "t/0"])
        assert saying(store, "하나") == ["t/0"]
