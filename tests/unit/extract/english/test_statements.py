"""What the English rules read in plain statements, and whose it is."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.extract.english import EnglishRules
from gieok.testing import day
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def read(said: str, speaker: str = "user", asked: str | None = None) -> list[Claim]:
    turn = spoken(said, speaker)
    question = Utterance(id="q", turn_id="s", speaker="character", text=asked or "", at=day(1), position=0)
    return list(EnglishRules().claims(turn, SCOPE, (question,) if asked else ()))


def facts(said: str, speaker: str = "user", asked: str | None = None) -> list[tuple[str, str | None, str | None]]:
    return [(claim.subject_id, claim.attribute, claim.value) for claim in read(said, speaker, asked)]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("My name is Anna.", "name", "Anna"),
        ("the name's Beatrix, nice to meet you", "name", "Beatrix"),
        ("I go by Sam", "name", "Sam"),
        ("my friends call me Mimi", "nickname", "Mimi"),
        ("i'm 25 years old", "age", "25"),
        ("just turned 31 and my knees know it", "age", "31"),
        ("i was born in '92", "birth_year", "1992"),
        ("my birthday is on March 15th", "birthday", "03-15"),
        ("I was born on 3 May 1995", "birthday", "05-03"),
        ("i'm a girl", "gender", "female"),
        ("I'm a nurse", "job", "nurse"),
        ("I work nights as a security guard", "job", "security guard"),
        ("i work for the NHS", "workplace", "NHS"),
        ("my degree is in marine biology", "major", "marine biology"),
        ("I go to Seoul National University", "school", "Seoul National University"),
        ("I was born in Busan", "hometown", "Busan"),
        ("we live in a flat in Hackney", "residence", "Hackney"),
        ("I've lived in Hongdae for five years", "residence", "Hongdae"),
        ("blood type B negative, the fussy one", "blood_type", "B"),
        ("my mbti is entp", "mbti", "ENTP"),
        ("I'm 5'11\"", "height", "180"),
        ("I'm 6ft 2", "height", "188"),
        ("I weigh 130 lbs", "weight", "59"),
        ("i'm a lefty", "handedness", "left-handed"),
        ("I hold a Brazilian passport", "nationality", "Brazilian"),
        ("I'm Buddhist", "religion", "Buddhist"),
        ("My phone number is 010-1234-5678", "phone", "010-1234-5678"),
        ("I've got three older brothers", "family", "3 brothers"),
        ("I'm an only child", "family", "only child"),
        ("I'm deathly allergic to bee stings", "allergy", "bee stings"),
        ("If I eat shrimp, I break out in hives", "allergy", "shrimp"),
        ("moths terrify me", "phobia", "moths"),
        ("was diagnosed with ADHD last spring", "medical_condition", "ADHD"),
        ("I've been on sertraline since March", "medication", "sertraline"),
        ("we keep kosher at home", "diet", "kosher"),
        ("Please don't talk about my ex", "boundary", "talk about my ex"),
        ("Anna is my best friend", "friend", "Anna"),
        ("I have two cats", "pet", "cat"),
        ("I'm seeing someone", "relationship_status", "dating"),
        ("I'm a sucker for cheesy romcoms", "likes", "cheesy romcoms"),
        ("I don't really like sushi", "dislikes", "sushi"),
        ("my favorite band is Radiohead", "favorite.music", "Radiohead"),
        ("Autumn is my favourite season", "favorite.season", "autumn"),
        ("favourite book has to be Pride and Prejudice", "favorite.book", "Pride and Prejudice"),
        ("I collect vintage stamps", "hobby", "collecting vintage stamps"),
        ("I go climbing on Thursdays", "exercise", "climbing"),
        ("I promise I'll come back", "promise", "come back"),
        ("gotta pick up my prescription before 5", "todo", "pick up my prescription before 5"),
        ("I have a part-time job at a convenience store", "part_time_job", "convenience store"),
        ("I always sleep with the window open", "habit", "sleeping with the window open"),
        ("I'm fluent in Portuguese", "skill", "Portuguese"),
        ("I'm going to study abroad next year", "plan", "study abroad next year"),
        ("I've always wanted to be a vet", "dream", "vet"),
        ("saving for a deposit on a flat", "goal", "deposit on a flat"),
        ("I'm quite stubborn", "trait", "stubborn"),
    ],
)
def test_a_plain_statement_gives_its_fact(said: str, attribute: str, value: str) -> None:
    assert facts(said) == [("user", attribute, value)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Hi! I'm Anna and I'm 27.", [("name", "Anna"), ("age", "27")]),
        ("I work at Samsung and live in Suwon", [("workplace", "Samsung"), ("residence", "Suwon")]),
        ("I'm a teacher from Daegu", [("hometown", "Daegu"), ("job", "teacher")]),
        ("I'm an intern at Google", [("job", "intern"), ("workplace", "Google")]),
        ("I'm allergic to peanuts and shrimp", [("allergy", "peanuts"), ("allergy", "shrimp")]),
        ("got two rabbits and a tortoise", [("pet", "rabbit"), ("pet", "tortoise")]),
        ("Name: Anna / Age: 27 / Blood type: O", [("name", "Anna"), ("age", "27"), ("blood_type", "O")]),
    ],
)
def test_one_sentence_may_give_several_facts(said: str, expected: list[tuple[str, str]]) -> None:
    assert [(attribute, value) for _, attribute, value in facts(said)] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("My sister lives in Tokyo", [("sister", "residence", "Tokyo")]),
        ("my brother is 20 and he studies law", [("brother", "age", "20"), ("brother", "major", "law")]),
        ("My dad's name is Robert", [("dad", "name", "Robert")]),
        ("My friend Anna is a doctor", [("Anna", "job", "doctor"), ("user", "friend", "Anna")]),
        ("I have a dog named Rex", [("user", "pet", "dog"), ("dog", "name", "Rex")]),
        ("You live in Paris", [("letia", "residence", "Paris")]),
        ("my husband is a chef", [("husband", "job", "chef"), ("user", "relationship_status", "married")]),
    ],
)
def test_a_fact_belongs_to_whom_it_is_said_of(said: str, expected: list[tuple[str, str, str]]) -> None:
    assert facts(said) == expected


def test_what_the_character_says_of_herself_is_hers_and_what_she_says_of_you_is_the_users() -> None:
    assert facts("I love cats", speaker="character") == [("letia", "likes", "cats")]
    assert facts("You are a nurse", speaker="character") == [("user", "job", "nurse")]


@pytest.mark.parametrize(
    ("asked", "said", "expected"),
    [
        ("What's your favourite season?", "autumn!", [("favorite.season", "autumn")]),
        ("How old are you?", "27", [("age", "27")]),
        ("Where do you live?", "in Pangyo, near the station", [("residence", "Pangyo")]),
        ("What do you do for a living?", "nurse", [("job", "nurse")]),
        ("Are you a nurse?", "yes", [("job", "nurse")]),
        ("Do you live in Seoul?", "yep!", [("residence", "Seoul")]),
        ("Do you like coffee?", "nope", [("dislikes", "coffee")]),
        ("Do you have any siblings?", "two older sisters", [("family", "2 sisters")]),
        ("What are your hobbies?", "reading and hiking", [("hobby", "reading"), ("hobby", "hiking")]),
        ("When is your birthday?", "March 15", [("birthday", "03-15")]),
        ("how tall are you?", "5'11", [("height", "180")]),
        ("How old are you?", "guess", []),
        ("Do you have any pets?", "nope", []),
    ],
)  # fmt: skip
def test_a_short_answer_is_read_with_its_question(asked: str, said: str, expected: list[tuple[str, str]]) -> None:
    assert [(attribute, value) for _, attribute, value in facts(said, asked=asked)] == expected


def test_the_content_is_a_short_sentence_without_its_subject() -> None:
    said = [read(each)[0].content for each in ("I live in Pangyo", "I love ramen", "I used to live in Mapo")]

    assert said == ["lives in Pangyo", "likes ramen", "lives in Mapo (formerly)"]


def test_a_value_keeps_the_words_it_was_said_in() -> None:
    height = read("I'm five foot two tall")[0]

    assert (height.value, height.surface) == ("157", "five foot two")


def test_what_is_thought_of_the_other_is_an_opinion() -> None:
    thought = read("you're such a warm person")[0]

    assert (thought.subject_id, thought.content_type, thought.content) == ("letia", "opinion", "is a warm person")
