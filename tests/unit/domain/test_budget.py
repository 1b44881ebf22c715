"""The token budget: nobody gets more than they want, and nothing is wasted while somebody wants more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.budget import SHARES, allotted

names = st.sampled_from([*SHARES, "가외", "더"])
wants = st.dictionaries(names, st.integers(0, 5_000), max_size=8)
budgets = st.integers(-5, 9_000)


def test_the_shares_are_those_of_the_documents_and_make_a_whole():
    assert SHARES == {"system": 0.15, "people": 0.10, "memories": 0.20, "examples": 0.05, "talk": 0.40, "reply": 0.10}
    assert sum(SHARES.values()) == pytest.approx(1)


@given(budgets, wants)
def test_never_over_budget_never_more_than_wanted_and_nothing_wasted(budget, wants):
    given_out = allotted(budget, wants, SHARES)
    assert set(given_out) == set(wants)
    assert all(0 <= given_out[name] <= want for name, want in wants.items())
    assert sum(given_out.values()) == min(max(budget, 0), sum(wants.values()))


@given(st.integers(0, 9_000), wants)
def test_a_block_gets_its_share_whatever_the_others_want(budget, wants):
    given_out = allotted(budget, wants, SHARES)
    for name, want in wants.items():
        assert given_out[name] >= min(want, int(budget * SHARES.get(name, 0.0) * (1 - 1e-12)))


@given(st.integers(0, 60), wants)
def test_a_block_without_a_share_gets_only_what_the_others_leave(budget, wants):
    given_out = allotted(budget, wants, SHARES)
    if any(given_out[name] < wants[name] for name in wants if name in SHARES):
        assert not any(given_out[name] for name in wants if name not in SHARES)


def test_when_everybody_wants_everything_everybody_gets_their_share():
    given_out = allotted(1_000, dict.fromkeys(SHARES, 1_000), SHARES)
    assert given_out == {"system": 150, "people": 100, "memories": 200, "examples": 50, "talk": 400, "reply": 100}


def test_an_unused_share_flows_to_those_who_want_more_in_proportion():
    given_out = allotted(1_000, {**dict.fromkeys(SHARES, 1_000), "talk": 100}, SHARES)
    assert given_out["talk"] == 100
    assert given_out["memories"] == pytest.approx(200 + 300 * 0.2 / 0.6, abs=2)
    assert sum(given_out.values()) == 1_000


def test_small_budgets_are_handed_out_to_the_last_token():
    assert sum(allotted(3, dict.fromkeys(SHARES, 10), SHARES).values()) == 3
    assert allotted(5, {}, SHARES) == {}
    assert allotted(-1, {"talk": 5}, SHARES) == {"talk": 0}
