import pytest

from gieok_evals.planted.evidence import Answer, leaked, mentions
from gieok_evals.planted.language import Value

AGE = Value(gold="25", forms={"v": "25살"}, alt=("25세", "스물다섯"))
HEIGHT = Value(gold="178", forms={"v": "178"}, alt=("178cm",))
BLOOD = Value(gold="A", forms={"v": "A형"}, alt=("에이형",))
BOOK = Value(gold="해변의 카프카", forms={"v": "해변의 카프카"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- **(상대) 나이는 25살임**", AGE),
        ('상대의 말: "올해 스물 다섯 됐어"', AGE),
        ("키는 178임", HEIGHT),
        ("혈액형은 a형임", BLOOD),
        ("해변의카프카 읽는 중", BOOK),
    ],
)
def test_a_value_counts_however_it_is_written(text, value):
    assert mentions(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(상대, 2026-03-25) 감기 조심", AGE),
        ("방이 25개", AGE),
        ("전화는 1178번", HEIGHT),
        ("A와 B", BLOOD),
        ("해변", BOOK),
    ],
)
def test_a_letter_a_date_or_a_part_of_a_number_proves_nothing(text, value):
    assert not mentions(text, value)


def test_the_words_that_were_used_count_as_well():
    assert mentions("화이트데이 다음날 태어남", Value(gold="03-15", forms={"v": "3월 15일"}), ["화이트데이 다음날"])


def test_a_leak_is_a_private_word_in_the_answer():
    answer = Answer(items=frozenset(), text="(상대) 별명은 찐 빵임", memory_text="")
    assert leaked(answer, frozenset({"찐빵", "감자"})) == ["찐빵"]


def test_two_lines_do_not_make_one_word():
    answer = Answer(items=frozenset(), text="나도 좋아해요\n가자", memory_text="")
    assert leaked(answer, frozenset({"요가"})) == []
    assert not mentions(answer.text, Value(gold="요가", forms={"v": "요가"}))
