"""Who is meant in a question, and what is left of it without the names."""

from __future__ import annotations

import pytest

from gieok.language.people import Mentions, NamedPeople, named
from gieok.language.people import find_parties as mentions
from support.rows import from_rows

NAMES = {"레티아": "character", "민수": "user", "Letia": "character", "Min": "user"}


def meant(text: str, names: dict[str, str] | None = None) -> Mentions:
    return mentions(text, NAMES if names is None else names, asker="user", asked="character")


@pytest.mark.parametrize(
    "particle",
    "은 는 이 가 을 를 의 도 만 와 과 랑 이랑 하고 한테 에게 께서 께 보다 처럼".split(),
)  # fmt: skip
def test_a_name_is_set_aside_with_its_particle(particle: str) -> None:
    for name, party in (("레티아", "character"), ("민수", "user")):
        assert meant(f"{name}{particle} 무슨 일을 해?") == Mentions(parties=frozenset({party}), rest="무슨 일을 해?")


@pytest.mark.parametrize("said", ["민수", "민수 씨는", "민수씨는", "민수님이", "민수 님은", "민수군의", "민수이"])
def test_a_name_is_set_aside_with_what_is_said_to_honour_it(said: str) -> None:
    found = meant(f"{said} 고향이 어디야?")

    assert found.parties == {"user"}
    assert "민수" not in found.rest
    assert found.rest.endswith("고향이 어디야?")


@pytest.mark.parametrize(
    "said", ["레티아야, {}", "레티아야 {}", "레티아! {}", "레티아, {}", "레티아~ {}", "{} 레티아야", "레티아여, {}"]
)
def test_calling_somebody_is_not_speaking_of_them(said: str) -> None:
    question = "저녁 메뉴가 뭐였지?"

    assert meant(said.format(question)) == Mentions(parties=frozenset(), rest=question)


def test_who_is_called_may_be_asked_about_someone_else() -> None:
    assert meant("레티아야, 민수는 어디 살아?") == Mentions(parties=frozenset({"user"}), rest="어디 살아?")


@pytest.mark.parametrize("said", ["Where does Min live?", "where does MIN live?", "where does min live?"])
def test_an_english_name_is_known_in_any_case(said: str) -> None:
    found = meant(said)

    assert found.parties == {"user"}
    assert found.rest.lower() == "where does live?"


@pytest.mark.parametrize("said", ["What's Letia's favourite food?", "What's Letia’s favourite food?"])
def test_an_english_name_is_set_aside_with_its_s(said: str) -> None:
    assert meant(said) == Mentions(parties=frozenset({"character"}), rest="What's favourite food?")


@from_rows
def test_who_says_i_asks_about_themself(question: str) -> None:
    assert meant(question) == Mentions(parties=frozenset({"user"}), rest=question)


@from_rows
def test_who_says_you_asks_about_the_other(question: str) -> None:
    assert meant(question) == Mentions(parties=frozenset({"character"}), rest=question)


@from_rows
def test_nobody_one_or_both_may_be_meant(question: str, parties: set[str]) -> None:
    assert meant(question).parties == parties


@from_rows
def test_a_name_inside_another_word_stays(name: str, question: str) -> None:
    assert meant(question, {name: "character"}) == Mentions(parties=frozenset(), rest=question)


def test_the_longer_name_is_found_first() -> None:
    names = {"레티": "user", "레티아": "character", "민수": "user", "김민수": "user"}

    assert meant("레티아는 어디 있어?", names) == Mentions(parties=frozenset({"character"}), rest="어디 있어?")
    assert meant("김민수는 어디 있어?", names) == Mentions(parties=frozenset({"user"}), rest="어디 있어?")


@pytest.mark.parametrize("text", ["레티아", "레티아야!", "민수는?", "레티아, 민수…", "Letia's", "…", "?!", ""])
def test_if_nothing_else_is_said_the_whole_text_is_left(text: str) -> None:
    assert meant(text).rest == text


def test_a_name_may_hold_anything() -> None:
    for name in ("(.*)", "C++", "a|b", "레 티 아", "\\", "é"):
        assert meant(f"{name} 어디 있어?", {name: "character"}) == Mentions(
            parties=frozenset({"character"}), rest="어디 있어?"
        ), name


def test_without_names_only_pronouns_tell() -> None:
    assert meant("레티아는 어디 있어?", {}) == Mentions(parties=frozenset(), rest="레티아는 어디 있어?")


@from_rows
def test_others_are_set_aside_with_whose_they_are_and_the_question_turned_to_oneself(
    text: str, people: tuple[str, ...], rest: str, of_oneself: str
) -> None:
    assert named(text, ["민지", "지훈이", "엄마", "Jihun"]) == NamedPeople(
        people=people, rest=rest, of_oneself=of_oneself
    )


@pytest.mark.parametrize("text", ["지훈이?", "지훈이!", "지훈이는…"])
def test_a_name_alone_is_left_as_it_is(text: str) -> None:
    assert named(text, ["지훈이"]) == NamedPeople(people=("지훈이",), rest=text, of_oneself=text)


@pytest.mark.parametrize("text", ["지훈동 어디야?", "민지훈은 어디 살아?", "어제 비 왔어?", "", "\ue000 어디 살아?"])
def test_who_is_not_named_is_not_found(text: str) -> None:
    assert named(text, ["지훈이", "지훈"]) == NamedPeople(people=(), rest=text, of_oneself=text)
