"""Reading the log of a scope from either end, and only as much as was asked for."""

import pytest

from gieok.testing import claim, day


@pytest.fixture
def told(scribe, letia):
    for number in range(1, 5):
        scribe.observe(
            f"{number}번째",
            id=f"t{number}",
            session=f"s{number % 2}",
            channel="c",
            unread=number > 2,
            left_open=number < 3,
        )
    with scribe.store.view(letia) as view:
        yield view


def ids(turns):
    return [each.id for each in turns]


@pytest.mark.parametrize("limit", [0, -1, -100])
def test_no_limit_below_nothing_gives_anything(told, limit):
    assert told.turns(limit) == told.turns_of(session="s1", limit=limit) == told.turns(limit, before=3) == []
    assert told.unread_turns(limit) == told.open_turns(limit) == []
    assert told.operations(limit=limit) == told.last_operations(limit) == []


def test_as_many_as_are_asked_for_are_given(told):
    assert ids(told.turns(2)) == ["t3", "t4"]
    assert ids(told.turns(2, before=4)) == ["t2", "t3"]
    assert ids(told.turns(9, before=1)) == []
    assert ids(told.turns_of(session="s1", limit=9)) == ["t1", "t3"]
    assert ids(told.turns_of(channel="c", limit=1)) == ["t4"]
    assert ids(told.unread_turns(1)) == ["t3"]
    assert ids(told.unread_turns(9)) == ["t3", "t4"]
    assert ids(told.open_turns(1)) == ["t1"]


def test_operations_are_read_from_a_number_on_or_back_from_one(told):
    numbers = [each.number for each in told.operations()]
    assert numbers == [1, 2, 3, 4]
    assert [each.number for each in told.operations(since=3)] == [3, 4]
    assert (
        [each.number for each in told.operations(since=0)]
        == [each.number for each in told.operations(since=-5)]
        == numbers
    )
    assert [each.number for each in told.operations(since=2, limit=1)] == [2]
    assert [each.number for each in told.last_operations(2)] == [3, 4]
    assert [each.number for each in told.last_operations(9, before=3)] == [1, 2]
    assert (
        told.last_operations(9, before=1)
        == told.last_operations(9, before=0)
        == told.last_operations(9, before=-3)
        == []
    )
    assert len(told.last_operations(9, before=10**9)) == 4


def test_few_turns_are_kept_for_the_next_question_and_many_are_read_anew(told):
    assert told.turns(64)[0] is told.turns(64)[0]
    assert told.turns(65)[0] is not told.turns(65)[0]


def test_what_was_undone_is_read_only_on_demand(scribe, letia):
    scribe.observe("하나", id="t1")
    scribe.observe("둘", id="t2")
    scribe.rewind("t2")
    with scribe.store.view(letia) as view:
        assert [each.turn_id for each in view.operations() if each.kind == "observe"] == ["t1"]
        undone = [each for each in view.operations(in_force=False) if each.undone]
        assert [each.turn_id for each in undone] == ["t2"]


def test_the_history_of_a_memory_is_told_with_its_operations(scribe, letia):
    first = scribe.observe("나 서울 살아", claims=[claim("residence", "서울", id="c1")], at=day(1))
    second = scribe.observe("나 부산 살아", claims=[claim("residence", "부산", id="c2")], at=day(2))
    with scribe.store.view(letia) as view:
        history = view.history(first.changes[0].memory_id)
    assert [operation.id for operation, _ in history] == [first.id, second.id]
    assert [change.after.invalid_at is None for _, change in history] == [True, False]
