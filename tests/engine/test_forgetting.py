"""What is forgotten is gone from every answer, whatever happens afterwards."""

import pytest

import gieok
from gieok.domain.claim import claim_id
from gieok.errors import UnknownMemory
from gieok.testing import day
from gieok.testing.builders import claim, note


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


def test_a_scrub_leaves_the_correction_of_another_memory_that_had_a_word_of_it(bank, letia):
    first = letia.remember("메모장에 적은 하나").changes[0].memory_id
    second = letia.remember("메모장에 적은 둘").changes[0].memory_id
    letia.observe("나 고양이 좋아해", turn_id="t1")
    letia.correct(second, "바르게 고친 셋")
    letia.forget(first)
    bank.scrub(prove=False)
    assert bank.verify_audit().findings == ()
    letia.rewind("t1")
    assert letia.memory(second).content == "바르게 고친 셋"
    assert [operation.kind for operation, _ in letia.history(second)] == ["remember", "correct"]


def test_what_a_forgotten_memory_replaced_stays_replaced_and_the_journal_goes_on_telling_it(bank, letia):
    letia.observe("나 부산에 살아", at=day(1))
    letia.observe("나 서울로 이사했어", at=day(2))
    [new] = letia.facts(attribute="residence")
    assert new.value == "서울"

    letia.forget(new.id, at=day(3))
    bank.scrub()

    assert letia.facts(attribute="residence") == []
    assert bank.verify_audit().findings == ()


def test_what_else_a_sentence_told_stays_when_one_thing_of_it_is_scrubbed(bank, letia):
    letia.observe("나 간호사고 서울에 살아", reply="그렇구나", at=day(1))
    job, home = sorted(letia.facts(), key=lambda memory: str(memory.attribute))
    assert (job.value, home.value) == ("간호사", "서울")

    letia.forget(job.id, at=day(2))
    bank.scrub()

    assert [memory.value for memory in letia.facts()] == ["서울"]
    assert letia.turns()[0].utterances[0].text == "[…]"
    assert bank.verify_audit().findings == ()


def test_what_repeats_it_in_the_same_sentence_goes_with_it(open_bank):
    class Reader:
        name = "twice/1"

        def claims(self, turn, scope, before, background):
            said = turn.utterances[0]
            return [
                claim("medical_condition", "우울증", id=claim_id(said.id, 0), source_id=said.id, importance=0.9),
                note("2월에 우울증 진단을 받음", id=claim_id(said.id, 1), source_id=said.id),
            ]

    bank = open_bank(extractor=Reader())
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("2월에 우울증 진단을 받았어", at=day(1))
    [fact] = letia.facts(attribute="medical_condition")
    assert len(letia.facts()) == 2

    letia.forget(fact.id, at=day(2))
    bank.scrub()

    assert letia.facts() == []


def test_a_topic_that_is_part_of_a_word_is_gone_as_well(bank, letia):
    letia.observe("사도선뎂라고 불러 줘", reply="사도선뎂… 기억할게!", session="저녁", at=day(1))
    letia.observe("고마워", session="아침", at=day(2))
    [nickname] = letia.facts(attribute="nickname")

    letia.forget(nickname.id, at=day(3))
    bank.scrub()

    with bank.store.view(letia.key) as view:
        told = f"{view.operations(in_force=False)} {view.state_records()}"
    assert "선뎂" not in told


class NameReader:
    """Reads that the friend whom the user names is kind, and what the character likes, each in a line of its own."""

    name = "names/1"

    def claims(self, turn, scope, before, background):
        said, reply = turn.utterances
        friend = {"subject": "other", "subject_id": said.text.split()[1], "content": "착한 친구임"}
        hers = {"subject": "character", "subject_id": "character", "speaker": "character"}
        return [
            claim("trait", "착함", id=claim_id(said.id, 0), source_id=said.id, importance=0.9, **friend),
            claim("likes", "딸기", id=claim_id(reply.id, 0), source_id=reply.id, importance=0.9, **hers),
        ]


def test_a_scrub_leaves_a_memory_of_somebody_whose_name_only_the_same_turn_said(open_bank):
    bank = open_bank(extractor=NameReader())
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("친구 라모괭뷁 착해", reply="나는 딸기를 좋아해!", at=day(1))
    of_her, of_friend = sorted(letia.facts(), key=lambda memory: memory.subject)

    letia.forget(of_her.id, at=day(2))
    bank.scrub()

    assert [(each.subject_id, each.content) for each in letia.facts()] == [("라모괭뷁", of_friend.content)]
    assert bank.verify_audit().findings == ()
