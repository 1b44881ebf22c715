"""Which answers are no longer true after a write, and which are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gieok.domain.memory import Change, Memory
from gieok.stores.tables.cache import FORGOTTEN_WORDS, LISTS, PEOPLE, operation_of, read_from, turn_named, upset_by
from gieok.testing import day, entry_for, memory, turn

FACT = memory(id="t1/0-0", attribute="likes", value="고양이")
OF_DAD = replace(FACT, subject="other", subject_id="아빠")


def upset(before: Memory | None, after: Memory | None) -> set[Any]:
    found = upset_by(entry_for(memories=(Change(before=before, after=after),), index={}))
    assert found is not None
    return {*found}


def test_a_turn_upsets_what_is_known_of_it_and_of_its_words():
    said = turn("안녕", "네", id="t1")

    assert upset_by(entry_for(said)) == {turn_named("t1"), operation_of("t1"), read_from("t1/0"), read_from("t1/1")}
    assert upset_by(entry_for()) == set()


@pytest.mark.parametrize("how", ["caught_up", "deepened"])
def test_reading_a_turn_later_upsets_what_is_known_of_it(how):
    assert upset_by(replace(entry_for(), **{how: "t1"})) == {turn_named("t1"), operation_of("t1")}
    assert upset_by(entry_for(turn_id="t1")) == {turn_named("t1"), operation_of("t1")}


def test_after_a_rewind_any_answer_may_be_wrong():
    entry = entry_for()
    assert upset_by(replace(entry, revised=(entry.operation,))) is None


def test_a_memory_that_comes_or_goes_upsets_lists_and_what_was_read_from_its_words():
    assert upset(None, FACT) == upset(FACT, None) == {LISTS, read_from("t1/0")}
    two = replace(FACT, id="a-b-c")
    assert upset(None, two) == {LISTS, read_from("a"), read_from("a-b")}


def test_a_use_of_a_memory_upsets_nothing():
    assert upset(FACT, FACT.changed(uses=3, last_used_at=day(5), strength=0.5, mentions=2)) == set()


@pytest.mark.parametrize(
    "change",
    [
        {"subject_id": "민수"}, {"speaker": "character"}, {"attribute": "dislikes"}, {"value": "강아지"},
        {"content_type": "event"}, {"origin": "model"}, {"closed_by": "other"}, {"pinned": True}, {"retracted": True},
        {"valid_at": day(3)}, {"known_at": day(3)}, {"faded_at": day(3)},
    ],
)  # fmt: skip
def test_a_memory_that_becomes_another_upsets_lists_alone(change):
    assert upset(FACT, FACT.changed(**change)) == {LISTS}


def test_forgetting_and_calling_back_upset_what_is_silent():
    gone = FACT.changed(forgotten_at=day(3))

    assert upset(FACT, gone) == upset(gone, FACT) == {LISTS, FORGOTTEN_WORDS}
    assert FORGOTTEN_WORDS in upset(None, gone)


def test_people_are_upset_by_what_is_told_of_others_as_it_comes_goes_hides_or_passes_to_another():
    assert PEOPLE in upset(None, OF_DAD)
    assert PEOPLE in upset(OF_DAD, None)
    assert PEOPLE in upset(OF_DAD, OF_DAD.changed(subject_id="엄마"))
    assert PEOPLE in upset(OF_DAD, OF_DAD.changed(retracted=True))
    assert PEOPLE in upset(OF_DAD, OF_DAD.changed(subject="user", subject_id="user"))
    assert PEOPLE not in upset(OF_DAD, OF_DAD.changed(value="강아지"))
    assert PEOPLE not in upset(FACT, FACT.changed(retracted=True))
    assert PEOPLE not in upset(None, FACT)
