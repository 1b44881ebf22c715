"""Facts are noted down as a person would write them."""

import pytest

from gieok.domain.attributes import SCHEMA
from gieok.language.notes import note


@pytest.mark.parametrize(
    ("fact", "now", "before", "negative", "ended"),
    [
        ("relationship_status=기혼", "결혼함", "예전에 결혼했었음", "결혼 안 함", "이제는 결혼한 사이가 아님"),
        ("relationship_status=돌싱", "돌싱임", "예전에는 돌싱이었음", "돌싱이 아님", "이제는 돌싱이 아님"),
        ("job=의사", "의사임", "예전에 의사였음", "의사가 아님", "이제는 의사가 아님"),
        ("job=꽃집 운영", "꽃집 운영을 함", "예전에 꽃집 운영을 했음", "꽃집 운영을 안 함", "이제는 꽃집 운영을 안 함"),
        ("residence=판교", "판교에 삶", "예전에 판교에 살았음", "판교에 살지 않음", "이제는 판교에 살지 않음"),
        ("likes=빵 굽는 거", "빵 굽는 걸 좋아함", "예전에는 빵 굽는 걸 좋아했음", "빵 굽는 걸 안 좋아함",
         "이제는 빵 굽는 걸 안 좋아함"),
        ("plan=집 짓기", "집 지을 예정", "집 지을 예정이었음", "집 지을 예정은 없음", "집 지을 예정이었지만 취소됨"),
        ("todo=관리비 내기", "관리비 내야 함", "관리비 내야 했음", "관리비 내지 않아도 됨",
         "이제는 관리비 내지 않아도 됨"),
    ],
)  # fmt: skip
def test_a_korean_note_tells_what_is_what_was_and_what_is_over(fact, now, before, negative, ended) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "ko") == now
    assert note(attribute, value, "ko", over=True) == before
    assert note(attribute, value, "ko", negative=True) == negative
    assert note(attribute, value, "ko", negative=True, over=True) == ended


@pytest.mark.parametrize(
    ("fact", "noted"),
    [
        ("age=25", "25살임"),
        ("family=막내", "막내임"),
        ("family=언니 2명", "언니 2명이 있음"),
        ("phobia=고소공포증", "고소공포증이 있음"),
        ("diet=채식", "채식을 함"),
        ("diet=처방식", "처방식을 함"),
        ("medication=안약", "안약을 씀"),
        ("plan=왕도로 돌아가기", "왕도로 돌아갈 예정"),
        ("plan=노래 듣기", "노래 들을 예정"),
        ("plan=내년 봄 스팀 출시", "내년 봄 스팀 출시 예정"),
        ("promise=꽃 보러 가기", "꽃 보러 가기로 약속함"),
        ("promise=편지", "편지를 약속함"),
        ("todo=과제", "과제 해야 함"),
        ("trait=무뚝뚝함", "성격이 무뚝뚝함"),
        ("trait=낯을 가림", "낯을 가림"),
        ("trait=노력파", "노력파임"),
        ("trauma=개한테 물림", "개한테 물린 게 트라우마로 남아 있음"),
        ("trauma=물", "물이 트라우마로 남아 있음"),
        ("favorite.food=라면", "가장 좋아하는 음식은 라면임"),
        ("favorite.꽃=장미", "가장 좋아하는 꽃은 장미임"),
        ("favorite.flower=장미", "장미를 가장 좋아함"),
        ("constraint=통금 열 시", "통금 열 시"),
    ],
)
def test_a_note_fits_its_value(fact, noted) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "ko") == noted


@pytest.mark.parametrize(
    ("fact", "over", "noted"),
    [
        ("job=nurse", False, "works as a nurse"),
        ("job=intern", False, "is an intern"),
        ("mbti=INFP", False, "is an INFP by MBTI"),
        ("birthday=03-15", False, "was born on March 15"),
        ("family=only child", False, "is an only child"),
        ("family=3 brothers", False, "has 3 brothers"),
        ("plan=trip to Lisbon", False, "plans a trip to Lisbon"),
        ("dream=see the northern lights", False, "wants to see the northern lights one day"),
        ("favorite.food=ramen", False, "likes ramen best of all food"),
        ("favorite.flower=roses", False, "likes roses best of all flowers"),
        ("residence=Mapo", True, "used to live in Mapo"),
        ("event=exam tomorrow", False, "exam tomorrow"),
    ],
)
def test_an_english_note(fact, over, noted) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "en", over=over) == noted


@pytest.mark.parametrize("language", ["ko", "en"])
def test_no_note_shows_the_name_of_its_attribute(language) -> None:
    for attribute in SCHEMA:
        for negative in (False, True):
            for over in (False, True):
                told = note(attribute, "라면", language, negative=negative, over=over)
                assert "라면" in told
                assert not set("{_") & set(told)
