"""What becomes of a fact: replaced, put right, taken back, ended."""

from __future__ import annotations

import pytest

from gieok.domain.background import Background
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day, memory


def read(said: str, **known: str) -> list[Claim]:
    """Read `said` by a user of whom `known` (attribute=value) is known; dots in attributes are written as __."""
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    facts = tuple(
        memory(key, id=key, attribute=key.replace("__", "."), value=value, surface=value)
        for key, value in known.items()
        if value in said
    )
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, Scope(user="minsu"), (), Background(mentioned=facts)))


def changes(said: str, **known: str) -> list[tuple[str | None, str | None, str, str, str | None]]:
    return [(each.attribute, each.value, each.polarity, each.act, each.instead_of) for each in read(said, **known)]


@pytest.mark.parametrize(
    ("said", "attribute", "new", "old"),
    [
        ("이제 망원동 아니고 합정동이야, 이사했어", "residence", "합정동", "망원동"),
        ("망원동 방 빼고 판교로 옮겼어요", "residence", "판교", "망원동"),
        ("요즘은 네일아트 대신 캠핑에 빠졌어요", "hobby", "캠핑", "네일아트"),
        ("검사했더니 INFJ에서 INTP로 바뀌었어", "mbti", "INTP", "INFJ"),
        ("인생 목표 수정했어, 소설가 말고 사육사", "dream", "사육사", "소설가"),
    ],
)
def test_what_is_named_as_given_up_tells_what_the_new_value_is(said: str, attribute: str, new: str, old: str) -> None:
    claims = read(said, **{attribute: old})

    assert (attribute, new) in [(each.attribute, each.value) for each in claims if each.polarity == "+"]
    assert not any(each.value == old and each.polarity == "+" for each in claims)


@pytest.mark.parametrize(
    "said", ["가산동 산다고 한 거 취소할게", "가산동 산다고 한 거 농담이었어", "가산동 산다는 거 거짓말이었어 미안"]
)
def test_what_was_said_in_jest_is_taken_back(said: str) -> None:
    assert changes(said, residence="가산동") == [("residence", "가산동", "+", "retract", None)]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("나 어제 편의점 알바 그만뒀어", "part_time_job", "편의점"),
        ("우리 햄스터 어제 무지개다리 건넜어", "pet", "햄스터"),
        ("다꾸 이제 안 해 흥미 떨어졌어", "hobby", "다꾸"),
        ("나 숭실대 졸업했어!", "school", "숭실대"),
    ],
)
def test_what_no_longer_goes_on_is_ended(said: str, attribute: str, value: str) -> None:
    assert (attribute, value, "-", "end", None) in changes(said, **{attribute: value})


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("회사 옮기고 나서 별명이 호빵으로 바뀌었어", "nickname", "호빵"),
        ("최애 영화를 파묘로 변경합니다", "favorite.movie", "파묘"),
        ("새 별명 생겼어요, 펭귄이에요!", "nickname", "펭귄"),
        ("나 저번 검사에서 ESTP로 바뀌었어", "mbti", "ESTP"),
    ],
)
def test_what_something_has_turned_into_is_its_value(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(each.attribute, each.value) for each in read(said)]


def test_a_quotation_of_oneself_is_replaced_by_what_follows() -> None:
    assert changes("나 스물다섯이라고 했는데 이제 26이야") == [("age", "26", "+", "assert", "25")]


def test_a_name_that_was_got_wrong_was_never_true() -> None:
    assert changes("제 이름 유진 아니고 유빈이에요") == [("name", "유빈", "+", "correct", "유진")]
