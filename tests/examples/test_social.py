"""examples/social: a bot on an event bus knows people by what they said weeks ago."""

from __future__ import annotations

from typing import Any

import pytest

from support.playing import player


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield player("social", patch)(tmp_path_factory.mktemp("social"))  # by meaning: with the encoder


def test_an_event_that_is_delivered_twice_is_learned_from_and_answered_once(played):
    result, screen = played
    assert (result.delivered, result.turns) == (19, 18)
    assert screen.count("이미 아는 글이 또 왔다") == 1
    assert sorted(result.comments) == sorted([*(f"c-p{number}" for number in range(1, 12)), "n6"])


def test_a_reply_brings_up_what_the_same_person_said_weeks_ago(played):
    comments = played[0].comments
    assert comments["c-p1"] == "반가워요, 민지 님!"
    assert "5주 전에" in comments["c-p10"]
    assert "종이 상자를 좋아해요" in comments["c-p10"]
    assert "춘천 마라톤" in comments["c-p11"]
    assert "우유 알레르기" in comments["n6"]


def test_each_profile_holds_what_is_true_of_that_person_now(played):
    people = played[0].people
    assert "부산에 삶" in people["민지"].facts
    assert "서울에 삶" not in people["민지"].facts
    assert "우유 알레르기가 있음" in people["하린"].facts
    assert not set(people["하린"].facts) & set(people["도윤"].facts)


def test_how_somebody_is_spoken_of_has_its_ups_and_downs(played):
    regards = played[0].people["도윤"].regards
    assert min(regards) < -0.1 < 0 < regards[-1]


def test_upkeep_between_the_events_sums_up_everybody(played):
    concluded = played[0].concluded
    assert {told.partition(":")[0] for told in concluded} >= {"민지", "도윤", "하린"}


def test_what_was_said_in_private_is_not_told_in_the_open(played):
    result, _ = played
    assert "병원" in result.in_private
    assert "병원" not in result.in_the_open
    assert not [words for words in result.comments.values() if "병원" in words]
