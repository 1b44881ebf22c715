"""A record from outside is looked at before anybody makes a value of it."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.domain.promotion import Promotion
from gieok.domain.record import REQUESTS, _fields_of, _unknown, flaw_in, from_record, to_record
from gieok.domain.state import KINDS, Cause
from gieok.testing.builders import memory
from support.rows import from_rows


@dataclass
class Inner:
    word: str


@dataclass
class Outer:
    name: str
    kind: Literal["a", "b"] = "a"
    count: int = 0
    share: float = 0.0
    sure: bool = False
    at: datetime | None = None
    day: date | None = None
    inner: Inner | None = None
    words: tuple[str, ...] = ()
    pairs: tuple[tuple[str, int], ...] = ()


@from_rows
def test_a_right_record_has_no_flaw(record):
    assert flaw_in(Outer, record) is None


@pytest.mark.parametrize(
    ("record", "flaw"),
    [
        ([], "is no object"),
        ({}, "lacks name"),
        ({"name": 1}, "name is 1, no text"),
        ({"name": "x", "color": "red"}, "unknown field 'color'"),
        ({"name": "x", "kind": "c"}, "kind is 'c'"),
        ({"name": "x", "kind": ["a"]}, "kind is ['a']"),
        ({"name": "x", "count": True}, "count is True"),
        ({"name": "x", "count": 1.5}, "count is 1.5"),
        ({"name": "x", "count": 10**30}, "count is 1000"),
        ({"name": "x", "share": float("inf")}, "share is inf"),
        ({"name": "x", "share": "1"}, "share is '1'"),
        ({"name": "x", "sure": 1}, "sure is 1"),
        ({"name": "x", "at": "2026-03-01T20:00:00"}, "without a time zone"),
        ({"name": "x", "at": 7}, "no moment"),
        ({"name": "x", "day": "tomorrow"}, "no day"),
        ({"name": "x", "inner": {}}, "inner lacks word"),
        ({"name": "x", "words": "z"}, "words is 'z', no list"),
        ({"name": "x", "words": ["z", None]}, "words [1] is None"),
        ({"name": "x", "pairs": [["a"]]}, "no list of 2"),
    ],
)
def test_a_flaw_is_named_with_its_place(record, flaw):
    assert flaw in str(flaw_in(Outer, record))


def test_a_difference_may_leave_fields_out_and_unset_them():
    assert flaw_in(Outer, {"kind": None}, partial=True) is None
    assert flaw_in(Outer, {"kind": "c"}, partial=True) is not None


def test_every_value_of_the_journal_can_be_looked_at():
    for kind in (Memory, Claim, Cause, Promotion, *REQUESTS.values(), *KINDS.values()):
        checks, _ = _fields_of(kind)
        assert _unknown not in checks.values(), kind


def test_what_has_no_flaw_can_be_read():
    record = to_record(memory(attribute="likes", value="고양이"))
    assert flaw_in(Memory, record) is None
    assert from_record(Memory, record).value == "고양이"
