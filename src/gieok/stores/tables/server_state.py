"""What a server keeps in the tables beside memories: keys, answers, webhooks and letters, documents, model calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from gieok.domain.actor import actor
from gieok.domain.answer import CallSum, ModelCall
from gieok.domain.audit import DOCUMENT, DROP, KEY, UNHOOK, WEBHOOK, document_mark
from gieok.domain.json_text import storable
from gieok.domain.record import from_record, to_record
from gieok.domain.server_state import AccessKey, Document, KeptAnswer, Webhook, WebhookDelivery
from gieok.stores.tables.audit import note_of_bank
from gieok.stores.tables.columns import Row, microseconds, moment, of_stored
from gieok.stores.tables.connection import Connection, Reading, Writing, read

Value = TypeVar("Value")
_BEYOND: Final = chr(0x10FFFF)  #: sorts after whatever a namespace goes on with


class StoredServerState:
    """Implements `gieok.ports.Desk`."""

    def __init__(self, writer: Writing, readers: Reading) -> None:
        self._writer = writer
        self._readers = readers

    def keep_key(self, key: AccessKey) -> None:
        row = {"id": key.id, "created_at": microseconds(key.created_at), "record": _text(key)}
        why = "revoked" if key.revoked_at is not None else str(key.role)
        self._put("put_access_key", row, KEY, key.id, why, before="find_access_key", id=key.id)

    def access_keys(self) -> list[AccessKey]:
        return [_value(AccessKey, record) for (record,) in self._rows("find_access_keys")]

    def count_uses(self, day: str, uses: Mapping[str, int]) -> None:
        rows = [{"day": day, "key_id": key_id, "uses": count} for key_id, count in uses.items()]
        self._writer.write(lambda connection: connection.run_many("add_key_uses", rows))

    def uses(self, day: str) -> dict[str, int]:
        return dict(self._rows("find_key_uses", day=day))

    def answer(self, name: str, now: datetime) -> KeptAnswer | None:
        found = self._rows("find_kept_answer", name=name, now=microseconds(now))
        return _value(KeptAnswer, found[0][0]) if found else None

    def keep_answer(self, name: str, answer: KeptAnswer, *, until: datetime, now: datetime) -> KeptAnswer:
        def keep(connection: Connection) -> KeptAnswer:
            connection.run("drop_old_answers", now=microseconds(now))
            connection.run("put_kept_answer", name=name, until=microseconds(until), record=_text(answer))
            kept = connection.value("find_kept_answer", name=name, now=microseconds(now))
            return answer if kept is None else _value(KeptAnswer, kept)

        return self._writer.write(keep)

    def keep_webhook(self, webhook: Webhook) -> None:
        row = {"id": webhook.id, "created_at": microseconds(webhook.created_at), "record": _text(webhook)}
        self._put("put_webhook", row, WEBHOOK, webhook.id, before="find_webhook", id=webhook.id)

    def webhooks(self) -> list[Webhook]:
        return [_value(Webhook, record) for (record,) in self._rows("find_webhooks")]

    def drop_webhook(self, webhook_id: str) -> bool:
        def drop(connection: Connection) -> bool:
            connection.run("drop_letters_to", id=webhook_id)
            return connection.row("drop_webhook", id=webhook_id) is not None

        return self._change(drop, UNHOOK, webhook_id)

    def lease(self, webhook_id: str, holder: str, *, until: datetime, now: datetime) -> bool:
        lease = {"id": webhook_id, "holder": holder, "until": microseconds(until), "now": microseconds(now)}
        return self._writer.write(lambda connection: connection.row("lease_webhook", **lease)) is not None

    def release(self, webhook_id: str, holder: str) -> None:
        self._run("let_go_of_webhook", id=webhook_id, holder=holder)

    def add_deliveries(self, deliveries: Sequence[WebhookDelivery]) -> None:
        rows = [
            {"webhook_id": letter.webhook_id, "due_at": microseconds(letter.due_at), "record": _text(letter)}
            for letter in deliveries
        ]
        self._writer.write(lambda connection: connection.run_many("post_letter", rows))

    def due_deliveries(self, webhook_id: str, now: datetime, limit: int) -> list[WebhookDelivery]:
        found = self._rows("find_due_letters", webhook_id=webhook_id, now=microseconds(now), limit=limit)
        return [replace(_value(WebhookDelivery, record), number=number) for number, record in found]

    def waiting_deliveries(self) -> dict[str, int]:
        return dict(self._rows("count_letters"))

    def postpone_delivery(self, letter: WebhookDelivery) -> None:
        self._run("put_off_letter", number=letter.number, due_at=microseconds(letter.due_at), record=_text(letter))

    def drop_delivery(self, number: int) -> None:
        self._run("drop_letter", number=number)

    def put_document(self, document: Document) -> None:
        place = {"namespace": _namespace(document.namespace), "key": document.key}
        row = {**place, "created_at": microseconds(document.created_at), "record": _text(document)}
        mark = document_mark(document.namespace, document.key)
        self._put("put_document", row, DOCUMENT, mark, before="find_document", **place)

    def document(self, namespace: Sequence[str], key: str) -> Document | None:
        found = self._rows("find_document", namespace=_namespace(namespace), key=key)
        return _document(found[0]) if found else None

    def documents(self, prefix: Sequence[str] = ()) -> list[Document]:
        begins = _namespace(prefix)[:-1]
        found = [_document(row) for row in self._rows("find_documents", prefix=begins, beyond=begins + _BEYOND)]
        return [document for document in found if document.namespace[: len(prefix)] == tuple(prefix)]

    def drop_document(self, namespace: Sequence[str], key: str) -> Document | None:
        place = {"namespace": _namespace(namespace), "key": key}
        dropped = self._change(lambda it: it.row("drop_document", **place), DROP, document_mark(namespace, key))
        return None if dropped is None else _document(dropped)

    def _put(
        self, query: str, row: Mapping[str, Any], act: str, target: str, why: str = "", *, before: str, **place: str
    ) -> None:
        """Put a row there; where that is news, it is told of."""

        def put(connection: Connection) -> bool:
            there = connection.row(before, **place)
            connection.run(query, **row)
            return there is None or there[-1] != row["record"]

        self._change(put, act, target, why, row=(act, row["record"]))

    def _change(
        self,
        act: Callable[[Connection], Value],
        name: str,
        target: str,
        why: str = "",
        *,
        row: tuple[str, str] | None = None,
    ) -> Value:
        """Do it, and tell of it in the same transaction if anything came of it."""
        somebody = actor()  # here: whoever writes may do so in another thread

        def change(connection: Connection) -> Value:
            done = act(connection)
            if done:
                note_of_bank(connection, name, somebody, targets=[target], why=why, row=row)
            return done

        return self._writer.write(change)

    def _run(self, query: str, **values: Any) -> None:
        self._writer.write(lambda connection: connection.run(query, **values))

    def _rows(self, query: str, **values: Any) -> list[Row]:
        return read(self._readers, lambda connection: connection.rows(query, **values))


def note_call(connection: Connection, call: ModelCall) -> None:
    names = ("task", "model", "seconds", "prompt_tokens", "answer_tokens", "cost")
    counted = {name: getattr(call, name) for name in names}
    day = call.at.astimezone(UTC).date().isoformat()
    connection.run("add_model_call", day=day, failure=call.failure or "", **counted)


def model_calls(connection: Connection) -> list[CallSum]:
    names = ("day", "task", "model", "failure", "calls", "seconds", "prompt_tokens", "answer_tokens", "cost")
    rows = (dict(zip(names, row, strict=True)) for row in connection.rows("find_model_calls"))
    return [CallSum(**row | {"failure": row["failure"] or None}) for row in rows]


def _text(value: object) -> str:
    """Return `value` as it is kept; raises `InvalidText`: as JSON a NUL would get in, and nobody could look for it."""
    return json.dumps(storable(to_record(value)), ensure_ascii=False)


@of_stored
def _value(kind: type[Value], record: str) -> Value:
    return from_record(kind, json.loads(record))


def _namespace(names: Sequence[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)


def _document(row: Row) -> Document:
    created_at, record = row
    return replace(_value(Document, record), created_at=moment(created_at, 0))
