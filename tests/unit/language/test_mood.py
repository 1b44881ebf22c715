"""How a sentence is meant, read from its morphemes."""

from dataclasses import dataclass

import pytest

from gieok.language.mood import hedged, is_question, joking, mood, mood_of
from gieok.language.morphemes import Morpheme, analyse
from support.rows import from_rows


def meant(text: str, mark: str = "", *, final: bool = True) -> str:
    return mood_of(analyse(text), mark, final=final)


@dataclass(frozen=True)
class Part:
    """A clause, as far as its mood needs one."""

    morphemes: tuple[Morpheme, ...]
    ends_with: str = ""
    final: bool = True


@from_rows
def test_how_a_sentence_is_meant(text, mark, mood):
    assert meant(text, mark) == mood


@from_rows
def test_a_clause_that_goes_on_is_read_by_how_it_joins(text, mood):
    assert meant(text, final=False) == mood


def test_a_clause_without_a_predicate_tells_as_much_as_one_with():
    assert mood(Part(analyse("취준생 1년차"))) == "statement"


def test_a_mark_ends_the_sentence_of_a_clause():
    assert mood(Part(analyse("너 밥 먹니"), ends_with=".", final=False)) == "question"
    assert mood(Part(analyse("집에 오니"), ends_with=",", final=False)) == "statement"


@pytest.mark.parametrize(
    "text", ["", " ", "?", "ㅋㅋㅋ", "🐶", "hello", "요", "니", "은", "\ud800", "''", '"', "수 있어", "지 마"]
)
def test_any_text_is_answered(text):
    for mark in ("", "?", "!"):
        assert meant(text, mark)
        assert meant(text, mark, final=False)


def test_any_order_of_morphemes_is_answered():
    parts = analyse("너 어디 사는지 알려 줄 수 있니 나는 부산에 살고 싶었는데")
    for begin in range(len(parts)):
        for end in range(begin, len(parts) + 1):
            assert mood_of(parts[begin:end])
            assert mood_of(parts[begin:end][::-1], "?", final=False)


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


@from_rows
def test_an_utterance_that_ends_in_a_question_is_one(text):
    assert is_question(text)


@from_rows
def test_an_utterance_that_goes_on_to_tell_is_none(text):
    assert not is_question(text)
