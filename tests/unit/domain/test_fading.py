"""Fading: computed when asked for, and what a step-by-step loop would give."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gieok.domain.memory import FadingRates, factor, strength_now
from gieok.testing import memory

RATES = FadingRates()
kinds = st.sampled_from(["episodic", "emotional", "semantic", "insight"])
unit = st.floats(0, 1)


def stepwise(each, turn_number):
    """Fade at every fifth turn, one step after another, while there is strength to lose."""
    strength, steps = each.strength, 0
    for turn in range(each.touched_turn + 1, turn_number + 1):
        if turn % 5 == 0 and strength > 0.1:
            strength *= factor(each, RATES)
            steps += 1
            assume(abs(strength - 0.1) > 1e-9)  # on the very floor, rounding decides
    return strength


@pytest.mark.parametrize(
    ("kind", "base"), [("episodic", 0.95), ("emotional", 0.97), ("semantic", 0.98), ("insight", 0.98)]
)
def test_each_kind_has_the_documents_rate(kind, base):
    plain = memory(kind=kind, importance=0, emotion_intensity=0)
    assert factor(plain, RATES) == pytest.approx(base)
    held = memory(kind=kind, importance=0.5, emotion_intensity=0.5)
    assert factor(held, RATES) == pytest.approx(min(base + (1 - base) * (0.4 * 0.5 + 0.3 * 0.5), 0.995))


def test_nothing_fades_slower_than_the_ceiling():
    strongest = memory(kind="semantic", importance=1, emotion_intensity=1)
    assert 0.98 + 0.02 * 0.7 < 0.995
    assert factor(strongest, RATES) == pytest.approx(0.994)
    slow = FadingRates(base={**RATES.base, "semantic": 0.99})
    assert factor(strongest, slow) == 0.995


def test_a_step_is_five_turns():
    fresh = memory(kind="episodic", importance=0, touched_turn=3)
    assert [strength_now(fresh, turn, RATES) for turn in (3, 4, 5, 9, 10)] == pytest.approx([1, 1, 0.95, 0.95, 0.95**2])


def test_a_pinned_memory_never_fades():
    assert strength_now(memory(pinned=True, strength=0.4), 10_000, RATES) == 0.4


def test_fading_stops_at_the_first_step_at_or_below_the_floor():
    weak = memory(kind="episodic", importance=0, strength=0.102)
    assert strength_now(weak, 5, RATES) == pytest.approx(0.0969)
    assert strength_now(weak, 50_000, RATES) == pytest.approx(0.0969)
    assert strength_now(memory(strength=0.1), 50_000, RATES) == 0.1


@given(kinds, unit, unit, unit, st.integers(0, 40), st.integers(0, 600), st.booleans())
def test_computed_strength_is_what_the_loop_gives(kind, importance, emotion, strength, touched, later, pinned):
    each = memory(
        kind=kind,
        importance=importance,
        emotion_intensity=emotion,
        strength=strength,
        touched_turn=touched,
        pinned=pinned,
    )
    now = strength_now(each, touched + later, RATES)
    assert now == pytest.approx(each.strength if pinned else stepwise(each, touched + later))
    assert 0 <= now <= strength <= 1


@given(kinds, unit, unit)
def test_a_step_leaves_a_share_between_the_base_and_the_ceiling(kind, importance, emotion):
    share = factor(memory(kind=kind, importance=importance, emotion_intensity=emotion), RATES)
    assert RATES.base[kind] - 1e-12 <= share <= 0.995


def test_an_earlier_turn_than_the_last_touch_changes_nothing():
    assert strength_now(memory(strength=0.8, touched_turn=50), 3, RATES) == 0.8
