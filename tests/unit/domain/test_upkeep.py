"""When upkeep is due, by the documents' numbers."""

from datetime import timedelta

import pytest

from gieok.domain.upkeep import Ran, Standing, UpkeepRules, due, is_new, touched
from gieok.testing.builders import WALL, memory
from unit.maintain.grounds import episode, moment

RULES = UpkeepRules()
ALL = ("promote", "merge", "prune", "reflect", "summarise")


def standing(turn: int, **fields) -> Standing:
    return Standing(turn_number=turn, **fields)


def ran(turn: int, *, hours: float = 0) -> Ran:
    return Ran(turn_number=turn, at=WALL + timedelta(hours=hours))


def due_after(turns: int, rules: UpkeepRules = RULES) -> set[str]:
    """What is due so many turns after everything ran."""
    before = {name: ran(100) for name in ALL}
    return set(due(standing(100 + turns, ran=before), rules, WALL))


def test_fading_takes_a_step_every_5_turns_and_is_no_pass():
    assert RULES.fading.every_turns == 5
    assert due_after(5) == set()


def test_merging_and_promoting_are_due_every_10_turns():
    assert due_after(9) == set()
    assert due_after(10) == {"merge", "promote"}


def test_pruning_is_due_every_25_turns():
    assert "prune" not in due_after(24)
    assert "prune" in due_after(25)


def test_a_pass_that_was_missed_is_due_at_the_next_look():
    assert {"merge", "promote", "prune"} <= due_after(61)


def test_a_summary_is_due_at_more_than_12_turns():
    assert "summarise" not in due_after(12)
    assert "summarise" in due_after(13)


def test_a_summary_is_due_at_more_than_6000_tokens():
    assert due(standing(3, unsummarised_tokens=6_000), RULES, WALL) == ()
    assert due(standing(3, unsummarised_tokens=6_001), RULES, WALL) == ("summarise",)


@pytest.mark.parametrize(("preset", "turns"), [("character", 5), ("care", 10)])
def test_the_character_sums_up_every_5_turns_and_the_carer_at_10(preset, turns):
    rules = UpkeepRules(summarise_every_turns=turns)

    assert "summarise" not in due_after(turns - 1, rules)
    assert "summarise" in due_after(turns, rules)


def test_reflection_is_due_at_20_new_memories():
    assert due(standing(1, new_memories=19), RULES, WALL) == ()
    assert due(standing(1, new_memories=20), RULES, WALL) == ("reflect",)


def test_by_the_clock_merging_and_pruning_are_due_every_6_hours():
    before = {name: ran(100) for name in ALL}

    def after(hours: float) -> set[str]:
        return set(due(standing(101, ran=before, began_at=WALL), RULES, WALL + timedelta(hours=hours)))

    assert after(5.99) == set()
    assert after(6) == {"merge", "prune"}


def test_weekly_documents_are_due_7_days_after_the_last():
    there = standing(1, began_at=WALL, ran={"weekly": ran(0, hours=24)})

    assert "weekly" not in due(there, RULES, WALL + timedelta(days=7))
    assert "weekly" in due(there, RULES, WALL + timedelta(days=8))


def test_a_scope_that_is_not_scheduled_goes_by_its_turns_alone():
    assert due(standing(1), RULES, WALL + timedelta(days=365)) == ()
    unscheduled = UpkeepRules(every_hours=None)
    assert due(standing(1, began_at=WALL), unscheduled, WALL + timedelta(days=6)) == ()


def test_retention_is_due_only_where_something_is_kept_for_a_while():
    assert "retain" not in due(standing(25), RULES, WALL)
    assert "retain" in due(standing(25), UpkeepRules(keep_days={"note": 30}), WALL)


def test_what_is_often_used_is_promoted_before_it_could_be_merged_or_pruned():
    names = due(standing(100, new_memories=20), UpkeepRules(keep_days={"note": 30}), WALL)
    assert names == ("promote", "merge", "prune", "retain", "reflect", "summarise")


def test_a_turn_taken_back_makes_nothing_due():
    assert due(standing(90, ran={name: ran(100) for name in ALL}), RULES, WALL) == ()


def test_new_is_what_was_learned_since_and_never_what_upkeep_made():
    last = Ran(turn_number=10, at=moment(5).at)

    assert not is_new(episode("산책을 했다", 5), last)
    assert is_new(episode("산책을 했다", 6), last)
    assert is_new(episode("산책을 했다", 5, touched_turn=11), last)
    assert is_new(episode("산책을 했다", 5), None)
    assert not is_new(episode("산책을 했다", 6, origin="reflection"), last)


def test_what_upkeep_let_go_of_is_hidden():
    assert memory().changed(faded_at=WALL).hidden
    assert not memory().changed(faded_at=WALL).true_at(WALL)


def test_a_touch_writes_down_how_far_a_memory_has_faded():
    after = touched(episode("산책을 했다", importance=0.0), moment(turn=10), RULES, kind="semantic")

    assert after.strength == pytest.approx(0.95**2)
    assert after.touched_turn == 10
