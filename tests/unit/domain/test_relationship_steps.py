"""How far one sign moves one axis: shares, caps, tops and floors."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Sign
from gieok.domain.relationship import (
    AXES,
    SLACK,
    THRESHOLDS,
    TOP,
    WEIGHTS,
    Absence,
    Relationship,
    RelationshipRules,
    Rule,
    moved,
    new_relationship,
    raised_axis,
    score,
)

START = datetime(2026, 1, 1, 11, tzinfo=UTC)


def moment(minutes: float = 0, days: float = 0) -> Moment:
    at = START + timedelta(days=days, minutes=minutes)
    return Moment(at=at, recorded_at=at, turn_number=1)


def two(**axes: float) -> Relationship:
    return Relationship(**{**dict.fromkeys(AXES, 0.0), **axes})


def rules(*, absence=None, **rule) -> RelationshipRules:
    """Rules by which a gift, and nothing else, moves affection."""
    gift = Rule(**{"moves": {"affection": 2.0}, "per_day": 100.0, **rule})
    return RelationshipRules(start={}, signs={"gift": gift}, absence=absence or {})


def given(*strengths: float, before: Relationship | None = None, at: Moment | None = None, speaker="user", **rule):
    gifts = [Sign(name="gift", speaker=speaker, strength=each) for each in strengths]
    return moved(before or two(), gifts, at or moment(), rules(**rule))


def test_the_documents_numbers():
    assert dict(WEIGHTS) == {"affection": 0.35, "trust": 0.25, "familiarity": 0.25, "respect": 0.15, "rivalry": -0.1}
    assert THRESHOLDS == (0, 20, 40, 60, 80)
    assert (SLACK, TOP) == (3, 100)


def test_who_has_no_start_starts_at_nothing():
    begun = new_relationship(rules())
    assert [begun.axis(axis) for axis in AXES] == [0.0] * 5
    assert score(begun) == 0


def test_the_start_is_the_one_that_is_written():
    begun = new_relationship()
    assert {axis: begun.axis(axis) for axis in AXES} == {
        "trust": 5, "affection": 5, "respect": 10, "rivalry": 0, "familiarity": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "step", "top", "after"),
    [
        (0, 2, 100, 2),
        (50, 2, 100, 50 + 2 * 0.5**1.5),
        (96, 2, 100, 96 + 2 * 0.04**1.5),
        (29.9, 2, 30, 30),
        (30, 2, 30, 30),
        (40, 2, 30, 40),
    ],
)
def test_a_rise_shrinks_on_the_way_to_the_top_and_ends_there(value, step, top, after):
    assert raised_axis(value, step, top) == pytest.approx(after)


@pytest.mark.parametrize(("strength", "points"), [(1.0, 2.0), (0.5, 1.0), (0.0, 0.0), (-1.0, 0.0), (7.0, 2.0)])
def test_how_clearly_it_was_shown_counts_between_nothing_and_in_full(strength, points):
    now, shifts = given(strength, per_turn=50.0)
    assert now.affection == points
    assert len(shifts) == (points > 0)


def test_a_shift_however_small_is_told():
    now, (shift,) = given(0.002)
    assert (shift.before, shift.after) == (0, pytest.approx(0.004))
    assert now.affection == shift.after


def test_what_the_character_does_counts_by_its_share():
    assert given(1.0, speaker="character", character=0.25)[0].affection == 0.5
    assert given(1.0, speaker="user", character=0.25)[0].affection == 2.0
    assert given(1.0, speaker="character")[0].affection == 2.0


def test_a_turn_leaves_room_for_one_such_sign_or_for_what_the_rule_says():
    flat = {"up_to": {}, "moves": {"rivalry": 2.0}}
    assert given(1.0, 1.0, **flat)[0].rivalry == 2.0
    once, _ = given(1.0, 1.0, **flat, per_turn=3.0)
    assert once.spent == (("gift", "rivalry", 3.0),)


def test_a_day_leaves_room_for_so_much_and_the_next_day_again():
    day = {"per_turn": 3.0, "per_day": 5.0}
    now, _ = given(1.0, 1.0, **day)
    now, _ = given(1.0, 1.0, before=now, at=moment(1), **day)
    assert now.spent == (("gift", "affection", 5.0),)
    now, shifts = given(1.0, before=now, at=moment(2), **day)
    assert (shifts, now.spent) == ((), (("gift", "affection", 5.0),))
    now, shifts = given(1.0, before=now, at=moment(days=1), **day)
    assert (len(shifts), now.spent, now.day) == (1, (("gift", "affection", 2.0),), moment(days=1).at.date())


def test_what_arrives_late_counts_to_the_latest_day():
    now, _ = given(1.0, at=moment(days=3), per_turn=9.0, per_day=3.0)
    now, _ = given(1.0, before=now, at=moment(days=1), per_turn=9.0, per_day=3.0)
    assert (now.spent, now.day) == ((("gift", "affection", 3.0),), moment(days=3).at.date())
    assert (now.met_at, now.last_at, now.turns) == (moment(days=3).at, moment(days=3).at, 2)


def test_a_fall_is_capped_too_and_ends_at_nothing():
    harm = {"moves": {"affection": -2.0}}
    now, (shift,) = given(1.0, 1.0, before=two(affection=50), **harm)
    assert (now.affection, shift.after) == (48, 48)
    assert given(1.0, before=two(affection=0.5), **harm)[0].affection == 0.0
    assert given(1.0, before=two(), **harm)[1] == ()


def test_a_rise_ends_where_the_rule_says_and_takes_nothing_from_who_is_above():
    assert given(1.0, before=two(affection=29.5), up_to={"affection": 30.0})[0].affection == 30.0
    assert given(1.0, before=two(affection=55), up_to={"affection": 30.0})[0].affection == 55


@pytest.mark.parametrize(("days", "after"), [(2, 80), (3, 80), (13, 30 + 50 / 2), (23, 30 + 50 / 4)])
def test_an_axis_halves_its_way_to_the_floor_once_the_days_are_over(days, after):
    absence = {"trust": Absence(after_days=3, half_life_days=10, floor=30)}
    now, _ = given(before=replace(two(trust=80), last_at=START), at=moment(days=days), absence=absence)
    assert now.trust == pytest.approx(after)


def test_what_is_at_or_below_the_floor_stays():
    absence = {"trust": Absence(after_days=3, half_life_days=10, floor=30)}
    for trust in (30, 12):
        now, shifts = given(before=replace(two(trust=trust), last_at=START), at=moment(days=99), absence=absence)
        assert (now.trust, shifts) == (trust, ())


def test_who_has_not_met_yet_has_not_been_away():
    absence = {"trust": Absence(after_days=0, half_life_days=1, floor=0)}
    assert given(before=two(trust=80), at=moment(days=99), absence=absence)[1] == ()


def test_absence_comes_first_then_the_turn_then_the_signs():
    met, _ = moved(two(familiarity=90, affection=60), [], moment())
    _, shifts = moved(met, [Sign(name="thanks", speaker="user")], moment(days=200))
    causes = list(dict.fromkeys(shift.cause for shift in shifts))
    assert causes == ["absence", "time_together", "thanks"]
    assert {shift.speaker for shift in shifts if shift.cause != "thanks"} == {""}
