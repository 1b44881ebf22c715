"""Erasing: all of a scope goes, and nothing of another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest

from gieok.domain.desk import Document, KeptAnswer, Letter
from gieok.domain.scope import Scope
from gieok.domain.trace import Trace
from gieok.ports import Holdings, ScopeMoved, Store
from gieok.testing.builders import WALL, claim, day, entry_for, turn
from gieok.testing.contract.base import LETIA, OTHER_USER, SERA, Contract, everything, near, read, saying
from gieok.testing.contract.isolation import SCOPES
from gieok.testing.scribe import Scribe

NOW = day(30)
HOUR = timedelta(hours=1)


def full(scribe: Scribe) -> Scribe:
    """Leave something of every kind in a scope."""
    scribe.observe("나 라면 좋아해", "나도!", id="t1", claims=[claim("likes", "라면", id="c1")], at=day(1))
    scribe.observe("나는 25살", id="t2", claims=[claim("age", "25", id="c2")], at=day(2))
    scribe.observe("아니, 26살", id="t3", claims=[claim("age", "26", id="c3")], at=day(3))
    scribe.observe("뻥이야", id="t4", at=day(4))
    scribe.forget("c1", at=day(5))
    scribe.rewind("t4", at=day(6))
    with scribe.store.locked(scribe.scope) as room:
        room.apply(replace(entry_for(turn("비밀이야", id="t5", at=day(7))), trace=Trace(), traces=5))
    desk = scribe.store.desk
    name = str(scribe.scope)
    desk.post([Letter(webhook_id="w", event_id=name, body="라면", scope=scribe.scope, due_at=WALL)])
    desk.keep_answer(
        name, KeptAnswer(fingerprint="f", status=200, body="라면", scope=scribe.scope), until=WALL + HOUR, now=WALL
    )
    desk.put_document(
        Document(namespace=(name,), key="a", value="라면", scope=scribe.scope, created_at=WALL, updated_at=WALL)
    )
    return scribe


class Erasing(Contract):
    """What a store promises of scopes that are to go."""

    def test_what_is_kept_of_a_scope_is_counted_in_every_state(self, scribe: Scribe) -> None:
        assert scribe.store.holdings(LETIA, NOW) == Holdings()
        full(scribe)
        full(Scribe(scribe.store, SERA))
        held = scribe.store.holdings(LETIA, NOW)
        assert (held.turns, held.rewound, held.utterances, held.operations) == (4, 1, 6, 7)
        assert held.states == {"current": 1, "past": 1, "forgotten": 1}
        assert (held.memories, held.traces, held.documents, held.concluded) == (3, 1, 1, 0)
        assert sum(held.types.values()) == 3

    def test_all_of_it_goes_and_is_told(self, scribe: Scribe) -> None:
        full(scribe)
        near(scribe.store, "라면")  # what searches hold in memory goes, too
        before = scribe.store.holdings(LETIA, NOW)
        assert scribe.store.erase(LETIA, NOW) == before
        assert scribe.store.holdings(LETIA, NOW) == Holdings()
        with scribe.store.view(LETIA) as view:
            assert everything(view, words=["라면", "비밀"], moments=[day(9)])["version"] == 0
            assert not any((view.turn("t1"), view.history("c2"), view.trace("t5"), view.begun([LETIA])))
            assert not any((view.refs(["t1/0", "c2"]), view.memories_by_id(["c1", "c2", "c3"])))
        assert near(scribe.store, "라면") == saying(scribe.store, "라면", "25살") == []
        assert scribe.store.scopes() == []
        assert set(scribe.store.info().counts.values()) == {0}
        desk = scribe.store.desk
        assert not any((desk.waiting_letters(), desk.answer(str(LETIA), WALL), desk.documents()))

    def test_nothing_of_another_scope_goes(self, store: Store) -> None:
        scribes = [full(Scribe(store, scope)) for scope in SCOPES]
        words = ["라면", "비밀", "좋아해"]

        def pictures() -> dict[Scope, object]:
            return {
                each.scope: (
                    read(store, each.scope, lambda view: everything(view, words=words, moments=[day(9)])),
                    store.holdings(each.scope, NOW),
                    store.desk.answer(str(each.scope), WALL),
                )
                for each in scribes
            }

        before = pictures()
        for gone in (LETIA, Scope(user="민수"), Scope(character="레티아"), Scope(user="%")):
            store.erase(gone, NOW)
            del before[gone]
            scribes = [each for each in scribes if each.scope != gone]
            assert pictures() == before
        assert sum(store.desk.waiting_letters().values()) == len(store.desk.documents()) == len(SCOPES) - 4

    def test_a_scope_that_was_erased_begins_anew(self, scribe: Scribe, second_handle: Store) -> None:
        full(scribe)
        near(second_handle, "라면")
        scribe.store.erase(LETIA, NOW)
        again = Scribe(second_handle, LETIA)
        again.observe("다시 만났네", id="t1", claims=[claim("likes", "김밥", id="c1")], at=day(8))
        for store in (scribe.store, second_handle):
            assert saying(store, "라면") == []
            assert set(near(store, "김밥")) == {"t1/0", "c1"}
            assert [each.turns for each in store.scopes()] == [1]
        scribe.store.erase(LETIA, NOW)
        assert second_handle.scopes() == []

    def test_erasing_what_is_not_there_does_no_harm(self, scribe: Scribe) -> None:
        full(scribe)
        assert scribe.store.erase(OTHER_USER, NOW) == Holdings()
        assert [each.scope for each in scribe.store.scopes()] == [LETIA]

    def test_whoever_writes_meanwhile_finds_that_it_moved_or_is_waited_for(
        self, scribe: Scribe, second_handle: Store
    ) -> None:
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

    def test_one_scope_after_the_other_may_go(self, store: Store) -> None:
        for scope in (LETIA, SERA):
            full(Scribe(store, scope))
            store.erase(scope, NOW)
        assert store.latest_scopes(10) == store.scopes() == []
