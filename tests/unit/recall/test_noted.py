"""What is worked out about a thing is looked up for that very thing alone."""

from __future__ import annotations

from gieok.recall.gather import IdentityCache


class Thing:
    def __init__(self, name: str) -> None:
        self.name = name


def test_a_thing_is_worked_out_once_and_another_one_anew() -> None:
    notes, asked = IdentityCache[Thing, str](), []

    def made(thing: Thing) -> str:
        asked.append(thing)
        return thing.name

    one, other = Thing("하나"), Thing("하나")
    assert [notes.note(each, made) for each in (one, other, one, other)] == ["하나"] * 4
    assert asked == [one, other]


def test_nothing_else_can_be_taken_for_a_thing_that_is_gone() -> None:
    notes = IdentityCache[Thing, str]()
    for number in range(1_000):  # without a hold on them, they would share a few ids
        assert notes.note(Thing(str(number)), lambda thing: thing.name) == str(number)


def test_only_so_many_are_noted() -> None:
    notes = IdentityCache[Thing, str](most=10)
    for number in range(100):
        notes.note(Thing(str(number)), lambda thing: thing.name)
    assert len(notes._notes) <= 10
