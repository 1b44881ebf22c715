"""What the character without a model says, from decisions that are given: no extraction, no ranking."""

from typing import get_args

import pytest

from gieok.cli.look.words import WORDS
from gieok.cli.phrases import answer, lines, phrases
from gieok.domain.answer import Found, Hit, Observed
from gieok.domain.decision import Ignore, Reason, Remember
from gieok.domain.memory import Change
from gieok.domain.promotion import Promotion
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.testing import claim, memory, turn

LETIA = Scope(user="민수", character="레티아")
WORTH = Promotion(
    type_importance=0.6, confidence=0.9, future_impact=0.6, emotion=0.0, recurrence=0.0, novelty=1.0, score=0.6
)
DIFFERENT = phrases()["ignored"]["knows_better"]


def belief(attribute, value, surface=None, **fields):
    return memory("기억한 문장", attribute=attribute, value=value, surface=surface, **fields)


def heard(known):
    remember = Remember(claim=claim("note", None), changes=(Change(before=None, after=known),), promotion=WORTH)
    return answer(Observed(turn=turn("말"), decisions=(remember,)), [], LETIA, asked=False)


def asked(known):
    hit = Hit(item=known, scope=LETIA, score=1.0, parts=Parts(keyword=1.0), why=(Found(source="keyword", rank=1),))
    return answer(Observed(turn=turn("말?"), decisions=()), [hit], LETIA, asked=True)


@pytest.mark.parametrize("said", [heard, asked])
@pytest.mark.parametrize(
    ("attribute", "value", "surface", "spoken"),
    [
        ("age", "25", "스물다섯 살", "25살이"),
        ("age", "25", "스물다섯", "25살이"),
        ("birthday", "08-15", "8월 15일", "8월 15일이"),
        ("birthday", "1999-12-05", None, "1999년 12월 5일이"),
        ("birthday", "크리스마스 이브", None, "크리스마스 이브"),
    ],
)
def test_ages_and_birthdays_are_said_in_full_however_they_were_said(said, attribute, value, surface, spoken):
    reply = said(belief(attribute, value, surface))
    assert spoken in reply
    assert "살살" not in reply
    assert "살 살" not in reply


@pytest.mark.parametrize("said", [heard, asked])
def test_what_is_disliked_has_phrases_of_its_own(said):
    assert "뱀" in said(belief("dislikes", "뱀"))
    assert "싫어하" in said(belief("dislikes", "뱀"))


@pytest.mark.parametrize("said", [heard, asked])
@pytest.mark.parametrize(
    "known",
    [belief("allergy", "땅콩", polarity="-"), belief("likes", None), belief("likes", "차", speaker="character")],
    ids=["denied", "without a value", "said by another"],
)
def test_a_memory_that_no_phrase_fits_is_quoted(said, known):
    assert "기억한 문장" in said(known)


@pytest.mark.parametrize("why", get_args(Reason))
def test_only_what_is_known_better_is_answered_by_knowing_otherwise(why):
    ignored = Observed(turn=turn("졸려"), decisions=(Ignore(claim=claim("mood", "졸림"), why=why),))
    reply = answer(ignored, [], LETIA, asked=False)
    assert (reply == DIFFERENT) == (why in ("knows_better", "less_certain"))
    assert reply == DIFFERENT or reply in lines("small_talk")


@pytest.mark.parametrize("language", WORDS)
def test_there_are_words_for_every_reason_to_ignore(language):
    assert set(get_args(Reason)) <= set(WORDS[language].reasons)
