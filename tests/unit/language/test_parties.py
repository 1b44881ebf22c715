"""Who is meant in a question, and what is left of it without the names."""

from __future__ import annotations

import pytest

from gieok.language.people import Mentions, Named, named
from gieok.language.people import find_parties as mentions

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


@pytest.mark.parametrize(
    "question",
    ["나 몇 살이야?", "나는 어디 살지?", "내 생일이 언제야?", "내가 뭐 좋아하더라", "저는 무슨 일을 하죠?",
     "제 고향이 어디죠?", "제가 뭘 싫어한다고 했죠?", "where do I live?", "what's my name?", "tell me", "is it mine?"],
)  # fmt: skip
def test_who_says_i_asks_about_themself(question: str) -> None:
    assert meant(question) == Mentions(parties=frozenset({"user"}), rest=question)


@pytest.mark.parametrize(
    "question",
    ["너 몇 살이야?", "너는 어디 살아?", "네 고향이 어디야?", "네가 좋아하는 거 뭐야?", "니가 뭐랬지?", "니 이름 뭐야?",
     "당신은 누구예요?", "where do you live?", "what's your name?", "is it yours?"],
)  # fmt: skip
def test_who_says_you_asks_about_the_other(question: str) -> None:
    assert meant(question) == Mentions(parties=frozenset({"character"}), rest=question)


@pytest.mark.parametrize(
    ("question", "parties"),
    [
        ("우리 처음 만난 날이 언제야?", set()),
        ("어제 비 왔어?", set()),
        ("내 친구 이름이 뭐야?", {"user"}),
        ("내 취미 뭐야", {"user"}),
        ("제 친구가 누구였죠?", {"user"}),
        ("네 명이 왔어?", set()),
        ("제2회 대회가 언제야?", set()),
        ("내가 너한테 뭐라고 했지?", {"user", "character"}),
        ("레티아는 내 생일을 알아?", {"user", "character"}),
        ("민수랑 레티아는 언제 만났어?", {"user", "character"}),
        ("do you know where I live?", {"user", "character"}),
    ],
)
def test_nobody_one_or_both_may_be_meant(question: str, parties: set[str]) -> None:
    assert meant(question).parties == parties


@pytest.mark.parametrize(
    ("name", "question"),
    [("하늘", "하늘색 좋아해?"), ("하늘", "가을하늘 봤어?"), ("수민", "수민동 어디야?"), ("Min", "what's the minimum?"),
     ("Ann", "the annual fee?"), ("Al", "is it all?"), ("민", "국민은행 어디 있어?")],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("text", "people", "rest", "of_oneself"),
    [
        ("지훈이는 무슨 일을 해?", ("지훈이",), "무슨 일을 해?", "나 무슨 일을 해?"),
        ("지훈은 무슨 일을 해?", ("지훈이",), "무슨 일을 해?", "나 무슨 일을 해?"),
        ("민지 생일 언제야?", ("민지",), "생일 언제야?", "나 생일 언제야?"),
        ("민지의 생일이 언제야?", ("민지",), "생일이 언제야?", "나의 생일이 언제야?"),
        ("우리 엄마 어디 살아?", ("엄마",), "어디 살아?", "나 어디 살아?"),
        ("내 친구 지훈이 몇 살이야?", ("지훈이",), "몇 살이야?", "나 몇 살이야?"),
        ("지훈이랑 민지는 어디 살아?", ("지훈이", "민지"), "어디 살아?", "나 나 어디 살아?"),
        ("Where does Jihun live?", ("Jihun",), "Where does live?", "Where does I live?"),
        ("What's my friend jihun's job?", ("Jihun",), "What's job?", "What's my job?"),
    ],
)
def test_others_are_set_aside_with_whose_they_are_and_the_question_turned_to_oneself(
    text: str, people: tuple[str, ...], rest: str, of_oneself: str
) -> None:
    assert named(text, ["민지", "지훈이", "엄마", "Jihun"]) == Named(people=people, rest=rest, of_oneself=of_oneself)


@pytest.mark.parametrize("text", ["지훈이?", "지훈이!", "지훈이는…"])
def test_a_name_alone_is_left_as_it_is(text: str) -> None:
    assert named(text, ["지훈이"]) == Named(people=("지훈이",), rest=text, of_oneself=text)


@pytest.mark.parametrize("text", ["지훈동 어디야?", "민지훈은 어디 살아?", "어제 비 왔어?", "", "\ue000 어디 살아?"])
def test_who_is_not_named_is_not_found(text: str) -> None:
    assert named(text, ["지훈이", "지훈"]) == Named(people=(), rest=text, of_oneself=text)
