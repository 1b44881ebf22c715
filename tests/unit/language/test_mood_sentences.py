"""Which sentences of an utterance ask."""

import pytest

from gieok.language.mood import is_question, question_sentences


@pytest.mark.parametrize(
    "text",
    [
        "너 혹시 INFJ야?",
        "떡볶이 좋아하세요? 순대는요?",
        "내 생일 언제게~? 맞춰봐",
        "나 몇 살이라고 했지",
        "나 왔어 뭐 해",
        "난 커피보다 홍차파야. 너는?",
        "나 어디 다닌다고 했지? 회사 말이야",
        "나 무슨 형이라고 했지? 혈액형",
        "나 이름 뭐라고 했더라 ㅋㅋ",
    ],
)
def test_an_utterance_that_ends_in_a_question_is_one(text):
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "인생영화? 난 무조건 이터널 선샤인",
        "걔 B형이라던데? 확실하진 않음",
        "왜냐고? 그냥",
        "나 부산 살아 ㅋㅋ",
        "친구가 '나 임신했어' 이러는 거야 깜짝 놀랐잖아",
        "간호사거든요 저. 3교대라 생활이 엉망이에요 ㅎ",
        "",
        "ㅋㅋㅋㅋ",
    ],
)
def test_an_utterance_that_goes_on_to_tell_is_none(text):
    assert not is_question(text)


def test_each_sentence_that_asks_is_given_as_written():
    assert question_sentences("나 부산 살아. 너는 어디 살아? 난 바다 좋아해") == ("너는 어디 살아",)
    assert question_sentences("오늘도 야간이야? 언제 끝나") == ("오늘도 야간이야", "언제 끝나")
    assert question_sentences("나 부산 살아") == ()
