"""What is forgotten is gone from every answer, whatever happens afterwards."""

import pytest

import gieok
from gieok.errors import UnknownMemory
from gieok.testing import day


def answers(mind: gieok.Mind, query: str) -> str:
    context = mind.context(query)
    return " ".join([*(hit.text for hit in mind.recall(query, k=20)), context.text.removesuffix(query)])


def test_the_words_it_was_read_from_are_gone_as_well(letia):
    letia.observe("나 고양이 좋아해", reply="그렇군요")
    letia.forget(letia.facts()[0].id)

    assert "고양이" not in answers(letia, "뭐 좋아한다고 했지?")


def test_it_cannot_be_put_into_a_context_by_name(letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    letia.forget(memory.id)

    for item_id in (memory.id, *memory.sources):
        with pytest.raises(UnknownMemory):
            letia.context("안녕", include=[item_id])


def test_taking_back_another_turn_does_not_bring_it_back(letia):
    told = letia.remember("비밀번호 힌트는 바다", at=day(1))
    weather = letia.observe("날씨 좋네", at=day(2)).turn
    letia.remember("비밀번호 힌트는 바다", at=day(3))
    assert isinstance(told, gieok.Remember)
    letia.forget(told.memory.id, at=day(4))
    letia.rewind(weather.id)

    assert letia.facts() == []


def test_taking_back_the_turn_that_first_said_it_does_not_bring_it_back(letia):
    first = letia.observe("나 땅콩 좋아해", at=day(1)).turn
    letia.observe("나 땅콩 좋아해", at=day(2))
    letia.forget(letia.facts()[0].id, at=day(3))
    letia.rewind(first.id)

    assert letia.facts() == []
    assert "땅콩" not in answers(letia, "뭐 좋아해?")


def test_the_last_meeting_is_told_without_what_only_forgotten_words_were_about(letia):
    letia.observe("나 땅콩 알레르기 있어", reply="땅콩은 조심할게요.", at=day(1), turn_id="secret")
    letia.observe("어제 고양이 카페에 다녀왔어", reply="좋았겠다!", at=day(1))
    letia.observe("고양이랑 산책도 했어", reply="산책이라니!", at=day(1))
    told = letia.context("안녕", at=day(9)).text
    assert "땅콩" in told

    letia.forget(letia.facts(attribute="allergy")[0].id, at=day(9))
    told = letia.context("안녕", at=day(9)).text
    assert "고양이" in told
    assert "알레르기" not in told
    assert "땅콩" not in told
    assert "땅콩" not in [topic for scene in letia.scenes() for topic in scene.topics]


def test_a_topic_that_was_talked_of_in_other_words_too_is_still_told(letia):
    letia.observe("나 고양이 알레르기 있어", at=day(1))
    letia.observe("고양이 카페에 다녀왔어", at=day(1))
    letia.forget(letia.facts(attribute="allergy")[0].id, at=day(1))
    [scene] = letia.scenes()
    assert "고양이" in scene.topics
    assert "알레르기" not in scene.topics


def test_a_reply_that_repeats_it_is_gone_as_well(letia):
    letia.observe("나 땅콩 알레르기 있어", reply="땅콩이요? 조심할게요!", at=day(1))
    letia.observe("나 간호사야", reply="멋지네요!", at=day(1))
    letia.forget(letia.facts(attribute="allergy")[0].id, at=day(1))
    told = letia.context("뭐라고 했지?", at=day(1)).text
    assert "땅콩" not in told
    assert "멋지네요!" in told
    assert not any("땅콩" in hit.text for hit in letia.recall("땅콩 조심", at=day(1), k=20))


def test_what_was_noted_of_somebody_is_gone_as_well(letia):
    letia.observe("지수는 소심한 성격이야", at=day(1))
    letia.observe("지수는 밝은 성격이야", at=day(1))
    assert "지수: 소심한, 밝은 성격" in letia.context("지수 어때?", at=day(2)).text
    [shy] = [memory for memory in letia.facts() if "소심" in memory.content]
    letia.forget(shy.id, at=day(2))
    told = letia.context("지수 어때?", at=day(2)).text
    assert "지수: 밝은 성격" in told
    assert "소심" not in told


FILLER = [
    f"오늘은 도서관에서 {name}를 읽었어"
    for name in "소나기 동백꽃 광장 토지 무정 운수 날개 삼대 메밀꽃 봄봄 감자 태백".split()
]


def summary(mind):
    return "\n".join(page.content for page in mind.facts(type="summary"))


def test_words_that_were_forgotten_before_the_summary_are_not_quoted_in_it(open_bank):
    letia = open_bank(upkeep_summarise_after=8).scope(user="minsu", character="letia")
    letia.observe("나 땅콩 알레르기 있어서 3월에 서울대병원 응급실에 실려 갔어", reply="조심할게요.")
    letia.observe("어제는 부산에서 지훈이랑 돼지국밥을 먹었어", reply="맛있었겠어요.")
    (allergy,) = letia.facts(attribute="allergy")
    letia.forget(allergy.id)

    for _ in range(9):
        letia.observe("응 그렇구나 하하", reply="네.")

    assert "지훈" in summary(letia)
    assert "땅콩" not in summary(letia)
    assert "응급실" not in summary(letia)


def test_a_summary_that_told_of_something_forgotten_is_told_anew_without_it(open_bank):
    letia = open_bank(upkeep_summarise_after=8).scope(user="minsu", character="letia")
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
