"""A line that says one thing a thousand times is cut into clauses of bounded size: reading it stays linear."""

from __future__ import annotations

import time

import pytest

from gieok.domain.scope import Scope
from gieok.extract.english.clauses import clauses as english_clauses
from gieok.extract.english.words import words
from gieok.extract.rules import Rules
from gieok.language.clauses import clauses as korean_clauses
from support.speech import spoken

ENGLISH = (
    *("being a nurse ", "as a ", "my ", "not ", ", ", ",", "I'm, ", "to be ", "who ", "of ", "used to ", "( born work"),
    *("my sister's ", "not a nurse but ", "27 ", "A B ", "favourite ", "no, ", "is ", "because I'm a teacher "),
)
KOREAN = (
    *(
        "이름 ",
        "나는 ",
        "인데 ",
        "하고 ",
        "나는 간호사야 ",
        "서울에 살고 ",
        "못 먹는 ",
        "좋아하는 ",
        "살 ",
        "ㅋ나",
        "친구랑 ",
    ),
    *("라고 ", "말고 ", "해 고 ", "좋아해 싫어해 ", "이름: 김민수 / ", "민지가 ", "떡볶이랑 ", "25살 ", "제일 "),
)
LONG = 8_000


@pytest.mark.parametrize("piece", ENGLISH)
def test_no_english_clause_is_longer_than_a_breath(piece):
    assert max(len(clause.words) for clause in english_clauses(words(piece * (LONG // len(piece))))) <= 150


@pytest.mark.parametrize("piece", KOREAN)
def test_no_korean_clause_is_longer_than_a_breath(piece):
    read = korean_clauses(piece * (LONG // len(piece)))
    assert max((len(phrase.words) for clause in read for phrase in clause.phrases), default=0) <= 121


@pytest.mark.soak
@pytest.mark.parametrize("piece", [*ENGLISH, *KOREAN])
def test_a_long_line_is_read_in_a_moment(piece):
    turn = spoken(piece * (LONG // len(piece)))
    Rules().claims(spoken("나는 의사야"), Scope(user="minsu", character="letia"), ())
    start = time.process_time()
    Rules().claims(turn, Scope(user="minsu", character="letia"), ())
    assert time.process_time() - start < 3
