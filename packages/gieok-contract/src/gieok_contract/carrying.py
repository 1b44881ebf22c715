"""Carrying: scopes leave line by line and come back as they were; what does not fit changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gieok.errors import InvalidExport
from gieok.ports import Holdings, Line, Store
from gieok.testing.builders import day
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, Contract, everything, read, saying
from gieok_contract.erasing import full

NOW = day(30)


def carried(store: Store) -> list[Line]:
    """Return the lines of two scopes of one user as a file would hold them."""
    with store.carried([LETIA, SERA]) as lines:
        found = list(lines)
    return [replace(line, record=json.loads(json.dumps(line.record)), number=n) for n, line in enumerate(found, 1)]


def changed(lines: list[Line], table: str, **fields: Any) -> list[Line]:
    """Return the lines with some fields of the last line of a table otherwise."""
    place = max(place for place, line in enumerate(lines) if line.table == table)
    line = lines[place]
    return [*lines[:place], replace(line, record={**line.record, **fields}), *lines[place + 1 :]]


def rows(lines: list[Line]) -> list[tuple[str, str]]:
    """Return what stands in all tables, in an order of its own; counters of the index are not meant."""
    told = [(each.table, json.dumps(each.record, sort_keys=True)) for each in lines if each.table != "scopes"]
    return sorted(told)


def all_of(store: Store) -> Any:
    return read(store, LETIA, lambda view: everything(view, words=["라면", "비밀"], moments=[day(9)]))


class Carrying(Contract):
    """What a store promises of scopes that go through a file."""

    def test_what_is_erased_and_taken_in_again_is_as_it_was(self, scribe: Scribe) -> None:
        store = full(scribe).store
        full(Scribe(store, SERA))
        before, lines = all_of(store), carried(store)
        store.erase(LETIA, NOW)
        taken = store.take_in(lambda: lines)
        assert {each.scope: each.fate for each in taken} == {LETIA: "new", SERA: "there"}
        with store.view(LETIA) as view:
            waiting = view.vectorless(100)
        store.fill_vectors([each.key for each in waiting], [scribe.vectors.embed([each.text]) for each in waiting])
        assert all_of(store) == before
        assert rows(carried(store)) == rows(lines)

    def test_what_was_taken_in_goes_on_and_can_be_rewound(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)[:]
        store.erase(LETIA, NOW)
        store.take_in(lambda: lines)
        again = Scribe(store, LETIA, vectors=scribe.vectors)
        again.observe("나 이사했어", id="t9", at=day(9))
        again.rewind("t3", at=day(10))
        assert saying(store, "25살")

    def test_lines_are_of_the_named_scopes_alone(self, scribe: Scribe) -> None:
        full(scribe)
        Scribe(scribe.store, OTHER_USER).observe("나는 소방관이야", id="x1", at=day(1))
        with scribe.store.carried([LETIA]) as lines:
            told = json.dumps([dict(line.record) for line in lines], ensure_ascii=False)
        assert "라면" in told
        assert "소방관" not in told

    def test_twice_is_once_and_a_dry_run_is_nothing(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)
        store.erase(LETIA, NOW)
        assert [each.fate for each in store.take_in(lambda: lines, dry_run=True)] == ["new"]
        assert store.holdings(LETIA, NOW) == Holdings()
        assert [each.fate for each in store.take_in(lambda: lines)] == ["new"]
        before = all_of(store)
        assert [each.fate for each in store.take_in(lambda: lines)] == ["there"]
        assert all_of(store) == before

    def test_what_has_gone_on_since_is_there_and_something_else_is_not_overwritten(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)
        scribe.observe("나 이사했어", id="t9", at=day(9))
        assert [each.fate for each in store.take_in(lambda: lines)] == ["there"]
        store.erase(LETIA, NOW)
        Scribe(store, LETIA).observe("처음 뵙겠습니다", id="n1", at=day(1))
        before = all_of(store)
        assert [each.fate for each in store.take_in(lambda: lines)] == ["differs"]
        assert all_of(store) == before

    @pytest.mark.parametrize(
        ("table", "fields", "flaw"),
        [
            ("scopes", {"next_seq": 2}, "more entries than it says"),
            ("scopes", {"version": "7"}, "version is '7'"),
            ("turns", {"at": "gestern"}, "at is 'gestern'"),
            ("turns", {"at": "2026-03-01T20:00:00"}, "without a time zone"),
            ("turns", {"number": 2**40}, "no whole number"),
            ("turns", {"present": ["a", 1]}, "no list of texts"),
            ("items", {"kind": "thought"}, "neither memory nor utterance"),
            ("items", {"id": 0}, "no number of a scope"),
            ("items", {"marks": -1}, "marks is -1"),
            ("items", {"terms": -1}, "terms is -1"),
            ("items", {"color": "red"}, "unknown field 'color'"),
            ("utterances", {"turn": 9_999}, "is nothing in turns"),
            ("utterances", {"text": None}, "no text"),
            ("memories", {"content_type": "rumour"}, "content_type is 'rumour'"),
            ("memories", {"attribute": "shoe_size"}, "nobody knows"),
            ("memories", {"importance": "high"}, "importance is 'high'"),
            ("operations", {"kind": "dream"}, "kind is 'dream'"),
            ("operations", {"request": {"kind": "explode"}}, "of no known kind"),
            ("operations", {"turn_id": None}, "turn_id is missing"),
            ("operations", {"upkeep": [{"action": "dream", "why": "", "changes": 0}]}, "nothing that upkeep does"),
            ("candidates", {"claim": {}}, "claim lacks id"),
            ("candidates", {"decision": "obey"}, "decision is 'obey'"),
            ("changes", {"before": None, "after": None}, "neither before nor after"),
            ("changes", {"operation": 9_999}, "is nothing in operations"),
            ("traces", {"record": {"hits": ["x"]}}, "do not match"),
        ],
    )
    def test_a_line_that_cannot_be_kept_is_named_and_nothing_is_written(
        self, scribe: Scribe, table: str, fields: dict[str, Any], flaw: str
    ) -> None:
        store = full(scribe).store
        lines = changed(carried(store), table, **fields)
        store.erase(LETIA, NOW)
        with pytest.raises(InvalidExport, match=flaw) as refused:
            store.take_in(lambda: lines)
        assert refused.value.table == table
        assert table == "scopes" or lines[refused.value.line - 1].table == table
        assert store.holdings(LETIA, NOW) == Holdings()

    def test_lines_that_fit_each_for_itself_but_not_together_change_nothing(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)
        last = [each for each in lines if each.table == "candidates"][-1]
        nobody_decided = {
            **last.record,
            "position": 1,
            "decision": None,
            "why": None,
            "promotion": None,
            "changes": None,
        }
        lines.append(replace(last, record=nobody_decided))
        store.erase(LETIA, NOW)
        with pytest.raises(InvalidExport, match="does not fit together"):
            store.take_in(lambda: lines)
        assert store.holdings(LETIA, NOW) == Holdings()
