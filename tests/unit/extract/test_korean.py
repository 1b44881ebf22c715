"""What the Korean rules read, and what they leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def read(said: str, speaker: str = "user") -> list[Claim]:
    turn = spoken(said, speaker)
    return list(KoreanRules().claims(turn, SCOPE, ()))


def facts(said: str, speaker: str = "user") -> list[tuple[str, str | None, str | None]]:
    return [(claim.subject_id, claim.attribute, claim.value) for claim in read(said, speaker)]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("이름은 한유진입니다", "name", "한유진"),
        ("나 김서준이라고 해 ㅎㅎ", "name", "김서준"),
        ("저는 민수예요", "name", "민수"),
        ("내 이름은 하늘이야", "name", "하늘"),
        ("저는 올해 스물일곱이에요", "age", "27"),
        ("나 25살이야", "age", "25"),
        ("나이는 서른둘", "age", "32"),
        ("내 생일 3월 15일이야", "birthday", "03-15"),
        ("3월 15일에 태어났어", "birthday", "03-15"),
        ("나 간호사야", "job", "간호사"),
        ("개발자로 일하고 있어", "job", "개발자"),
        ("판교에 살아", "residence", "판교"),
        ("저는 서울 강남구에서 살고 있어요", "residence", "서울 강남구"),
        ("부산으로 이사했어", "residence", "부산"),
        ("고양이 좋아함ㅋㅋ", "likes", "고양이"),
        ("난 떡볶이를 정말 좋아해", "likes", "떡볶이"),
        ("오이 진짜 싫음", "dislikes", "오이"),
        ("나 매운 거 싫어해", "dislikes", "매운 거"),
        ("고양이를 좋아하지 않아", "dislikes", "고양이"),
        ("나 땅콩 알레르기 있어", "allergy", "땅콩"),
        ("저 새우 알러지예요", "allergy", "새우"),
        ("고양이 두 마리 키워", "pet", "고양이"),
    ],
)
def test_a_plain_statement_gives_its_fact(said: str, attribute: str, value: str) -> None:
    assert facts(said) == [("user", attribute, value)]


def test_a_form_gives_a_fact_for_every_line() -> None:
    assert facts("이름: 김민수 / 직업: 개발자 / 생일: 3월 15일") == [
        ("user", "name", "김민수"),
        ("user", "job", "개발자"),
        ("user", "birthday", "03-15"),
    ]


def test_two_clauses_give_two_facts() -> None:
    assert facts("나 코코아 좋아하는데 커피는 싫어해") == [("user", "likes", "코코아"), ("user", "dislikes", "커피")]


@pytest.mark.parametrize(
    ("said", "whose", "attribute", "value"),
    [
        ("제 친구는 의사예요", "친구", "job", "의사"),
        ("엄마는 복숭아 알레르기가 있어", "엄마", "allergy", "복숭아"),
        ("민지는 고양이를 좋아해", "민지", "likes", "고양이"),
        ("아빠는 회사원이고 부산에 살아", "아빠", "residence", "부산"),
    ],
)
def test_what_is_said_of_others_is_theirs(said: str, whose: str, attribute: str, value: str) -> None:
    assert (whose, attribute, value) in facts(said)
    assert not any(subject == "user" for subject, _, _ in facts(said))


def test_the_character_speaks_for_herself_and_calls_the_user_by_title() -> None:
    assert facts("저는 홍차를 좋아해요", "character") == [("letia", "likes", "홍차")]
    assert facts("오빠는 간호사예요", "character") == [("user", "job", "간호사")]


def test_preferring_names_what_it_is_preferred_to() -> None:
    [claim] = read("고양이보다 강아지가 더 좋아")
    assert (claim.value, claim.act, claim.instead_of, claim.value_class) == ("강아지", "prefer", "고양이", "animal")
    [claim] = read("요즘은 강아지가 더 좋아")
    assert (claim.value, claim.act, claim.instead_of) == ("강아지", "prefer", None)


@pytest.mark.parametrize(
    "said",
    [
        "혹시 고양이 좋아해?",
        "너 뭐 좋아해",
        "고양이 키우고 싶어",
        "고양이 키우면 좋겠다",
        "내가 의사라면",
        "그 사람 고양이 좋아한대",
        "친구가 '나 고양이 좋아해' 그랬어",
        "*고양이를 좋아하는 척하며* 안녕",
        "예전에는 고양이를 좋아했어",
        "오늘 날씨 좋다",
        "기분이 좋아",
        "나 바보야",
        "안녕 반가워",
        "ㅋㅋㅋㅋㅋ",
        "이 노래 좋다",
        "배고프다 라면 먹을까",
        "고양이 싫어하지 않아",
    ],
)
def test_what_is_no_statement_of_fact_gives_none(said: str) -> None:
    assert [fact for fact in facts(said) if fact[0] == "user"] == []


def test_an_opinion_of_the_other_is_kept_with_the_one_who_holds_it() -> None:
    [claim] = read("오빠는 정말 따뜻한 사람이에요", "character")
    assert (claim.speaker, claim.subject, claim.content_type, claim.content) == (
        "character",
        "user",
        "opinion",
        "따뜻한 사람임",
    )


@given(st.text(max_size=200))
def test_reading_never_fails(said: str) -> None:
    read(said)


@given(
    st.lists(
        st.sampled_from(
            "나 저 고양이 좋아해 을 를 은 는 라고 해 ? * ' \" : / 살 스물 3월 15일 안 지 않아 면 ㅋㅋ 💕".split()
        ),
        max_size=20,
    )
)
def test_reading_never_fails_on_shuffled_korean(words: list[str]) -> None:
    read(" ".join(words))
    read("".join(words))
