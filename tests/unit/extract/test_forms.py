"""The documents' 25 items, written as "주제: 내용"."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

ITEMS = [
    ("이름: 김민수", "name", "김민수"), ("나이: 20살", "age", "20"), ("직업: 대학생", "job", "대학생"),
    ("전공: 컴퓨터공학", "major", "컴퓨터공학"), ("MBTI: INFP", "mbti", "INFP"),
    ("좋아하는 음식: 떡볶이", "favorite.food", "떡볶이"), ("반려동물: 러시안블루 나비", "pet", "러시안블루"),
    ("K-pop: BTS", "favorite.music", "BTS"), ("공포: 거미", "phobia", "거미"), ("베프: 정호", "friend", "정호"),
    ("좋아하는 계절: 가을", "favorite.season", "가을"), ("좋아하는 색: 파란색", "favorite.color", "파란색"),
    ("알레르기: 땅콩", "allergy", "땅콩"), ("알바: 카페", "part_time_job", "카페"),
    ("거주지: 서울 강남구", "residence", "서울 강남구"), ("생일: 3월 15일", "birthday", "03-15"),
    ("혈액형: A형", "blood_type", "A"), ("키: 178cm", "height", "178"), ("별명: 수수", "nickname", "수수"),
    ("가족: 외동아들", "family", "외동"), ("고향: 부산", "hometown", "부산"),
    ("꿈: 게임 개발자", "dream", "게임 개발자"),
    ("취미: 판타지 소설 읽기", "hobby", "판타지 소설 읽기"), ("운동: 수영", "exercise", "수영"),
    ("영화: 인터스텔라", "favorite.movie", "인터스텔라"), ("연애상태: 솔로", "relationship_status", "솔로"),
]  # fmt: skip


def read(said: str) -> list[tuple[str | None, str | None]]:
    turn = spoken(said)
    return [(each.attribute, each.value) for each in KoreanRules().claims(turn, Scope(user="minsu"), ())]


@pytest.mark.parametrize(("said", "attribute", "value"), ITEMS)
def test_a_field_of_a_form_gives_its_fact_and_nothing_else(said: str, attribute: str, value: str) -> None:
    assert read(said) == [(attribute, value)]


def test_a_whole_form_gives_every_field() -> None:
    facts = {(attribute, value) for _, attribute, value in ITEMS}

    assert set(read("\n".join(said for said, _, _ in ITEMS))) == facts


@pytest.mark.parametrize("said", ["생일: 비밀", "나이: ?", "직업: 아직 없음", "참고: 내일 비 온대", "시간: 3시"])
def test_what_is_left_open_gives_none(said: str) -> None:
    assert read(said) == []
