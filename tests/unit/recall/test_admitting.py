"""Who may answer at all: visible, true at the asked moment, and within what a recall is limited to."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from gieok.domain.answer import Item, Where
from gieok.recall.gather import ANYWHERE, admitted
from gieok.testing import day, memory, turn

FACT = memory("서울에 삶", valid_at=day(5), attribute="residence", speaker="user")
ENDED = replace(FACT, invalid_at=day(8))
OF_DAD = replace(FACT, subject="other", subject_id="아빠")
SUMMARY = memory("지금까지의 이야기", content_type="summary", valid_at=day(5))
[SAID] = turn("서울에 살아", at=day(5)).utterances
HIDDEN = [replace(FACT, **gone) for gone in ({"retracted": True}, {"forgotten_at": day(6)}, {"faded_at": day(6)})]
MOMENT = timedelta(microseconds=1)
LATER, EVER = day(100), {"history": True}


@pytest.mark.parametrize("where", [ANYWHERE, Where(), Where(without=("topic",))], ids=["short", "long", "aid"])
@pytest.mark.parametrize(
    ("item", "now", "may"),
    [
        *((ENDED, day(now), may) for now, may in ((4.9, False), (5, True), (7.9, True), (8, False))),
        *((hidden, LATER, False) for hidden in HIDDEN),
        (SAID, day(5), True),
        (SAID, day(5) - MOMENT, False),
        (SUMMARY, LATER, False),
    ],
)
def test_anywhere_what_is_visible_true_and_said_by_then_answers(
    item: Item, now: datetime, where: Where, may: bool
) -> None:
    assert admitted(item, now, where) is may


@pytest.mark.parametrize(
    ("where", "may", "may_not"),
    [
        (EVER, [FACT, ENDED, SUMMARY, SAID], HIDDEN),
        ({"type": "summary"}, [SUMMARY], [FACT, SAID]),
        ({"type": "fact"}, [FACT], [SUMMARY, SAID]),
        ({"kind": "memory"}, [FACT], [SAID]),
        ({"kind": "utterance"}, [SAID], [FACT]),
        ({"about": "user"}, [FACT], [OF_DAD, SAID]),
        ({"about": "아빠"}, [OF_DAD], [FACT]),
        ({"about": "other"}, [OF_DAD], [FACT]),
        ({"about": "엄마"}, [], [OF_DAD]),
        ({"attribute": "residence"}, [FACT], [SAID]),
        ({"attribute": "job"}, [], [FACT]),
        ({"said_by": "user"}, [FACT, SAID], []),
        ({"said_by": "character"}, [], [FACT, SAID]),
        ({"since": day(8), **EVER}, [ENDED], []),
        ({"since": day(8) + MOMENT, **EVER}, [], [ENDED]),
        ({"since": day(50)}, [FACT], [SAID]),
        ({"until": day(5) + MOMENT}, [FACT], []),
        ({"until": day(5)}, [], [FACT, SAID]),
        ({"since": day(5), "until": day(5) + MOMENT}, [SAID], []),
        ({"since": day(5) + MOMENT}, [], [SAID]),
    ],
)
def test_only_what_is_within_the_limits_answers(where: dict[str, Any], may: list[Item], may_not: list[Item]) -> None:
    assert [item for item in (*may, *may_not) if admitted(item, LATER, Where(**where))] == may


def test_with_the_history_what_is_to_come_answers_but_no_words_that_are_not_said_yet() -> None:
    assert admitted(FACT, day(1), Where(history=True))
    assert not admitted(SAID, day(1), Where(history=True))
