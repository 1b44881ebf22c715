"""Taking what was erased out of the tables: no row keeps a word of it. What rows leave in the files is for proofs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gieok.domain.erasure import Certificate
from gieok.domain.operation import Operation
from gieok.domain.redacting import BLANK, Words
from gieok.domain.scope import Scope
from gieok.ports import Gone
from gieok.stores.tables.certificates import put_certificate
from gieok.stores.tables.journal_rows import operation_row
from gieok.stores.tables.ledger import Ledger
from gieok.stores.tables.outcomes import rewrite_outcome
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import first_id, last_id, numbered
from gieok.stores.tables.snapshot import scope_key
from gieok.stores.tables.thing_rows import thing_from

_REWRITTEN = ("id", "request", "why", "turn_id", "channel", "upkeep", "undone")


def purge(ledger: Ledger, scope: Scope, gone: Gone) -> None:
    """Carry an erasure out; its certificate is completed with what only the tables know, and kept."""
    connection, low, high = ledger.connection, first_id(ledger.scope_id), last_id(ledger.scope_id)
    for operation in gone.operations:
        _rewrite(ledger, operation)
    taken_back = connection.rows("find_turns_taken_back", low=low, high=high, public_ids=dump(sorted(gone.turns)))
    for turn in {*gone.taken_back, *(ref for (ref,) in taken_back)}:
        _drop_turn(ledger, turn)
    for utterance_id in sorted(gone.blanked):
        _blank(ledger, utterance_id)
    counts = count_sendings(ledger, scope)
    counts["documents"] = _drop_documents(ledger, scope, gone.words)
    connection.run("erase_traces", scope_id=ledger.scope_id)
    for query in ("erase_answers", "erase_letters"):
        connection.run(query, **scope_key(scope))
    ledger.reindexed = True
    thing_from.cache_clear()
    _keep(ledger, gone.certificate, counts)


def count_sendings(ledger: Ledger, scope: Scope) -> dict[str, int]:
    row = ledger.connection.row("count_sendings", **scope_key(scope))
    answers, letters = row if row is not None else (0, 0)
    return {"answers": answers, "letters": letters}


def _keep(ledger: Ledger, certificate: Certificate, counts: dict[str, int]) -> None:
    put_certificate(ledger.connection, replace(certificate, counts={**certificate.counts, **counts}))


def _rewrite(ledger: Ledger, operation: Operation) -> None:
    private_id = numbered(ledger.scope_id, operation.number)
    row = operation_row(operation, private_id, ledger.scope_id)
    ledger.connection.run("rewrite_operation", **{name: row[name] for name in _REWRITTEN})
    rewrite_outcome(ledger.connection, operation, private_id)


def _drop_turn(ledger: Ledger, turn: int) -> None:
    for ref in _utterances(ledger, turn):
        for query in ("delete_keywords", "unstage_vector", "delete_utterance", "delete_item"):
            ledger.connection.run(query, id=ref)
        ledger.touched[ref] = None
    ledger.connection.run("delete_trace", turn=turn)
    ledger.connection.run("delete_turn", id=turn)


def _utterances(ledger: Ledger, turn: int) -> list[int]:
    low, high = first_id(ledger.scope_id), last_id(ledger.scope_id)
    found = ledger.connection.rows("find_utterances_of_turns", turns=dump([turn]), low=low, high=high)
    return [ref for (ref,) in found]


def _blank(ledger: Ledger, utterance_id: str) -> None:
    """Leave of an utterance that it was. It has a vector that is like no other: else it would wait for one."""
    connection = ledger.connection
    found = connection.row("find_item", scope_id=ledger.scope_id, public_id=utterance_id)
    if found is None:
        return
    ref = found[0]
    connection.run("delete_keywords", id=ref)
    connection.run("unstage_vector", id=ref)
    connection.run("blank_utterance", id=ref, text=BLANK)
    nothing = connection.packing.packed(np.zeros((1, ledger.dimension), np.float32), ledger.dimension)
    connection.run("set_item_index", id=ref, terms=0, marks=0, vector=nothing)
    ledger.touched[ref] = None


def _drop_documents(ledger: Ledger, scope: Scope, given: Iterable[str]) -> int:
    words, dropped = Words(given), 0
    if not words:
        return 0
    for namespace, key, record in ledger.connection.rows("documents_of_scope", **scope_key(scope)):
        if words.stand_in(json.dumps(json.loads(record), ensure_ascii=False)):
            ledger.connection.run("drop_document", namespace=namespace, key=key)
            dropped += 1
    return dropped
