"""The audit log's own rules: what is called what, and what a chain that was tampered with looks like."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gieok.domain.actor import LIBRARY, Actor, person
from gieok.domain.audit import (
    Chain,
    ChainCheck,
    Content,
    Deed,
    act_of,
    canonical,
    first_link,
    link_of,
    names_digest,
    parsed_json,
    ranges,
    targets_of,
)
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.operation import Hide, Learn, Operation, Pin, Restore
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery
from gieok.testing import day

AT = datetime(2026, 3, 1, tzinfo=UTC)
MARK = "m" * 32


def deed(number: int, before: str, act: str = "observe", **more: object) -> Deed:
    told = Deed(
        number=number,
        at=AT,
        recorded_at=number,
        act=act,
        actor=LIBRARY,
        who="korean/1",
        name_salt="n",
        names=names_digest("n", LIBRARY, "korean/1"),
        targets="[]",
        why="",
        salt="s",
        digest=Content("s").digest(targets="[]", why="", record=None),
        link="",
    )
    told = replace(told, **more)  # type: ignore[arg-type]  # fields by their names
    return replace(told, link=link_of(before, MARK, told))


def a_chain(length: int = 5) -> tuple[Chain, list[Deed]]:
    deeds: list[Deed] = []
    for number in range(1, length + 1):
        deeds.append(deed(number, deeds[-1].link if deeds else first_link(MARK, 0)))
    return Chain(mark=MARK, scope=Scope(user="민수"), since=0, length=length, head=deeds[-1].link), deeds


def found(chain: Chain, deeds: list[Deed]) -> list[tuple[int | None, str]]:
    check = ChainCheck(chain)
    for each in deeds:
        check.take(each)
    check.end()
    return [(finding.number, finding.what) for finding in check.findings]


def test_a_chain_as_it_was_written_has_nothing_wrong():
    chain, deeds = a_chain()
    assert found(chain, deeds) == []
    assert found(replace(chain, length=0, head=""), []) == []


def test_each_kind_of_tampering_is_told_by_its_row():
    chain, deeds = a_chain()
    assert found(chain, [*deeds[:2], *deeds[3:]]) == [(3, "row 3 is missing")]
    assert found(chain, deeds[2:]) == [(1, "rows 1 to 2 are missing")]
    assert found(chain, deeds[:3]) == [(4, "rows 4 to 5 are missing")]
    assert found(chain, [*deeds, deed(6, deeds[-1].link)])[0] == (
        6, "row 6 and the rows after it were added: the chain ends with row 5",
    )  # fmt: skip
    changed = [replace(each, act="pin") if each.number == 3 else each for each in deeds]
    assert found(chain, changed) == [(3, "row 3 was changed or moved")]
    assert found(chain, [replace(deeds[0], number=0), *deeds])[0] == (0, "row 0 was added before the first row")


def test_a_link_that_was_changed_concerns_its_row_alone():
    chain, deeds = a_chain()
    changed = [replace(each, link="0" * 64) if each.number == 3 else each for each in deeds]
    assert [number for number, _ in found(chain, changed)] == [3]
    last = [*deeds[:-1], replace(deeds[-1], link="0" * 64)]
    assert [number for number, _ in found(chain, last)] == [5]
    assert [number for number, _ in found(replace(chain, head="0" * 64), deeds)] == [5]


def test_swapped_rows_are_both_told():
    chain, deeds = a_chain()
    deeds[1], deeds[3] = replace(deeds[3], number=2), replace(deeds[1], number=4)
    assert {2, 4} <= {number for number, _ in found(chain, deeds)}


def test_names_that_were_changed_or_taken_are_told():
    chain, deeds = a_chain()
    other = [replace(each, actor=Actor(kind="person", name="아무개")) if each.number == 2 else each for each in deeds]
    assert found(chain, other) == [(2, "row 2: who did it, or whose scope it is, was changed")]
    bare = [replace(each, actor=None, who=None, name_salt=None) if each.number == 2 else each for each in deeds]
    assert found(chain, bare) == [(2, "row 2 lost its texts, but no erasure is recorded")]
    odd = [replace(each, name_salt=None) if each.number == 2 else each for each in deeds]
    assert (2, "row 2 names somebody, but has no digest of the names") in found(chain, odd)


def test_texts_may_go_only_where_a_later_row_tells_so():
    chain, deeds = a_chain(3)
    deeds[1] = replace(deeds[1], salt=None, targets=None, why=None)
    assert found(chain, deeds) == [(2, "row 2 lost its texts, but no erasure is recorded")]
    told = deed(4, deeds[-1].link, act="erase", covers="[[2,2]]")
    longer = replace(chain, length=4, head=told.link)
    assert found(longer, [*deeds, told]) == []
    elsewhere = deed(4, deeds[-1].link, act="erase", covers="[[1,1]]")
    assert found(replace(longer, head=elsewhere.link), [*deeds, elsewhere]) == [
        (2, "row 2 lost its texts, but no erasure is recorded")
    ]


def test_a_scope_that_is_gone_has_a_row_that_closes_its_chain():
    chain, deeds = a_chain(2)
    gone = replace(chain, scope=None)
    assert found(gone, deeds) == [(None, "the scope does not exist, but no erasure is recorded")]
    bare = [replace(each, actor=None, who=None, name_salt=None, salt=None, targets=None, why=None) for each in deeds]
    last = deed(3, deeds[-1].link, act="erased")
    assert found(replace(gone, length=3, head=last.link), [*bare, last]) == []


def test_numbers_are_the_same_however_an_engine_writes_them():
    ways = (
        '{"a":1.0,"b":1.5e+16,"c":-0.0,"d":-0.05,"e":1e-07,"f":[1e+22]}',
        '{"a": 1.0, "b": 15000000000000000, "c": 0.0, "d": -0.05, "e": 0.0000001, "f": [10000000000000000000000]}',
    )
    assert len({canonical(parsed_json(text)) for text in ways}) == 1
    assert canonical(parsed_json("[1.5e+16]")) == canonical(parsed_json("[15000000000000000]"))
    assert canonical(parsed_json("[-0.0]")) == canonical(parsed_json("[0.0]"))


@pytest.mark.parametrize(
    ("numbers", "told"), [([], ()), ([3], ((3, 3),)), ([5, 1, 2, 3, 5], ((1, 3), (5, 5))), ([1, 3], ((1, 1), (3, 3)))]
)
def test_numbers_as_ranges(numbers, told):
    assert ranges(numbers) == told


def operation(request: object, kind: str = "correct") -> Operation:
    moment = Moment(at=day(1), recorded_at=day(1), turn_number=1)
    return Operation(id="o1", kind=kind, moment=moment, who="person", request=request, turn_id="t1")  # type: ignore[arg-type]  # a kind by its name


def test_acts_are_called_by_what_they_do(a_memory: Memory):
    assert act_of(operation(Restore(memory_id="c1", to=a_memory))) == "restore"
    assert act_of(operation(Pin(memory_id="c1", pinned=False), "pin")) == "unpin"
    assert act_of(operation(Pin(memory_id="c1", pinned=True), "pin")) == "pin"
    assert act_of(operation(Hide(memory_id="c1"), "forget")) == "forget"
    assert act_of(operation(Learn(), "read")) == "catch_up"


def test_of_very_many_targets_some_are_named_and_the_rest_counted():
    assert targets_of(operation(Learn(), "observe"), ["c1", "c1", "c2"]) == ("t1", "c1", "c2")
    told = targets_of(operation(Learn(), "pass"), [f"c{number}" for number in range(1_000)])
    assert (len(told), told[-1]) == (51, "+951")


def test_people_have_names_that_can_be_printed():
    assert person(" 운영자 김 ").name == "운영자 김"
    assert str(person("김")) == "person 김"
    assert str(LIBRARY) == "library"
    for wrong in ("", " ", "a\nb", "\x1b[31m", "x" * 201):
        with pytest.raises(InvalidQuery):
            person(wrong)


def test_a_list_that_was_tampered_with_is_read_as_none():
    for text in ("[", '{"a":1}', "[1]", '[["a",2]]'):
        assert replace(deed(1, ""), covers=text).covered == ()
    assert replace(deed(1, ""), targets="[").touched == ()


@pytest.fixture
def a_memory() -> Memory:
    from gieok.testing import builders

    return builders.memory()
