"""What turns a life is remembered as it was told."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken


def told(said: str) -> list[str | None]:
    claims = KoreanRules().claims(spoken(said), Scope(user="minsu", character="letia"), ())
    return [claim.content for claim in claims if claim.attribute == "milestone"]


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("할머니가 돌아가셨어", "할머니가 돌아가셨음"),
        ("우리 초코가 오늘 무지개다리를 건넜어", "초코가 오늘 무지개다리를 건넜음"),
        ("나 드디어 최종 합격했어!!", "최종 합격했음"),
        ("어제 교통사고 났어", "어제 교통사고 났음"),
        ("엄마가 암 진단 받으셨어", "엄마가 암 진단 받으셨음"),
        ("저 지난주에 퇴사했어요", "지난주에 퇴사했음"),
    ],
)
def test_what_turns_a_life_is_a_milestone(said: str, remembered: str) -> None:
    assert told(said) == [remembered]


@pytest.mark.parametrize(
    "said",
    [
        "아이유가 결혼했대",
        "드라마에서 주인공이 죽었어",
        "사과가 나무에서 떨어졌다",
        "웃겨 죽었어",
        "취업하면 좋겠다",
        "너 시험 붙었어?",
        "아직 합격 못 했어",
        "친구가 '나 임신했어' 이러는 거야",
        "폰이 죽었어",
    ],
)
def test_what_did_not_happen_or_not_to_them_is_none(said: str) -> None:
    assert told(said) == []


def test_a_turn_that_is_read_as_a_fact_is_not_told_twice() -> None:
    assert told("남자친구랑 헤어졌어 ㅠㅠ") == []
