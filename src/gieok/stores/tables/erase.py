"""What remains of erasures, and what was laid down for scopes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Literal

import numpy as np

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.audit import HOLD, RELEASE, RETAIN
from gieok.domain.erasure import BLANK, Certificate, Words, proven
from gieok.domain.memory import Hold, Retention
from gieok.domain.operation import Operation
from gieok.domain.record import from_record, to_record
from gieok.domain.scope import Scope
from gieok.errors import UnderHold
from gieok.ports import Gone, Holdings
from gieok.stores.tables.audit import ChainEnd, Hear, chain_end, close_chain, drop_chain, heard
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.rows import dump, first_id, last_id, microseconds, numbered
from gieok.stores.tables.snapshot import (
    Ledger,
    candidate_rows,
    change_rows,
    move_rows,
    operation_row,
    scope_key,
    standing,
    thing_from,
)


def put_certificate(connection: Connection, certificate: Certificate) -> None:
    sure = certificate.proven_at
    connection.run(
        "put_certificate",
        id=certificate.id,
        at=microseconds(certificate.at),
        proven_at=None if sure is None else microseconds(sure),
        record=dump(to_record(certificate)),
    )


def latest(connection: Connection, limit: int) -> list[Certificate]:
    return [_certificate(record) for (record,) in connection.rows("find_certificates", limit=max(limit, 0))]


def by_id(connection: Connection, certificate_id: str) -> Certificate | None:
    record = connection.value("find_certificate", id=certificate_id)
    return None if record is None else _certificate(record)


def unproven(connection: Connection) -> list[Certificate]:
    return [_certificate(record) for (record,) in connection.rows("find_unproven")]


def give_out(connection: Connection, drawn_up: list[Certificate], *, at: datetime, means: str) -> list[Certificate]:
    """Note that what these certificates tell of is proven."""
    given_out = [proven(certificate, at=at, means=means) for certificate in drawn_up]
    for certificate in given_out:
        put_certificate(connection, certificate)
    return given_out


def lay_down(
    connection: Connection,
    scope: Scope,
    kind: Literal["hold", "retention"],
    provision: Hold | Retention | None,
    *,
    actor: Actor = LIBRARY,
) -> None:
    """Lay something down for a scope, which begins by it if it is new; None takes it back."""
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    here = standing(connection, scope)
    scope_id = here.scope_id
    if provision is None:
        connection.run("drop_provision", scope_id=scope_id, kind=kind)
    else:
        scope_id = scope_id or connection.value("insert_scope", **scope_key(scope))
        connection.run("put_provision", scope_id=scope_id, kind=kind, record=dump(to_record(provision)))
    connection.run("move_scope", scope_id=scope_id)
    if provision is not None or (here.provisions.hold if kind == "hold" else here.provisions.retention) is not None:
        end = chain_end(connection, scope_id, operations=here.operation_number)
        _tell(end, kind, provision, actor)
        end.close()


def _tell(end: ChainEnd, kind: Literal["hold", "retention"], provision: Hold | Retention | None, actor: Actor) -> None:
    act = (HOLD if provision is not None else RELEASE) if kind == "hold" else RETAIN
    at, why = datetime.now(UTC), ""
    if isinstance(provision, Hold):
        at, why = provision.since, provision.why
    elif provision is not None:
        why = dump(to_record(provision))
    end.append(act, at, actor, who="person", why=why)


def _certificate(record: str) -> Certificate:
    return from_record(Certificate, json.loads(record))


_COUNTED: Final = (
    "turns", "rewound", "utterances", "people", "scenes", "operations", "traces", "unembedded", "documents",
)  # fmt: skip
#: What points to other rows goes before what it points to.
_BY_RANGE: Final = (
    "erase_keywords", "erase_staged_vectors", "erase_utterances", "erase_memories", "erase_items",
)  # fmt: skip
_OF_THE_JOURNAL: Final = ("erase_candidates", "erase_changes", "erase_moves", "erase_operations")
_BY_NUMBER: Final = ("erase_things", "erase_provisions", "erase_lease", "erase_scope")
_BY_NAME: Final = ("erase_answers", "erase_letters", "erase_documents")


def holdings(connection: Connection, scope: Scope, present: datetime) -> Holdings:
    connection = connection.owned_by(scope.user or "")
    scope_id = standing(connection, scope).scope_id
    low, high = first_id(scope_id), last_id(scope_id)
    row = connection.row("count_holdings", scope_id=scope_id, low=low, high=high, **scope_key(scope))
    states: Counter[str] = Counter()
    types: Counter[str] = Counter()
    conclusions: Counter[str] = Counter()
    for concluded, content_type, state, count in connection.rows(
        "count_memories", low=low, high=high, present=microseconds(present)
    ):
        if concluded:
            conclusions[content_type] += count
        else:
            states[state] += count
            types[content_type] += count
    counts = dict(zip(_COUNTED, row or (), strict=True))
    return Holdings(**counts, states=dict(states), types=dict(types), conclusions=dict(conclusions))


def erase(
    connection: Connection,
    scope: Scope,
    present: datetime,
    certificate: Certificate | None = None,
    *,
    actor: Actor = LIBRARY,
    chain_too: bool = False,
    held_too: bool = False,
) -> tuple[int, Holdings]:
    """Erase a scope and return the number that it had (0: none), with what was kept of it.

    Of its chain the bare digests are left, and that `actor` erased it; `chain_too`: nothing, for it will be put back.
    A `certificate` is completed with what was kept, and kept itself. Raises `UnderHold`; `held_too`: not so, for the
    bank that it was copied from knows of the hold, and has it otherwise since.
    """
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    held = holdings(connection, scope, present)
    here = standing(connection, scope)
    scope_id, hold = here.scope_id, here.provisions.hold
    if hold is not None and not held_too:
        raise UnderHold(str(scope), hold.by, hold.why)
    if certificate is not None:
        put_certificate(connection, replace(certificate, counts=held.counts | _sendings(connection, scope)))
    low, high = first_id(scope_id), last_id(scope_id)
    if scope_id:
        if chain_too:
            drop_chain(connection, scope_id)
        else:
            close_chain(connection, scope_id, at=datetime.now(UTC), actor=actor)
        for query in _BY_RANGE:
            connection.run(query, low=low, high=high)
        connection.run("erase_traces", scope_id=scope_id)
        connection.run("erase_turns", low=low, high=high)
        for query in _OF_THE_JOURNAL:
            connection.run(query, low=low, high=high)
        for query in _BY_NUMBER:
            connection.run(query, scope_id=scope_id)
        thing_from.cache_clear()
    for query in _BY_NAME:
        connection.run(query, **scope_key(scope))
    return scope_id, held


def _sendings(connection: Connection, scope: Scope) -> dict[str, int]:
    answers, letters = connection.row("count_sendings", **scope_key(scope)) or (0, 0)
    return {"answers": answers, "letters": letters}


def write_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear) -> None:
    """Write it, and have every line of it heard as the audit log vouches for it."""
    connection.run_many("insert_candidate", heard("candidates", candidate_rows(operation, private_id), hear))
    connection.run_many("insert_change", heard("changes", change_rows(operation, private_id), hear))
    connection.run_many("insert_move", heard("moves", move_rows(operation, private_id), hear))


def rewrite_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear) -> None:
    """Put another outcome in the place of the one there is."""
    for query in ("delete_candidates", "delete_changes", "delete_moves"):
        connection.run(query, operation=private_id)
    write_outcome(connection, operation, private_id, hear)


_REWRITTEN = ("id", "request", "why", "turn_id", "channel", "upkeep", "undone")


def purge(ledger: Ledger, scope: Scope, gone: Gone) -> set[int]:
    """Carry an erasure out, and return the private ids of the turns that lost words.

    Its certificate is completed with what only the tables know, and kept.
    """
    connection, low, high = ledger.connection, first_id(ledger.scope_id), last_id(ledger.scope_id)
    for operation in gone.operations:
        _rewrite(ledger, operation)
    taken_back = connection.rows("find_turns_taken_back", low=low, high=high, public_ids=dump(sorted(gone.turns)))
    turns = {*gone.taken_back, *(ref for (ref,) in taken_back)}
    for turn in turns:
        _drop_turn(ledger, turn)
    for utterance_id in sorted(gone.blanked):
        turns |= _blank(ledger, utterance_id)
    counts = count_sendings(ledger, scope)
    counts["documents"] = _drop_documents(ledger, scope, gone.words)
    connection.run("erase_traces", scope_id=ledger.scope_id)
    for query in ("erase_answers", "erase_letters"):
        connection.run(query, **scope_key(scope))
    ledger.reindexed = True
    thing_from.cache_clear()
    _keep(ledger, gone.certificate, counts)
    return turns


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
    rewrite_outcome(ledger.connection, operation, private_id, lambda _: None)


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


def _blank(ledger: Ledger, utterance_id: str) -> set[int]:
    """Leave of an utterance that it was, and return its turn.

    It has a vector that is like no other: else it would wait for one.
    """
    connection = ledger.connection
    found = connection.row("find_item", scope_id=ledger.scope_id, public_id=utterance_id)
    if found is None:
        return set()
    ref = found[0]
    connection.run("delete_keywords", id=ref)
    connection.run("unstage_vector", id=ref)
    connection.run("blank_utterance", id=ref, text=BLANK)
    nothing = connection.packing.packed(np.zeros((1, ledger.dimension), np.float32), ledger.dimension)
    connection.run("set_item_index", id=ref, terms=0, marks=0, vector=nothing)
    ledger.touched[ref] = None
    return {turn for (turn,) in connection.read("utterances", ("turn",), "id", ref, ref)}


def _drop_documents(ledger: Ledger, scope: Scope, given: Iterable[str]) -> int:
    words, dropped = Words(given), 0
    if not words:
        return 0
    for namespace, key, record in ledger.connection.rows("documents_of_scope", **scope_key(scope)):
        if words.stand_in(json.dumps(json.loads(record), ensure_ascii=False)):
            ledger.connection.run("drop_document", namespace=namespace, key=key)
            dropped += 1
    return dropped
