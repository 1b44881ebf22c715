"""When upkeep is due, by the documents' numbers."""

from dataclasses import fields
from datetime import timedelta

import pytest

from gieok.domain.memory import Change
from gieok.domain.upkeep import (
    Ran,
    UpkeepCounters,
    UpkeepRules,
    by_upkeep,
    change_text,
    closing_change,
    derived_from,
    is_conclusion,
    is_current_summary,
    is_new,
    is_protected,
    outlooks,
    refreshed,
)
from gieok.testing.builders import WALL, memory
from unit.maintain.grounds import episode, moment

RULES = UpkeepRules()
ALL = ("promote", "merge", "prune", "reflect", "summarise")


def standing(turn: int, **fields) -> UpkeepCounters:
    return UpkeepCounters(turn_number=turn, **fields)


def ran(turn: int, *, hours: float = 0) -> Ran:
    return Ran(turn_number=turn, at=WALL + timedelta(hours=hours))


def due(*asked) -> tuple[str, ...]:
    return tuple(each.name for each in outlooks(*asked) if each.due)


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


def test_what_looks_at_everything_waits_the_longer_the_more_was_written():
    before = {name: ran(100) for name in ALL}

    def due_then(turn: int, writes: int) -> tuple[str, ...]:
        return due(standing(turn, writes=writes, new_memories=turn - 100, ran=before), RULES, WALL)

    assert due_then(130, 250) == ALL
    assert due_then(130, 1_000) == ("summarise",)
    assert due_then(140, 1_000) == ALL
    assert due_then(110, 10_000_000) == ()


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
    after = refreshed(episode("산책을 했다", importance=0.0), moment(turn=10), RULES, kind="semantic")

    assert after.strength == pytest.approx(0.95**2)
    assert after.touched_turn == 10
    assert after.kind == "semantic"


def test_the_numbers_are_the_documents():
    rules = {field.name: getattr(RULES, field.name) for field in fields(UpkeepRules)}
    assert {name: number for name, number in rules.items() if name not in ("fading", "keep_days", "merge_mode")} == {
        "merge_every_turns": 10, "fuse_similarity": 0.80, "fuse_candidates": 50,
        "keep_similarity": 0.85, "keep_candidates": 500,
        "promote_every_turns": 10, "promote_at": 3, "promoted_importance": 0.8,
        "prune_every_turns": 25, "prune_strength": 0.15, "prune_importance": 0.2, "prune_days": 60.0, "cap": None,
        "strong_feeling": 0.7,
        "reflect_at": 20, "reflect_most": 1_000, "insight_at": 3, "most_insights": 5, "look_back_turns": 400,
        "profile_at": 3, "profile_tokens": 200,
        "summarise_after_turns": 12, "summarise_every_turns": None, "summarise_tokens": 6_000, "summary_tokens": 400,
        "summary_quotes": 6,
        "weekly_days": 7.0, "weekly_low": 0.5, "weekly_share": 0.5, "every_hours": 6.0,
        "share_of_writes": 25,
    }  # fmt: skip
    assert (RULES.merge_mode, dict(RULES.keep_days)) == ("fuse", {})


def test_without_a_new_turn_there_is_nothing_to_sum_up():
    ran_now = {"summarise": ran(3)}
    assert due(standing(3, unsummarised_tokens=9_999, ran=ran_now), RULES, WALL) == ()
    assert due(standing(4, unsummarised_tokens=9_999, ran=ran_now), RULES, WALL) == ("summarise",)


def test_many_tokens_are_summed_up_also_where_turns_are_counted_otherwise():
    rules = UpkeepRules(summarise_every_turns=5)
    assert due(standing(1, unsummarised_tokens=6_001), rules, WALL) == ("summarise",)


def test_turns_are_counted_from_the_last_run_and_before_it_from_the_first_turn():
    there = standing(30, ran={"merge": ran(22)})
    assert (there.turns_since("merge"), there.turns_since("prune")) == (8, 30)


def test_time_is_counted_from_the_last_run_else_from_the_beginning_and_not_at_all_unscheduled():
    now = WALL + timedelta(hours=5)
    before = {"merge": ran(1, hours=2)}
    there = standing(1, began_at=WALL, ran=before)
    assert there.time_since("merge", now) == timedelta(hours=3)
    assert there.time_since("prune", now) == timedelta(hours=5)
    assert standing(1, ran=before).time_since("merge", now) == timedelta(0)
    assert standing(1).time_since("prune", now) == timedelta(0)


def test_by_the_clock_nothing_else_is_due():
    rules = UpkeepRules(keep_days={"note": 30}, weekly_days=999)
    there = standing(1, began_at=WALL)
    assert due(there, rules, WALL + timedelta(hours=6)) == ("merge", "prune", "retain")
    assert due(there, UpkeepRules(every_hours=2, weekly_days=999), WALL + timedelta(hours=2)) == ("merge", "prune")


def test_retention_goes_by_the_turns_of_pruning():
    rules = UpkeepRules(keep_days={"note": 30})
    before = {**{name: ran(100) for name in ALL}, "retain": ran(80)}
    assert due(standing(104, ran=before), rules, WALL) == ()
    assert due(standing(105, ran=before), rules, WALL) == ("retain",)


def test_new_is_also_what_was_told_on_the_turn_after():
    last = Ran(turn_number=10, at=moment(5).at)
    assert not is_new(episode("산책을 했다", 5, touched_turn=10), last)
    assert not is_new(episode("산책을 했다", 6, origin="reflection"), None)


def test_upkeep_knows_its_own_also_after_a_person_put_them_right():
    assert by_upkeep(memory(origin="reflection"))
    assert by_upkeep(memory(origin="person", extractor="upkeep/merge/1"))
    assert not by_upkeep(memory(origin="person", extractor="korean/1"))


@pytest.mark.parametrize("content_type", ["insight", "summary", "profile"])
def test_a_conclusion_is_an_insight_a_summary_or_a_profile_that_upkeep_made(content_type):
    assert is_conclusion(memory(origin="reflection", content_type=content_type))
    assert not is_conclusion(memory(content_type=content_type))
    assert not is_conclusion(memory(origin="reflection", content_type="fact"))


def test_what_rests_on_something_gone_is_what_upkeep_made_of_it():
    insight = memory(origin="reflection", made_from=("m1", "m2"))
    other = memory(origin="reflection", made_from=("m3",))
    told = memory(made_from=("m2",))
    assert derived_from({"m2", "m9"}, [insight, other, told]) == [insight]


@pytest.mark.parametrize("content_type", ["summary", "profile"])
def test_there_is_one_summary_and_one_profile_at_a_time_but_many_weeks(content_type):
    made = {"origin": "reflection", "content_type": content_type}
    assert is_current_summary(memory(**made))
    assert not is_current_summary(memory(**made, tags=("weekly",)))
    assert not is_current_summary(memory(content_type=content_type))
    assert not is_current_summary(memory(origin="reflection", content_type="insight"))


def test_what_is_pinned_known_of_somebody_or_the_story_so_far_is_held():
    assert is_protected(memory(pinned=True))
    assert is_protected(memory(attribute="likes", value="차"))
    assert is_protected(memory(origin="reflection", content_type="summary"))
    assert not is_protected(memory())
    assert not is_protected(memory(origin="reflection", content_type="insight"))


def test_what_is_let_go_of_names_what_took_its_place_or_keeps_what_had():
    old = memory(closed_by="m1")
    change = closing_change(old, moment(5))
    assert change.before == old
    assert (change.after.faded_at, change.after.closed_by) == (moment(5).at, "m1")
    assert closing_change(old, moment(5), replaced_by="m2").after.closed_by == "m2"


def test_of_a_change_the_words_that_stand_now_are_read_or_those_that_stood_or_those_it_was_told_anew_in():
    old, new = memory("고양이를 좋아함", id="m"), memory("고양이를 아주 좋아함", id="m")
    retold = old.changed(interpretation="고양이 이야기에 웃는 사람")
    assert (
        change_text(Change(before=None, after=old)) == change_text(Change(before=old, after=None)) == "고양이를 좋아함"
    )
    assert change_text(Change(before=old, after=new)) == "고양이를 아주 좋아함"
    assert change_text(Change(before=old, after=retold)) == "고양이 이야기에 웃는 사람"
    assert change_text(Change(before=retold, after=retold.changed(strength=0.5))) == "고양이를 좋아함"
