"""Ways of life: hobbies, habits, exercise, dreams, skills and diets, named or told by what is done."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def facts(said: str) -> set[tuple[str, str | None, str | None]]:
    turn = spoken(said)
    return {(claim.subject_id, claim.attribute, claim.value) for claim in KoreanRules().claims(turn, SCOPE, ())}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("십자수 놓는 게 내 유일한 취미야", "hobby", "십자수 놓기"),
        ("취미 묻길래 목공이라고 말했어", "hobby", "목공"),
        ("주말마다 수채화 그려요", "hobby", "수채화 그리기"),
        ("퀼트에 취미 붙였어", "hobby", "퀼트"),
        ("피아노 치는 재미로 살아", "hobby", "피아노 치기"),
        ("귀 만지는 버릇 있어", "habit", "귀 만지기"),
        ("버릇이야 발 구르는 거", "habit", "발 구르기"),
        ("나도 모르게 펜 돌리고 있더라", "habit", "펜 돌리기"),
        ("메모하는 게 몸에 뱄어", "habit", "메모하기"),
        ("작은 서점 여는 게 꿈이야", "dream", "서점 열기"),
        ("약사가 꿈이라 공부 중이에요", "dream", "약사"),
        ("오페라 가수를 꿈꾸며 살아", "dream", "오페라 가수"),
        ("통역사가 되려고 매일 열심히 공부하고 있어", "dream", "통역사"),
        ("올해 목표는 10키로 감량하는 거야", "goal", "10키로 감량"),
        ("나 중국어 할 줄 알아", "skill", "중국어"),
        ("저는 일본어를 유창하게 합니다", "skill", "일본어"),
        ("나 운전 하나는 자신 있어", "skill", "운전"),
        ("펜싱 6개월 차야", "exercise", "펜싱"),
        ("복싱 수업 때문에 온몸이 쑤셔", "exercise", "복싱"),
        ("필라테스 하느라 약속을 못 잡아", "exercise", "필라테스"),
        ("저염식으로 먹고 있어", "diet", "저염식"),
        ("설탕 끊은 지 한 달 됐어", "diet", "설탕 끊기"),
    ],
)
def test_a_way_of_life_is_read_by_name_or_by_what_is_done(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


def test_what_others_do_is_theirs() -> None:
    assert facts("내 동생은 코 파는 버릇 있어") == {("동생", "habit", "코 파기")}
    assert ("user", "diet", "키토 식단") not in facts("친구가 키토 식단 중이야")


@pytest.mark.parametrize(
    "said",
    [
        "안경 올리는 버릇은 없어",
        "손톱 뜯는 버릇을 고쳤어",
        "어릴 적 꿈은 화가였어",
        "내 취미가 설거지지 아주",
        "어제 야구 경기 봤어",
        "너 노래 진짜 잘한다",
        "취미로 자수 같은 거 배워볼까?",
    ],
)
def test_what_is_no_way_of_life_gives_none(said: str) -> None:
    kinds = ("hobby", "habit", "dream", "skill", "exercise")
    assert not {fact for fact in facts(said) if fact[0] == "user" and fact[1] in kinds}
