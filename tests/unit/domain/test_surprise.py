"""Free sentences: the same, predictable, or news."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.decision import Ignore, Reinforce, Remember
from gieok.domain.judgement import Beliefs, judge
from gieok.domain.promotion import SurpriseRules, surprise
from gieok.testing import day, memory, note
from unit.domain.histories import POLICY, moment

RULES = SurpriseRules()
KNOWN = memory("엄마랑 싸웠다", id="m1")


def weighed(similarity, importance=0.5, known=KNOWN, **fields):
    return surprise(note("엄마랑 다퉜다", importance=importance, **fields), known, similarity, RULES)


@pytest.mark.parametrize(
    ("similarity", "importance", "verdict", "result"),
    [
        (1.0, 0.5, "same", 0.5),
        (0.85, 0.5, "same", 0.5),
        (0.8499, 0.69, "predictable", 0.69),
        (0.8499, 0.7, "new", 0.49),
        (0.6, 0.69, "predictable", 0.69),
        (0.6, 1.0, "new", 0.7),
        (0.5999, 0.5, "new", 0.5 + 0.4001 * 0.3),
        (0.0, 0.5, "new", 0.8),
        (-0.5, 0.5, "new", 0.8),
        (0.0, 0.9, "new", 1.0),
    ],
)
def test_the_thresholds_are_those_of_the_documents(similarity, importance, verdict, result):
    news = weighed(similarity, importance)
    assert (news.verdict, news.importance) == (verdict, pytest.approx(result))


def test_the_first_thing_ever_heard_is_full_news():
    assert weighed(0.0, 0.5, known=None).importance == pytest.approx(0.8)


@pytest.mark.parametrize(
    "different",
    [{"polarity": "-"}, {"subject_id": "아빠", "subject": "other"}, {"details": ("3월 2일",)}, {"details": ("2",)}],
    ids=["polarity", "subject", "date", "number"],
)
def test_what_differs_is_never_the_same_however_alike_it_sounds(different):
    assert weighed(0.99, 0.1, **different).verdict == "new"


@given(st.floats(-1, 1), st.floats(0, 1))
def test_importance_stays_between_0_and_1_and_rises_by_at_most_0_3(similarity, importance):
    news = weighed(similarity, importance)
    assert 0 <= news.importance <= min(1.0, importance + 0.3 + 1e-9)


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.9, Reinforce), (0.7, Ignore), (0.3, Remember)], ids=["same", "predictable", "new"]
)
def test_judgement_follows_the_verdict(similarity, expected):
    beliefs = Beliefs([KNOWN], similarity={("c1", "m1"): similarity})
    (decision,) = judge([note("엄마랑 다퉜다", id="c1", importance=0.6)], beliefs, moment(), POLICY)
    assert type(decision) is expected


def test_of_two_equally_similar_memories_the_older_one_is_taken_whatever_the_order():
    old, new = memory("a", id="z", valid_at=day(1)), memory("b", id="a", valid_at=day(2))
    said = note("c", id="c1")
    for order in ([old, new], [new, old]):
        beliefs = Beliefs(order, similarity={("c1", "z"): 0.9, ("c1", "a"): 0.9})
        assert beliefs.nearest(said, day(9)) == (old, 0.9)


def test_only_free_memories_of_the_same_subject_that_are_true_count_as_near():
    others = [
        memory("a", id="attribute", attribute="likes", value="a"),
        memory("b", id="subject", subject="other", subject_id="아빠"),
        memory("c", id="past", invalid_at=day(3)),
        memory("d", id="future", valid_at=day(99)),
        memory("e", id="hidden", retracted=True),
    ]
    beliefs = Beliefs(others, similarity={("c1", each.id): 0.99 for each in others})
    assert beliefs.nearest(note("x", id="c1"), day(9)) == (None, 0.0)
