"""Of a model's answers only that is taken which rests on memories and says nothing that they do not hold."""

from typing import Any

import pytest

from gieok.domain.model_conclusions import Conflict, evidence_for
from gieok.maintain.model_passes import conflicts_among, insights_from, retelling_of
from gieok.prompts.tasks import Reflection
from gieok.testing.builders import day, memory

NURSE, CAT = memory("간호사임", id="nurse"), memory("고양이 두 마리를 키움", id="cat")
SUJIN = memory("서울에 삶", id="sujin", subject="other", subject_id="수진")
SHOWN = {each.id: each for each in (NURSE, CAT, SUJIN)}
NAMES = ("민수", "레티아")


def reflection(content: str, *ids: str, **fields: Any) -> Reflection:
    return Reflection(**{"content": content, "about": "삶", "memory_ids": ids, "importance": 0.7, **fields})


def test_an_insight_rests_on_what_it_cites():
    [insight] = insights_from([reflection("돌보는 일을\n 좋아한다", "nurse", "cat", "nurse")], SHOWN, NAMES)
    assert (insight.content, insight.about, insight.importance) == ("돌보는 일을 좋아한다", "삶", 0.7)
    assert insight.grounds == (evidence_for(NURSE), evidence_for(CAT))
    assert (insight.subject, insight.subject_id) == ("user", "user")


def test_an_insight_is_about_whom_all_it_cites_is_about():
    other = memory("책을 좋아함", id="book", subject="other", subject_id="수진")
    shown = {**SHOWN, "book": other}
    [of_her] = insights_from([reflection("조용한 삶을 산다", "sujin", "book")], shown, NAMES)
    [of_both] = insights_from([reflection("조용한 삶을 산다", "sujin", "cat")], shown, NAMES)
    assert (of_her.subject, of_her.subject_id) == ("other", "수진")
    assert (of_both.subject, of_both.subject_id) == ("user", "user")


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(reflection("돌보는 일을 좋아한다", "nurse"), id="one memory"),
        pytest.param(reflection("돌보는 일을 좋아한다", "nurse", "nurse"), id="one memory twice"),
        pytest.param(reflection("돌보는 일을 좋아한다", "nurse", "made up"), id="a memory that was not shown"),
        pytest.param(reflection("지훈을 돌본다", "nurse", "cat"), id="an unknown name"),
        pytest.param(reflection("서울에서 돌본다", "nurse", "cat"), id="a name from elsewhere"),
        pytest.param(reflection("고양이 네 마리를 돌본다", "nurse", "cat"), id="an unknown number"),
        pytest.param(reflection("  \n ", "nurse", "cat"), id="nothing"),
        pytest.param(reflection("가" * 301, "nurse", "cat"), id="a speech"),
        pytest.param(reflection("간호사임", "nurse", "cat"), id="what is remembered already"),
    ],
)
def test_an_insight_without_ground_is_dropped(given):
    assert insights_from([given], SHOWN, NAMES) == ()


def test_an_insight_may_name_the_two():
    assert insights_from([reflection("민수는 레티아를 믿고 기댄다", "nurse", "cat")], SHOWN, NAMES)


@pytest.mark.parametrize(
    ("text", "grounds", "said", "kept"),
    [
        ("간호사로 지낸다", (), (), True),
        ("고양이 두 마리와 지내는 간호사", (CAT,), (), True),
        ("수진과 서울에 사는 간호사", (SUJIN,), (), True),
        ("제주에 다녀온 간호사", (), ("어제 제주도 다녀왔어",), True),
        ("제주에 다녀온 간호사", (), (), False),
        ("고양이 세 마리와 지내는 간호사", (CAT,), (), False),
        ("간호사임", (), (), False),
        ("", (), (), False),
        ("가" * 1_201, (), (), False),
    ],
)
def test_a_retelling_says_no_more_than_there_is(text, grounds, said, kept):
    told = retelling_of(NURSE, text, grounds=grounds, said=said, names=NAMES)
    assert (told is not None) == kept
    if told is not None:
        assert (told.content, told.ground) == (text, evidence_for(NURSE))


def test_only_pairs_that_were_asked_about_can_be_at_odds():
    older, newer = memory("커피를 마심", id="a", valid_at=day(1)), memory("커피를 끊음", id="b", valid_at=day(2))
    found = [("b", "a"), ("b", "a"), ("a", "b"), ("b", "nurse"), ("made up", "a")]
    assert conflicts_among(found, [(newer, older)]) == (Conflict(newer=evidence_for(newer), older=evidence_for(older)),)
