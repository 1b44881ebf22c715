"""Wordings of chat, each with its siblings: spacing, spelling, contrast, and where a value begins and ends."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken


def facts(said: str) -> set[tuple[str, str | None]]:
    claims = KoreanRules().claims(spoken(said), Scope(user="minsu"), ())
    return {(claim.attribute, claim.value) for claim in claims if claim.subject == "user" and claim.attribute}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("우표 모으는게 취미ㅋㅋ", "hobby", "우표 모으기"),
        ("영화 보는거 취미임", "hobby", "영화 보기"),
        ("기타 치는게 취미야", "hobby", "기타 치기"),
        ("퍼즐 맞추는거 취미ㅎㅎ", "hobby", "퍼즐 맞추기"),
        ("뜨개질하는거 취미", "hobby", "뜨개질"),
        ("베프는 민지지ㅋㅋ", "friend", "민지"),
        ("베프? 당연 수연이지ㅎㅎ", "friend", "수연"),
        ("절친은 하늘이지ㅋㅋ", "friend", "하늘"),
        ("아이유 노래 개조아", "likes", "아이유 노래"),
        ("고수 개시러", "dislikes", "고수"),
        ("글구 나 A형이야", "blood_type", "A"),
        ("색은 역시 초록이지", "favorite.color", "초록"),
        ("색깔은 단연 보라색", "favorite.color", "보라색"),
        ("계절은 역시 가을이지", "favorite.season", "가을"),
        ("웹소설 작가 하나만 바라보고 있어", "dream", "웹소설 작가"),
        ("무대에 서는 걸 보고 싶어서 뮤지컬 배우 하나만 바라보고 살아", "dream", "뮤지컬 배우"),
        ("나 간호사 하나만 바라보고 살아", "dream", "간호사"),
        ("건강검진에서 재보니까 165센티가 나와서 놀라더라", "height", "165"),
        ("다들 나보고 ENFP 같다던데 결과는 INFP더라", "mbti", "INFP"),
        ("새우깡 먹고 두드러기 나서 새우는 입에도 안 대", "allergy", "새우"),
        ("계란빵 먹고 온몸에 두드러기 났어", "allergy", "계란빵"),
        ("나 찬 공기 알레르기야", "allergy", "찬 공기"),
        ("뜨거운 물 알레르기 있어", "allergy", "뜨거운 물"),
        ("심한 땅콩 알레르기 있어", "allergy", "땅콩"),
        ("직업: 간호사👍", "job", "간호사"),
        ("이름: 민수😀", "name", "민수"),
        ("좋아하는 음식: 떡볶이 쪽ㅋㅋ", "favorite.food", "떡볶이"),
    ],
)
def test_a_value_is_read_whole_and_alone(said, attribute, value):
    assert [found for kind, found in facts(said) if kind == attribute] == [value]


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("영화는 역시 극장이지", "favorite.movie"),
        ("색깔은 무조건 예뻐야지", "favorite.color"),
        ("제 친구 아가씨예요", "friend"),
        ("걔가 INFP라더라", "mbti"),
        ("혈압 재 보니까 170 나와서 다들 놀라더라", "height"),
    ],
)
def test_what_only_looks_like_it_is_left_alone(said, attribute):
    assert not [found for kind, found in facts(said) if kind == attribute]
