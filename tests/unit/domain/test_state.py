"""What is kept beside memories, and how it moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.judgement import Moment
from gieok.domain.operation import Direct, Operation
from gieok.domain.relationship import Manners, Relationship, default_rules, new_relationship, score
from gieok.domain.state import (
    DIRECTOR,
    MOST,
    Alias,
    Cause,
    Delta,
    Move,
    Note,
    ScopeState,
    directed_relationship,
    kind_of,
    net_moves,
)
from gieok.domain.upkeep import Ran
from gieok.testing.builders import WALL, day

ONE, OTHER = Alias(of="who-1"), Alias(of="who-2")
TOLD = Cause(name="told", words="…")


def test_a_director_may_move_an_axis_by_three_points():
    assert MOST == 3.0


def test_every_thing_is_kept_by_the_name_of_its_kind():
    assert [kind_of(kind) for kind in (Manners, Alias, Ran, Note)] == ["manners", "alias", "pass", "note"]


def test_a_thing_that_is_put_in_its_place_moves_once():
    life = ScopeState()
    assert list(life.moved("a", ONE, [TOLD])) == [Move(kind="alias", id="a", before=None, after=ONE, causes=(TOLD,))]
    assert list(life.moved("a", ONE, [TOLD])) == []
    assert list(life.moved("a", OTHER)) == [Move(kind="alias", id="a", before=ONE, after=OTHER)]
    assert life.get(Alias, "a") == OTHER


def test_a_thing_that_is_dropped_moves_if_it_was_there():
    life = ScopeState([(("alias", "a"), ONE)])
    assert list(life.dropped(Alias, "b")) == []
    assert list(life.dropped(Alias, "a", [TOLD])) == [
        Move(kind="alias", id="a", before=ONE, after=None, causes=(TOLD,)),
    ]
    assert life.items() == {}


def test_all_of_a_kind_come_in_the_order_of_their_ids():
    ran = Ran(turn_number=1, at=WALL)
    life = ScopeState([(("alias", "b"), OTHER), (("pass", "aa"), ran), (("alias", "a"), ONE)])
    assert life.all(Alias) == [("a", ONE), ("b", OTHER)]
    assert life.all(Ran) == [("aa", ran)]
    assert life.all(Note) == []
    assert life.get(Ran, "a") is None


def test_moves_are_absorbed_and_their_inverses_undo_them():
    life = ScopeState()
    moves = [*life.moved("a", ONE), *life.moved("b", OTHER), *life.dropped(Alias, "a")]
    twin = ScopeState()
    twin.absorb(moves)
    assert twin.items() == life.items() == {("alias", "b"): OTHER}
    twin.absorb(move.inverse for move in reversed(moves))
    assert twin.items() == {}
    assert [move.key for move in moves] == [("alias", "a"), ("alias", "b"), ("alias", "a")]


def test_taking_away_what_is_not_there_is_no_trouble():
    life = ScopeState()
    life.absorb([Move(kind="alias", id="a", before=ONE, after=None)])
    assert life.items() == {}


def test_a_kind_holds_its_own_things_only():
    with pytest.raises(AssertionError, match="kept by their kind"):
        ScopeState([(("alias", "a"), new_relationship())]).get(Alias, "a")


def test_what_leads_from_one_state_to_another_leaves_out_what_stayed():
    before = {("alias", "a"): ONE, ("alias", "b"): ONE, ("alias", "c"): ONE}
    after = {("alias", "a"): ONE, ("alias", "b"): OTHER, ("alias", "d"): OTHER}
    assert net_moves(before, after) == (
        Move(kind="alias", id="b", before=ONE, after=OTHER),
        Move(kind="alias", id="c", before=ONE, after=None),
        Move(kind="alias", id="d", before=None, after=OTHER),
    )


HALF = Relationship(trust=50, affection=50, respect=50, rivalry=50, familiarity=50, level="friend")


@pytest.mark.parametrize("points", [1.0, MOST, 1_000.0])
def test_a_rise_is_no_more_than_a_director_may_move(points: float) -> None:
    after, [shift] = directed_relationship(HALF, [Delta(axis="trust", points=points, words="털어놓았다")])
    assert 0 < after.trust - 50 <= MOST
    assert (shift.axis, shift.before, shift.after, shift.cause, shift.words) == (
        "trust", 50, after.trust, DIRECTOR, "털어놓았다"
    )  # fmt: skip
    assert replace(after, trust=50, level="friend") == HALF


@pytest.mark.parametrize(("points", "left"), [(-1.0, 49.0), (-1_000.0, 50 - MOST)])
def test_a_fall_is_no_more_either(points: float, left: float) -> None:
    assert directed_relationship(HALF, [Delta(axis="trust", points=points)])[0].trust == left


def test_no_axis_leaves_its_range() -> None:
    edge = replace(HALF, trust=100, rivalry=1)
    after, shifts = directed_relationship(edge, [Delta(axis="trust", points=3), Delta(axis="rivalry", points=-3)])
    assert (after.trust, after.rivalry) == (100, 0)
    assert [shift.axis for shift in shifts] == ["rivalry"]


def test_an_axis_is_moved_once() -> None:
    after, shifts = directed_relationship(HALF, [Delta(axis="trust", points=-1)] * 50)
    assert (after.trust, len(shifts)) == (49, 1)


def test_the_level_follows_the_score() -> None:
    near = replace(HALF, trust=39, affection=39, respect=39, rivalry=0, familiarity=39, level="acquaintance")
    after, _ = directed_relationship(
        near, [Delta(axis=axis, points=3) for axis in ("trust", "affection", "familiarity")]
    )
    assert score(after) >= 40
    assert after.level == "friend"


def direct(life: ScopeState, turn_number: int = 4) -> Operation:
    moment = Moment(at=day(1), recorded_at=WALL, turn_number=9)
    request = Direct(note="먼저 들어 줄 것", deltas=(Delta(axis="trust", points=2, words="털어놓았다"),))
    asked = Operation(id="o1", kind="direct", moment=moment, who="director/1 gpt", request=request, turn_id="t1")
    return OperationApplier().carried_out(asked, WorkingState(life=life), turn_number=turn_number)


def test_a_note_belongs_to_the_turn_that_it_was_left_after_also_in_a_replay() -> None:
    life = ScopeState()
    done = direct(life)
    assert life.get(Note, DIRECTOR) == Note(text="먼저 들어 줄 것", turn_number=4, at=day(1), by="director/1 gpt")
    moved = life.get(Relationship, "pair")
    assert moved is not None
    assert moved.trust > new_relationship(default_rules()).trust
    [cause] = done.moves[0].causes
    assert (cause.name, cause.axis, cause.words) == (DIRECTOR, "trust", "털어놓았다")


def test_undoing_it_takes_note_and_deltas_back() -> None:
    life = ScopeState()
    done = direct(life)
    life.absorb(move.inverse for move in reversed(done.moves))
    assert life.items() == {}
