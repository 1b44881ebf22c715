"""Carrying operations out: what is asked for, what is used, put right, pinned and forgotten."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Amend, Hide, Learn, Maintain, Operation, Pin, Request, Undo
from gieok.domain.relationship import Relationship
from gieok.domain.upkeep import Kept, Ran
from gieok.testing import claim, day, memory
from gieok.testing.builders import WALL

TEA = memory("차를 즐겨 마심", id="tea", attribute="habit", value="차", sources=("u1",))


def operation(request: Request, *, id: str = "o1", kind: str = "observe", when: float = 9, turn: int = 7) -> Operation:
    moment = Moment(at=day(when), recorded_at=WALL, turn_number=turn)
    return Operation(id=id, kind=kind, moment=moment, who="person", request=request)


def done(request: Request, *known: Memory, **fields) -> tuple[Operation, Beliefs]:
    present = WorkingState(beliefs=Beliefs(known))
    return OperationApplier().carried_out(operation(request, **fields), present), present.beliefs


def page(content: str = "어제 차를 즐겨 마심. 비가 왔다.", **fields) -> Memory:
    about = {"content_type": "summary", "origin": "reflection", "made_from": ("tea",)}
    return memory(content, **{"id": "page", **about, "interpretation": "좋은 날", **fields})


def test_what_stood_in_the_context_is_counted_as_used_once():
    _, beliefs = done(Learn(used=("tea", "gone", "tea")), TEA, memory(id="other"))
    assert (beliefs["tea"].uses, beliefs["tea"].last_used_at, beliefs["other"].uses) == (1, day(9), 0)


def test_what_a_turn_just_made_can_be_used_by_it():
    outcome, beliefs = done(Learn(claims=(claim("likes", "차", id="c1"),), used=("c1",)))
    assert [(change.memory_id, change.after.version) for change in outcome.changes] == [("c1", 1), ("c1", 2)]
    assert beliefs["c1"].uses == 1


def test_pinning_and_letting_go_of_the_pin_change_nothing_else():
    outcome, beliefs = done(Pin(memory_id="tea", pinned=True), TEA)
    assert beliefs["tea"] == TEA.changed(pinned=True)
    assert outcome.changes == (Change(before=TEA, after=beliefs["tea"]),)
    _, beliefs = done(Pin(memory_id="tea", pinned=False), beliefs["tea"])
    assert not beliefs["tea"].pinned


def test_words_that_are_put_right_are_a_persons_and_keep_the_value_unless_another_is_given():
    _, beliefs = done(Amend(memory_id="tea", content="녹차를 즐겨 마심"), TEA)
    right = beliefs["tea"]
    assert (right.content, right.value, right.surface, right.origin) == ("녹차를 즐겨 마심", "차", None, "person")
    _, beliefs = done(Amend(memory_id="tea", content="녹차를 마심", value="녹차", surface="녹차를"), TEA)
    assert (beliefs["tea"].value, beliefs["tea"].surface) == ("녹차", "녹차를")


def test_the_story_so_far_is_told_on_with_the_right_words():
    outcome, beliefs = done(Amend(memory_id="tea", content="커피를\n즐겨 마심"), TEA, page())
    assert beliefs["page"].content == "어제 커피를 즐겨 마심. 비가 왔다."
    assert (beliefs["page"].interpretation, beliefs["page"].hidden) == (None, False)
    assert [change.memory_id for change in outcome.changes] == ["tea", "page"]


@pytest.mark.parametrize("fields", [{"content_type": "insight"}, {"content": "차 이야기를 했다"}])
def test_a_conclusion_that_cannot_be_put_right_is_let_go(fields):
    _, beliefs = done(Amend(memory_id="tea", content="커피를 즐겨 마심"), TEA, page(**fields))
    assert beliefs["page"].faded_at == day(9)


def test_the_same_words_again_leave_every_page_as_it_is():
    outcome, _ = done(Amend(memory_id="tea", content=TEA.content, value="녹차"), TEA, page())
    assert [change.memory_id for change in outcome.changes] == ["tea"]


def test_forgetting_hides_the_memory_and_all_that_was_concluded_from_it():
    outcome, beliefs = done(Hide(memory_id="tea"), TEA, page(), memory(id="other"))
    assert beliefs["tea"].forgotten_at == beliefs["page"].faded_at == day(9)
    assert not beliefs["other"].hidden
    assert [change.memory_id for change in outcome.changes] == ["tea", "page"]


@pytest.mark.parametrize("ask", [lambda **about: Pin(pinned=True, **about), Hide])
def test_a_request_finds_what_says_the_same_by_now(ask):
    outcome, _ = done(ask(memory_id="gone", saying=TEA.saying), TEA)
    assert outcome.changes[0].memory_id == "tea"
    assert done(ask(memory_id="gone", saying=("user", "user", "habit", "커피")), TEA)[0].changes == ()
    assert done(ask(memory_id="gone"), TEA)[0].changes == ()


def test_what_is_there_is_meant_whatever_else_says_the_same():
    twin = memory("차", id="twin", attribute="habit", value="차", valid_at=day(5))
    outcome, _ = done(Pin(memory_id="tea", pinned=True, saying=TEA.saying), TEA, twin)
    assert outcome.changes[0].memory_id == "tea"


def test_a_turn_may_be_given_another_number():
    asked = operation(Learn(claims=(claim("likes", "차", id="c1"),)), turn=7)
    assert OperationApplier().carried_out(asked, WorkingState()).moment.turn_number == 7
    outcome = OperationApplier().carried_out(asked, WorkingState(), turn_number=3)
    assert (outcome.moment.turn_number, outcome.changes[0].after.touched_turn) == (3, 3)


def test_taking_back_carries_no_change_of_its_own():
    outcome, _ = done(Undo(operations=("o1",)), TEA)
    assert (outcome.decisions, outcome.kept, outcome.changes, outcome.moves) == ((), (), (), ())


def test_passes_run_in_order_each_on_what_the_one_before_left_and_are_marked():
    seen = []

    def keeper(name: str, operation: Operation, present: WorkingState) -> Iterator[Kept]:
        before = present.beliefs["tea"]
        seen.append((name, before.version))
        yield Kept(action="promote", why="…", changes=(Change(before=before, after=before.changed(uses=1)),))

    present = WorkingState(beliefs=Beliefs([TEA]))
    asked = operation(Maintain(passes=("promote", "merge")), kind="pass")
    outcome = OperationApplier().carried_out(asked, present, keeper=keeper)
    assert seen == [("promote", 1), ("merge", 2)]
    assert (len(outcome.kept), len(outcome.changes), present.beliefs["tea"].version) == (2, 2, 3)
    ran = Ran(turn_number=7, at=day(9))
    assert present.life.items() == {("pass", "promote"): ran, ("pass", "merge"): ran}
    assert [move.id for move in outcome.moves] == ["promote", "merge"]


def test_passes_need_somebody_who_decides():
    with pytest.raises(AssertionError, match="passes need somebody"):
        done(Maintain(passes=("merge",)))


def test_what_is_undone_is_marked_and_only_turns_that_stay_are_counted():
    present = WorkingState()
    log = [
        OperationApplier().carried_out(operation(Learn(noticed=Noticed()), id=f"o{n}", kind=kind, turn=n), present)
        for n, kind in enumerate(("observe", "observe", "remember", "observe"), 11)
    ]
    revised = OperationApplier().rewound(log, frozenset({"o12"}), present, turn_number=10)
    assert [(each.id, each.undone, each.moment.turn_number) for each in revised] == [
        ("o11", False, 11),
        ("o12", True, 12),
        ("o13", False, 11),
        ("o14", False, 12),
    ]
    two = present.life.get(Relationship, "pair")
    assert two is not None
    assert two.turns == 3
