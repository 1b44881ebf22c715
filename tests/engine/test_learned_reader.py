"""Conversations read by the tagger: whose fact it is, whether it is meant, and what stays in doubt."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gieok
from gieok.domain.turn import Utterance
from gieok.extract.learned.reader import marks

NOON = datetime(2026, 11, 18, 12, tzinfo=timezone(timedelta(hours=9)))


@pytest.fixture
def mind(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        yield bank.scope(user="u", character="하루")


def tell(mind, *turns: tuple[str, str]) -> None:
    for minute, (said, reply) in enumerate(turns):
        mind.observe(said, reply=reply, at=NOON + timedelta(minutes=minute))


def firm(mind, about: str = "user") -> dict[str, str]:
    return {memory.attribute: memory.value for memory in mind.facts(about)}


def test_what_people_tell_of_themselves_is_held(mind):
    tell(mind, ("저는 서른둘이고 부산에서 간호사로 일해요", "바쁘시겠어요"), ("지난달에 대구로 이사했어요", "축하해요"))
    held = firm(mind)
    assert (held["age"], held["job"], held["residence"]) == ("32", "간호사", "대구")


@pytest.mark.parametrize(
    "turns",
    [
        [("안녕하세요", "따님 성함이 어떻게 되세요?"), ("미숙이요", "예쁜 이름이네요")],
        [("우리 고양이 호두가 아파요", "어디가요?"), ("신부전이래요", "많이 걱정되시겠어요")],
        [("요즘 너무 힘들다. 간호사 그만두고 카페나 차릴까 싶다", "왜 무슨 일이야")],
        [("나 로또 1등 됐어", "헐 진짜?"), ("뻥이야 ㅋㅋ", "뭐야 놀랐잖아")],
        [("안녕", "당신의 이름은 이민수입니다"), ("응", "부산에 산다고 하셨어요")],
        [("수의사가 닭고기 알레르기가 있다고 진단했어요, 우리 코코", "간식 조심해야겠네")],
    ],
    ids=["her daughter's name", "the cat's illness", "a wish", "a joke", "what she says", "the dog's allergy"],
)
def test_what_is_somebody_elses_or_not_meant_is_no_firm_fact_of_the_user(mind, turns):
    tell(mind, *turns)
    unsaid = {"name", "medical_condition", "allergy", "job", "milestone", "residence"}
    assert not unsaid & firm(mind).keys()
    assert not [memory for memory in mind.doubtful() if memory.pinned]


DAUGHTER = [("따님이 아프대요", "따님 성함이 어떻게 되세요?"), ("미숙이", "예쁜 이름이네요")]
CAT = [("우리 고양이 호두가 병원 갔다왔어", "어디가 아파요?"), ("신부전이래 ㅠㅠ", "저런")]
DOG = [("강아지 콩이 데리고 병원 다녀왔어요", "괜찮아요?"), ("닭고기 알레르기가 있다고 진단받았어요", "저런")]


@pytest.mark.parametrize(
    ("turns", "who", "attribute", "value"),
    [
        (DAUGHTER, "딸", "name", "미숙"),
        (CAT, "호두", "medical_condition", "신부전"),
        (DOG, "콩이", "allergy", "닭고기"),
    ],
    ids=["a bound answer", "what the vet said", "a diagnosis"],
)
def test_what_is_said_of_whoever_the_talk_is_about_is_theirs(mind, turns, who, attribute, value):
    tell(mind, *turns)
    assert firm(mind, about=who).get(attribute) == value
    assert attribute not in firm(mind)


def test_who_went_to_the_doctor_is_not_whom_somebody_else_is_spoken_of(mind):
    tell(
        mind, ("우리 강아지 콩이는 잘 있어", "다행이에요"), ("나 병원 다녀왔어", "어디가 아파요?"), ("위염이래", "저런")
    )
    assert "medical_condition" not in firm(mind, about="콩이")


@pytest.mark.parametrize(
    "reply",
    [
        "저는 인공지능 언어 모델입니다",
        "As an AI language model I live in the cloud",
        '{"tool": "weather", "job": "doctor"}',
    ],
)
def test_disclaimers_and_the_output_of_tools_are_no_facts_of_the_character(mind, reply):
    tell(mind, ("넌 누구야?", reply))
    assert not mind.facts(about="하루")


@pytest.mark.parametrize(
    ("first", "then", "attribute", "value"),
    [
        ("나 제일 좋아하는 음식은 피자야", "아니 그거 말고 파스타", "favorite.food", "파스타"),
        ("I live in Boston", "no wait, I meant Austin", "residence", "Austin"),
        ("나 몸무게 80킬로야", "방금 말한 거 잊어줘", "weight", None),
    ],
)
def test_what_was_just_said_is_mended_or_taken_back(mind, first, then, attribute, value):
    tell(mind, (first, "네"), (then, "네"))
    assert firm(mind).get(attribute) == value


@pytest.mark.parametrize("farewell", ["나비가 오늘 무지개다리 건넜어", "어제 나비 보냈어요.."])
def test_an_animal_that_died_is_no_longer_kept_and_needs_nothing_but_has_its_name(mind, farewell):
    tell(mind, ("우리 고양이 나비는 신부전이라 약 먹어", "저런"), (farewell, "ㅠㅠ"))
    current = {(memory.attribute, memory.polarity) for memory in mind.facts()}
    assert ("medical_condition", "+") not in current
    assert ("pet", "+") not in current
    assert "나비" in {memory.value for memory in mind.facts() if memory.attribute == "name"}


@pytest.mark.parametrize(
    ("known", "said", "attribute", "value"),
    [
        ("나 땅콩 알레르기 있어", "어제 약 먹는 거 잊어버려서 고생했어", "allergy", "땅콩"),
        ("나 땅콩 알레르기 있어", "그 얘기는 못 들은 거 같아요", "allergy", "땅콩"),
        ("I'm allergic to peanuts", "Did you forget I told you that?", "allergy", "peanuts"),
        ("나 땅콩 알레르기 있어", "아니 그게 아니라 진짜 심각해", "allergy", "땅콩"),
        ("나는 간호사야", "아니 그게 아니라 요즘 너무 피곤해", "job", "간호사"),
        ("나 서울 살아", "그게 아니라 부산에 출장 왔어", "residence", "서울"),
        ("I live in Boston", "I meant to tell you about Austin.", "residence", "Boston"),
        ("나 부산 살아", "나 예전에도 부산 살았어", "residence", "부산"),
        ("나 커피 좋아해", "나 예전부터 커피 좋아했어", "likes", "커피"),
        ("I love sushi", "I loved the sushi yesterday.", "likes", "sushi"),
        ("I love coffee", "I quit smoking and drink coffee every day.", "likes", "coffee"),
        ("나 요즘 필라테스 다녀", "필라테스 3개월 더 끊었어", "exercise", "필라테스"),
        ("나 강아지 초코 키워", "할머니가 돌아가셨는데 초코가 옆에 있어줬어", "pet", "강아지"),
        ("나 강아지 초코 키워", "오늘 초코 보냈어요 미용실에", "pet", "강아지"),
    ],
)
def test_what_only_sounds_like_an_end_or_a_correction_changes_nothing(mind, known, said, attribute, value):
    tell(mind, (known, "네"))
    if firm(mind).get(attribute) != value:
        pytest.fail(f"{known} was not read")
    mind.observe(said, reply="네", at=NOON + timedelta(minutes=5))
    assert firm(mind).get(attribute) == value


@pytest.mark.parametrize(
    ("before", "said", "attribute"),
    [
        ("어제 엄마랑 밥 먹었어", "원래 새우 알레르기 있어서 새우는 못 먹어", "allergy"),
        ("어제 동생이랑 영화 봤어", "고혈압약 오래 먹었어요", "medication"),
        ("안녕", "병원 갔는데 딸기 알레르기래 ㅠㅠ", "allergy"),
        ("병원에서 엄마 만났어", "병원에서 알레르기 물어보길래 페니실린 있다고 했어요", "allergy"),
    ],
)
def test_what_only_sounds_like_a_report_is_of_nobody_else(mind, before, said, attribute):
    tell(mind, (before, "네"), (said, "네"))
    others = [memory for memory in (*mind.facts(), *mind.doubtful()) if memory.attribute == attribute]
    assert {memory.subject for memory in others} <= {"user"}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("주말에 뭐 하세요?", "넷플릭스요"),
        ("오늘 무슨 일 있었어?", "면접"),
        ("그 카페 이름이 뭐예요?", "블루보틀이요"),
    ],
)
def test_small_talk_asks_for_no_attribute(mind, asked, answer):
    tell(mind, ("안녕하세요", asked), (answer, "그렇군요"))
    assert not {"job", "name"} & firm(mind).keys()


def test_a_stage_direction_in_brackets_is_no_output_of_a_tool(mind):
    tell(mind, ("어디 살아?", "[웃으며] 나는 부산에 살아."))
    assert firm(mind, about="하루").get("residence") == "부산"


@pytest.mark.parametrize(
    ("asked", "answer", "attribute", "value"),
    [
        ("나이가 어떻게 되세요?", "서른둘이요", "age", "32"),
        ("무슨 일 하세요?", "네.. 사서요", "job", "사서"),
        ("제일 좋아하는 게임이 뭐예요?", "제트", "favorite.game", "제트"),
    ],
)
def test_a_bare_answer_gives_what_was_asked_for(mind, asked, answer, attribute, value):
    tell(mind, ("안녕하세요", asked), (answer, "그렇군요"))
    assert firm(mind).get(attribute) == value


def test_a_plan_with_a_day_is_held_and_asked_about_when_the_day_has_passed(mind):
    tell(mind, ("모레 면접 봐", "화이팅!"))
    [plan] = mind.facts(attribute="plan", as_of=NOON)
    assert (plan.value, plan.invalid_at.date().day) == ("면접", 21)
    asked = mind.observe("안녕", reply="안녕하세요", at=NOON + timedelta(days=3)).questions
    assert asked == ("어제 면접 어땠어요?",)


def test_a_doubtful_reading_waits_for_a_word_and_a_rejected_one_is_gone(mind):
    tell(mind, ("병원에 다녀왔어요", "어디가요?"), ("신부전이래요", "많이 걱정되시겠어요"))
    waiting = {memory.value: memory.id for memory in mind.doubtful()}
    mind.reject(waiting["신부전"])
    assert "신부전" not in {memory.value for memory in mind.doubtful()}


def test_a_turn_is_read_the_same_every_time(tmp_path):
    read = []
    for number in range(2):
        with gieok.open(tmp_path / f"{number}.db", embedder="hashing") as bank:
            mind = bank.scope(user="u", character="하루")
            tell(mind, ("저는 서른둘이고 부산에서 간호사로 일해요", "멋져요"), ("동생 민수는 서울 살아요", "그렇군요"))
            read.append([(m.subject_id, m.attribute, m.value, m.certainty) for m in mind.facts(history=True)])
    assert read[0] == read[1]


@settings(max_examples=60, deadline=None)
@given(said=st.text(max_size=300), before=st.text(max_size=120), name=st.text(max_size=12))
def test_no_text_makes_the_tagger_raise(said: str, before: str, name: str) -> None:
    earlier, now = (
        Utterance(id=text_id, turn_id="t", speaker=speaker, text=text, at=NOON, position=0)
        for text_id, speaker, text in (("b", "character", before), ("u", "user", said))
    )
    for mark in marks(now, [earlier], [name]).facts:
        assert 0 <= mark.start < mark.end <= len(said)
        assert 0 <= mark.certainty <= 1
