"""Who may answer at all: visible, true at the asked moment, and within what a recall is limited to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gieok.domain.answer import Item, Where
from gieok.recall.gather import _ANYWHERE, admitted
from gieok.testing import day, memory, turn

FACT = memory("서울에 삶", valid_at=day(5), attribute="residence", speaker="user")
ENDED = replace(FACT, invalid_at=day(8))
SUMMARY = memory("지금까지의 이야기", content_type="summary", valid_at=day(5))
[SAID] = turn("서울에 살아", at=day(5)).utterances
A_MOMENT = timedelta(microseconds=1)
ANYWHERE = pytest.mark.parametrize(
    "where", [_ANYWHERE, Where(), Where(without=("topic",))], ids=["short", "long", "aid"]
)


def may(item: Item, now: float = 100, **where: Any) -> bool:
    return admitted(item, day(now), Where(**where))


@ANYWHERE
def test_a_memory_answers_from_when_it_is_true_until_it_ends(where: Where) -> None:
    assert [admitted(ENDED, day(now), where) for now in (4.9, 5, 7.9, 8)] == [False, True, True, False]


@ANYWHERE
@pytest.mark.parametrize("gone", [{"retracted": True}, {"forgotten_at": day(6)}, {"faded_at": day(6)}])
def test_what_is_hidden_never_answers(where: Where, gone: dict[str, Any]) -> None:
    assert not admitted(replace(FACT, **gone), day(100), where)
    assert not may(replace(FACT, **gone), history=True)


@ANYWHERE
def test_words_answer_from_when_they_were_said(where: Where) -> None:
    assert admitted(SAID, day(5), where)
    assert not admitted(SAID, day(5) - A_MOMENT, where)


@ANYWHERE
def test_a_summary_does_not_answer_by_itself(where: Where) -> None:
    assert not admitted(SUMMARY, day(100), where)
    assert may(SUMMARY, type="summary")
    assert may(SUMMARY, history=True)
    assert not may(SUMMARY, type="fact")


def test_with_the_history_what_ended_and_what_is_to_come_answers_too() -> None:
    assert may(ENDED, history=True)
    assert may(FACT, 1, history=True)
    assert not may(SAID, 1, history=True)


def test_one_kind_alone_may_be_asked_for() -> None:
    assert (may(FACT, kind="memory"), may(SAID, kind="memory")) == (True, False)
    assert (may(FACT, kind="utterance"), may(SAID, kind="utterance")) == (False, True)


def test_a_memory_must_be_about_whom_is_asked_by_name_or_by_part() -> None:
    dad = replace(FACT, subject="other", subject_id="아빠")

    assert [may(dad, about=whom) for whom in ("아빠", "other", "user", "엄마")] == [True, True, False, False]
    assert may(FACT, about="user")


@pytest.mark.parametrize("narrow", [{"about": "user"}, {"type": "fact"}, {"attribute": "residence"}])
def test_words_are_about_nobody_and_of_no_type(narrow: dict[str, Any]) -> None:
    assert may(FACT, **narrow)
    assert not may(SAID, **narrow)


def test_who_said_it_counts_for_both_kinds() -> None:
    assert may(FACT, said_by="user")
    assert may(SAID, said_by="user")
    assert not may(FACT, said_by="character")
    assert not may(SAID, said_by="character")


def test_what_ended_before_the_span_is_out_and_what_ended_as_it_began_is_in() -> None:
    assert may(ENDED, history=True, since=day(8))
    assert not may(ENDED, history=True, since=day(8) + A_MOMENT)
    assert may(FACT, since=day(50)), "it still goes on"


def test_what_began_with_the_end_of_the_span_is_out() -> None:
    assert may(FACT, until=day(5) + A_MOMENT)
    assert not may(FACT, until=day(5))


def test_words_are_within_the_span_from_its_first_moment_to_before_its_last() -> None:
    assert may(SAID, since=day(5), until=day(5) + A_MOMENT)
    assert not may(SAID, since=day(5) + A_MOMENT)
    assert not may(SAID, until=day(5))
