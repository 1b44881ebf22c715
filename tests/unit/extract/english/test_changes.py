"""What becomes of a fact: over, replaced, put right, taken back."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.english import EnglishRules
from gieok.testing import day, memory


def read(said: str, **known: str) -> list[Claim]:
    """Read `said` by a user of whom `known` (attribute=value) is known; dots in attributes are written as __."""
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    facts = tuple(
        memory(key, id=key, attribute=key.replace("__", "."), value=value, surface=value)
        for key, value in known.items()
        if value in said
    )
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(EnglishRules().claims(turn, Scope(user="minsu"), (), Background(mentioned=facts)))


def changes(said: str, **known: str) -> list[tuple[str | None, str | None, str, str, str | None]]:
    return [(each.attribute, each.value, each.polarity, each.act, each.instead_of) for each in read(said, **known)]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I don't work at Naver anymore", "workplace", "Naver"),
        ("I quit my job at Naver", "workplace", "Naver"),
        ("I stopped playing tennis", "exercise", "tennis"),
        ("I gave up coffee", "likes", "coffee"),
        ("I'm no longer a student", "job", "student"),
        ("we moved out of London", "residence", "London"),
        ("our cat died in March", "pet", "cat"),
        ("I broke my diet, not vegan anymore", "diet", "vegan"),
    ],
)
def test_what_no_longer_goes_on_is_ended(said: str, attribute: str, value: str) -> None:
    assert changes(said) == [(attribute, value, "-", "end", None)]


@pytest.mark.parametrize("said", ["I used to live in Mapo", "I lived in Mapo for two years"])
def test_what_was_so_is_told_as_over(said: str) -> None:
    claim = read(said)[0]

    assert (claim.attribute, claim.value, claim.invalid_at) == ("residence", "Mapo", day(1))


@pytest.mark.parametrize(
    ("said", "attribute", "new", "old"),
    [
        ("I'm actually 27, not 26", "age", "27", "26"),
        ("I live in Busan, not Seoul", "residence", "Busan", "Seoul"),
        ("my name isn't Kate, it's Katie", "name", "Katie", "Kate"),
        ("I'm not a nurse, I'm a doctor", "job", "doctor", "nurse"),
        ("It's not peanuts, it's cashews I'm allergic to", "allergy", "cashews", "peanuts"),
    ],
)
def test_what_is_put_right_names_what_was_wrong(said: str, attribute: str, new: str, old: str) -> None:
    assert (attribute, new, "+", "correct", old) in changes(said)


@pytest.mark.parametrize(
    ("said", "attribute", "new", "old"),
    [
        ("sorry, it's Sian, not Sean, my friend from choir", "friend", "Sian", "Sean"),
        ("I meant otters, not beavers", "favorite__animal", "otters", "beavers"),
        ("bored of Tetris, it's chess now", "favorite__game", "chess", "Tetris"),
        ("make that 41, not 40", "age", "41", "40"),
    ],
)
def test_what_is_known_tells_what_the_new_value_is(said: str, attribute: str, new: str, old: str) -> None:
    claims = read(said, **{attribute: old})

    assert (attribute.replace("__", "."), new, old) in [
        (each.attribute, each.value, each.instead_of) for each in claims
    ]
    assert not any(each.value == old and each.polarity == "+" for each in claims)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("ugh, Lisbon fell through", "plan", "Lisbon"),
        ("so done with knitting", "hobby", "knitting"),
        ("can you drop the Noodle thing, I hate it", "nickname", "Noodle"),
    ],
)
def test_what_is_known_and_given_up_is_ended(said: str, attribute: str, value: str) -> None:
    assert (attribute, value, "-", "end", None) in changes(said, **{attribute: value})


@pytest.mark.parametrize("said", ["I was joking about being a doctor", "I said I was a doctor but that was a lie"])
def test_what_was_said_in_jest_is_taken_back(said: str) -> None:
    assert changes(said) == [("job", "doctor", "+", "retract", None)]


def test_a_preference_names_what_it_is_preferred_to() -> None:
    assert changes("I prefer tea to coffee") == [("likes", "tea", "+", "prefer", "coffee")]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("ran out of coffee", "likes", "coffee"),
        ("I'm from Seoul", "hometown", "Seoul"),
        ("Anna is not here, it's her brother", "name", "Anna"),
        ("I'm not joking, I love Seoul", "residence", "Seoul"),
        ("lost at chess today", "hobby", "chess"),
    ],
)
def test_a_mention_that_gives_nothing_up_ends_nothing(said: str, attribute: str, value: str) -> None:
    assert all(each.act == "assert" and each.polarity == "+" for each in read(said, **{attribute: value}))
