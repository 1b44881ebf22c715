"""What is asked, wished, supposed, ordered, heard, quoted or said in fun makes no fact."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.extract.english import EnglishRules
from support.speech import spoken


def read(said: str) -> list[Claim]:
    turn = spoken(said)
    return list(EnglishRules().claims(turn, Scope(user="minsu", character="letia"), ()))


@pytest.mark.parametrize(
    "said",
    [
        "do you like cats?",
        "Do you like ramen",
        "What's my name?",
        "should I get a cat?",
        "is your name Anna",
        "I wish I were a doctor",
        "I want to live in Paris",
        "I'd love to visit Japan",
        "If I were rich I would live in Hawaii",
        "imagine living in Hawaii",
        "suppose I was a spy",
        "I might move to Berlin",
        "I almost bought a house in Leeds",
        "call me later",
        "don't worry about it",
        "They say I'm lazy",
        "My mom says I'm lazy",
        "I heard you live in Seoul",
        'She said "I\'m a doctor"',
        "I'm a doctor jk",
        "I'm 27 lol just kidding",
        "*I am a pirate captain* hello there",
        "♪ I'm a barbie girl ♪",
        "oh sure, I just LOVE traffic jams",
        "I'm reading a book about law",
        "I have fish for dinner",
        "I'm in Seoul for the weekend",
        "I live in fear of my landlord",
        "I was born ready",
        "it's 27 degrees outside",
        "he lives in Rome",
        "my job is stressful",
        "I love your hair",
        "I can't find my keys",
        "I got into a fight",
        "you're right",
    ],
)
def test_what_tells_nothing_lasting_gives_nothing(said: str) -> None:
    assert read(said) == []


@pytest.mark.parametrize(
    "said", ["Did I tell you I have a dog?", "Did you know I have a dog?", "remember I have a dog"]
)
def test_what_a_question_takes_for_granted_is_told(said: str) -> None:
    assert [(each.attribute, each.value) for each in read(said)] == [("pet", "dog")]


@pytest.mark.parametrize(
    "said", ["Maybe I'm an INFP", "I think I'm an INFP", "I guess I'm an INFP", "I'm probably an INFP"]
)
def test_what_is_held_back_is_less_certain(said: str) -> None:
    assert [(each.value, each.certainty) for each in read(said)] == [("INFP", 0.4)]


def test_a_statement_stands_beside_a_question() -> None:
    assert [(each.attribute, each.value) for each in read("I live in Seoul, what about you?")] == [
        ("residence", "Seoul")
    ]


def test_who_somebody_is_in_a_scene_is_a_role_but_their_tastes_are_their_own() -> None:
    assert [each.attribute for each in read("*sits down* I'm a nurse and I love ramen")] == ["likes"]
