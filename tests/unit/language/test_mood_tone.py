"""Held back with a "maybe", or said in fun."""

import pytest

from gieok.language.mood import hedged, joking
from gieok.language.morphemes import analyse
from support.rows import from_rows


@from_rows
def test_a_speaker_who_is_not_sure_hedges(text):
    assert hedged(analyse(text))


@pytest.mark.parametrize(
    "text", ["나는 고양이를 좋아해", "우리 같이 갔어", "천사 같은 사람이야", "너랑 생각이 같아", "키가 큰 편이야", ""]
)
def test_a_plain_statement_does_not(text):
    assert not hedged(analyse(text))


@from_rows
def test_fun_that_says_so_is_heard(text):
    assert joking(text)


@from_rows
def test_a_laugh_a_smile_or_a_denial_is_not_fun_that_says_so(text):
    assert not joking(text)


def test_a_hostile_text_is_read_quickly():
    assert not joking("아~ 너무" * 5000)
