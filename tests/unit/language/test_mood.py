"""How a sentence is meant, read from its morphemes."""

from dataclasses import dataclass

import pytest

from gieok.language.mood import mood, mood_of
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
def test_some_endings_ask_without_a_mark(text):
    assert meant(text) == "question"


@from_rows
def test_a_question_word_asks_where_the_ending_leaves_it_open(text):
    assert meant(text) == "question"


@from_rows
def test_a_question_word_that_means_some_or_any_or_stays_in_its_own_clause_asks_nothing(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["뭐 먹을지 모르겠어", "어디로 갈지 정했어", "몇 시인지 봤어"])
def test_an_embedded_question_is_not_asked(text):
    assert meant(text) == "statement"


@from_rows
def test_a_request_to_be_told_is_a_question_in_other_words(text):
    assert meant(text) == "question"


@pytest.mark.parametrize("text", ["나도 알아", "나는 네가 왜 그랬는지 알아", "그 마음 잘 알아", "나 그 노래 알아"])
def test_what_the_speaker_knows_is_told(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["너 고양이 좋아하지", "이거 네 거 맞지", "혹시 민수 봤어"])
def test_a_sentence_turned_to_the_listener_asks_for_a_yes(text):
    assert meant(text) == "question"


def test_only_a_mark_tells_a_rising_voice():
    assert meant("밥 먹었어") == "statement"
    assert meant("밥 먹었어", "?") == "question"


@pytest.mark.parametrize(
    ("text", "mood"), [("나 아마 AB형일걸", "statement"), ("걔 B형이라던데", "hearsay"), ("나 간호사거든", "statement")]
)
def test_some_endings_tell_even_with_a_question_mark(text, mood):
    assert meant(text, "?") == mood


@from_rows
def test_a_favour_is_a_command_whatever_its_ending(text):
    assert meant(text) == "command"


@from_rows
def test_what_is_wanted_is_a_wish(text):
    assert meant(text) == "wish"


@pytest.mark.parametrize("text", ["내가 만약 부산 살았으면 맨날 바다 갔을 텐데", "비가 오면", "많이 춥겠다"])
def test_what_is_supposed_is_no_fact(text):
    assert meant(text) == "hypothetical"


@pytest.mark.parametrize(
    "text", ["민지가 합격했대", "걔 B형이래", "내일 눈 온다더라", "집주인이 안 된대", "이사 간다고 들었어"]
)
def test_what_others_said_is_hearsay(text):
    assert meant(text) == "hearsay"


@from_rows
def test_what_is_left_is_told(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["가을", "취준생 1년차", "나 방송통신대", "ㅇㅇ 3학년"])
def test_words_without_a_predicate_are_a_fragment(text):
    assert meant(text) == "fragment"


def test_a_fragment_of_one_question_word_asks():
    assert meant("왜") == meant("누구") == "question"


@from_rows
def test_a_clause_that_goes_on_is_read_by_how_it_joins(text, mood):
    assert meant(text, final=False) == mood


def test_words_in_quotation_marks_are_not_the_speakers():
    assert meant('친구가 "어디 살아" 그러는 거야') == "statement"
    assert meant('"어디 살아"') == "question"


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
