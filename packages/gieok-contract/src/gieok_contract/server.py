"""What a server keeps, and the audit log."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from gieok.domain.actor import LIBRARY, Actor, acting_as
from gieok.domain.audit import Content, Verified
from gieok.domain.erasure import EVERYTHING, erased_operation, new_certificate
from gieok.domain.memory import Hold, Retention
from gieok.domain.operation import Direct
from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Bounds, Document, KeptAnswer, Webhook, WebhookDelivery
from gieok.errors import InvalidText
from gieok.ports import Removal, Store
from gieok.testing.builders import WALL, claim, day, entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, Contract, Reopen

HOUR = timedelta(hours=1)
SCOPE = Scope(user="민수", character="레티아")
KEY = AccessKey(id="k1", name="게임 서버", role="writer", digest="ab", bounds=(Bounds(world="학원"),), created_at=WALL)
HOOK = Webhook(id="w1", url="http://127.0.0.1/hook", secret="비밀", events=("memory.remembered",), created_at=WALL)
LETTER = WebhookDelivery(webhook_id="w1", event_id="e1", body='{"말": 1}', scope=SCOPE, due_at=WALL)
DOCUMENT = Document(
    namespace=("민수", "memories"), key="a", value='{"v": 1}', scope=SCOPE, created_at=WALL, updated_at=WALL
)


class ServerState(Contract):
    """Keys, answers to repeat, webhook deliveries and documents."""

    def test_a_key_is_kept_and_can_be_revoked(self, store: Store, reopen: Reopen) -> None:
        store.server.keep_key(KEY)
        store.server.keep_key(replace(KEY, id="k2", created_at=WALL + HOUR))
        store.server.keep_key(replace(KEY, revoked_at=WALL))
        first, second = reopen().server.access_keys()
        assert (first.id, first.revoked_at, second.id, second.revoked_at) == ("k1", WALL, "k2", None)
        assert first.bounds == (Bounds(world="학원"),)

    def test_uses_of_a_key_add_up_by_day(self, store: Store) -> None:
        store.server.count_uses("2026-11-15", {"k1": 2, "k2": 1})
        store.server.count_uses("2026-11-15", {"k1": 3})
        store.server.count_uses("2026-11-16", {"k1": 7})
        assert store.server.uses("2026-11-15") == {"k1": 5, "k2": 1}

    def test_the_first_answer_under_a_name_is_kept_until_it_expires(self, store: Store) -> None:
        first = KeptAnswer(fingerprint="f", status=201, body="처음", headers=(("ETag", '"1"'),), scope=SCOPE)
        assert store.server.keep_answer("n", first, until=WALL + HOUR, now=WALL) == first
        later = replace(first, body="나중")
        assert store.server.keep_answer("n", later, until=WALL + HOUR, now=WALL) == first
        assert store.server.answer("n", WALL) == first
        assert store.server.answer("n", WALL + HOUR) is None
        assert store.server.keep_answer("n", later, until=WALL + 3 * HOUR, now=WALL + 2 * HOUR) == later

    def test_only_due_deliveries_are_returned(self, store: Store, reopen: Reopen) -> None:
        store.server.keep_webhook(HOOK)
        store.server.add_deliveries([LETTER, replace(LETTER, event_id="e2", due_at=WALL + HOUR)])
        (due,) = reopen().server.due_deliveries("w1", WALL, 10)
        assert (due.event_id, due.body, due.scope) == ("e1", LETTER.body, SCOPE)
        assert due.number > 0

    def test_a_postponed_delivery_keeps_its_number_of_tries(self, store: Store) -> None:
        store.server.add_deliveries([LETTER])
        (due,) = store.server.due_deliveries("w1", WALL, 10)
        store.server.postpone_delivery(replace(due, tries=1, due_at=WALL + HOUR))
        assert store.server.due_deliveries("w1", WALL, 10) == []
        (again,) = store.server.due_deliveries("w1", WALL + HOUR, 10)
        assert (again.number, again.tries) == (due.number, 1)
        store.server.drop_delivery(due.number)
        assert store.server.waiting_deliveries() == {}

    def test_dropping_a_webhook_drops_only_its_own_deliveries(self, store: Store) -> None:
        store.server.keep_webhook(HOOK)
        store.server.add_deliveries([LETTER, replace(LETTER, webhook_id="w2")])
        assert store.server.drop_webhook("w1")
        assert not store.server.drop_webhook("w1")
        assert store.server.webhooks() == []
        assert store.server.waiting_deliveries() == {"w2": 1}

    def test_deliveries_keep_their_order_when_postponed(self, store: Store) -> None:
        store.server.add_deliveries(
            [LETTER, replace(LETTER, event_id="e2"), replace(LETTER, webhook_id="w2", event_id="e3")]
        )
        first, _ = store.server.due_deliveries("w1", WALL, 10)
        store.server.postpone_delivery(replace(first, due_at=WALL + HOUR))
        assert [letter.event_id for letter in store.server.due_deliveries("w1", WALL + HOUR, 10)] == ["e1", "e2"]
        assert [letter.event_id for letter in store.server.due_deliveries("w1", WALL, 10)] == ["e2"]

    def test_one_holder_at_a_time_delivers_to_a_webhook(self, store: Store, second_handle: Store) -> None:
        desk, other, until = store.server, second_handle.server, WALL + HOUR
        desk.keep_webhook(HOOK)
        desk.keep_webhook(replace(HOOK, id="w2"))
        assert desk.lease("w1", "하나", until=until, now=WALL)
        assert not other.lease("w1", "둘", until=until, now=WALL)
        assert other.lease("w2", "둘", until=until, now=WALL), "every webhook has a lease of its own"
        assert desk.lease("w1", "하나", until=until, now=WALL), "holding it again prolongs it"
        other.release("w1", "둘")
        assert not other.lease("w1", "둘", until=until, now=WALL), "what another one holds cannot be let go of"
        desk.release("w1", "하나")
        assert other.lease("w1", "둘", until=until, now=WALL)
        assert desk.webhooks() == [HOOK, replace(HOOK, id="w2")], "a lease changes nothing"

    def test_a_delivery_lease_expires_and_ends_with_its_webhook(self, store: Store) -> None:
        desk, later = store.server, WALL + HOUR
        assert not desk.lease("w1", "하나", until=later, now=WALL), "nobody is there to bring them to"
        desk.keep_webhook(HOOK)
        assert desk.lease("w1", "하나", until=later, now=WALL)
        assert not desk.lease("w1", "둘", until=later + HOUR, now=later - timedelta(microseconds=1))
        assert desk.lease("w1", "둘", until=later + HOUR, now=later)
        assert not desk.lease("w1", "하나", until=later + HOUR, now=later)
        desk.drop_webhook("w1")
        assert not desk.lease("w1", "둘", until=later + HOUR, now=later)
        desk.release("w1", "둘")

    def test_a_delivery_lease_from_a_future_clock_does_not_block(self, store: Store) -> None:
        desk, long_after = store.server, WALL + 1_000 * HOUR
        desk.keep_webhook(HOOK)
        assert desk.lease("w1", "하나", until=long_after + HOUR, now=long_after)
        assert desk.lease("w1", "둘", until=WALL + HOUR, now=WALL)
        assert not desk.lease("w1", "셋", until=WALL, now=WALL - HOUR), "clocks may differ by a little"

    def test_a_replaced_document_keeps_its_creation_time(self, store: Store) -> None:
        store.server.put_document(DOCUMENT)
        later = replace(DOCUMENT, value="2", created_at=WALL + HOUR, updated_at=WALL + HOUR)
        store.server.put_document(later)
        assert store.server.document(("민수", "memories"), "a") == replace(later, created_at=WALL)

    @pytest.mark.parametrize(
        "flaw", [{"namespace": ("민수", "a\0b")}, {"key": "a\0b"}, {"value": "a\0b"}, {"key": "\ud83d"}]
    )
    def test_a_document_that_cannot_be_stored_is_refused(self, store: Store, flaw: Any) -> None:
        with pytest.raises(InvalidText):
            store.server.put_document(replace(DOCUMENT, **flaw))
        assert store.server.documents() == []
        assert store.holdings(SCOPE, WALL).documents == 0

    def test_documents_are_found_by_a_prefix_of_their_namespace(self, store: Store) -> None:
        names = [("민수",), ("민수", "memories"), ("민수기",), ("민", "수")]
        for namespace in names:
            store.server.put_document(replace(DOCUMENT, namespace=namespace))
        found = [document.namespace for document in store.server.documents(("민수",))]
        assert sorted(found) == [("민수",), ("민수", "memories")]
        assert len(store.server.documents()) == 4

    def test_a_dropped_document_is_gone(self, store: Store) -> None:
        store.server.put_document(DOCUMENT)
        assert store.server.drop_document(DOCUMENT.namespace, "a") == DOCUMENT
        assert store.server.drop_document(DOCUMENT.namespace, "a") is None
        assert store.server.documents() == []


OPERATOR = Actor(kind="key", name="game server (ab12)")
KIM = Actor(kind="person", name="운영자 김")


def lived(scribe: Scribe) -> Scribe:
    """Write operations of every kind."""
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
    return [deed.act for deed in store.audit.deeds(scope)]


def erase_undone(store: Store, turn_id: str = "t8") -> None:
    """Erase what was rewound, together with a new turn."""
    certificate = new_certificate(
        id=turn_id, at=WALL, by="person", salt="salt", scope=LETIA, part=EVERYTHING, counts={}
    )
    with store.locked(LETIA) as room:
        undone = [erased_operation(each) for each in room.operations(in_force=False) if each.undone]
        places = frozenset(each.place for each in room.rewound_turns())
        entry = entry_for(turn("그래", id=turn_id, at=day(8)))
        removal = Removal(operations=tuple(undone), taken_back=places, certificate=certificate)
        room.apply(replace(entry, removal=removal))


class AuditLog(Contract):
    """The audit log: every write leaves a row in a chain."""

    def test_keys_webhooks_and_documents_are_audited_in_a_chain_of_the_bank(self, store: Store) -> None:
        with acting_as(KIM):
            store.server.keep_key(KEY)
            store.server.keep_key(KEY)  # nothing changes
            store.server.keep_key(replace(KEY, revoked_at=WALL))
        store.server.keep_webhook(HOOK)
        store.server.put_document(DOCUMENT)
        store.server.put_document(DOCUMENT)
        assert store.server.drop_webhook(HOOK.id)
        assert not store.server.drop_webhook(HOOK.id)
        assert store.server.drop_document(DOCUMENT.namespace, DOCUMENT.key) is not None
        assert store.server.drop_document(DOCUMENT.namespace, DOCUMENT.key) is None
        deeds = store.audit.deeds(None)
        assert [deed.act for deed in deeds] == ["key", "key", "webhook", "document", "unhook", "drop"]
        assert [deed.touched for deed in deeds[:3]] == [(KEY.id,), (KEY.id,), (HOOK.id,)]
        assert [deed.why for deed in deeds[:2]] == [KEY.role, "revoked"]
        assert [deed.actor for deed in deeds] == [KIM, KIM, LIBRARY, LIBRARY, LIBRARY, LIBRARY]
        assert not any(name in str(deeds[3]) for name in DOCUMENT.namespace), "a namespace may name somebody"
        assert store.audit.deeds(LETIA) == [], "what is kept of nobody is no scope's"
        [chain] = store.audit.chains()
        assert (chain.scope, chain.of_bank, chain.length) == (None, True, 6)
        assert store.audit.verify().sound

    def test_a_change_of_embedder_is_audited(self, scribe: Scribe) -> None:
        scribe.observe("나 라면 좋아해", id="t1")
        store = scribe.store
        before = store.info().embedder
        store.begin_reindex("another", 4)
        while items := store.unembedded(100):
            store.put_vectors([item.key for item in items], [np.ones((1, 4), np.float32) for _ in items])
        with acting_as(KIM):
            store.finish_reindex()
        [deed] = store.audit.deeds(None)
        assert (deed.act, deed.actor, deed.touched) == ("reindex", KIM, (before, "another"))
        assert store.audit.verify().sound

    def test_every_write_leaves_a_row_with_who_when_and_what(self, scribe: Scribe) -> None:
        with acting_as(OPERATOR):
            scribe.observe("나 라면 좋아해", id="t1", claims=[claim("likes", "라면", id="c1")])
        with acting_as(KIM):
            scribe.correct("c1", "라면을 아주 좋아함")
        scribe.pin("c1", False)
        first, second, third = scribe.store.audit.deeds(LETIA)
        assert [each.number for each in (first, second, third)] == [1, 2, 3]
        assert (first.act, first.actor, first.who, first.touched) == ("observe", OPERATOR, "person", ("t1", "c1"))
        assert (second.act, second.actor, second.touched) == ("correct", KIM, ("c1",))
        assert (third.act, third.actor) == ("unpin", LIBRARY)
        assert all(each.at == WALL for each in (first, second, third))
        assert (first.operation, second.operation, third.operation) == (1, 2, 3)

    def test_the_last_rows_are_read_page_by_page(self, scribe: Scribe) -> None:
        lived(scribe)
        every = scribe.store.audit.deeds(LETIA)
        assert scribe.store.audit.deeds(LETIA, 2) == every[-2:]
        assert scribe.store.audit.deeds(LETIA, 2, before=4) == every[1:3]
        assert scribe.store.audit.deeds(LETIA, 0) == scribe.store.audit.deeds(LETIA, 5, before=1) == []
        assert scribe.store.audit.deeds(OTHER_USER) == []

    def test_a_rewind_is_audited_with_what_it_replaces(self, scribe: Scribe) -> None:
        scribe.observe("나는 25살", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
        scribe.observe("나는 26살", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        [chain] = scribe.store.audit.chains()
        before = {deed.number: lines for deed, lines in scribe.store.audit.lines(chain)}
        scribe.rewind("t1", at=day(3))
        assert acts(scribe.store) == ["observe", "observe", "revise", "revise", "rewind"]
        [chain] = scribe.store.audit.chains()
        after = {deed.number: lines for deed, lines in scribe.store.audit.lines(chain)}
        assert (after[1], after[2]) == (before[1], before[2])
        assert after[3] != before[1]
        told = json.loads(after[4][0])
        assert told[0] == "operations"
        assert told[1]["turn_number"] == 1

    def test_every_digest_can_be_recomputed(self, scribe: Scribe) -> None:
        lived(scribe)
        [chain] = scribe.store.audit.chains()
        told = list(scribe.store.audit.lines(chain))
        assert len(told) == chain.length
        for deed, lines in told:
            assert deed.salt is not None
            content = Content(deed.salt).passing(lines)
            assert content.digest(targets=deed.targets, why=deed.why, record=deed.record) == deed.digest

    def test_scopes_have_chains_of_their_own(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER):
            lived(Scribe(store, scope))
        verified = store.audit.verify()
        assert verified.chains == 3
        assert verified.deeds == 3 * len(store.audit.deeds(LETIA))
        assert store.audit.verify(SERA).chains == 1
        assert {chain.scope for chain in store.audit.chains()} == {LETIA, SERA, OTHER_USER}
        assert len({chain.mark for chain in store.audit.chains()}) == 3

    def test_the_chain_of_a_scope_is_found_by_its_name(self, store: Store) -> None:
        for scope in (LETIA, SERA):
            lived(Scribe(store, scope))
        assert store.audit.chains(LETIA) == [each for each in store.audit.chains() if each.scope == LETIA]
        assert store.audit.chains(OTHER_USER) == []
        assert store.audit.verify(OTHER_USER) == Verified(chains=0, deeds=0)
        [chain] = store.audit.chains(LETIA)
        assert [deed for deed, _ in store.audit.lines(chain)][::-1] == store.audit.deeds(LETIA)
        store.erase(LETIA, day(30))
        assert store.audit.chains(LETIA) == []
        (last, _), *others = store.audit.lines(chain)
        assert (last.act, len(others)) == ("erased", chain.length)

    def test_a_chain_continues_after_a_restart_and_through_another_handle(
        self, scribe: Scribe, second_handle: Store, reopen: Reopen
    ) -> None:
        scribe.observe("안녕", id="t1")
        Scribe(second_handle, LETIA, name="b").observe("또 왔어", id="t2")
        store = reopen()
        Scribe(store, LETIA, name="c").observe("잘 자", id="t3")
        assert [deed.number for deed in store.audit.deeds(LETIA)] == [1, 2, 3]
        assert store.audit.verify().sound

    def test_concurrent_writes_make_one_chain(self, scribe: Scribe, second_handle: Store) -> None:
        scribe.observe("안녕", id="t0")

        def write(number: int) -> None:
            store = (scribe.store, second_handle)[number % 2]
            if number % 3:
                Scribe(store, LETIA, name=f"w{number}-").observe("안녕", id=f"w{number}")
            else:
                store.audit.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(write, range(24)))
        assert [deed.number for deed in scribe.store.audit.deeds(LETIA)] == list(range(1, 26))
        assert scribe.store.audit.verify().sound

    def test_an_entry_that_is_refused_leaves_no_row(self, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t1")
        before = scribe.store.audit.deeds(LETIA)
        try:
            scribe.observe("안녕", id="t1")
        except Exception:  # noqa: BLE001  # which error says so is the store's own choice
            assert scribe.store.audit.deeds(LETIA) == before
        else:
            raise AssertionError("a turn was kept twice")

    def test_reads_of_existing_scopes_are_audited(self, scribe: Scribe) -> None:
        assert not scribe.store.audit.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)
        scribe.observe("안녕", id="t1")
        with scribe.store.view(LETIA) as view:
            version = view.version
        assert scribe.store.audit.note_read(LETIA, OPERATOR, "GET /v1/facts", WALL)
        last = scribe.store.audit.deeds(LETIA)[-1]
        assert (last.act, last.actor, last.why, last.operation) == ("read", OPERATOR, "GET /v1/facts", None)
        with scribe.store.view(LETIA) as view:
            assert view.version == version

    def test_the_actors_of_operations_are_found_by_number(self, scribe: Scribe) -> None:
        with acting_as(OPERATOR):
            scribe.observe("나는 25살", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
            scribe.observe("나는 26살", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        with acting_as(KIM):
            scribe.rewind("t1", at=day(3))
        assert scribe.store.audit.actors(LETIA, [1, 2, 3, 4]) == {1: OPERATOR, 2: OPERATOR, 3: KIM}
        assert scribe.store.audit.actors(LETIA, []) == scribe.store.audit.actors(SERA, [1]) == {}

    def test_an_erased_scope_leaves_digests_without_names_texts_or_salts(self, store: Store) -> None:
        lived(Scribe(store, SERA))
        with acting_as(OPERATOR):
            lived(Scribe(store, LETIA))
        [chain] = [each for each in store.audit.chains() if each.scope == LETIA]
        with acting_as(KIM):
            store.erase(LETIA, day(30))
        [left] = [each for each in store.audit.chains() if each.scope is None]
        assert (left.mark, left.length) == (chain.mark, chain.length + 1)
        (last, _), *others = store.audit.lines(left)
        assert (last.act, last.actor) == ("erased", KIM)
        for deed, lines in others:
            private = (deed.actor, deed.who, deed.name_salt, deed.targets, deed.why, deed.record, deed.salt)
            assert (private, lines) == ((None,) * 7, ())
        assert store.audit.deeds(LETIA) == []
        assert store.audit.verify().sound
        assert len(store.audit.deeds(SERA)) == chain.length

    def test_erased_texts_leave_the_rows_and_the_rest_is_sealed_again(self, scribe: Scribe) -> None:
        lived(scribe)
        before = scribe.store.audit.deeds(LETIA)
        with acting_as(KIM):
            erase_undone(scribe.store)
        assert scribe.store.audit.verify().findings == ()
        after = scribe.store.audit.deeds(LETIA)
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

    def test_a_chain_continues_after_an_erasure(self, scribe: Scribe, second_handle: Store) -> None:
        lived(scribe)
        erase_undone(scribe.store)
        scribe.observe("나는 27살", id="t9", claims=[claim("age", "27", id="c9")], at=day(9))
        scribe.rewind("t1", at=day(10))
        assert second_handle.audit.verify().findings == ()
        erase_undone(second_handle, "t11")
        assert scribe.store.audit.verify().findings == ()

    def test_an_imported_scope_begins_a_chain_with_the_importer(self, scribe: Scribe) -> None:
        store = lived(scribe).store
        with store.exported([LETIA]) as found:
            lines = list(found)
        store.erase(LETIA, day(30))
        with acting_as(KIM):
            store.import_lines(lambda: lines)
        [taken] = store.audit.deeds(LETIA)
        assert (taken.act, taken.actor, taken.operation) == ("import", KIM, None)
        assert store.audit.verify().findings == ()
        scribe.rewind("t1", at=day(10))
        assert store.audit.verify().findings == ()

    def test_holds_and_retention_rules_are_audited_with_their_actor(self, store: Store) -> None:
        with acting_as(KIM):
            store.put_hold(LETIA, Hold(since=WALL, by="법무팀", why="소송"))
            store.put_retention(LETIA, Retention(days={"note": 3.0}))
        store.put_hold(LETIA, None)
        store.put_hold(LETIA, None)
        hold, retain, release = store.audit.deeds(LETIA)
        assert [hold.act, retain.act, release.act] == ["hold", "retain", "release"]
        assert (hold.actor, hold.why, hold.at, release.actor) == (KIM, "소송", WALL, LIBRARY)
        Scribe(store, LETIA).observe("안녕", id="t1")
        store.put_hold(SERA, None)
        assert store.audit.verify().findings == ()

    def test_a_scope_that_begins_again_has_a_new_chain(self, scribe: Scribe) -> None:
        lived(scribe)
        scribe.store.erase(LETIA, day(30))
        scribe.observe("다시 만났네", id="t1")
        assert acts(scribe.store) == ["observe"]
        assert [chain.scope for chain in scribe.store.audit.chains()] == [None, LETIA]
        scribe.store.erase(LETIA, day(30))
        assert [chain.scope for chain in scribe.store.audit.chains()] == [None, None]
