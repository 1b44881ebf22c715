"""What a builder may write into the relationship rules."""

import math

import pytest

from gieok.domain.relationship import AXES, default_rules, rules_from
from gieok.errors import InvalidSetting
from support.rows import from_rows


def gift(**table):
    return rules_from({"signs": {"gift": {"new": True, **table}}}).signs["gift"]


def absence(**table):
    return rules_from({"absence": {"trust": {"after_days": 3, "half_life_days": 10, "floor": 5, **table}}}).absence


def test_a_sign_moves_what_it_names_and_counts_three_times_a_day_unless_it_says_otherwise():
    rule = gift(affection=2, rivalry=-4)
    assert dict(rule.moves) == {"affection": 2.0, "rivalry": -4.0}
    assert (rule.per_day, rule.per_turn, rule.character, dict(rule.up_to)) == (12.0, None, 1.0, {})
    assert gift(affection=2, per_day=5, per_turn=3, character=0.5, up_to={"affection": 60}).per_day == 5.0
    assert gift(affection=2, per_turn=3).per_turn == 3.0
    assert gift(affection=2, per_turn=0).per_turn == 0.0
    assert [gift(affection=2, character=share).character for share in (0, 0.25, 1)] == [0, 0.25, 1]
    assert dict(gift(affection=2, up_to={"affection": 60, "trust": 0}).up_to) == {"affection": 60.0, "trust": 0.0}


def test_three_times_a_day_is_never_more_than_the_whole_scale():
    assert gift(affection=50).per_day == 100.0
    assert gift().per_day == 0.0


@pytest.mark.parametrize("points", [-100, 0, 0.5, 100])
def test_a_sign_may_move_an_axis_over_its_whole_length(points):
    assert gift(trust=points).moves["trust"] == points


@pytest.mark.parametrize(
    "table",
    [
        {"trust": 100.5},
        {"trust": -100.5},
        {"trust": math.inf},
        {"trust": None},
        {"trust": math.nan},
        {"trust": True},
        {"per_day": -1},
        {"per_day": 101},
        {"per_turn": -0.5},
        {"character": 1.01},
        {"character": -0.1},
        {"up_to": {"trust": -0.01}},
        {"up_to": {"trust": 101}},
        {"up_to": 60},
    ],
)
def test_a_sign_out_of_its_bounds_is_refused(table):
    with pytest.raises(InvalidSetting, match=r"signs\.gift"):
        gift(**table)


@pytest.mark.parametrize("start", [0, 100])
def test_a_start_lies_between_0_and_100(start):
    assert rules_from({"start": {"rivalry": start}}).start["rivalry"] == start
    assert set(rules_from({"start": {"rivalry": start}}).start) == set(AXES)
    with pytest.raises(InvalidSetting, match=r"start\.rivalry = -1 .* from 0 to 100"):
        rules_from({"start": {"rivalry": -1}})


def test_an_absence_may_begin_at_once_and_last_for_ever():
    rule = absence(after_days=0, half_life_days=100_000, floor=0)["trust"]
    assert (rule.after_days, rule.half_life_days, rule.floor) == (0.0, 100_000.0, 0.0)
    assert absence(after_days=500, half_life_days=math.inf)["trust"].after_days == 500.0
    assert "familiarity" in absence()


@from_rows
def test_an_absence_out_of_its_bounds_is_refused(table, message):
    with pytest.raises(InvalidSetting, match=message):
        absence(**table)


@pytest.mark.parametrize("missing", ["after_days", "half_life_days", "floor"])
def test_an_absence_that_lacks_a_number_is_refused(missing):
    table = {"after_days": 3, "half_life_days": 10, "floor": 5}
    del table[missing]
    with pytest.raises(InvalidSetting, match=f"lacks {missing}"):
        rules_from({"absence": {"trust": table}})


@from_rows
def test_what_means_nothing_is_refused_with_the_way_out(changes, message):
    with pytest.raises(InvalidSetting) as refused:
        rules_from(changes)
    assert message in str(refused.value)


def test_a_known_sign_may_be_called_new_and_keeps_the_rest_of_its_rule():
    old = default_rules().signs["thanks"]
    rule = rules_from({"signs": {"thanks": {"new": True, "up_to": {"trust": 50}}}}).signs["thanks"]
    assert (rule.moves, rule.per_day) == (old.moves, old.per_day)
    assert dict(rule.up_to) == {**old.up_to, "trust": 50}
