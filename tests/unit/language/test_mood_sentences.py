"""Which sentences of an utterance ask."""

from gieok.language.mood import is_question, question_sentences
from support.rows import from_rows


@from_rows
def test_an_utterance_that_ends_in_a_question_is_one(text):
    assert is_question(text)


@from_rows
def test_an_utterance_that_goes_on_to_tell_is_none(text):
    assert not is_question(text)


def test_each_sentence_that_asks_is_given_as_written():
    assert question_sentences("나 부산 살아. 너는 어디 살아? 난 바다 좋아해") == ("너는 어디 살아",)
    assert question_sentences("오늘도 야간이야? 언제 끝나") == ("오늘도 야간이야", "언제 끝나")
    assert question_sentences("나 부산 살아") == ()
