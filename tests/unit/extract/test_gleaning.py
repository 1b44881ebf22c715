"""What no rule reads and the learned reader does, on sentences that it has not learned from."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from gieok.extract.korean.gleaning import CLASSES, gleaner
from support.speech import spoken


def told(text: str, speaker: str = "user") -> set[tuple[str | None, str | None, float]]:
    claims = KoreanRules().claims(spoken(text, speaker), Scope(user="minsu", character="letia"), ())
    return {(claim.attribute, claim.value, claim.certainty) for claim in claims}


GLEANED = [
    ("설에 여수 내려가면 엄마가 갓김치부터 꺼내 놓으셔", "hometown", "여수"),
    ("한양대 언덕 오르내리느라 종아리에 알 배겼어", "school", "한양대"),
]


@pytest.mark.parametrize(("text", "attribute", "value"), GLEANED)
def test_what_no_rule_reads_is_gleaned_as_told_by_the_way(text, attribute, value):
    assert (attribute, value, 0.45) in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "망원동 맛집 어디가 괜찮아?",
        "오늘 한양대 앞에서 택시 탔는데 기사님이 말이 많으시더라",
        "걔는 철학 공부하다가 지금은 목수야",
        "판교에서 강남까지 얼마나 걸릴까",
        "감독님이 축구부 주장한테 화를 내셨대",
        "a@7x라면 라면 비밀 이야기",
    ],
)
def test_small_talk_questions_and_other_people_leave_nothing_to_glean(text):
    assert not {(attribute, value) for attribute, value, certainty in told(text) if certainty in (0.45, 0.7)}


def test_only_the_users_own_words_are_gleaned():
    assert not told(GLEANED[0][0], speaker="character")


def test_what_was_learned_fits_the_classes():
    learned = gleaner()

    assert learned.weights.shape == (len(learned.names), len(CLASSES) + 2)
    assert learned.least.shape == learned.bias.shape == (len(CLASSES),)


@pytest.mark.parametrize(
    "text",
    [
        "나는 12월 13일에 병원에 갔어",
        "저는 3월 2일에 이사했어요",
        "나 5월 5일에 부산 다녀왔어",
        "저는 9월 1일에 입사했어요",
    ],
)
def test_a_day_on_which_something_was_done_is_no_birthday(text):
    assert [claim for claim in told(text) if claim[0] == "birthday"] == []
