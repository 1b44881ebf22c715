"""A memory: when it is true, when it is hidden, and what it says."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gieok.domain.memory import NOTHING_KNOWN, Change, FadingRates, by_truth, factor, strength_now
from gieok.testing import claim, day, memory, note


@pytest.mark.parametrize(
    ("fields", "hidden", "disowned"),
    [
        ({}, False, False),
        ({"retracted": True}, True, True),
        ({"forgotten_at": day(5)}, True, True),
        ({"faded_at": day(5)}, True, False),
        ({"invalid_at": day(5)}, False, False),
    ],
)
def test_hidden_is_what_was_never_true_forgotten_or_let_go_of_and_what_only_faded_was(fields, hidden, disowned):
    each = memory(**fields)
    assert (each.hidden, each.disowned) == (hidden, disowned)
    assert each.true_at(day(3)) is not hidden


def test_a_memory_is_true_from_its_first_moment_until_just_before_its_last():
    each = memory(valid_at=day(2), invalid_at=day(5))
    assert [each.true_at(day(when)) for when in (1, 2, 4.99, 5, 6)] == [False, True, True, False, False]
    assert memory(valid_at=day(2)).true_at(day(9_999))


@pytest.mark.parametrize(
    ("fields", "given_up"),
    [
        ({}, False),
        ({"retracted": True}, True),
        ({"forgotten_at": day(9)}, True),
        ({"faded_at": day(1)}, False),
        ({"invalid_at": day(5)}, True),
        ({"invalid_at": day(4)}, True),
        ({"invalid_at": day(5.1)}, False),
    ],
)
def test_given_up_is_what_was_disowned_or_had_ended(fields, given_up):
    assert memory(**fields).given_up_by(day(5)) is given_up


def test_a_claim_and_the_memory_of_it_say_the_same():
    assert claim("likes", "고양이").saying == ("user", "user", "likes", "고양이")
    assert memory("다른 말", attribute="likes", value="고양이").saying == claim("likes", "고양이").saying
    assert (
        memory("별을 봤다", value="무엇이든").saying == note("별을 봤다").saying == ("user", "user", None, "별을 봤다")
    )
    assert memory(attribute="likes").topic == claim("likes", "고양이").topic == ("user", "user", "likes")


@pytest.mark.parametrize("made", [memory, note])
def test_what_is_known_of_another_is_found_by_the_name(made):
    father = {"subject": "other", "subject_id": "아빠"}
    assert made("의사로 일함", **father).findable == "아빠 의사로 일함"
    assert made("아빠는 의사", **father).findable == "아빠는 의사"
    assert made("의사로 일함").findable == "의사로 일함"


def test_only_a_person_and_an_import_tell_outright():
    outright = [
        origin for origin in ("rule", "model", "reflection", "person", "import") if note("", origin=origin).outright
    ]
    assert outright == ["person", "import"]


def test_a_change_is_a_new_value_with_the_next_version():
    before = memory(version=4)
    after = before.changed(content="강아지를 좋아함")
    assert (after.version, after.content, before.version) == (5, "강아지를 좋아함", 4)


def test_a_change_is_of_the_memory_that_it_has():
    one = memory(id="m1")
    made, gone = Change(before=None, after=one), Change(before=one, after=None)
    assert made.memory_id == gone.memory_id == "m1"
    assert made.inverse == gone


def test_memories_are_ordered_by_truth_then_by_when_they_were_learned():
    late = memory(id="a", valid_at=day(3), known_at=day(3))
    early = memory(id="c", valid_at=day(1), known_at=day(9))
    learned = memory(id="b", valid_at=day(3), known_at=day(2))
    twin = memory(id="0", valid_at=day(3), known_at=day(3))
    assert [each.id for each in sorted([late, early, learned, twin], key=by_truth)] == ["c", "b", "0", "a"]


def test_the_numbers_of_fading_are_the_documents():
    rates = FadingRates()
    assert dict(rates.base) == {"episodic": 0.95, "emotional": 0.97, "semantic": 0.98, "insight": 0.98}
    assert (rates.emotion, rates.importance, rates.ceiling) == (0.4, 0.3, 0.995)
    assert (rates.floor, rates.every_turns) == (0.1, 5)


def test_of_what_is_pinned_a_step_leaves_all():
    assert factor(memory(pinned=True), FadingRates()) == 1.0


def test_at_first_nothing_is_known():
    assert (NOTHING_KNOWN.names, NOTHING_KNOWN.mentioned) == (frozenset(), ())


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
