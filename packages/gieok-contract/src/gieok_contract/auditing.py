"""Who did what: every write leaves a row, in a chain that goes on whatever happens."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from gieok.domain.actor import LIBRARY, Actor, acting_as
from gieok.domain.audit import Content, Verified
from gieok.domain.erasure import EVERYTHING, drawn_up, husk
from gieok.domain.memory import Hold, Retention
from gieok.domain.operation import Direct
from gieok.domain.scope import Scope
from gieok.ports import Gone, Store
from gieok.testing.builders import WALL, claim, day, entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, Contract, Reopen
from gieok_contract.desk import DOCUMENT, HOOK, KEY

OPERATOR = Actor(kind="key", name="game server (ab12)")
KIM = Actor(kind="person", name="운영자 김")


def lived(scribe: Scribe) -> Scribe:
    """Live through something of every kind."""
    scribe.observe("나 라면 좋아해", "나도!", id="t1", claims=[claim("likes", "라면", id="c1")], at=day(1))
    scribe.observe("나는 25살", id="t2", claims=[claim("age", "25", id="c2")], at=day(2))
    scribe.observe("아니, 26살", id="t3", claims=[claim("age", "26", id="c3")], at=day(3))
    scribe.correct("c1", "라면을 아주 좋아함", at=day(4))
    scribe.pin("c1", at=day(5))
    scribe.direct("t3", Direct(note="다정하게"), at=day(5))
    scribe.rewind("t2", at=day(6))
    scribe.forget("c1", at=day(7))
    return scribe


def acts(store: Store, scope: Scope = LETIA) -> list[str]:
    return [deed.act for deed in store.trail.deeds(scope)]


def erase_undone(store: Store, turn_id: str = "t8") -> None:
    """Erase what was taken back, with a turn that stays."""
    certificate = drawn_up(id=turn_id, at=WALL, by="person", salt="salt", scope=LETIA, part=EVERYTHING, counts={})
    with store.locked(LETIA) as room:
        undone = [husk(each) for each in room.operations(in_force=False) if each.undone]
        places = frozenset(each.place for each in room.taken_back())
        entry = entry_for(turn("그래", id=turn_id, at=day(8)))
        room.apply(replace(entry, gone=Gone(operations=tuple(undone), taken_back=places, certificate=certificate)))


class Audits(Contract):
    """What a store promises of the audit log."""

    def test_keys_webhooks_and_documents_are_told_of_in_a_chain_that_is_no_scopes(self, store: Store) -> None:
        with acting_as(KIM):
            store.desk.keep_key(KEY)
            store.desk.keep_key(KEY)  # nothing changes
            store.desk.keep_key(replace(KEY, revoked_at=WALL))
        store.desk.keep_webhook(HOOK)
        store.desk.put_document(DOCUMENT)
        store.desk.put_document(DOCUMENT)
        assert store.desk.drop_webhook(HOOK.id)
        assert not store.desk.drop_webhook(HOOK.id)
        assert store.desk.drop_document(DOCUMENT.namespace, DOCUMENT.key) is not None
        assert store.desk.drop_document(DOCUMENT.namespace, DOCUMENT.key) is None
        deeds = store.trail.deeds(None)
        assert [deed.act for deed in deeds] == ["key", "key", "webhook", "document", "unhook", "drop"]
        assert [deed.touched for deed in deeds[:3]] == [(KEY.id,), (KEY.id,), (HOOK.id,)]
        assert [deed.why for deed in deeds[:2]] == [KEY.role, "revoked"]
        assert [deed.actor for deed in deeds] == [KIM, KIM, LIBRARY, LIBRARY, LIBRARY, LIBRARY]
        assert not any(name in str(deeds[3]) for name in DOCUMENT.namespace), "a namespace may name somebody"
        assert store.trail.deeds(LETIA) == [], "what is kept of nobody is no scope's"
        [chain] = store.trail.chains()
        assert (chain.scope, chain.of_bank, chain.length) == (None, True, 6)
        assert store.trail.verify().sound

    def test_another_embedder_is_told_of(self, scribe: Scribe) -> None:
        scribe.observe("나 라면 좋아해", id="t1")
        store = scribe.store
        before = store.info().embedder
        store.begin_reindex("another", 4)
        while items := store.unembedded(100):
            store.put_vectors([item.key for item in items], [np.ones((1, 4), np.float32) for _ in items])
        with acting_as(KIM):
            store.finish_reindex()
        [deed] = store.trail.deeds(None)
        assert (deed.act, deed.actor, deed.touched) == ("reindex", KIM, (before, "another"))
        assert store.trail.verify().sound

    def test_every_write_leaves_a_row_with_who_when_and_what(self, scribe: Scribe) -> None:
        with acting_as(OPERATOR):
            scribe.observe("나 라면 좋아해", id="t1", claims=[claim("likes", "라면", id="c1")])
        with acting_as(KIM):
            scribe.correct("c1", "라면을 아주 좋아함")
        scribe.pin("c1", False)
        first, second, third = scribe.store.trail.deeds(LETIA)
        assert [each.number for each in (first, second, third)] == [1, 2, 3]
        assert (first.act, first.actor, first.who, first.touched) == ("observe", OPERATOR, "person", ("t1", "c1"))
        assert (second.act, second.actor, second.touched) == ("correct", KIM, ("c1",))
        assert (third.act, third.actor) == ("unpin", LIBRARY)
        assert all(each.at == WALL for each in (first, second, third))
        assert (first.operation, second.operation, third.operation) == (1, 2, 3)

    def test_the_last_ones_are_leafed_through(self, scribe: Scribe) -> None:
        lived(scribe)
        every = scribe.store.trail.deeds(LETIA)
        assert scribe.store.trail.deeds(LETIA, 2) == every[-2:]
        assert scribe.store.trail.deeds(LETIA, 2, before=4) == every[1:3]
        assert scribe.store.trail.deeds(LETIA, 0) == scribe.store.trail.deeds(LETIA, 5, before=1) == []
        assert scribe.store.trail.deeds(OTHER_USER) == []

    def test_what_a_rewind_replaces_is_kept_with_it(self, scribe: Scribe) -> None:
        scribe.observe("나는 25살", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
        scribe.observe("나는 26살", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        [chain] = scribe.store.trail.chains()
        before = {deed.number: lines for deed, lines in scribe.store.trail.told(chain)}
        scribe.rewind("t1", at=day(3))
        assert acts(scribe.store) == ["observe", "observe", "revise", "revise", "rewind"]
        [chain] = scribe.store.trail.chains()
        after = {deed.number: lines for deed, lines in scribe.store.trail.told(chain)}
        assert (after[1], after[2]) == (before[1], before[2])
        assert after[3] != before[1]
        told = json.loads(after[4][0])
        assert told[0] == "operations"
        assert told[1]["turn_number"] == 1

    def test_every_digest_can_be_made_again_from_what_is_told(self, scribe: Scribe) -> None:
        lived(scribe)
        [chain] = scribe.store.trail.chains()
        told = list(scribe.store.trail.told(chain))
        assert len(told) == chain.length
        for deed, lines in told:
            assert deed.salt is not None
            content = Content(deed.salt).passing(lines)
            assert content.digest(targets=deed.targets, why=deed.why, record=deed.record) == deed.digest

    def test_scopes_have_chains_of_their_own(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER):
            lived(Scribe(store, scope))
        verified = store.trail.verify()
        assert verified.chains == 3
        assert verified.deeds == 3 * len(store.trail.deeds(LETIA))
        assert store.trail.verify(SERA).chains == 1
        assert {chain.scope for chain in store.trail.chains()} == {LETIA, SERA, OTHER_USER}
        assert len({chain.mark for chain in store.trail.chains()}) == 3

    def test_the_chain_of_one_scope_is_found_by_its_name_and_told_by_its_mark(self, store: Store) -> None:
        for scope in (LETIA, SERA):
            lived(Scribe(store, scope))
        assert store.trail.chains(LETIA) == [each for each in store.trail.chains() if each.scope == LETIA]
        assert store.trail.chains(OTHER_USER) == []
        assert store.trail.verify(OTHER_USER) == Verified(chains=0, deeds=0)
        [chain] = store.trail.chains(LETIA)
        assert [deed for deed, _ in store.trail.told(chain)][::-1] == store.trail.deeds(LETIA)
        store.erase(LETIA, day(30))
        assert store.trail.chains(LETIA) == []
        (last, _), *others = store.trail.told(chain)
        assert (last.act, len(others)) == ("erased", chain.length)

    def test_a_chain_goes_on_after_a_restart_and_through_another_handle(
        self, scribe: Scribe, second_handle: Store, reopen: Reopen
    ) -> None:
        scribe.observe("안녕", id="t1")
        Scribe(second_handle, LETIA, name="b").observe("또 왔어", id="t2")
        store = reopen()
        Scribe(store, LETIA, name="c").observe("잘 자", id="t3")
        assert [deed.number for deed in store.trail.deeds(LETIA)] == [1, 2, 3]
        assert store.trail.verify().sound

    def test_many_who_write_at_once_make_one_chain(self, scribe: Scribe, second_handle: Store) -> None:
        scribe.observe("안녕", id="t0")

        def write(number: int) -> None:
            store = (scribe.store, second_handle)[number % 2]
            if number % 3:
                Scribe(store, LETIA, name=f"w{number}-").observe("안녕", id=f"w{number}")
            else:
                store.trail.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(write, range(24)))
        assert [deed.number for deed in scribe.store.trail.deeds(LETIA)] == list(range(1, 26))
        assert scribe.store.trail.verify().sound

    def test_an_entry_that_is_refused_leaves_no_row(self, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t1")
        before = scribe.store.trail.deeds(LETIA)
        try:
            scribe.observe("안녕", id="t1")
        except Exception:  # noqa: BLE001  # which error says so is the store's own choice
            assert scribe.store.trail.deeds(LETIA) == before
        else:
            raise AssertionError("a turn was kept twice")

    def test_who_reads_is_noted_where_there_is_something_to_read(self, scribe: Scribe) -> None:
        assert not scribe.store.trail.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)
        scribe.observe("안녕", id="t1")
        with scribe.store.view(LETIA) as view:
            version = view.version
        assert scribe.store.trail.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)
        last = scribe.store.trail.deeds(LETIA)[-1]
        assert (last.act, last.actor, last.why, last.operation) == ("read", OPERATOR, "GET /v1/facts", None)
        with scribe.store.view(LETIA) as view:
            assert view.version == version

    def test_who_did_operations_is_told_by_their_numbers(self, scribe: Scribe) -> None:
        with acting_as(OPERATOR):
            scribe.observe("나는 25살", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
            scribe.observe("나는 26살", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        with acting_as(KIM):
            scribe.rewind("t1", at=day(3))
        assert scribe.store.trail.actors(LETIA, [1, 2, 3, 4]) == {1: OPERATOR, 2: OPERATOR, 3: KIM}
        assert scribe.store.trail.actors(LETIA, []) == scribe.store.trail.actors(SERA, [1]) == {}

    def test_of_an_erased_scope_digests_are_left_and_no_names_texts_or_salts(self, store: Store) -> None:
        lived(Scribe(store, SERA))
        with acting_as(OPERATOR):
            lived(Scribe(store, LETIA))
        [chain] = [each for each in store.trail.chains() if each.scope == LETIA]
        with acting_as(KIM):
            store.erase(LETIA, day(30))
        [left] = [each for each in store.trail.chains() if each.scope is None]
        assert (left.mark, left.length) == (chain.mark, chain.length + 1)
        (last, _), *others = store.trail.told(left)
        assert (last.act, last.actor) == ("erased", KIM)
        for deed, lines in others:
            private = (deed.actor, deed.who, deed.name_salt, deed.targets, deed.why, deed.record, deed.salt)
            assert (private, lines) == ((None,) * 7, ())
        assert store.trail.deeds(LETIA) == []
        assert store.trail.verify().sound
        assert len(store.trail.deeds(SERA)) == chain.length

    def test_texts_that_are_erased_go_from_the_rows_and_the_rest_is_vouched_for_anew(self, scribe: Scribe) -> None:
        lived(scribe)
        before = scribe.store.trail.deeds(LETIA)
        with acting_as(KIM):
            erase_undone(scribe.store)
        assert scribe.store.trail.verify().findings == ()
        after = scribe.store.trail.deeds(LETIA)
        bare = [deed for deed in after if deed.is_bare]
        assert {2, 3} <= {deed.operation for deed in bare}, "what was taken back, and what was judged without it"
        assert all((deed.targets, deed.why, deed.record) == (None, None, None) for deed in bare)
        assert [(deed.act, deed.actor, deed.who) for deed in after[: len(before)]] == [
            (deed.act, deed.actor, deed.who) for deed in before
        ]
        assert all(deed.record is None or deed.operation == 1 for deed in after), "no record from there on is left"
        erase, *anew, written = after[len(before) :]
        assert (erase.act, erase.actor, written.act) == ("erase", KIM, "observe")
        covered = {number for first, last in erase.covered for number in range(first, last + 1)}
        assert covered == {deed.number for deed in bare}
        assert {deed.act for deed in anew} == {"revise"}
        assert {deed.operation for deed in anew} == {deed.operation for deed in bare}

    def test_a_chain_goes_on_after_an_erasure_whatever_comes(self, scribe: Scribe, second_handle: Store) -> None:
        lived(scribe)
        erase_undone(scribe.store)
        scribe.observe("나는 27살", id="t9", claims=[claim("age", "27", id="c9")], at=day(9))
        scribe.rewind("t1", at=day(10))
        assert second_handle.trail.verify().findings == ()
        erase_undone(second_handle, "t11")
        assert scribe.store.trail.verify().findings == ()

    def test_a_scope_that_comes_from_a_file_begins_a_chain_with_who_took_it_in(self, scribe: Scribe) -> None:
        store = lived(scribe).store
        with store.carried([LETIA]) as found:
            lines = list(found)
        store.erase(LETIA, day(30))
        with acting_as(KIM):
            store.take_in(lambda: lines)
        [taken] = store.trail.deeds(LETIA)
        assert (taken.act, taken.actor, taken.operation) == ("import", KIM, None)
        assert store.trail.verify().findings == ()
        scribe.rewind("t1", at=day(10))
        assert store.trail.verify().findings == ()

    def test_what_is_laid_down_for_a_scope_is_told_with_who_did_it(self, store: Store) -> None:
        with acting_as(KIM):
            store.put_hold(LETIA, Hold(since=WALL, by="법무팀", why="소송"))
            store.put_retention(LETIA, Retention(days={"note": 3.0}))
        store.put_hold(LETIA, None)
        store.put_hold(LETIA, None)
        hold, retain, release = store.trail.deeds(LETIA)
        assert [hold.act, retain.act, release.act] == ["hold", "retain", "release"]
        assert (hold.actor, hold.why, hold.at, release.actor) == (KIM, "소송", WALL, LIBRARY)
        Scribe(store, LETIA).observe("안녕", id="t1")
        store.put_hold(SERA, None)
        assert store.trail.verify().findings == ()

    def test_a_scope_that_begins_anew_has_a_new_chain(self, scribe: Scribe) -> None:
        lived(scribe)
        scribe.store.erase(LETIA, day(30))
        scribe.observe("다시 만났네", id="t1")
        assert acts(scribe.store) == ["observe"]
        assert [chain.scope for chain in scribe.store.trail.chains()] == [None, LETIA]
        scribe.store.erase(LETIA, day(30))
        assert [chain.scope for chain in scribe.store.trail.chains()] == [None, None]
