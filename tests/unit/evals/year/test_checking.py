"""When a year went well, and what is found where it did not."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from gieok.errors import InvalidQuery
from gieok_evals.figures import Share
from gieok_evals.year.checking import flickers, met
from gieok_evals.year.generator import START
from gieok_evals.year.knowing import standing_facts, states
from gieok_evals.year.living import Point, course, score
from gieok_evals.year.people import Expectation, Fact
from gieok_evals.year.record import explained, record
from gieok_evals.year.running import Plan, run

from .conftest import made, memory, step

TURNS = 80


def lived(minds, *, characters=2, turns=TURNS, **options):
    minds.options |= {"turns": turns, "with": options}
    return run(Plan(characters=characters, turns=turns, workers=1))


def condition(report, name):
    return next(each for each in report.conditions if name in each.name)


def test_a_mind_that_remembers_everything_it_should_passes(minds):
    report = lived(minds, characters=10)

    assert [each.name for each in report.conditions if each.must and not each.holds] == []
    assert report.passed
    assert condition(report, "facts are current").share.of == 81
    assert condition(report, "promises").share == Share(23, 23)
    assert condition(report, "events").share == Share(24, 24)


def test_a_fact_that_was_never_read_fails_the_year_and_is_named(minds):
    report = lived(minds, characters=1, forgets=lambda line: "복숭아" in line.text)

    assert not report.passed
    assert condition(report, "facts are current").share == Share(7, 8)
    assert condition(report, "facts are current").note == "1 were never read"
    assert any("allergy=복숭아" in miss for miss in report.misses)


def test_an_event_that_left_nothing_fails_the_year(minds):
    report = lived(minds, characters=1, forgets=lambda line: "보리" in line.text)

    assert not report.passed
    assert condition(report, "events").share == Share(1, 2)
    assert condition(report, "question finds").share == Share(4, 5)
    assert any("never remembered: day 97" in miss for miss in report.misses)


def test_a_relationship_is_judged_only_over_a_whole_year(minds):
    report = lived(minds, characters=1, score=lambda line: 90.0)
    whole = condition(report, "relationships")

    assert not whole.holds
    assert not whole.must
    assert any("at most acquaintance" in miss for miss in report.misses)


def test_small_things_are_written_down_so_that_there_is_something_to_forget(minds):
    report = lived(minds, characters=1, turns=1_200)

    assert len(minds.opened[0].noted) > 10
    assert condition(report, "trivial").share.of > 5
    assert condition(report, "trivial").holds


def test_a_mind_that_lets_go_of_nothing_fails_the_year(minds):
    report = lived(minds, characters=1, turns=1_200, keeps_notes=True)

    assert not report.passed
    assert condition(report, "trivial").share.hits == 0
    assert any("trivial, and still there" in miss for miss in report.misses)


@pytest.mark.parametrize(("cap", "holds"), [(1, False), (100, True), (None, True)])
def test_a_cap_bounds_what_is_in_view_but_never_what_may_not_be_pruned(minds, cap, holds):
    minds.options |= {"turns": 1_800, "with": {"keeps_notes": True}}
    report = run(Plan(characters=1, turns=1_800, cap=cap, workers=1))

    assert len(minds.opened[0].noted) > 30
    assert condition(report, "bounded").holds is holds


def test_a_cap_below_one_is_refused():
    with pytest.raises(InvalidQuery, match="cap=0"):
        run(Plan(cap=0))


def test_a_fact_that_a_later_line_ended_stands_no_more(minds):
    lived(minds, characters=1)
    values = [line.told.fact.values[0] for line in standing_facts(minds.opened[0].lines)]

    assert "용인" in values
    assert "수원" not in values


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"attribute": "age", "value": "25"}, True),
        ({"attribute": "age", "value": "125"}, False),
        ({"attribute": "height", "value": "25"}, False),
        ({"attribute": "age", "value": "25", "subject": "other", "subject_id": "동생"}, False),
        ({"attribute": "age", "value": None, "surface": "스물다섯 살"}, True),
    ],
)
def test_a_memory_states_a_fact_by_whom_what_and_value(given, right):
    fact = Fact(attributes=("age",), values=("25", "스물다섯"))
    assert states(memory(**given), fact, fact.values) is right


POINTS = (Point(2.0, 10.0, "stranger"), Point(50.0, 25.0, "acquaintance"), Point(300.0, 45.0, "friend"))


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        (Expectation(start=1, end=100, at_most="acquaintance"), True),
        (Expectation(start=1, end=365, at_most="acquaintance"), False),
        (Expectation(start=310, end=365, at_least="friend"), True),
        (Expectation(start=100, end=365, at_least="friend"), False),
        (Expectation(start=10, end=365, moves="up"), True),
        (Expectation(start=60, end=200, moves="up"), False),
        (Expectation(start=60, end=200, moves="not up"), True),
        (Expectation(start=60, end=365, moves="not up"), False),
    ],
)
def test_an_expectation_is_met_by_every_moment_between_its_days(expected, holds):
    assert met(expected, POINTS) is holds


def test_a_relationship_that_never_moved_is_one_of_strangers():
    assert met(Expectation(start=1, end=365, at_most="stranger"), ())
    assert not met(Expectation(start=1, end=365, at_least="acquaintance"), ())


def test_a_course_keeps_the_last_of_a_day_and_every_change_of_level():
    moments = [(1, 18, "stranger"), (2, 19, "stranger"), (3, 20, "acquaintance"), (30, 21, "acquaintance")]
    steps = [step(START + timedelta(hours=hours), score, level) for hours, score, level in moments]
    mind = SimpleNamespace(trajectory=lambda: steps)

    assert [point.score for point in course(mind)] == [pytest.approx(score) for score in (19, 20, 21)]


@pytest.mark.parametrize(
    ("axis", "points"), [("affection", 35), ("trust", 25), ("familiarity", 25), ("respect", 15), ("rivalry", 0)]
)
def test_an_axis_adds_its_weight_to_the_score(axis, points):
    axes = dict.fromkeys(("trust", "affection", "respect", "rivalry", "familiarity"), 0.0)
    assert score(SimpleNamespace(**axes | {axis: 100.0})) == pytest.approx(points)


def test_rivalry_takes_a_tenth_away():
    assert score(SimpleNamespace(trust=40, affection=0, respect=0, familiarity=0, rivalry=50)) == pytest.approx(5)


def test_what_upkeep_merged_lives_on_in_what_it_became():
    old, gone = memory("old"), memory("gone")
    merged = memory("new", kind="semantic", made_from=("old",))
    written = record([made(old, "t1"), made(gone, "t2")], [merged])

    assert written.held(["old"])
    assert not written.held(["gone"])
    assert written.comes_from(merged, frozenset({"old"}))


def test_what_upkeep_kept_instead_of_it_holds_it_too():
    gone = memory("gone", faded_at=START, closed_by="stays")
    assert record([made(gone, None, kind="pass")], [memory("stays")]).held(["gone"])


def test_an_insight_takes_the_place_of_nothing():
    insight = memory("new", content_type="insight", kind="insight", made_from=("old",))
    assert not record([made(memory("old"), "t1")], [insight]).held(["old"])


def test_what_the_story_closed_is_settled_and_what_upkeep_let_go_is_not():
    replaced = memory("a", invalid_at=START)
    assert record([made(replaced, "t")], []).settled(["a"])
    assert not record([made(memory("a"), "t")], []).settled(["a"])
    assert not record([made(memory("a", invalid_at=START, faded_at=START), "t")], []).settled(["a"])


@pytest.mark.parametrize(("why", "good"), [("superseded", True), ("", False)])
def test_a_closed_memory_needs_a_reason_in_its_history(why, good):
    before = memory("a")
    closing = made(before.changed(invalid_at=START), "t", before=before, why=why)
    mind = SimpleNamespace(
        history=lambda _: [(made(before, "t0"), made(before, "t0").changes[0]), (closing, closing.changes[0])]
    )

    assert explained(mind, "a") is good


def test_a_decision_is_reason_enough():
    class Supersede(SimpleNamespace):
        pass

    before = memory("a")
    closing = made(before.changed(invalid_at=START), "t", before=before)
    closing.decisions = (Supersede(changes=closing.changes),)
    mind = SimpleNamespace(history=lambda _: [(closing, closing.changes[0])])

    assert explained(mind, "a")


@pytest.mark.parametrize(
    ("days", "levels", "count"),
    [
        ((1, 50, 51, 100), ("stranger", "acquaintance", "stranger", "acquaintance"), 1),
        ((1, 50, 60, 61), ("stranger", "acquaintance", "stranger", "acquaintance"), 1),
        ((1, 50, 60, 100), ("stranger", "acquaintance", "stranger", "acquaintance"), 0),
        ((1, 50, 51, 52), ("stranger", "acquaintance", "friend", "close_friend"), 0),
        ((1, 2), ("stranger", "stranger"), 0),
        ((), (), 0),
    ],
)
def test_a_level_flickers_when_it_is_back_within_two_days(days, levels, count):
    assert flickers([Point(day, 0.0, level) for day, level in zip(days, levels, strict=True)]) == count
