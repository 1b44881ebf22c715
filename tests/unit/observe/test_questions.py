"""Questions that clear up doubtful memories: natural, at most one, the most important first."""

import re
from string import Formatter

import pytest

from gieok.domain.attributes import SCHEMA
from gieok.observe.questions import question_about, questions_about
from gieok.testing import memory
from gieok.words import LANGUAGES, words_in


def doubt(attribute, value, content="", who="user", **fields):
    subject = who if who in ("user", "character", "world") else "other"
    return memory(
        content, attribute=attribute, value=value, subject=subject, subject_id=who, **{"doubtful": True, **fields}
    )


@pytest.mark.parametrize(
    ("known", "question"),
    [
        (doubt("medical_condition", "신부전", who="호두"), "혹시 신부전인 건 호두예요?"),
        (doubt("medical_condition", "당뇨", who="삼촌"), "혹시 당뇨인 건 삼촌이에요?"),
        (doubt("job", "간호사"), "혹시 지금 간호사세요?"),
        (doubt("job", "소방관"), "혹시 지금 소방관이세요?"),
        (doubt("residence", "부산"), "혹시 지금 부산에 사세요?"),
        (doubt("allergy", "땅콩"), "혹시 땅콩 알레르기가 있으세요?"),
        (doubt("medication", "혈압약", who="엄마"), "혹시 혈압약을 먹는 건 엄마예요?"),
        (doubt("name", "호두", who="강아지"), "혹시 강아지 이름이 호두예요?"),
        (doubt("favorite.music", "아이유"), "혹시 아이유를 제일 좋아하세요?"),
    ],
)
def test_a_question_names_the_value_and_whose_it_is(known, question):
    assert question_about(known, "ko") == question


@pytest.mark.parametrize(
    ("known", "question"),
    [
        (doubt("age", "25", "25살임"), "혹시 25살이에요?"),
        (doubt("birthday", "03-15", "생일은 3월 15일임"), "혹시 생일은 3월 15일이에요?"),
        (doubt("age", "3", "세 살임", who="호두"), "혹시 호두는 세 살이에요?"),
        (doubt("birthday", "03-15", "생일은 3월 15일임", who="호두"), "혹시 호두 생일은 3월 15일이에요?"),
        (doubt("relationship_status", "기혼", "결혼함"), "혹시 결혼했어요?"),
        (doubt("likes", "고양이", "고양이를 좋아하지 않음", polarity="-"), "혹시 고양이를 좋아하지 않아요?"),
        (doubt(None, None, "부산에 다녀옴", content_type="event"), "혹시 부산에 다녀왔어요?"),
        (doubt("mood", "tired", "is tired"), "“is tired”, 제가 맞게 알고 있나요?"),
    ],
)
def test_what_has_no_question_of_its_own_is_asked_as_it_was_noted(known, question):
    assert question_about(known, "ko") == question


@pytest.mark.parametrize(
    ("known", "question"),
    [
        (doubt("residence", "Busan"), "Do you live in Busan now?"),
        (doubt("job", "nurse"), "Are you a nurse at the moment?"),
        (doubt("job", "engineer", who="Mina"), "Is it Mina who is an engineer?"),
        (doubt("pet", "2 cats"), "Do you have 2 cats?"),
        (doubt("age", "25", "is 25 years old", who="Mina"), "Is it right that Mina is 25 years old?"),
        (doubt("age", "25", "is 25 years old"), "Did I get this right about you: “is 25 years old”?"),
    ],
)
def test_questions_in_english(known, question):
    assert question_about(known, "en") == question


@pytest.mark.parametrize("who", ["character", "world"])
def test_the_user_is_not_asked_about_the_character_or_the_world(who):
    known = doubt("likes", "고양이", who=who)
    assert question_about(known, "ko") is None
    assert questions_about([known], "ko") == ()


def test_the_most_important_is_asked_about_and_nothing_else():
    cat, name, nuts = doubt("likes", "고양이"), doubt("name", "민수"), doubt("allergy", "땅콩")
    trip = doubt("plan", "부산 가기", "부산 갈 예정", importance=0.9)

    assert questions_about([cat, name, nuts, trip], "ko") == ("혹시 땅콩 알레르기가 있으세요?",)
    assert questions_about([cat, trip, name], "ko") == ("혹시 이름이 민수예요?",)
    assert questions_about([cat, trip], "ko") == ("혹시 부산 갈 예정이에요?",)
    assert questions_about([], "ko") == ()


def test_what_is_settled_is_not_asked_about():
    settled = ({"doubtful": False}, {"retracted": True}, {"invalid_at": memory().valid_at})
    assert questions_about([doubt("allergy", "땅콩", **each) for each in settled], "ko") == ()


def test_both_languages_ask_about_the_same_attributes_with_the_same_words_filled_in():
    for subject in ("user", "other"):
        korean, english = (words_in(language).some(f"questions.{subject}") for language in LANGUAGES)
        assert korean.keys() == english.keys() <= {*SCHEMA, "favorite", "stated"}
        for key, text in korean.items():
            slots, others = (
                {name for _, name, _, _ in Formatter().parse(each) if name} for each in (text, english[key])
            )
            assert slots == others, key
            assert re.search(r"(?:요|예요\}|세요\}|said\})\?$", text), "해요체"
            assert not re.search("[가-힣]", english[key])
