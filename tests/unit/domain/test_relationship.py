"""The relationship: its score, its levels, and what a year of talk makes of it."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Sign
from gieok.domain.relationship import (
    AXES,
    LEVELS,
    THRESHOLDS,
    Relationship,
    default_rules,
    level_after,
    moved,
    new_relationship,
    rules_from,
    score,
)
from gieok.errors import InvalidSetting
from support.rows import from_rows

START = datetime(2026, 1, 1, 11, tzinfo=UTC)
points = st.floats(0, 100)


def moment(day=0, turn=0):
    at = START + timedelta(days=day, minutes=turn)
    return Moment(at=at, recorded_at=at, turn_number=day * 100 + turn)


def sign(name, speaker="user", **changes):
    return Sign(name=name, speaker=speaker, words="…", **changes)


def two(**axes):
    return Relationship(**{**dict.fromkeys(AXES, 0.0), **axes})


def talk(days, daily, *, since=0, relationship=None):
    """Let them talk for `days`, each day a list of turns, each turn a list of signs by the user."""
    now = relationship or new_relationship()
    for day in range(since, since + days):
        for turn, names in enumerate(daily(day)):
            now, _ = moved(now, [sign(name) for name in names], moment(day, turn))
    return now


def friendly(day):
    """Eight turns: a greeting, something told, a thank-you or a compliment, now and then a comfort, good night."""
    kind = ["thanks"] if day % 2 else ["praise"]
    comfort = [] if day % 4 else ["comfort"]
    return [["greeting"], ["self_disclosure"], [], kind, [], ["self_disclosure"][: day % 2], comfort, ["farewell"]]


def warm(day):
    return [*friendly(day), ["affection"]]


def small_talk(day):
    return [[]] * 8


def hostile(day):
    return [["insult"], [], ["insult"]]


def test_the_score_weighs_the_axes_as_the_document_does():
    assert score(two(affection=100)) == pytest.approx(35)
    assert score(two(trust=100)) == pytest.approx(25)
    assert score(two(familiarity=100)) == pytest.approx(25)
    assert score(two(respect=100)) == pytest.approx(15)
    assert score(two(affection=100, rivalry=100)) == pytest.approx(35 - 10)
    assert score(two(trust=40, affection=60, respect=20, rivalry=30, familiarity=80)) == pytest.approx(51)


def test_the_score_stays_between_0_and_100():
    assert score(two(rivalry=100)) == 0
    assert score(two(affection=100, trust=100, familiarity=100, respect=100)) == 100


@from_rows
def test_a_level_rises_at_its_threshold_and_falls_only_3_points_below_it(threshold, below, level):
    assert level_after(threshold - 0.01, below) == below
    assert level_after(threshold, below) == level
    assert level_after(threshold - 3, level) == level
    assert level_after(threshold - 3.01, level) == below


def test_a_great_fall_passes_several_levels_at_once():
    assert level_after(5, "intimate") == "stranger"
    assert level_after(58, "intimate") == "close_friend"
    assert level_after(90, "stranger") == "intimate"


@given(points, st.sampled_from(LEVELS))
def test_a_level_is_stable_at_the_score_that_gave_it(at, level):
    once = level_after(at, level)
    assert level_after(at, once) == once
    assert THRESHOLDS[LEVELS.index(once)] <= at + 3


def test_two_who_have_not_met_are_strangers():
    begun = new_relationship()
    assert begun.level == "stranger"
    assert (begun.turns, begun.met_at, begun.last_at) == (0, None, None)
    assert all(begun.axis(axis) <= 10 for axis in AXES)


def test_a_builder_may_let_them_begin_as_old_friends():
    rules = rules_from({"start": {"trust": 60, "affection": 55, "familiarity": 80, "respect": 40}})
    assert new_relationship(rules).level == "close_friend"


def test_a_turn_counts_and_keeps_the_times():
    first, _ = moved(new_relationship(), [], moment(0))
    second, _ = moved(first, [], moment(2))
    assert second.turns == 2
    assert (second.met_at, second.last_at) == (moment(0).at, moment(2).at)


def test_a_turn_that_arrives_late_does_not_turn_back_the_time():
    now, _ = moved(new_relationship(), [], moment(9))
    late, shifts = moved(now, [sign("thanks")], moment(3))
    assert late.last_at == moment(9).at
    assert late.day == now.day
    assert {shift.cause for shift in shifts} == {"time_together", "thanks"}


def test_every_shift_says_what_it_moved_and_why():
    _, shifts = moved(two(trust=50), [Sign(name="promise_broken", speaker="user", words="약속 어겨서 미안")], moment())
    broken = next(shift for shift in shifts if shift.cause == "promise_broken" and shift.axis == "trust")
    assert (broken.before, broken.words, broken.speaker) == (pytest.approx(50, abs=0.1), "약속 어겨서 미안", "user")
    assert broken.after == pytest.approx(broken.before - 5)


def test_the_shifts_lead_from_the_value_before_to_the_value_after():
    before = two(trust=50, affection=50, respect=50, rivalry=10, familiarity=60)
    signs = [sign("thanks"), sign("insult"), sign("rivalry"), sign("praise", "character")]
    after, shifts = moved(before, signs, moment())
    walked = {axis: before.axis(axis) for axis in AXES}
    for shift in shifts:
        assert shift.before == walked[shift.axis]
        walked[shift.axis] = shift.after
    assert walked == {axis: after.axis(axis) for axis in AXES}


def test_a_sign_without_a_rule_moves_nothing():
    plain, _ = moved(new_relationship(), [], moment())
    odd, _ = moved(new_relationship(), [sign("sneeze")], moment())
    assert odd == plain


def test_saying_it_ten_times_in_a_turn_counts_once():
    once, _ = moved(two(), [sign("thanks")], moment())
    often, _ = moved(two(), [sign("thanks")] * 10, moment())
    assert often == once


def test_a_sign_moves_no_more_in_a_day_than_its_cap_and_again_on_the_next():
    cap = default_rules().signs["thanks"].per_day
    now = two()
    for turn in range(30):
        now, shifts = moved(now, [sign("thanks")], moment(0, turn))
    assert not [shift for shift in shifts if shift.cause == "thanks"]
    assert sum(spent for name, axis, spent in now.spent if (name, axis) == ("thanks", "affection")) == pytest.approx(
        cap
    )
    _, shifts = moved(now, [sign("thanks")], moment(1))
    assert [shift for shift in shifts if shift.cause == "thanks"]


def test_what_the_character_says_counts_less_than_what_the_user_says():
    said, _ = moved(two(), [sign("praise")], moment())
    replied, _ = moved(two(), [sign("praise", "character")], moment())
    silent, _ = moved(two(), [], moment())
    assert silent.affection < replied.affection < said.affection


def test_a_faint_sign_moves_less_than_a_clear_one():
    faint, _ = moved(two(trust=50, affection=50), [sign("insult", strength=0.5)], moment())
    clear, _ = moved(two(trust=50, affection=50), [sign("insult")], moment())
    assert clear.affection < faint.affection < 50.1


def test_a_rise_shrinks_near_the_top_but_a_fall_does_not():
    low, _ = moved(two(affection=10), [sign("affection")], moment())
    high, _ = moved(two(affection=90), [sign("affection")], moment())
    assert 0 < high.affection - 90 < (low.affection - 10) / 5
    hurt, _ = moved(two(affection=90), [sign("insult")], moment())
    assert 90 - hurt.affection == pytest.approx(3)


def test_thanks_alone_never_make_a_lover():
    now = talk(400, lambda day: [["thanks", "praise", "comfort"]] * 5)
    assert now.affection <= 70
    assert now.level == "close_friend"


@given(st.lists(st.lists(st.sampled_from([*default_rules().signs, "sneeze"]), max_size=4), max_size=30), st.data())
def test_axes_stay_between_0_and_100_whatever_happens(turns, data):
    now = Relationship(**{axis: data.draw(points) for axis in AXES})
    for day, names in enumerate(turns):
        speaker = data.draw(st.sampled_from(["user", "character"]))
        now, _ = moved(now, [sign(name, speaker) for name in names], moment(day * 7))
        assert all(0 <= now.axis(axis) <= 100 for axis in AXES)


def test_a_few_days_apart_cost_nothing():
    before = two(familiarity=80, affection=60)
    met, _ = moved(before, [], moment(0))
    _, shifts = moved(met, [], moment(3))
    assert not [shift for shift in shifts if shift.cause == "absence"]


def test_a_long_absence_costs_familiarity_and_a_little_affection_and_nothing_else():
    met, _ = moved(two(trust=60, familiarity=80, affection=60, respect=50), [], moment(0))
    back, shifts = moved(met, [], moment(93))
    lost = {shift.axis: shift.before - shift.after for shift in shifts if shift.cause == "absence"}
    assert set(lost) == {"familiarity", "affection"}
    assert 15 < lost["familiarity"] < 25
    assert 5 < lost["affection"] < 12
    assert back.trust >= met.trust


def test_an_absence_of_years_stops_at_the_floor():
    met, _ = moved(two(familiarity=90, affection=80), [], moment(0))
    back, _ = moved(met, [], moment(365 * 20))
    assert 30 <= back.familiarity < 31
    assert 20 <= back.affection < 21
    distant, _ = moved(two(familiarity=10, affection=10), [], moment(0))
    _, shifts = moved(distant, [], moment(365 * 20))
    assert not [shift for shift in shifts if shift.cause == "absence"]


def test_familiarity_halves_its_way_to_the_floor_in_120_days_after_the_first_3():
    met = two(familiarity=90)
    met, _ = moved(met, [], moment(0))
    _, shifts = moved(met, [], moment(123))
    gone = next(shift for shift in shifts if shift.cause == "absence" and shift.axis == "familiarity")
    assert gone.after == pytest.approx(30 + (gone.before - 30) / 2)


def test_ordinary_friendly_talk_makes_a_friend_after_weeks_and_a_close_friend_after_months():
    assert talk(7, friendly).level == "stranger"
    assert talk(14, friendly).level == "acquaintance"
    assert talk(35, friendly).level == "friend"
    assert talk(50, friendly).level == "friend"
    assert talk(90, friendly).level == "close_friend"
    assert talk(365, friendly).level == "close_friend"


def test_intimacy_needs_affection_and_half_a_year():
    assert talk(120, warm).level == "close_friend"
    assert talk(200, warm).level == "intimate"


def test_nobody_becomes_intimate_within_a_week_however_sweetly_they_speak():
    def flooding(day):
        return [["affection", "praise", "thanks", "comfort", "self_disclosure", "promise_kept", "promise"]] * 50

    assert talk(7, flooding).level in ("acquaintance", "friend")


def test_a_year_of_mere_small_talk_makes_no_close_friend():
    assert talk(60, small_talk).level == "acquaintance"
    assert talk(365, small_talk).level == "friend"


def test_a_week_of_insults_makes_friends_colder():
    friends = talk(60, friendly)
    after = talk(7, hostile, since=60, relationship=friends)
    assert score(after) < score(friends) - 15
    assert LEVELS.index(after.level) < LEVELS.index(friends.level)
    assert after.affection < friends.affection / 2


def test_one_quarrel_among_close_friends_is_not_the_end():
    friends = talk(120, friendly)
    after = talk(1, hostile, since=120, relationship=friends)
    assert after.level == friends.level == "close_friend"


def test_a_hostile_start_stays_among_strangers():
    assert talk(60, hostile).level == "stranger"


def test_a_kept_promise_builds_less_trust_than_a_broken_one_costs():
    kept, _ = moved(two(trust=50), [sign("promise_kept")], moment())
    broken, _ = moved(two(trust=50), [sign("promise_broken")], moment())
    assert 0 < kept.trust - 50 < 50 - broken.trust


def test_levels_do_not_flicker_in_a_year():
    now, levels = new_relationship(), []
    for day in range(365):
        plan = friendly if day % 9 else hostile
        for turn, names in enumerate(plan(day)):
            now, _ = moved(now, [sign(name) for name in names], moment(day, turn))
            levels.append(now.level)
    changes = sum(before != after for before, after in pairwise(levels))
    assert changes <= 12


def test_the_same_turns_give_the_same_relationship():
    assert talk(40, friendly) == talk(40, friendly)


def test_rules_change_only_what_is_named():
    rules = rules_from({"signs": {"thanks": {"affection": 3, "per_turn": 3}}})
    assert rules.signs["thanks"].moves["affection"] == 3
    assert rules.signs["thanks"].moves["trust"] == default_rules().signs["thanks"].moves["trust"]
    assert rules.signs["praise"] == default_rules().signs["praise"]
    assert rules_from({}) == default_rules()


def test_a_sign_of_the_builders_own_is_new():
    rules = rules_from({"signs": {"gift": {"new": True, "affection": 2}}})
    now, shifts = moved(two(), [sign("gift")], moment(), rules)
    assert now.affection > 1.9
    assert "gift" in {shift.cause for shift in shifts}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"signs": {"thank": {"affection": 1}}}, "did you mean thanks?"),
        ({"signs": {"gift": {"affection": 1}}}, "new = true"),
        ({"signs": {"thanks": {"afection": 1}}}, "did you mean affection?"),
        ({"signs": {"thanks": {"affection": "much"}}}, "signs.thanks.affection = 'much'"),
        ({"signs": {"thanks": {"affection": float("nan")}}}, "must be a number"),
        ({"signs": {"thanks": {"affection": True}}}, "must be a number"),
        ({"signs": {"thanks": 3}}, "must be a table"),
        ({"signs": {"thanks": {"up_to": {"luck": 3}}}}, "'luck' is unknown in signs.thanks.up_to"),
        ({"signs": {"thanks": {"character": 2}}}, "from 0 to 1"),
        ({"start": {"trust": 101}}, "from 0 to 100"),
        ({"absence": {"trust": {"floor": 3}}}, "lacks after_days"),
        ({"absence": {"trust": {"after_days": 1, "half_life_days": 0, "floor": 3}}}, "more than 0"),
        ({"absense": {}}, "did you mean absence?"),
    ],
)
def test_wrong_rules_are_refused_with_a_hint(changes, message):
    with pytest.raises(InvalidSetting) as refused:
        rules_from(changes)
    assert message in str(refused.value)
