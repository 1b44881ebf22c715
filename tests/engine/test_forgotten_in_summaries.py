"""What was forgotten is told by no summary, and the rest of the story is told on."""

import pytest

import gieok

FILLER = [
    f"오늘은 도서관에서 {name}를 읽었어"
    for name in "소나기 동백꽃 광장 토지 무정 운수 날개 삼대 메밀꽃 봄봄 감자 태백".split()
]


@pytest.fixture
def letia(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep_summarise_after=8) as bank:
        yield bank.scope(user="minsu", character="letia")


def summary(mind):
    return "\n".join(page.content for page in mind.facts(type="summary"))


def test_words_that_were_forgotten_before_the_summary_are_not_quoted_in_it(letia):
    letia.observe("나 땅콩 알레르기 있어서 3월에 서울대병원 응급실에 실려 갔어", reply="조심할게요.")
    letia.observe("어제는 부산에서 지훈이랑 돼지국밥을 먹었어", reply="맛있었겠어요.")
    (allergy,) = letia.facts(attribute="allergy")
    letia.forget(allergy.id)

    for _ in range(9):
        letia.observe("응 그렇구나 하하", reply="네.")

    assert "지훈" in summary(letia)
    assert "땅콩" not in summary(letia)
    assert "응급실" not in summary(letia)


def test_a_summary_that_told_of_something_forgotten_is_told_anew_without_it(letia):
    letia.observe("나 땅콩 알레르기 있어", reply="조심할게요.")
    letia.observe("내 친구 지훈이는 부산 살아", reply="그렇군요.")
    for text in FILLER[:9]:
        letia.observe(text, reply="네.")
    assert "땅콩" in summary(letia)
    assert "지훈" in summary(letia)
    (allergy,) = letia.facts(attribute="allergy")

    letia.forget(allergy.id)
    assert "땅콩" not in summary(letia)
    for text in FILLER:
        letia.observe(text, reply="네.")

    assert "지훈" in summary(letia)
    assert "땅콩" not in summary(letia)
