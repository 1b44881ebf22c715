"""What a server keeps: keys, answers to repeat, webhooks with their letters, documents."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Bounds, Document, KeptAnswer, Letter, Webhook
from gieok.errors import InvalidText
from gieok.ports import Store
from gieok.testing.builders import WALL
from gieok_contract.base import Contract, Reopen

HOUR = timedelta(hours=1)
SCOPE = Scope(user="민수", character="레티아")
KEY = AccessKey(id="k1", name="게임 서버", role="writer", digest="ab", bounds=(Bounds(world="학원"),), created_at=WALL)
HOOK = Webhook(id="w1", url="http://127.0.0.1/hook", secret="비밀", events=("memory.remembered",), created_at=WALL)
LETTER = Letter(webhook_id="w1", event_id="e1", body='{"말": 1}', scope=SCOPE, due_at=WALL)
DOCUMENT = Document(
    namespace=("민수", "memories"), key="a", value='{"v": 1}', scope=SCOPE, created_at=WALL, updated_at=WALL
)


class Desks(Contract):
    """What a store keeps for a server."""

    def test_a_key_is_kept_and_can_be_revoked(self, store: Store, reopen: Reopen) -> None:
        store.desk.keep_key(KEY)
        store.desk.keep_key(replace(KEY, id="k2", created_at=WALL + HOUR))
        store.desk.keep_key(replace(KEY, revoked_at=WALL))
        first, second = reopen().desk.access_keys()
        assert (first.id, first.revoked_at, second.id, second.revoked_at) == ("k1", WALL, "k2", None)
        assert first.bounds == (Bounds(world="학원"),)

    def test_uses_of_a_key_add_up_by_day(self, store: Store) -> None:
        store.desk.count_uses("2026-11-15", {"k1": 2, "k2": 1})
        store.desk.count_uses("2026-11-15", {"k1": 3})
        store.desk.count_uses("2026-11-16", {"k1": 7})
        assert store.desk.uses("2026-11-15") == {"k1": 5, "k2": 1}

    def test_the_first_answer_under_a_name_stays_until_its_time(self, store: Store) -> None:
        first = KeptAnswer(fingerprint="f", status=201, body="처음", headers=(("ETag", '"1"'),), scope=SCOPE)
        assert store.desk.keep_answer("n", first, until=WALL + HOUR, now=WALL) == first
        later = replace(first, body="나중")
        assert store.desk.keep_answer("n", later, until=WALL + HOUR, now=WALL) == first
        assert store.desk.answer("n", WALL) == first
        assert store.desk.answer("n", WALL + HOUR) is None
        assert store.desk.keep_answer("n", later, until=WALL + 3 * HOUR, now=WALL + 2 * HOUR) == later

    def test_letters_wait_until_they_are_due_and_leave_when_delivered(self, store: Store, reopen: Reopen) -> None:
        store.desk.keep_webhook(HOOK)
        store.desk.post([LETTER, replace(LETTER, event_id="e2", due_at=WALL + HOUR)])
        (due,) = reopen().desk.due_letters("w1", WALL, 10)
        assert (due.event_id, due.body, due.scope) == ("e1", LETTER.body, SCOPE)
        assert due.number > 0

    def test_a_letter_that_was_put_off_keeps_its_tries(self, store: Store) -> None:
        store.desk.post([LETTER])
        (due,) = store.desk.due_letters("w1", WALL, 10)
        store.desk.put_off(replace(due, tries=1, due_at=WALL + HOUR))
        assert store.desk.due_letters("w1", WALL, 10) == []
        (again,) = store.desk.due_letters("w1", WALL + HOUR, 10)
        assert (again.number, again.tries) == (due.number, 1)
        store.desk.drop_letter(due.number)
        assert store.desk.waiting_letters() == {}

    def test_dropping_a_webhook_drops_its_letters_alone(self, store: Store) -> None:
        store.desk.keep_webhook(HOOK)
        store.desk.post([LETTER, replace(LETTER, webhook_id="w2")])
        assert store.desk.drop_webhook("w1")
        assert not store.desk.drop_webhook("w1")
        assert store.desk.webhooks() == []
        assert store.desk.waiting_letters() == {"w2": 1}

    def test_letters_come_in_the_order_in_which_they_were_posted_however_often_one_was_put_off(
        self, store: Store
    ) -> None:
        store.desk.post([LETTER, replace(LETTER, event_id="e2"), replace(LETTER, webhook_id="w2", event_id="e3")])
        first, _ = store.desk.due_letters("w1", WALL, 10)
        store.desk.put_off(replace(first, due_at=WALL + HOUR))
        assert [letter.event_id for letter in store.desk.due_letters("w1", WALL + HOUR, 10)] == ["e1", "e2"]
        assert [letter.event_id for letter in store.desk.due_letters("w1", WALL, 10)] == ["e2"]

    def test_one_holder_at_a_time_brings_the_letters_to_a_webhook(self, store: Store, second_handle: Store) -> None:
        desk, other, until = store.desk, second_handle.desk, WALL + HOUR
        desk.keep_webhook(HOOK)
        desk.keep_webhook(replace(HOOK, id="w2"))
        assert desk.lease("w1", "하나", until=until, now=WALL)
        assert not other.lease("w1", "둘", until=until, now=WALL)
        assert other.lease("w2", "둘", until=until, now=WALL), "every webhook has a lease of its own"
        assert desk.lease("w1", "하나", until=until, now=WALL), "holding it again prolongs it"
        other.let_go("w1", "둘")
        assert not other.lease("w1", "둘", until=until, now=WALL), "what another one holds cannot be let go of"
        desk.let_go("w1", "하나")
        assert other.lease("w1", "둘", until=until, now=WALL)
        assert desk.webhooks() == [HOOK, replace(HOOK, id="w2")], "a lease changes nothing"

    def test_a_lease_of_letters_ends_by_itself_and_with_its_webhook(self, store: Store) -> None:
        desk, later = store.desk, WALL + HOUR
        assert not desk.lease("w1", "하나", until=later, now=WALL), "nobody is there to bring them to"
        desk.keep_webhook(HOOK)
        assert desk.lease("w1", "하나", until=later, now=WALL)
        assert not desk.lease("w1", "둘", until=later + HOUR, now=later - timedelta(microseconds=1))
        assert desk.lease("w1", "둘", until=later + HOUR, now=later)
        assert not desk.lease("w1", "하나", until=later + HOUR, now=later)
        desk.drop_webhook("w1")
        assert not desk.lease("w1", "둘", until=later + HOUR, now=later)
        desk.let_go("w1", "둘")

    def test_a_lease_of_letters_from_before_the_clock_was_set_back_holds_nobody_up(self, store: Store) -> None:
        desk, long_after = store.desk, WALL + 1_000 * HOUR
        desk.keep_webhook(HOOK)
        assert desk.lease("w1", "하나", until=long_after + HOUR, now=long_after)
        assert desk.lease("w1", "둘", until=WALL + HOUR, now=WALL)
        assert not desk.lease("w1", "셋", until=WALL, now=WALL - HOUR), "clocks may differ by a little"

    def test_a_document_that_is_replaced_stays_as_old_as_it_is(self, store: Store) -> None:
        store.desk.put_document(DOCUMENT)
        later = replace(DOCUMENT, value="2", created_at=WALL + HOUR, updated_at=WALL + HOUR)
        store.desk.put_document(later)
        assert store.desk.document(("민수", "memories"), "a") == replace(later, created_at=WALL)

    @pytest.mark.parametrize(
        "flaw", [{"namespace": ("민수", "a\0b")}, {"key": "a\0b"}, {"value": "a\0b"}, {"key": "\ud83d"}]
    )
    def test_a_document_that_no_store_can_keep_is_refused_and_stops_nobody(self, store: Store, flaw: Any) -> None:
        with pytest.raises(InvalidText):
            store.desk.put_document(replace(DOCUMENT, **flaw))
        assert store.desk.documents() == []
        assert store.holdings(SCOPE, WALL).documents == 0

    def test_documents_are_found_by_the_beginning_of_their_namespace(self, store: Store) -> None:
        names = [("민수",), ("민수", "memories"), ("민수기",), ("민", "수")]
        for namespace in names:
            store.desk.put_document(replace(DOCUMENT, namespace=namespace))
        found = [document.namespace for document in store.desk.documents(("민수",))]
        assert sorted(found) == [("민수",), ("민수", "memories")]
        assert len(store.desk.documents()) == 4

    def test_a_dropped_document_is_gone(self, store: Store) -> None:
        store.desk.put_document(DOCUMENT)
        assert store.desk.drop_document(DOCUMENT.namespace, "a") == DOCUMENT
        assert store.desk.drop_document(DOCUMENT.namespace, "a") is None
        assert store.desk.documents() == []
