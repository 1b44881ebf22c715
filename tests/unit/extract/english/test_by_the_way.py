"""What the English rules read by the way: roles, introductions, occasions, limits and what matters to somebody."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.extract.english import EnglishRules
from gieok.testing import day
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def read(said: str, asked: str | None = None) -> list[Claim]:
    turn = spoken(said)
    question = Utterance(id="q", turn_id="s", speaker="character", text=asked or "", at=day(1), position=0)
    return list(EnglishRules().claims(turn, SCOPE, (question,) if asked else ()))


def facts(said: str, asked: str | None = None) -> set[tuple[str | None, str | None]]:
    return {(each.attribute, each.value) for each in read(said, asked) if each.subject == "user" and each.attribute}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("as a nurse I see this all the time", "job", "nurse"),
        ("being vegan is hard here", "diet", "vegan"),
        ("ten years as a paramedic does that to you", "job", "paramedic"),
        ("as an INFP I need alone time", "mbti", "INFP"),
        ("being Polish I love pierogi", "nationality", "Polish"),
        ("as someone with adhd I lose everything", "medical_condition", "adhd"),
        ("at 45 I still can't swim", "age", "45"),
        ("at 150cm I can't reach anything", "height", "150"),
        ("I restore clocks for a living", "job", "restoring clocks"),
        ("down here in Tampa it's boiling", "residence", "Tampa"),
        ("total perfectionist, sorry", "trait", "perfectionist"),
    ],
)
def test_what_somebody_is_can_be_said_by_the_way(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "name"),
    [("i'm john", "John"), ("hannah here!", "Hannah"), ("hey its leo here", "Leo"), ("names sam btw", "Sam")],
)
def test_a_name_needs_no_capital_where_it_is_known_as_one(said: str, name: str) -> None:
    assert facts(said) == {("name", name)}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I have an interview on friday", "event", "interview on friday"),
        ("my dentist appointment is on tuesday", "event", "dentist appointment on tuesday"),
        ("got an exam tomorrow", "event", "exam tomorrow"),
        ("5 years sober today", "milestone", "5 years sober"),
        ("I finally published my first novel", "milestone", "published first novel"),
        ("I've just become a grandmother", "milestone", "became a grandmother"),
        ("made up my mind, we're selling the car", "decision", "sell the car"),
        ("I can't take calls after 9", "constraint", "can't take calls after 9"),
        ("my budget is 200 dollars", "constraint", "budget 200 dollars"),
        ("I only have 30 minutes", "constraint", "only 30 minutes"),
        ("I cycle to work every day", "exercise", "cycling"),
        ("my passport needs renewing", "todo", "renew my passport"),
        ("I've always wanted to see the northern lights", "dream", "see the northern lights"),
    ],
)
def test_occasions_and_limits(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("gardening is my thing", "hobby", "gardening"),
        ("horror just isn't my thing", "dislikes", "horror"),
        ("true crime podcasts are my guilty pleasure", "likes", "true crime podcasts"),
        ("flying terrifies me", "phobia", "flying"),
        ("the best book I've ever read is Dune", "favorite.book", "Dune"),
        ("comments about my weight are off limits", "boundary", "comments about my weight"),
        ("if I eat kiwi my mouth itches", "allergy", "kiwi"),
        ("I break out in hives if I take penicillin", "allergy", "penicillin"),
        ("Aisha and I have been friends since primary school", "friend", "Aisha"),
        ("save my number, 555 0199", "phone", "555 0199"),
    ],
)
def test_what_matters_is_told_of_the_thing(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "as a nurse, what would you recommend?", "being vegan must be so hard", "she's tired of being single",
        "thanks for being patient", "my brother has an exam tomorrow", "call the clinic on 555-0100",
        "order number 4455667788 hasn't shipped", "i'm hangry and tired", "it's mark from accounting again",
        "he's decided he's moving", "5 years ago she got sober", "as a kid I hated peas", "at 30 degrees I melt",
        "total waste of time", "what's the best book you've ever read?", "married to my work haha",
        "not like single", "and, like married", "or like vegan",
    ],
)  # fmt: skip
def test_what_only_looks_like_it_tells_nothing(said: str) -> None:
    assert facts(said) == set()


def test_still_so_no_is_the_end_of_it() -> None:
    ended = [(each.attribute, each.value, each.polarity) for each in read("nah, estate agent now", "still a florist?")]
    assert ("job", "florist", "-") in ended
