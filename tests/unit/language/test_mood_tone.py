"""Held back with a "maybe", or said in fun."""

import pytest

from gieok.language.mood import hedged, joking
from gieok.language.morphemes import analyse


@pytest.mark.parametrize(
    "text",
    [
        "나 아마 AB형일걸?",
        "그런 듯",
        "주 3회는 먹는 듯",
        "맞는 것 같아",
        "B형인 거 같아요",
        "글쎄",
        "감기가 아닐까",
        "벌써 왔나 봐",
        "그럴지도 몰라",
        "그럴 수도 있지",
        "확실하진 않아",
    ],
)
def test_a_speaker_who_is_not_sure_hedges(text):
    assert hedged(analyse(text))


@pytest.mark.parametrize(
    "text", ["나는 고양이를 좋아해", "우리 같이 갔어", "천사 같은 사람이야", "너랑 생각이 같아", "키가 큰 편이야", ""]
)
def test_a_plain_statement_does_not(text):
    assert not hedged(analyse(text))


@pytest.mark.parametrize(
    "text",
    [
        "아까 나 의사라고 한 거 뻥이야ㅋㅋ 사실 백수임",
        "농담이야",
        "구라임ㅋㅋ",
        "장난친 거야",
        "장난으로 한 말이야",
        "아~ 나 야근 너무 사랑해~ 매일매일 하고 싶다^^",
    ],
)
def test_fun_that_says_so_is_heard(text):
    assert joking(text)


@pytest.mark.parametrize(
    "text",
    [
        "우리 학교 언덕 장난 아님",
        "농담 아니고 진짜야",
        "농담이 아니야",
        "장난감 좋아해",
        "뻥튀기 좋아해",
        "나 사실 외계인임ㅋㅋㅋㅋㅋ",
        "반가워요~ ^^",
        "와~ 너무 예뻐요~ 감사해요^^",
        "",
    ],
)
def test_a_laugh_a_smile_or_a_denial_is_not_fun_that_says_so(text):
    assert not joking(text)


def test_a_hostile_text_is_read_quickly():
    assert not joking("아~ 너무" * 5000)
