"""What happened between the two is an event, and no fact about a person."""

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken


def read(said):
    turn = spoken(said)
    claims = KoreanRules().claims(turn, Scope(user="minsu", character="letia"), ())
    return [(claim.attribute, claim.content, claim.content_type) for claim in claims]


@pytest.mark.parametrize(
    ("said", "event"),
    [
        ("오늘 너한테 꽃을 선물했어", "꽃을 선물했음"),
        ("레티아한테 꽃을 선물했다", "레티아한테 꽃을 선물했음"),
        ("나 너랑 처음으로 바다에서 불꽃놀이 봤잖아", "처음으로 바다에서 불꽃놀이 봤음"),
    ],
)
def test_a_deed_is_an_event_of_its_own(said, event):
    assert read(said) == [("event", event, "event")]


@pytest.mark.parametrize(
    "said",
    [
        "친구가 나한테 시계를 선물했어",
        "너한테 선물 안 했어",
        "너한테 꽃 선물했었나?",
        "너랑 얘기했어",
        "너랑 갔으면 좋았을 텐데",
    ],
)
def test_what_was_not_done_or_by_others_is_none(said):
    assert not any(attribute == "event" for attribute, _, _ in read(said))
