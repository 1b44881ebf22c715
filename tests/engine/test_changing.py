"""A change of what somebody is, loves or does closes what was told before; a look-alike does not.

How many wordings of a change are understood is scored, with a floor (`changes` in support/reading_scores.py).
"""

import pytest


def current(mind, attribute):
    facts = mind.facts(about="user", attribute=attribute)
    return [fact.value for fact in facts if fact.polarity == "+"]


@pytest.mark.parametrize(
    ("first", "later", "attribute", "now"),
    [
        ("나 서울 살아", "지난달에 부산으로 이사했어", "residence", ["부산"]),
        ("나 간호사야", "나 이제 간호사 아니고 카페 사장이야", "job", ["카페 사장"]),
        ("나 스물다섯 살이야", "나 생일 지나서 이제 스물여섯이야", "age", ["26"]),
        ("내 이름은 유진이야", "내 이름 유진 아니고 유빈이야", "name", ["유빈"]),
        ("나 남자친구 있어", "나 남자친구랑 헤어졌어", "relationship_status", ["이별"]),
        ("내 MBTI는 ISTJ야", "다시 검사했더니 INTJ 나왔어", "mbti", ["INTJ"]),
        ("I live in London", "I moved to Berlin last month", "residence", ["Berlin"]),
    ],
)
def test_what_was_told_last_is_current(letia, first, later, attribute, now):
    letia.observe(first)
    assert current(letia, attribute)

    letia.observe(later)

    assert current(letia, attribute) == now


@pytest.mark.parametrize(
    ("said", "attribute", "now"),
    [
        (["오이는 진짜 싫어해", "잘 먹었다!"], "dislikes", ["오이"]),
        (["혈압약 먹어요", "당뇨약도 먹고 있어요", "약 먹기 싫어요"], "medication", ["당뇨약", "혈압약"]),
        (["나 간호사야", "요즘 너무 힘들다. 간호사 그만두고 카페나 차릴까 싶다"], "job", ["간호사"]),
        (["나 서울 살아", "주말에 부산 다녀왔어"], "residence", ["서울"]),
    ],
)
def test_what_is_not_meant_stays(letia, said, attribute, now):
    for text in said:
        letia.observe(text)
    assert sorted(current(letia, attribute)) == now
