"""Recency and the weighted sum."""

import math
from dataclasses import fields
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.scoring import PART_NAMES, Parts, RecencyRule, Weights, combined, recency
from gieok.errors import InvalidQuery
from gieok.testing import DAY_1, day

EXPONENTIAL = RecencyRule()
HALF_LIFE = RecencyRule(curve="half_life")
unit = st.floats(0, 1)


@pytest.mark.parametrize(
    ("ago", "expected"),
    [
        (timedelta(), 1.0),
        (timedelta(hours=2), 0.997),
        (timedelta(days=7), 0.79),
        (timedelta(days=30), 0.37),
    ],
)
def test_the_past_pales_as_the_documents_say(ago, expected):
    assert recency(DAY_1 - ago, DAY_1, EXPONENTIAL) == pytest.approx(expected, abs=0.003)


@pytest.mark.parametrize(("days", "expected"), [(0, 1.0), (30, 0.5), (60, 0.25), (15, 0.5**0.5)])
def test_a_half_life_halves(days, expected):
    assert recency(DAY_1, day(1 + days), HALF_LIFE) == pytest.approx(expected)


@pytest.mark.parametrize("rule", [EXPONENTIAL, HALF_LIFE])
def test_the_future_is_as_fresh_as_now(rule):
    assert recency(day(30), DAY_1, rule) == 1.0


@given(st.datetimes(), st.datetimes(), st.floats(0.01, 10_000), st.sampled_from(["exponential", "half_life"]))
def test_recency_stays_between_0_and_1(moment, now, days, curve):
    zone = DAY_1.tzinfo
    value = recency(moment.replace(tzinfo=zone), now.replace(tzinfo=zone), RecencyRule(curve=curve, days=days))
    assert 0 <= value <= 1


@given(
    st.builds(Parts, **dict.fromkeys(PART_NAMES, unit)),
    st.builds(Weights, **dict.fromkeys(PART_NAMES, st.floats(0, 9))),
)
def test_a_score_is_the_sum_of_its_weighted_parts(parts, weights):
    expected = math.fsum(getattr(weights, name) * getattr(parts, name) for name in PART_NAMES)
    assert combined(parts, weights) == pytest.approx(expected)
    assert 0 <= combined(parts, weights) <= sum(getattr(weights, name) for name in PART_NAMES) + 1e-9


def test_there_are_six_parts_and_a_weight_for_each():
    assert PART_NAMES == ("recency", "importance", "relevance", "keyword", "strength", "graph", "topic")
    assert tuple(field.name for field in fields(Weights)) == PART_NAMES


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf, -math.inf])
def test_a_weight_that_is_no_weight_is_refused(weight):
    with pytest.raises(InvalidQuery, match="weight keyword="):
        Weights(keyword=weight)
