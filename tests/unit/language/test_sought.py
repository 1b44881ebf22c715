"""Which kind of value a question wants, and which texts hold one."""

import pytest

from gieok.language.terms import asks_how_many, asks_when, holds_number, holds_time, index_terms


@pytest.mark.parametrize(
    "text", ["생일이 언제야?", "몇 월에 태어났지", "무슨 요일에 만나?", "When did she move?", "What year was it?"]
)
def test_asking_when(text):
    assert asks_when(text)


@pytest.mark.parametrize("text", ["몇 살이야?", "키가 얼마야", "How many cats does he have?", "how old is she"])
def test_asking_how_many(text):
    assert asks_how_many(text)


@pytest.mark.parametrize("text", ["뭐 좋아해?", "What does he like?", "이름이 뭐였지"])
def test_asking_for_neither(text):
    assert not asks_when(text)
    assert not asks_how_many(text)


@pytest.mark.parametrize(
    "text", ["어제 병원 갔다 왔어", "3월 15일에 보자", "I went there last Friday", "작년 여름에 이사했어"]
)
def test_texts_with_a_time(text):
    assert holds_time(text)


@pytest.mark.parametrize("text", ["고양이가 귀여워", "I like cats", "밥 먹자"])
def test_texts_without_a_time(text):
    assert not holds_time(text)


@pytest.mark.parametrize(
    ("text", "holds"), [("나 스물일곱 살이야", True), ("고양이 3마리", True), ("고양이가 좋아", False)]
)
def test_numbers_count_in_figures_and_in_words(text, holds):
    assert holds_number(index_terms(text)) is holds
