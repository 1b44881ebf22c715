"""What is kept beside memories, and how it moves."""

import pytest

from gieok.domain.relationship import Manners, new_relationship
from gieok.domain.state import MOST, Alias, Cause, Move, Note, ScopeState, kind_of, net_moves
from gieok.domain.upkeep import Ran
from gieok.testing.builders import WALL

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
