"""Whole stories on a bank whose words PGroonga ranks; whoever inherits says where it is kept."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import gieok
from gieok.bank import MemoryBank

START = datetime(2026, 3, 1, 11, tzinfo=UTC)
MINSU = gieok.Scope(user="민수", character="레티아")
HOSTILE_QUESTIONS = (
    '" OR 1x', '"', ")", "((", "\\", "\\\\", "*", "-", "-라면", "라면*", "column:@x", "terms:라면", "OR",
    "라면 OR 비밀 -없음", "🍜", "👩‍🚀", "c++", "C#", "010-1234-5678", "ㅋㅋㅋ", "라면\ufffe비밀",
    "가나다라 " * 1_600, "'; DROP TABLE keywords; --", "$index",
)  # fmt: skip


def keyword_scores(bank: MemoryBank, question: str, *said: str) -> dict[str, float]:
    """Return what each of `said`, a day apart, is worth to a question by its words."""
    mind = bank.scope(user="민수", character="레티아")
    for number, text in enumerate(said):
        mind.observe(text, at=START + timedelta(days=number))
    hits = mind.recall(question, k=30)
    return {hit.item.text: hit.parts.keyword for hit in hits if isinstance(hit.item, gieok.Utterance)}


class Stories:
    """What people notice of it, over a fixture `location`."""

    @pytest.fixture
    def bank(self, location: str) -> Iterator[MemoryBank]:
        with gieok.open(location, embedder="hashing", recall_patience=60) as bank:
            yield bank

    def test_the_better_match_comes_first_and_every_score_lies_between_0_and_1(self, bank):
        scores = keyword_scores(bank, "라면 김치", "라면 먹었어", "라면에 김치 넣어 먹었어", "영화 봤어", "산책했어")
        assert scores["라면에 김치 넣어 먹었어"] > scores["라면 먹었어"] > scores.get("영화 봤어", 0.0)
        assert all(0 <= score < 1 for score in scores.values())

    def test_a_longer_word_that_begins_alike_counts_less_than_the_word_itself(self, bank):
        scores = keyword_scores(bank, "김밥", "김밥 먹었어", "김밥천국 갔어", "영화 봤어", "산책했어")
        assert scores["김밥 먹었어"] > scores["김밥천국 갔어"] > scores.get("영화 봤어", 0.0)

    def test_a_rarer_word_counts_more(self, bank):
        scores = keyword_scores(bank, "산책 수영", *(f"산책 {number}번째" for number in range(10)), "수영")
        assert scores["수영"] > max(score for text, score in scores.items() if text != "수영") > 0

    def test_hostile_questions_neither_fail_nor_tell_what_is_said_next_door(self, bank):
        mind, next_door = bank.scope(user="민수", character="레티아"), bank.scope(user="지영", character="레티아")
        mind.observe("라면을 좋아해. c++ 공부해. 번호는 010-1234-5678", at=START)
        next_door.observe("비밀 암호는 바나나", at=START)
        for question in HOSTILE_QUESTIONS:
            told = mind.context(question)
            assert not any("search" in each for each in told.degraded), (question[:40], told.degraded)
            assert "바나나" not in told.text
            assert all("바나나" not in str(hit.item) for hit in mind.recall(question))
        with pytest.raises(gieok.errors.InvalidText, match="NUL"):
            mind.recall("라면\x00비밀")
        assert mind.recall("c++")[0].parts.keyword > 0
        assert mind.recall("010-1234-5678")[0].parts.keyword > 0

    def test_what_is_forgotten_rewound_or_erased_is_not_found(self, bank):
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나 땅콩 알레르기 있어", at=START, turn_id="t1")
        mind.observe("비밀 하나 말해 줄게 바나나", at=START + timedelta(days=1), turn_id="t2")
        mind.rewind("t2")
        assert all("바나나" not in str(hit.item) for hit in mind.recall("바나나 비밀"))
        known = {fact.id for fact in mind.facts()}
        assert known & {hit.item.id for hit in mind.recall("땅콩")}
        for fact_id in known:
            mind.forget(fact_id)
        assert not known & {hit.item.id for hit in mind.recall("땅콩")}
        bank.erase(MINSU)
        assert list(mind.recall("땅콩 바나나")) == []
        assert bank.store.problems() == []
