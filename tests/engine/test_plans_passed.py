"""A plan whose day has passed is asked about: once, in the way the character speaks, until it was spoken of."""

from datetime import datetime, timedelta

import pytest

from gieok.testing import claim
from support.stated import StatedReader

MONDAY = datetime.fromisoformat("2026-03-09T20:00:00+09:00")
WEDNESDAY = datetime.fromisoformat("2026-03-11T00:00:00+09:00")


def at(days: float) -> datetime:
    return MONDAY + timedelta(days=days)


@pytest.fixture
def booked(open_bank):
    """A mind that is sure of what is planned for Tuesday."""
    stated = {
        "내일 면접 있어": [claim("plan", "면접", invalid_at=WEDNESDAY)],
        "내일 치과 가기로 했어": [claim("plan", "치과 가기", invalid_at=WEDNESDAY)],
    }
    return open_bank(extractor=StatedReader(stated)).scope(user="minsu", character="letia")


@pytest.mark.parametrize(
    ("plan", "days", "question"),
    [
        ("내일 면접 있어", 1, ()),
        ("내일 면접 있어", 2, ("어제 면접 어땠어요?",)),
        ("내일 면접 있어", 3, ("그저께 면접 어땠어요?",)),
        ("내일 면접 있어", 5, ("화요일 면접 어땠어요?",)),
        ("내일 면접 있어", 9, ()),
        ("내일 치과 가기로 했어", 2, ("어제 치과 가기로 한 건 어땠어요?",)),
    ],
)
def test_a_plan_of_a_day_is_asked_about_when_that_day_has_passed(booked, plan, days, question):
    booked.observe(plan, at=MONDAY)
    assert booked.observe("안녕", at=at(days)).questions == question


@pytest.mark.parametrize(
    ("plan", "days", "question"),
    [
        ("다음 주에 제주도 여행 갈 예정이야", 10, ()),
        ("다음 주에 제주도 여행 갈 예정이야", 15, ("이번 제주도 여행 어땠어요?",)),
        ("나중에 제주도 여행 가고 싶어", 15, ()),
    ],
)
def test_a_plan_that_is_read_is_asked_about_when_its_time_has_passed(letia, plan, days, question):
    letia.observe(plan, at=MONDAY)
    assert letia.observe("안녕", at=at(days)).questions == question


@pytest.mark.parametrize(
    ("said", "reply"), [("면접 보고 왔어. 망했어", None), ("안녕", "어제 면접은 어땠어요?")], ids=["told", "asked"]
)
def test_a_plan_that_was_spoken_of_since_is_not_asked_about(booked, said, reply):
    booked.observe("내일 면접 있어", reply="면접 잘 봐요!", at=MONDAY)
    booked.observe(said, reply=reply, at=at(1.1))
    assert booked.observe("심심하다", at=at(2)).questions == ()


def test_a_character_that_speaks_casually_asks_casually(booked):
    for minute, reply in enumerate(("응 나도 반가워", "나는 밥 먹었어", "오늘은 뭐 했어?")):
        booked.observe("안녕", reply=reply, at=MONDAY + timedelta(minutes=minute))
    booked.observe("내일 면접 있어", at=at(0.1))
    assert booked.observe("안녕", at=at(2)).questions == ("어제 면접 어땠어?",)


@pytest.mark.parametrize(
    ("value", "content", "question"),
    [
        ("interview", "has an interview", "How did the interview go yesterday?"),
        ("see a doctor", "plans to see a doctor", "You wanted to see a doctor yesterday. How did it go?"),
    ],
)
def test_a_plan_is_asked_about_in_english(open_bank, value, content, question):
    plan = claim("plan", value, content=content, invalid_at=WEDNESDAY)
    mind = open_bank(language="en", extractor=StatedReader({"it is set": [plan]})).scope(user="ann", character="bo")
    mind.observe("it is set", at=MONDAY)
    assert mind.observe("hi", at=at(2)).questions == (question,)


@pytest.mark.parametrize("called_off", [{"act": "end", "polarity": "-"}, {"act": "retract"}])
def test_a_plan_that_was_called_off_is_not_asked_about(open_bank, called_off):
    stated = {
        "잡혔다": [claim("plan", "면접", invalid_at=WEDNESDAY)],
        "취소됐어": [claim("plan", "면접", **called_off)],
    }
    mind = open_bank(extractor=StatedReader(stated)).scope(user="minsu", character="letia")
    mind.observe("잡혔다", at=MONDAY)
    mind.observe("취소됐어", at=at(0.5))
    assert mind.observe("안녕", at=at(2)).questions == ()


def test_what_is_doubtful_is_asked_first_and_alone(open_bank):
    stated = {
        "잡혔다": [claim("plan", "면접", invalid_at=WEDNESDAY)],
        "땅콩": [claim("allergy", "땅콩", doubtful=True)],
    }
    mind = open_bank(extractor=StatedReader(stated)).scope(user="minsu", character="letia")
    mind.observe("잡혔다", at=MONDAY)
    assert mind.observe("땅콩", at=at(2)).questions == ("혹시 땅콩 알레르기가 있으세요?",)
