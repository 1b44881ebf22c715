"""A taste, a hobby or a habit that was told, and what is left of it once somebody says that it has changed."""

from __future__ import annotations

import pytest

import gieok


def now(mind: gieok.Mind, attribute: str) -> list[str | None]:
    """Return what holds of the user, denials left out."""
    held = mind.facts(about="user", attribute=attribute)
    return [memory.value for memory in held if memory.polarity == "+"]


@pytest.mark.parametrize(
    ("first", "later", "attribute", "left"),
    [
        ("최애 유튜버는 침착맨", "내 최애 유튜버 자리 뺏겼다", "favorite.유튜버", []),
        (
            "제일 좋아하는 과일은 복숭아예요",
            "저한테 과일 1순위는 이제 샤인머스캣이에요",
            "favorite.과일",
            ["샤인머스캣"],
        ),
        ("나 최애가 BTS 정국이야", "나 정국 아니고 지민이 최애라고 ㅠㅠ", "favorite.music", ["지민"]),
        ("취미는 낚시야", "낚싯대는 처분했고 요즘 취미는 목공입니다", "hobby", ["목공"]),
        ("우울증 약 먹고 있어", "이번 주에 약 완전히 끊었어", "medication", []),
        ("나 손톱 물어뜯는 버릇 있어", "버릇 완전 고침", "habit", []),
        ("올해 목표는 토익 900이야", "목표 달성했어! 다음 목표는 오픽 AL", "goal", ["오픽 AL"]),
        ("새우 알레르기 있어요", "새우는 아니고 게 알레르기래요", "allergy", ["게"]),
        ("크로스핏 다녀요", "크로스핏 회원권 끝나고 연장 안 했음", "exercise", []),
    ],
)
def test_what_has_changed_is_no_longer_so(
    letia: gieok.Mind, first: str, later: str, attribute: str, left: list[str]
) -> None:
    letia.observe(first)
    assert now(letia, attribute)

    letia.observe(later)

    assert now(letia, attribute) == left


@pytest.mark.parametrize(
    ("first", "later", "attribute", "value"),
    [
        ("내 최애 과자는 새우깡", "친구 최애 과자 바뀌었대", "favorite.과자", "새우깡"),
        ("취미는 낚시야", "낚싯대 부러져서 새로 샀어", "hobby", "낚시"),
        ("혈압약 먹어요", "오늘 약 안 먹었어요", "medication", "혈압약"),
        ("혈압약 먹어요", "엄마가 약 끊었어요", "medication", "혈압약"),
        ("나 커피 좋아해", "커피 말고 물 줘", "likes", "커피"),
        ("내 꿈은 배우야", "어제 이상한 꿈 꿨어", "dream", "배우"),
    ],
)
def test_what_others_do_or_what_is_only_for_today_changes_nothing(
    letia: gieok.Mind, first: str, later: str, attribute: str, value: str
) -> None:
    letia.observe(first)
    letia.observe(later)

    assert now(letia, attribute) == [value]


def test_which_of_two_medicines_was_left_off_nobody_can_tell(letia: gieok.Mind) -> None:
    letia.observe("혈압약 먹어요")
    letia.observe("당뇨약도 먹고 있어요")
    letia.observe("약 끊었어요")

    assert sorted(value or "" for value in now(letia, "medication")) == ["당뇨약", "혈압약"]


def test_favourites_of_different_kinds_stand_side_by_side(letia: gieok.Mind) -> None:
    letia.observe("내 최애 음식은 떡볶이")
    letia.observe("최애 과자는 새우깡이지")

    assert (now(letia, "favorite.food"), now(letia, "favorite.과자")) == (["떡볶이"], ["새우깡"])
    assert "가장 좋아하는 과자는 새우깡임" in [memory.content for memory in letia.facts(about="user")]
