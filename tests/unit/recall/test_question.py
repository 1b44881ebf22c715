"""A question, worked out once: whom it is about, when, and what would answer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed, InvalidText
from gieok.ports import Mark, Party
from gieok.recall.question import Question, read_question
from gieok.testing import SEOUL, day

NAMES = {"레티아": "character", "민수": "user"}


class Listening(HashingEmbedder):
    """Notes what it is asked to embed; a broken one cannot."""

    def __init__(self, *, broken: bool = False) -> None:
        super().__init__()
        self.heard: list[tuple[str, ...]] = []
        self.broken = broken

    def embed(self, texts: Sequence[str], **options: Any) -> Any:
        self.heard.append(tuple(texts))
        if self.broken:
            raise EmbedderFailed("the model file is gone")
        return super().embed(texts, **options)


def ask(text: str, embedder: Listening | None = None) -> Question:
    return read_question(text, embedder or Listening(), NAMES, day(10), SEOUL)


@pytest.mark.parametrize(
    ("text", "party"),
    [
        ("민수는 어디 살아?", Party.USER),
        ("내 생일이 언제야?", Party.USER),
        ("레티아가 좋아하는 음식은?", Party.CHARACTER),
        ("너는 몇 살이야?", Party.CHARACTER),
        ("레티아야, 내 생일이 언제야?", Party.USER),
        ("레티아야, 저녁 메뉴가 뭐였지?", None),
        ("민수랑 레티아는 언제 만났어?", None),
        ("내가 너한테 뭐라고 했지?", None),
        ("어제 비 왔어?", None),
    ],
)
def test_it_is_about_one_of_the_two_or_about_none(text: str, party: Party | None) -> None:
    assert ask(text).party == party


def test_the_names_are_set_aside_in_vector_and_words_but_not_in_the_text() -> None:
    embedder = Listening()
    question = ask("레티아야, 민수는 라면 좋아해?", embedder)

    assert question.text == "레티아야, 민수는 라면 좋아해?"
    assert embedder.heard == [("라면 좋아해?",)]
    assert question.terms.words == ("라면", "좋아하다")


def test_without_an_embedder_words_must_do_and_it_says_so() -> None:
    question = ask("라면 좋아해?", Listening(broken=True))

    assert question.vector is None
    assert question.terms.words == ("라면", "좋아하다")
    assert [reason.split(":")[0] for reason in question.degraded] == ["dense search is off"]
    assert ask("라면 좋아해?").degraded == ()


def test_times_in_it_become_periods_of_the_asking_day() -> None:
    [yesterday] = ask("어제 뭐 먹었지?").periods

    assert yesterday.start is not None
    assert yesterday.start.date() == day(9).date()
    assert ask("뭐 먹었지?").periods == ()


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("우리 언제 만났지?", Mark.HOLDS_TIME),
        ("when did we meet?", Mark.HOLDS_TIME),
        ("고양이가 몇 마리야?", Mark.HOLDS_NUMBER),
        ("how many cats do I have?", Mark.HOLDS_NUMBER),
        ("고양이 이름이 뭐야?", 0),
    ],
)
def test_it_wants_a_value_of_the_kind_it_asks_for(text: str, wants: int) -> None:
    assert ask(text).wants & (Mark.HOLDS_TIME | Mark.HOLDS_NUMBER) == wants


@pytest.mark.parametrize("text", ["", "  ", "\x00"])
def test_what_asks_nothing_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        ask(text)


def test_an_other_who_is_named_is_asked_about_as_one_asks_about_oneself_and_found_by_name() -> None:
    embedder = Listening()
    question = read_question("우리 엄마 어디 살아?", embedder, NAMES, day(10), SEOUL, ["엄마"])

    assert (question.people, question.party) == (("엄마",), None)
    assert embedder.heard == [("우리 엄마 어디 살아?", "나 어디 살아?")]
    assert question.terms.words == ("엄마", "살다")


def test_what_the_two_have_to_do_with_an_other_is_asked_in_full() -> None:
    embedder = Listening()
    question = read_question("내가 민지한테 뭐라고 했지?", embedder, NAMES, day(10), SEOUL, ["민지"])

    assert (question.people, question.party) == (("민지",), Party.USER)
    assert embedder.heard == [("내가 민지한테 뭐라고 했지?",)]


def test_of_a_very_long_question_the_first_sixty_four_words_are_looked_for() -> None:
    nouns = "고양이 강아지 토끼 사자 호랑이 여우 늑대 사슴".split()
    question = ask(" ".join(f"{noun}{number}" for number in range(10) for noun in nouns))

    assert len(question.terms.words) == 64
    assert len(question.terms.prefixes) <= 64
