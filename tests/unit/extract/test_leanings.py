"""Tastes and ways of life that people give away while they tell something else."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day


def read(text: str, asked: str = "") -> set[tuple[str, str | None, str | None, str]]:
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=text, at=day(1), position=0)
    before = [Utterance(id="b", turn_id="b", speaker="character", text=asked, at=day(1), position=0)] if asked else []
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    claims = KoreanRules().claims(turn, Scope(user="minsu"), before)
    return {(claim.subject_id, claim.attribute, claim.value, claim.polarity) for claim in claims}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("일주일에 다섯 번은 제육볶음 먹는 듯", "favorite.food", "제육볶음"),
        ("쌀국수는 삼시세끼 먹어도 안 질려", "favorite.food", "쌀국수"),
        ("자주색만 보면 일단 지갑부터 열어", "favorite.color", "자주색"),
        ("눈 내리는 계절만 기다리며 살아요", "favorite.season", "겨울"),
        ("바빌론 열 번은 봤어 진짜", "favorite.movie", "바빌론"),
        ("종의 기원을 다섯 번 읽었어요", "favorite.book", "종의 기원"),
        ("실리카겔 전곡 가사 다 외움", "favorite.music", "실리카겔"),
    ],
)
def test_what_is_done_over_and_over_is_a_favourite(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value, "+") in read(text)


@pytest.mark.parametrize(
    "text", ["면접을 세 번 봤어", "시험 다섯 번 봤는데 다 떨어짐", "친구가 바빌론을 열 번은 봤대", "뉴스를 매일 봐"]
)
def test_not_all_that_is_seen_often_is_liked(text: str) -> None:
    assert not {attribute for _, attribute, _, _ in read(text) if attribute and attribute.startswith("favorite.")}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("제가 제일 좋아하는 갈비찜을 엄마가 해주셨어요", "favorite.food", "갈비찜"),
        ("내가 좋아하는 작은 서점이 문을 닫았어", "likes", "작은 서점"),
        ("인생 영화인 헤어질 결심을 또 봤다", "favorite.movie", "헤어질 결심"),
        ("내가 싫어하는 가지볶음이 또 나왔네", "dislikes", "가지볶음"),
        ("최애 계절인 가을이 왔다", "favorite.season", "가을"),
    ],
)
def test_a_thing_may_be_called_liked_on_the_way_to_something_else(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value, "+") in read(text)


@pytest.mark.parametrize(
    "text", ["네가 좋아하는 김밥 사왔어", "내가 좋아하는 사람이 생겼어", "동생이 제일 좋아하는 떡볶이 사 옴"]
)
def test_what_others_like_and_whom_somebody_likes_is_no_taste(text: str) -> None:
    assert not {said for said in read(text) if said[0] == "user" and said[1] != "family"}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("새벽마다 한강 뛰는 게 루틴이야", "exercise", "러닝"),
        ("주말마다 북한산 올라가", "exercise", "등산"),
        ("크로스핏 하는 남자라 손에 굳은살이 많아요", "exercise", "크로스핏"),
        ("고기는 아예 안 먹어요", "diet", "채식"),
        ("배우를 꿈꾸는 고3이에요", "dream", "배우"),
        ("나중에 꼭 소방관이 될 거야", "dream", "소방관"),
        ("취미로 배우는 서예가 너무 재밌어", "hobby", "서예"),
        ("손톱 뜯는 버릇 때문에 손이 엉망이야", "habit", "손톱 뜯기"),
        ("밥 먹고 바로 눕는 버릇 있어", "habit", "밥 먹고 바로 눕기"),
        ("나 기타 좀 쳐", "skill", "기타"),
    ],
)
def test_ways_of_life_are_told_by_the_way(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value, "+") in read(text)


@pytest.mark.parametrize("text", ["친구가 데드리프트 100 찍었대", "어제 처음으로 암장 가봤어", "친구가 소방관 될 거래"])
def test_what_others_do_and_what_was_tried_once_is_no_way_of_life(text: str) -> None:
    assert not {said for said in read(text) if said[0] == "user"}


@pytest.mark.parametrize(
    ("text", "now", "gone"),
    [
        ("오이 싫어했는데 이젠 푹 빠졌어", ("likes", "오이"), ("dislikes", "오이")),
        ("그렇게 좋아하던 곱창인데 체하고 나서 쳐다도 안 봐", ("dislikes", "곱창"), ("likes", "곱창")),
        ("힙합만 듣던 내가 재즈로 갈아탔어", ("favorite.music", "재즈"), ("favorite.music", "힙합")),
        ("떡볶이가 원픽이었는데 마라탕한테 밀림", ("favorite.food", "마라탕"), ("favorite.food", "떡볶이")),
    ],
)
def test_a_taste_that_turned_ends_the_old_one(text: str, now: tuple[str, str], gone: tuple[str, str]) -> None:
    said = read(text)
    assert ("user", *now, "+") in said
    assert ("user", *gone, "-") in said


@pytest.mark.parametrize(
    ("asked", "text", "attribute", "value"),
    [
        ("커서 뭐가 되고 싶어?", "수의사요!", "dream", "수의사"),
        ("못 먹는 음식 있어?", "고수요", "dislikes", "고수"),
        ("무인도에 책 한 권만 가져간다면?", "고민도 없이 데미안", "favorite.book", "데미안"),
    ],
)
def test_an_answer_is_read_with_what_was_asked(asked: str, text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value, "+") in read(text, asked)
