"""Erasing a scope, and exporting and importing one."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gieok.domain.answer import Trace
from gieok.domain.erasure import BLANK, EVERYTHING, Certificate, erased_operation, new_certificate
from gieok.domain.memory import Hold, Provisions, Retention
from gieok.domain.scope import Scope
from gieok.domain.server_state import Document, KeptAnswer, WebhookDelivery
from gieok.errors import InvalidExport, UnderHold
from gieok.ports import Holdings, Line, Removal, ScopeMoved, Store
from gieok.testing.builders import WALL, claim, day, entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, Contract, everything, near, read, word_matches
from gieok_contract.scopes import SCOPES

NOW = day(30)
HOUR = timedelta(hours=1)


def full(scribe: Scribe) -> Scribe:
    """Store something of every kind in a scope."""
    scribe.observe("나 라면 좋아해", "나도!", id="t1", claims=[claim("likes", "라면", id="c1")], at=day(1))
    scribe.observe("나는 25살", id="t2", claims=[claim("age", "25", id="c2")], at=day(2))
    scribe.observe("아니, 26살", id="t3", claims=[claim("age", "26", id="c3")], at=day(3))
    scribe.observe("뻥이야", id="t4", at=day(4))
    scribe.forget("c1", at=day(5))
    scribe.rewind("t4", at=day(6))
    with scribe.store.locked(scribe.scope) as room:
        room.apply(replace(entry_for(turn("비밀이야", id="t5", at=day(7))), trace=Trace(), traces=5))
    desk = scribe.store.server
    name = str(scribe.scope)
    desk.add_deliveries([WebhookDelivery(webhook_id="w", event_id=name, body="라면", scope=scribe.scope, due_at=WALL)])
    desk.keep_answer(
        name, KeptAnswer(fingerprint="f", status=200, body="라면", scope=scribe.scope), until=WALL + HOUR, now=WALL
    )
    desk.put_document(
        Document(namespace=(name,), key="a", value="라면", scope=scribe.scope, created_at=WALL, updated_at=WALL)
    )
    return scribe


class Erasure(Contract):
    """Erasing a scope, with holds, retention and certificates."""

    def test_the_holdings_of_a_scope_are_counted_in_every_state(self, scribe: Scribe) -> None:
        assert scribe.store.holdings(LETIA, NOW) == Holdings()
        full(scribe)
        full(Scribe(scribe.store, SERA))
        held = scribe.store.holdings(LETIA, NOW)
        assert (held.turns, held.rewound, held.utterances, held.operations) == (4, 1, 6, 7)
        assert held.states == {"current": 1, "past": 1, "forgotten": 1}
        assert (held.memories, held.traces, held.documents, held.concluded) == (3, 1, 1, 0)
        assert sum(held.types.values()) == 3

    def test_an_erased_scope_is_gone_and_its_holdings_are_returned(self, scribe: Scribe) -> None:
        full(scribe)
        near(scribe.store, "라면")  # cached search data must go, too
        before = scribe.store.holdings(LETIA, NOW)
        assert scribe.store.erase(LETIA, NOW) == before
        assert scribe.store.holdings(LETIA, NOW) == Holdings()
        with scribe.store.view(LETIA) as view:
            assert everything(view, words=["라면", "비밀"], moments=[day(9)])["version"] == 0
            assert not any((view.turn("t1"), view.history("c2"), view.trace("t5"), view.existing_scopes([LETIA])))
            assert not any((view.refs(["t1/0", "c2"]), view.memories_by_id(["c1", "c2", "c3"])))
        assert near(scribe.store, "라면") == word_matches(scribe.store, "라면", "25살") == []
        assert scribe.store.scopes() == []
        assert set(scribe.store.info().counts.values()) == {0}
        desk = scribe.store.server
        assert not any((desk.waiting_deliveries(), desk.answer(str(LETIA), WALL), desk.documents()))

    def test_erasing_leaves_other_scopes_alone(self, store: Store) -> None:
        scribes = [full(Scribe(store, scope)) for scope in SCOPES]
        words = ["라면", "비밀", "좋아해"]

        def pictures() -> dict[Scope, object]:
            return {
                each.scope: (
                    read(store, each.scope, lambda view: everything(view, words=words, moments=[day(9)])),
                    store.holdings(each.scope, NOW),
                    store.server.answer(str(each.scope), WALL),
                )
                for each in scribes
            }

        before = pictures()
        for gone in (LETIA, Scope(user="민수"), Scope(character="레티아"), Scope(user="%")):
            store.erase(gone, NOW)
            del before[gone]
            scribes = [each for each in scribes if each.scope != gone]
            assert pictures() == before
        assert sum(store.server.waiting_deliveries().values()) == len(store.server.documents()) == len(SCOPES) - 4

    def test_an_erased_scope_can_begin_again(self, scribe: Scribe, second_handle: Store) -> None:
        full(scribe)
        near(second_handle, "라면")
        scribe.store.erase(LETIA, NOW)
        again = Scribe(second_handle, LETIA)
        again.observe("다시 만났네", id="t1", claims=[claim("likes", "김밥", id="c1")], at=day(8))
        for store in (scribe.store, second_handle):
            assert word_matches(store, "라면") == []
            assert set(near(store, "김밥")) == {"t1/0", "c1"}
            assert [each.turns for each in store.scopes()] == [1]
        scribe.store.erase(LETIA, NOW)
        assert second_handle.scopes() == []

    def test_erasing_an_unknown_scope_does_no_harm(self, scribe: Scribe) -> None:
        full(scribe)
        assert scribe.store.erase(OTHER_USER, NOW) == Holdings()
        assert [each.scope for each in scribe.store.scopes()] == [LETIA]

    def test_a_write_during_an_erasure_fails_or_comes_first(self, scribe: Scribe, second_handle: Store) -> None:
        scribe.observe("안녕", id="t1")
        with ThreadPoolExecutor(1) as pool:
            with scribe.store.locked(LETIA) as room:
                erasing = pool.submit(second_handle.erase, LETIA, NOW)
                wait([erasing], 0.3)
                moved = erasing.done()
                with pytest.raises(ScopeMoved) if moved else nullcontext():
                    room.apply(entry_for(turn("잘 지냈어?", id="t2")))
            assert erasing.result(60).turns == (1 if moved else 2)
        assert scribe.store.scopes() == []

    def test_scopes_can_be_erased_one_after_another(self, store: Store) -> None:
        for scope in (LETIA, SERA):
            full(Scribe(store, scope))
            store.erase(scope, NOW)
        assert store.latest_scopes(10) == store.scopes() == []

    def test_a_hold_keeps_everything_until_it_is_released(self, scribe: Scribe, second_handle: Store) -> None:
        full(scribe)
        hold = Hold(since=WALL, by="법무팀", why="소송")
        scribe.store.put_hold(LETIA, hold)
        assert read(second_handle, LETIA, lambda view: view.provisions) == Provisions(hold=hold)
        assert read(second_handle, SERA, lambda view: view.provisions) == Provisions()
        with pytest.raises(UnderHold, match="법무팀"):
            second_handle.erase(LETIA, NOW, certificate("c1"))
        assert second_handle.certificates(10) == []
        assert second_handle.holdings(LETIA, NOW).turns == 4
        scribe.store.put_hold(LETIA, None)
        assert second_handle.erase(LETIA, NOW).turns == 4

    def test_retention_rules_of_a_scope_are_erased_with_it(self, scribe: Scribe) -> None:
        kept = Retention(days={"note": 3.0, "event": 0.0})
        scribe.store.put_retention(LETIA, kept)
        full(scribe)
        assert read(scribe.store, LETIA, lambda view: view.provisions.retention) == kept
        scribe.store.erase(LETIA, NOW)
        assert read(scribe.store, LETIA, lambda view: view.provisions) == Provisions()

    def test_a_certificate_is_stored_with_the_erasure_and_issued_once_proven(
        self, scribe: Scribe, second_handle: Store
    ) -> None:
        full(scribe)
        scribe.store.erase(LETIA, NOW, certificate("c1"))
        [waiting] = second_handle.certificates(10)
        assert (waiting.proven, waiting.counts["turns"], waiting.counts["letters"]) == (False, 5, 1)
        assert second_handle.certificate("c1") == waiting
        [given_out] = scribe.store.prove(WALL + HOUR, seconds=10)
        assert given_out.intact
        assert given_out == replace(waiting, proven_at=WALL + HOUR, means=given_out.means, hash=given_out.hash)
        assert second_handle.certificates(10) == [given_out]
        assert scribe.store.prove(WALL + 2 * HOUR, seconds=10) == []
        assert second_handle.certificate("another") is None

    def test_rewound_turns_are_listed_and_can_be_dropped(self, scribe: Scribe, second_handle: Store) -> None:
        full(scribe)
        [back] = read(second_handle, LETIA, lambda view: view.rewound_turns())
        assert (back.turn_id, back.at, [text for _, text in back.lines]) == ("t4", day(4), ["뻥이야"])
        with scribe.store.locked(LETIA) as room:
            undone = next(each for each in room.operations(in_force=False) if each.undone)
            entry = entry_for(turn("그래", id="t6", at=day(8)))
            places = frozenset({back.place})
            gone = Removal(operations=(erased_operation(undone),), taken_back=places, certificate=certificate("c1"))
            room.apply(replace(entry, removal=gone))
        assert read(second_handle, LETIA, lambda view: view.rewound_turns()) == []
        left = read(second_handle, LETIA, lambda view: view.operations(in_force=False))
        [bare] = [each for each in left if each.undone]
        assert bare == erased_operation(undone)
        assert not any((second_handle.server.waiting_deliveries(), read(second_handle, LETIA, lambda v: v.trace("t5"))))
        assert second_handle.holdings(LETIA, NOW).rewound == 0
        assert second_handle.problems() == []

    def test_a_blanked_utterance_is_no_longer_found(self, scribe: Scribe, second_handle: Store) -> None:
        full(scribe)
        assert near(second_handle, "비밀이야")
        with scribe.store.locked(LETIA) as room:
            said = next(each for each in room.turns(9) if each.id == "t5").utterances[0].id
            entry = entry_for(turn("그래", id="t6", at=day(8)))
            room.apply(replace(entry, removal=Removal(blanked=frozenset({said}), certificate=certificate("c1"))))
        told = read(second_handle, LETIA, lambda view: view.turn("t5"))
        assert told is not None
        assert [line.text for line in told.utterances] == [BLANK]
        assert word_matches(second_handle, "비밀이야") == []
        assert second_handle.holdings(LETIA, NOW).unembedded == 0
        assert second_handle.problems() == []

    def test_memories_that_were_ever_hidden_and_the_first_of_each_type_are_known(self, scribe: Scribe) -> None:
        full(scribe)
        assert read(scribe.store, LETIA, lambda view: view.ever_hidden()) == {"c1"}
        first = read(scribe.store, LETIA, lambda view: view.first_known())
        assert first == {"personal": day(2)}


def certificate(id: str) -> Certificate:
    return new_certificate(id=id, at=WALL, by="person", salt="salt", scope=LETIA, part=EVERYTHING, counts={})


def carried(store: Store) -> list[Line]:
    """Return the export lines of two scopes of one user."""
    with store.exported([LETIA, SERA]) as lines:
        found = list(lines)
    return [replace(line, record=json.loads(json.dumps(line.record)), number=n) for n, line in enumerate(found, 1)]


def changed(lines: list[Line], table: str, **fields: Any) -> list[Line]:
    """Return the lines with some fields of the last line of `table` changed."""
    place = max(place for place, line in enumerate(lines) if line.table == table)
    line = lines[place]
    return [*lines[:place], replace(line, record={**line.record, **fields}), *lines[place + 1 :]]


def rows(lines: list[Line]) -> list[tuple[str, str]]:
    """Return the rows of all tables, sorted, without the counters of the index."""
    told = [(each.table, json.dumps(each.record, sort_keys=True)) for each in lines if each.table != "scopes"]
    return sorted(told)


def all_of(store: Store) -> Any:
    return read(store, LETIA, lambda view: everything(view, words=["라면", "비밀"], moments=[day(9)]))


class ExportImport(Contract):
    """Exporting scopes as lines, and importing them."""

    def test_an_erased_scope_that_is_imported_again_is_as_it_was(self, scribe: Scribe) -> None:
        store = full(scribe).store
        full(Scribe(store, SERA))
        before, lines = all_of(store), carried(store)
        store.erase(LETIA, NOW)
        taken = store.import_lines(lambda: lines)
        assert {each.scope: each.fate for each in taken} == {LETIA: "new", SERA: "there"}
        with store.view(LETIA) as view:
            waiting = view.vectorless(100)
        store.fill_vectors([each.key for each in waiting], [scribe.vectors.embed([each.text]) for each in waiting])
        assert all_of(store) == before
        assert rows(carried(store)) == rows(lines)

    def test_an_imported_scope_can_be_continued_and_rewound(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)[:]
        store.erase(LETIA, NOW)
        store.import_lines(lambda: lines)
        again = Scribe(store, LETIA, vectors=scribe.vectors)
        again.observe("나 이사했어", id="t9", at=day(9))
        again.rewind("t3", at=day(10))
        assert word_matches(store, "25살")

    def test_only_the_named_scopes_are_exported(self, scribe: Scribe) -> None:
        full(scribe)
        Scribe(scribe.store, OTHER_USER).observe("나는 소방관이야", id="x1", at=day(1))
        with scribe.store.exported([LETIA]) as lines:
            told = json.dumps([dict(line.record) for line in lines], ensure_ascii=False)
        assert "라면" in told
        assert "소방관" not in told

    def test_a_repeated_import_and_a_dry_run_change_nothing(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)
        store.erase(LETIA, NOW)
        assert [each.fate for each in store.import_lines(lambda: lines, dry_run=True)] == ["new"]
        assert store.holdings(LETIA, NOW) == Holdings()
        assert [each.fate for each in store.import_lines(lambda: lines)] == ["new"]
        before = all_of(store)
        assert [each.fate for each in store.import_lines(lambda: lines)] == ["there"]
        assert all_of(store) == before

    def test_an_import_overwrites_neither_a_later_nor_a_different_scope(self, scribe: Scribe) -> None:
        store = full(scribe).store
        lines = carried(store)
        scribe.observe("나 이사했어", id="t9", at=day(9))
        assert [each.fate for each in store.import_lines(lambda: lines)] == ["there"]
        store.erase(LETIA, NOW)
        Scribe(store, LETIA).observe("처음 뵙겠습니다", id="n1", at=day(1))
        before = all_of(store)
        assert [each.fate for each in store.import_lines(lambda: lines)] == ["differs"]
        assert all_of(store) == before

    @pytest.mark.parametrize(
        ("table", "fields", "flaw"),
        [
            ("scopes", {"next_seq": 2}, "more entries than it declares"),
            ("scopes", {"version": "7"}, "version is '7'"),
            ("turns", {"at": "gestern"}, "at is 'gestern'"),
            ("turns", {"at": "2026-03-01T20:00:00"}, "without a time zone"),
            ("turns", {"number": 2**40}, "no whole number"),
            ("turns", {"present": ["a", 1]}, "no list of texts"),
            ("items", {"kind": "thought"}, "kind is 'thought'"),
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
    def test_an_invalid_line_is_named_and_nothing_is_imported(
        self, scribe: Scribe, table: str, fields: dict[str, Any], flaw: str
    ) -> None:
        store = full(scribe).store
        lines = changed(carried(store), table, **fields)
        store.erase(LETIA, NOW)
        with pytest.raises(InvalidExport, match=flaw) as refused:
            store.import_lines(lambda: lines)
        assert refused.value.table == table
        assert table == "scopes" or lines[refused.value.line - 1].table == table
        assert store.holdings(LETIA, NOW) == Holdings()

    def test_lines_that_do_not_fit_together_are_not_imported(self, scribe: Scribe) -> None:
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
        with pytest.raises(InvalidExport, match="is inconsistent"):
            store.import_lines(lambda: lines)
        assert store.holdings(LETIA, NOW) == Holdings()
