"""Writing one entry: the turn, what is remembered of it, and the operation, all in one transaction."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from gieok.domain.memory import Memory
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.scope import Scope
from gieok.errors import BankError
from gieok.ports import Entry
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.item_writing import (
    close_turn,
    known_memory,
    reindex,
    rewind_turn,
    set_turn_unread,
    write_memory,
    write_turn,
)
from gieok.stores.tables.journal_rows import operation_row, upkeep_text
from gieok.stores.tables.ledger import Ledger, opened_ledger
from gieok.stores.tables.outcomes import rewrite_outcome, write_outcome
from gieok.stores.tables.purging import purge
from gieok.stores.tables.scope_ids import numbered
from gieok.stores.tables.thing_rows import write_thing
from gieok.stores.tables.upsetting import upset_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An entry that was written."""

    operation: Operation  #: with its number
    scope_id: int
    version: int  #: that the scope has now
    touched: Mapping[int, Memory | None]  #: by ref: what is no longer what it was, with what it is now; None: gone
    upset: frozenset[Hashable] | None  #: names of lasting answers that are no longer true; None: any may be


def write_entry(connection: Connection, scope: Scope, entry: Entry, *, seen_version: int, embedder: str) -> Written:
    """Write `entry`; raises `ScopeMoved` if `seen_version` is past."""
    ledger = opened_ledger(connection, scope, seen_version=seen_version, embedder=embedder)
    _revise(ledger, entry.revised)
    if entry.turn is not None:
        write_turn(ledger, entry.turn, entry)
    if entry.caught_up is not None:
        set_turn_unread(ledger, entry.caught_up, unread=False)
    if entry.deepened is not None:
        close_turn(ledger, entry.deepened)
    for change in entry.memories:
        write_memory(ledger, change, entry.index.get(change.memory_id))
    for move in entry.things:
        write_thing(ledger, move)
    _index_the_rest(ledger, entry)
    if entry.gone is not None:
        purge(ledger, scope, entry.gone)
    operation = _write_operation(ledger, entry.operation)
    ledger.close()
    return Written(
        operation=operation,
        scope_id=ledger.scope_id,
        version=seen_version + 1,
        touched=ledger.touched,
        upset=upset_by(entry),
    )


def _write_operation(ledger: Ledger, operation: Operation) -> Operation:
    private_id = ledger.new_operation_id()
    ledger.connection.run("insert_operation", **operation_row(operation, private_id, ledger.scope_id))
    write_outcome(ledger.connection, operation, private_id)
    return replace(operation, number=ledger.operation_number)


def _revise(ledger: Ledger, operations: tuple[Operation, ...]) -> None:
    """Replace the outcomes of earlier operations, and take the turns of undone ones out of the story."""
    for operation in operations:
        private_id = numbered(ledger.scope_id, operation.number)
        known = ledger.connection.row(
            "revise_operation",
            id=private_id,
            public_id=operation.id,
            turn_number=operation.moment.turn_number,
            undone=operation.undone,
            upkeep=upkeep_text(operation),
        )
        if known is None:
            raise BankError(f"operation {operation.id!r} is not number {operation.number} of {ledger.scope_id}'s log")
        rewrite_outcome(ledger.connection, operation, private_id)
    for operation in reversed(operations):
        if operation.undone and operation.turn_id is not None:
            _undo_turn(ledger, operation.kind, operation.turn_id)


def _undo_turn(ledger: Ledger, kind: OperationKind, turn_id: str) -> None:
    if kind == "observe":
        rewind_turn(ledger, turn_id)
    elif kind == "read":
        set_turn_unread(ledger, turn_id, unread=True)


def _index_the_rest(ledger: Ledger, entry: Entry) -> None:
    """Index memories that have new words but did not change; words for what is not kept are dropped."""
    written = {utterance.id for utterance in entry.turn.utterances} if entry.turn else set()
    written |= {change.memory_id for change in entry.memories}
    for item_id, words in entry.index.items():
        if item_id not in written:
            known = known_memory(ledger, item_id)
            if known is not None:
                reindex(ledger, known.ref, words)
