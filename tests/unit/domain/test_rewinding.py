"""Rewinding is replaying the survivors, whatever was undone."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.judgement import Beliefs
from gieok.domain.operation import Hide, Learn
from gieok.testing import claim, day
from gieok.testing.scribe import replayed
from unit.domain.histories import POLICY, alike, histories, operation, true_values


def rewind(log, undo, beliefs, similarity=None):
    """Take `undo` back as the engine does: from a working copy of what is believed, and the end of the log."""
    first = next(number for number, each in enumerate(log) if each.id in undo)
    heard = Counter(c.saying for each in log[:first] if isinstance(each.request, Learn) for c in each.request.claims)
    working = Beliefs(beliefs.all().values(), similarity=similarity, heard=heard)
    turns_before = sum(each.kind == "observe" for each in log[:first])
    present = WorkingState(beliefs=working)
    revised = OperationApplier(policy=POLICY).rewound(log[first:], frozenset(undo), present, turn_number=turns_before)
    return working, [*log[:first], *(each for each in revised if not each.undone)]


@given(histories(), st.integers(0, 99), st.data())
def test_what_is_believed_after_a_rewind_is_what_the_survivors_alone_would_have_given(history, seed, data):
    similarity = alike(history, seed)
    beliefs, log = replayed(history, POLICY, similarity=similarity)
    while log and data.draw(st.booleans() if len(log) < len(history) else st.just(True), label="rewind again"):
        undo = data.draw(st.sets(st.sampled_from([each.id for each in log]), min_size=1), label="undo")
        shuffled = Beliefs(Random(seed).sample(list(beliefs.all().values()), len(beliefs.all())))
        beliefs, log = rewind(log, undo, shuffled, similarity)

        left = {each.id for each in log}
        fresh, outcomes = replayed([each for each in history if each.id in left], POLICY, similarity=similarity)
        assert beliefs.all() == fresh.all()
        assert log == outcomes


@given(histories(attributes=("residence",), acts=("assert",), polarities="+", events=False, edits=False), st.data())
def test_after_a_rewind_a_single_valued_attribute_still_holds_one_value(history, data):
    beliefs, log = replayed(history, POLICY)
    undo = data.draw(st.sets(st.sampled_from([each.id for each in log]), min_size=1))
    after, survivors = rewind(log, undo, beliefs)
    said = any(each.request.claims for each in survivors)
    assert len(true_values(after.all(), "residence", day(9_999))) == (1 if said else 0)


def test_rewinding_the_middle_of_a_chain_joins_its_ends():
    ages = [operation(n, Learn(claims=(claim("age", str(25 + n), id=f"c{n}"),)), at=10 * n) for n in range(3)]
    beliefs, log = replayed(ages, POLICY)
    after, _ = rewind(log, {"o1"}, beliefs)
    assert (after["c0"].invalid_at, after["c0"].closed_by) == (day(20), "c2")
    assert after.get("c1") is None


def test_a_repetition_becomes_the_memory_when_the_first_telling_is_rewound():
    likes = [operation(n, Learn(claims=(claim("likes", "고양이", id=f"c{n}"),))) for n in range(2)]
    beliefs, log = replayed(likes, POLICY)
    assert set(beliefs.all()) == {"c0"}
    after, survivors = rewind(log, {"o0"}, beliefs)
    assert set(after.all()) == {"c1"}
    assert after["c1"].mentions == 0
    assert survivors[0].moment.turn_number == 1


def test_undoing_a_forgetting_shows_the_memory_again():
    asked = [operation(0, Learn(claims=(claim("likes", "고양이", id="c0"),))), operation(1, Hide(memory_id="c0"))]
    beliefs, log = replayed(asked, POLICY)
    assert beliefs["c0"].hidden
    after, _ = rewind(log, {"o1"}, beliefs)
    assert not after["c0"].hidden


def test_a_request_about_a_memory_that_is_gone_changes_nothing():
    asked = [operation(0, Learn(claims=(claim("likes", "고양이", id="c0"),))), operation(1, Hide(memory_id="c0"))]
    beliefs, log = replayed(asked, POLICY)
    after, survivors = rewind(log, {"o0"}, beliefs)
    assert after.all() == {}
    assert survivors[0].changes == ()
