"""Every value that is written down reads back equal."""

import json
from dataclasses import MISSING, dataclass, fields, replace
from datetime import date, datetime, timedelta, timezone
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.claim import Claim
from gieok.domain.entity import Face, Note
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.model_conclusions import Conflict, Evidence, Insight, Retelling
from gieok.domain.operation import (
    Amend,
    Arrive,
    Direct,
    Hide,
    Join,
    Learn,
    Maintain,
    Part,
    Pin,
    Restore,
    Stage,
    Think,
    Undo,
)
from gieok.domain.promotion import Promotion
from gieok.domain.record import (
    REQUESTS,
    _fields_of,
    _unknown,
    decision_name,
    decision_records,
    decisions_from,
    differing,
    flaw_in,
    from_record,
    kept_from,
    kept_records,
    promotion_of,
    request_from,
    request_record,
    to_record,
)
from gieok.domain.relationship import Relationship, new_relationship
from gieok.domain.state import KINDS, Cause, Delta
from gieok.domain.upkeep import Kept, UpkeepRules
from gieok.testing import claim, day, memory, note
from gieok.testing.scribe import replayed
from support.rows import from_rows
from unit.domain.histories import POLICY, histories, told

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=offsets)  # noqa: DTZ001  # bounds have no zone; the moments between do
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


@pytest.mark.parametrize("kind", [Claim, Memory, Change, Moment, Promotion, Learn, Amend, Pin, Hide, Restore, Undo])
@given(data=st.data())
def test_a_value_reads_back_as_it_was_written(kind, data):
    value = data.draw(values(kind))
    assert from_record(kind, through_json(to_record(value))) == value


@given(st.one_of(*(values(kind) for kind in (Learn, Amend, Pin, Hide, Restore, Undo))))
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


FACE = Face(name="하늘봇", interests=(Note(text="AI", times=3),), first_seen=day(1), last_seen=day(2))
GROUND = Evidence(memory_id="m1", words="…")


@pytest.mark.parametrize(
    "asked",
    [
        Maintain(passes=("merge", "prune")),
        Join(name="지훈", other="훈이", channel="chat"),
        Part(name="지훈", other="훈이"),
        Stage(ends=True, place="바다", participants=("user",)),
        Think(
            insights=(Insight(content="차분하다", about="성격", grounds=(GROUND, GROUND)),),
            retellings=(Retelling(content="좋은 날", ground=GROUND),),
            conflicts=(Conflict(newer=GROUND, older=GROUND),),
            over=("reflect",),
        ),
        Direct(note="들어 줄 것", deltas=(Delta(axis="trust", points=-1.5, words="…"),)),
        Arrive(person=FACE, relationship=new_relationship(), turns=2),
    ],
    ids=lambda asked: type(asked).__name__,
)
def test_whatever_is_asked_for_reads_back_by_its_name(asked):
    record = through_json(request_record(asked))
    assert record["kind"] == type(asked).__name__.lower()
    assert request_from(record) == asked


def test_days_tables_and_pairs_are_written_as_json_can_hold_them():
    two = replace(new_relationship(), day=date(2026, 3, 1), spent=(("thanks", "trust", 0.5),))
    record = through_json(to_record(two))
    assert (record["day"], record["spent"]) == ("2026-03-01", [["thanks", "trust", 0.5]])
    assert from_record(Relationship, record).day == date(2026, 3, 1)
    assert to_record(UpkeepRules(keep_days={"note": 30.0})) == {"keep_days": {"note": 30.0}}
    assert to_record({1: (day(1),)}) == {"1": ["2026-03-01T09:00:00+09:00"]}
    assert to_record([memory(id="m1"), None, 3])[1:] == [None, 3]
    assert to_record(b"?") == b"?"


def test_what_differs_between_two_values_is_written_and_none_where_it_holds_its_default():
    before = memory(id="m1", tags=("차",), invalid_at=day(3))
    after = replace(before, tags=(), invalid_at=day(5), content="커피")
    assert differing(after, before) == {"tags": None, "invalid_at": day(5).isoformat(), "content": "커피"}
    assert differing(before, before) == {}
    assert differing(UpkeepRules(), UpkeepRules(keep_days={"note": 1})) == {"keep_days": None}


def test_a_part_of_a_record_that_is_none_is_none():
    record = {**to_record(memory(id="m1")), "invalid_at": None, "made_from": ["a", "b"]}
    read = from_record(Memory, record)
    assert (read.invalid_at, read.made_from) == (None, ("a", "b"))
    assert from_record(Change, {"before": None, "after": to_record(memory(id="m2"))}).memory_id == "m2"


def test_decisions_are_called_by_their_names_and_an_ignored_one_says_why():
    _, decisions = told(
        claim("age", "25"), claim("age", "25"), claim("age", "26"), claim("age", "26", act="retract"),
        claim("job", "의사", act="retract"), note("흐리다", content_type="note", certainty=0.1, importance=0.1),
    )  # fmt: skip
    names = ["remember", "reinforce", "supersede", "retract", "ignore", "ignore"]
    assert [decision_name(each) for each in decisions] == names
    records = decision_records(decisions)
    assert [record["kind"] for record in records] == names
    assert [record["changes"] for record in records] == [1, 1, 2, 2, 0, 0]
    assert [record.get("why") for record in records] == [None] * 4 + ["nothing_to_retract", "below_threshold"]
    assert ["promotion" in record for record in records] == [True, False, True, False, False, True]
    assert [promotion_of(each) is not None for each in decisions] == ["promotion" in record for record in records]
    changes = [change for each in decisions for change in each.changes]
    assert decisions_from(through_json(records), [each.claim for each in decisions], changes) == tuple(decisions)


def test_what_upkeep_did_reads_back_with_its_own_changes():
    changes = [Change(before=None, after=memory(id=f"m{n}")) for n in range(4)]
    kept = (
        Kept(action="merge", why="같은 말", changes=tuple(changes[:2])),
        Kept(action="forget", why="오래됨", changes=(changes[2],)),
    )
    records = through_json(kept_records(kept))
    assert records[0] == {"action": "merge", "why": "같은 말", "changes": 2}
    assert kept_from(records, changes) == kept


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
        ({"name": "x", "count": 2**53 + 1}, "count is 9007"),
        ({"name": "x", "share": float(2**54)}, "share is 1.8"),
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
