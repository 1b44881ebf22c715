"""A change of manners in one sentence."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.relationship import MannerChange
from gieok.language.wording import change_sentence

JULY_3 = datetime(2026, 7, 3, 21, tzinfo=ZoneInfo("Asia/Seoul"))
NAMES = {"user": "민수", "character": "레티아"}


def change(what="style", before="formal", after="casual", **more):
    fields = {"speaker": "user", "what": what, "before": before, "after": after, "at": JULY_3, "turn_number": 9, **more}
    return MannerChange(**fields)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (change(mutual=True), "7월 3일부터 서로 말을 놓았다."),
        (change(), "7월 3일부터 민수가 레티아에게 말을 놓았다."),
        (change(asked_by="character"), "레티아의 부탁으로 7월 3일부터 민수가 레티아에게 말을 놓았다."),
        (change(mutual=True, asked_by="user"), "민수의 부탁으로 7월 3일부터 서로 말을 놓았다."),
        (change(before="casual", after="formal"), "7월 3일부터 민수가 레티아에게 존댓말을 쓰기 시작했다."),
        (
            change(speaker="character", before="casual", after="intimate"),
            "7월 3일부터 레티아가 민수에게 애칭을 섞어 가며 다정하게 말하기 시작했다.",
        ),
        (change(before="intimate"), "7월 3일부터 민수가 레티아에게 애칭 없이 편한 반말로 말하기 시작했다."),
        (change(before=None), "민수는 레티아에게 반말을 쓴다."),
        (
            change("address", "선배", "누나", asked_by="character"),
            "레티아의 부탁으로 7월 3일부터 민수가 레티아를 '선배' 대신 '누나'라고 부르기 시작했다.",
        ),
        (change("address", None, "선생님"), "민수는 레티아를 '선생님'이라고 부른다."),
    ],
)
def test_a_change_is_told_in_natural_korean(told, sentence):
    assert change_sentence(told, NAMES) == sentence


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (change(mutual=True), "Since July 3, Minsu and Letia have been speaking casually to each other."),
        (change(asked_by="character"), "Since July 3, at Letia's request, Minsu has been speaking casually to Letia."),
        (change("address", "Miss", "Tia"), "Since July 3, Minsu has been calling Letia 'Tia' instead of 'Miss'."),
        (change(before=None, after="formal"), "Minsu is speaking politely to Letia."),
    ],
)
def test_a_change_is_told_in_english(told, sentence):
    assert change_sentence(told, {"user": "Minsu", "character": "Letia"}, "en") == sentence
