"""Every value that is written down reads back equal."""

import json
from dataclasses import MISSING, fields
from datetime import datetime, timedelta, timezone
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Amend, Hide, Learn, Pin, Undo
from gieok.domain.record import decision_records, decisions_from, from_record, request_from, request_record, to_record
from gieok.domain.worth import Promotion
from gieok.testing import memory
from gieok.testing.scribe import replayed
from unit.domain.histories import POLICY, histories

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=offsets)  # noqa: DTZ001
PLAIN = {
    str: texts,
    float: st.floats(allow_nan=False, allow_infinity=False),
    int: st.integers(-(2**53), 2**53),
    bool: st.booleans(),
    datetime: moments,
}


def of_type(hint):
    """A strategy for the values of one field."""
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        return st.lists(of_type(get_args(hint)[0]), max_size=3).map(tuple)
    if isinstance(hint, type):
        return values(hint)
    return st.one_of(*(st.none() if arg is type(None) else of_type(arg) for arg in get_args(hint)))


def values(kind):
    """A strategy for dataclass `kind` in which any field may hold anything of its type."""
    hints = get_type_hints(kind)
    return st.builds(
        kind,
        **{
            field.name: of_type(hints[field.name])
            if field.default is MISSING
            else st.just(field.default) | of_type(hints[field.name])
            for field in fields(kind)
        },
    )


def through_json(record):
    return json.loads(json.dumps(record, ensure_ascii=False, allow_nan=False))


@pytest.mark.parametrize("kind", [Claim, Memory, Change, Moment, Promotion, Learn, Amend, Pin, Hide, Undo])
@given(data=st.data())
def test_a_value_reads_back_as_it_was_written(kind, data):
    value = data.draw(values(kind))
    assert from_record(kind, through_json(to_record(value))) == value


@given(st.one_of(*(values(kind) for kind in (Learn, Amend, Pin, Hide, Undo))))
def test_a_request_reads_back_as_it_was_asked(request):
    assert request_from(through_json(request_record(request))) == request


@given(histories())
def test_decisions_read_back_from_their_records_and_the_journal(history):
    for outcome in replayed(history, POLICY)[1]:
        records = through_json(decision_records(outcome.decisions))
        claims = outcome.request.claims if isinstance(outcome.request, Learn) else ()
        assert decisions_from(records, claims, outcome.changes) == outcome.decisions


def test_what_holds_its_default_is_not_written():
    record = to_record(memory(id="m1"))
    assert "invalid_at" not in record
    assert "tags" not in record
    assert record["id"] == "m1"


def test_a_record_from_a_later_version_is_read_as_far_as_it_is_known():
    record = {**to_record(memory(id="m1")), "hologram": 7}
    assert from_record(Memory, record).id == "m1"


def test_a_moment_keeps_its_offset_and_its_microseconds():
    moment = datetime(2026, 3, 1, 9, 0, 0, 1, tzinfo=timezone(timedelta(hours=9)))
    kept = from_record(Memory, through_json(to_record(memory(valid_at=moment)))).valid_at
    assert (kept, kept.utcoffset()) == (moment, timedelta(hours=9))


@given(values(Change))
def test_a_change_undone_twice_is_the_change(change):
    assert change.inverse.inverse == change
