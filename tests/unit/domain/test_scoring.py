"""Recency and the weighted sum."""

import math
from dataclasses import asdict, fields, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain import scoring
from gieok.domain.scoring import PART_NAMES, SOURCE_PARTS, Parts, RecencyRule, Weights, contributions, recency
from gieok.errors import InvalidQuery
from gieok.testing import DAY_1, day

EXPONENTIAL = RecencyRule()
HALF_LIFE = RecencyRule(curve="half_life")
unit = st.floats(0, 1)


def combined(parts, weights):
    return scoring.weighed(weights, **asdict(parts))


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


weighed = st.builds(Weights, **dict.fromkeys(PART_NAMES, st.floats(0.01, 9)))
measured = st.builds(Parts, **dict.fromkeys(PART_NAMES, unit))


@given(measured, weighed)
def test_what_the_parts_contribute_is_the_score(parts, weights):
    assert sum(contributions(parts, weights).values()) == pytest.approx(combined(parts, weights))


@given(measured, weighed, st.sets(st.sampled_from(SOURCE_PARTS), min_size=1))
def test_among_its_finders_a_score_holds_their_weighted_mean(parts, weights, finders):
    together = sum(getattr(weights, name) for name in SOURCE_PARTS)
    share = {name: getattr(weights, name) / sum(getattr(weights, each) for each in finders) for name in finders}
    mean = sum(share[name] * getattr(parts, name) for name in finders)
    made_of = contributions(parts, weights.among(finders))

    assert sum(made_of[name] for name in SOURCE_PARTS) == pytest.approx(together * mean)
    assert made_of["recency"] == weights.recency * parts.recency


def test_what_no_source_found_has_its_own_worth_alone():
    found_by_none = Weights().among(())
    assert [getattr(found_by_none, name) for name in SOURCE_PARTS] == [0, 0, 0]
    assert found_by_none.importance == Weights().importance


def test_where_one_finder_may_be_the_only_one_each_weighs_what_all_do():
    weights = Weights(relevance=0.25, keyword=0.15, graph=0.0, importance=0.2)
    assert weights.of_any() == replace(weights, relevance=0.4, keyword=0.4)
    assert combined(Parts(keyword=0.5), weights.of_any()) == combined(Parts(keyword=0.5), weights.among({"keyword"}))


def test_without_a_vector_words_stand_in_for_meaning_where_they_weighed_nothing():
    assert Weights(relevance=0.7, keyword=0.0).by_words().keyword == 0.7
    assert Weights(relevance=0.7, keyword=0.2).by_words() == Weights(relevance=0.7, keyword=0.2)


def test_there_are_six_parts_and_a_weight_for_each():
    assert PART_NAMES == ("recency", "importance", "relevance", "keyword", "strength", "graph")
    assert tuple(field.name for field in fields(Weights)) == PART_NAMES


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf, -math.inf])
def test_a_weight_that_is_no_weight_is_refused(weight):
    with pytest.raises(InvalidQuery, match="weight keyword="):
        Weights(keyword=weight)


def test_the_default_weights_are_the_measured_best():
    assert Weights() == Weights(recency=0.03, importance=0.04, relevance=0.45, keyword=0.8, strength=0.02, graph=0.7)


@pytest.mark.parametrize("name", PART_NAMES)
def test_each_part_counts_by_its_own_weight_and_no_other(name):
    weights = Weights(recency=1, importance=2, relevance=4, keyword=8, strength=16, graph=32)
    assert combined(replace(Parts(), **{name: 0.5}), weights) == getattr(weights, name) * 0.5


def test_a_weight_of_nothing_is_a_weight():
    assert Weights(keyword=0.0).keyword == 0.0
    nothing = Weights(relevance=0.0, keyword=0.0, graph=0.0)
    assert nothing.among({"keyword"}) == nothing.of_any() == nothing
    assert nothing.by_words() == nothing


def test_the_past_pales_by_the_day_over_thirty_days_from_when_it_was_said():
    assert (EXPONENTIAL.curve, EXPONENTIAL.days, EXPONENTIAL.since) == ("exponential", 30.0, "said")
    assert recency(DAY_1, day(31), EXPONENTIAL) == pytest.approx(math.exp(-1))
    assert recency(DAY_1, day(31), RecencyRule(days=15)) == pytest.approx(math.exp(-2))
    assert recency(DAY_1, DAY_1 + timedelta(seconds=86_400), HALF_LIFE) == pytest.approx(0.5 ** (1 / 30))
