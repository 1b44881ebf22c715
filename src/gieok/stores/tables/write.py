"""Writing what was said and what is remembered, with their places in the indexes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.answer import Trace
from gieok.domain.audit import act_of, targets_of
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import BankError
from gieok.ports import Entry, IndexEntry
from gieok.stores.tables.audit import (
    ChainEnd,
    ErasedDeeds,
    chain_end,
    journal_lines,
    new_content,
    operation_line,
    revised,
    said_line,
)
from gieok.stores.tables.cache import upset_by
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.erase import purge, rewrite_outcome, write_outcome
from gieok.stores.tables.rows import (
    changed_columns,
    dump,
    first_id,
    last_id,
    memory_row,
    number_of,
    numbered,
    trace_text,
    turn_row,
    utterance_row,
)
from gieok.stores.tables.search_index import TAG, scoped_terms
from gieok.stores.tables.snapshot import Ledger, opened_ledger, operation_row, upkeep_text, write_thing


class KnownMemory(NamedTuple):
    """A memory's place in the indexes."""

    ref: int
    searchable: bool


def known_memory(ledger: Ledger, memory_id: str) -> KnownMemory | None:
    """Raise `BankError` if an utterance has that id."""
    row = ledger.connection.row("find_item", scope_id=ledger.scope_id, public_id=memory_id)
    if row is None:
        return None
    ref, kind, searchable = row
    if kind != "memory":
        raise BankError(f"{memory_id!r} is an utterance's id and cannot be a memory's; nothing was written")
    return KnownMemory(ref, bool(searchable))


def write_turn(ledger: Ledger, turn: Turn, entry: Entry) -> int:
    """Keep `turn` as the scope's next one; return its private id."""
    ledger.turn_number += 1
    turn_ref = ledger.new_id()
    row = turn_row(
        turn, turn_ref, ledger.scope_id, number=ledger.turn_number, unread=entry.unread, left_open=entry.left_open
    )
    ledger.connection.run("insert_turn", **row)
    for utterance in turn.utterances:
        ref = _new_item(ledger, utterance.id, "utterance", searchable=True)
        ledger.connection.run("insert_utterance", **utterance_row(utterance, ref, turn_ref))
        _index(ledger, ref, entry.index.get(utterance.id))
    if entry.trace is not None:
        _write_trace(ledger, turn_ref, entry.trace, entry.traces)
    return turn_ref


def _write_trace(ledger: Ledger, turn_ref: int, trace: Trace, left: int) -> None:
    ledger.connection.run("insert_trace", turn=turn_ref, scope_id=ledger.scope_id, record=trace_text(trace))
    ledger.connection.run("delete_old_traces", scope_id=ledger.scope_id, left=left)


def rewind_turn(ledger: Ledger, turn_id: str) -> None:
    """Mark a turn as rewound; its words and vectors leave the indexes for good."""
    rewound = ledger.connection.row("rewind_turn", scope_id=ledger.scope_id, public_id=turn_id)
    if rewound is None:
        return
    turn_ref, number = rewound
    ledger.connection.run("delete_trace", turn=turn_ref)
    ledger.connection.run("close_gap", scope_id=ledger.scope_id, number=number)
    said = ledger.connection.rows(
        "find_utterances_of_turns",
        turns=dump([turn_ref]),
        low=first_id(ledger.scope_id),
        high=last_id(ledger.scope_id),
    )
    for (ref,) in said:
        ledger.connection.run("delete_keywords", id=ref)
        ledger.connection.run("rewind_item", id=ref)
        ledger.touched[ref] = None
    ledger.reindexed = True


def set_turn_unread(ledger: Ledger, turn_id: str, *, unread: bool) -> None:
    ledger.connection.run("set_turn_unread", scope_id=ledger.scope_id, public_id=turn_id, unread=unread)


def close_turn(ledger: Ledger, turn_id: str) -> None:
    ledger.connection.run("close_turn", scope_id=ledger.scope_id, public_id=turn_id)


def write_memory(ledger: Ledger, change: Change, words: IndexEntry | None) -> None:
    """Make a memory what `change` says it is after it; without new `words` it stays indexed as it was."""
    known = known_memory(ledger, change.memory_id)
    if change.after is None:
        if known is not None:
            _remove_memory(ledger, known.ref)
        return
    if known is None:
        ref = _new_item(ledger, change.after.id, "memory", searchable=not change.after.hidden)
        _put_memory(ledger, change.after, ref)
        _index(ledger, ref, words)
        return
    if known.searchable == change.after.hidden:
        ledger.connection.run("show_item", id=known.ref, searchable=not change.after.hidden)
        ledger.reindexed = True
    ledger.reindexed |= _laid_out_otherwise(change.before, change.after)
    if change.before is None:
        _put_memory(ledger, change.after, known.ref)
    elif columns := changed_columns(change.before, change.after):
        ledger.connection.update("memories", known.ref, columns)
        ledger.touched[known.ref] = change.after
    if words is not None:
        reindex(ledger, known.ref, words)


def _laid_out_otherwise(before: Memory | None, after: Memory) -> bool:
    """Whether the layout, which is kept in memory, tells something of the memory that is no longer so."""
    return before is None or (before.valid_at, before.subject) != (after.valid_at, after.subject)


def reindex(ledger: Ledger, ref: int, words: IndexEntry) -> None:
    """Replace an item's words and vector."""
    ledger.connection.run("delete_keywords", id=ref)
    ledger.connection.run("unstage_vector", id=ref)
    _index(ledger, ref, words)
    ledger.reindexed = True


def _new_item(ledger: Ledger, public_id: str, kind: str, *, searchable: bool) -> int:
    ref = ledger.new_id()
    ledger.connection.run(
        "insert_item", id=ref, scope_id=ledger.scope_id, public_id=public_id, kind=kind, searchable=searchable
    )
    return ref


def _put_memory(ledger: Ledger, memory: Memory, ref: int) -> None:
    ledger.connection.run("put_memory", **memory_row(memory, ref, ledger.scope_id))
    ledger.touched[ref] = memory


def _remove_memory(ledger: Ledger, ref: int) -> None:
    for query in ("delete_keywords", "delete_memory", "delete_item"):
        ledger.connection.run(query, id=ref)
    ledger.reindexed = True
    ledger.touched[ref] = None


def _index(ledger: Ledger, ref: int, words: IndexEntry | None) -> None:
    if words is None:
        return
    terms = scoped_terms(ledger.scope_id, words.terms)
    connection = ledger.connection
    vector = None if words.vectors is None else connection.packing.packed(words.vectors, ledger.dimension)
    connection.run("set_item_index", id=ref, terms=len(terms), marks=words.marks, vector=vector)
    tags = scoped_terms(ledger.scope_id, (f"{TAG}{tag}" for tag in words.tags))
    if terms or tags:
        connection.run("insert_keywords", id=ref, terms=connection.keywords((*terms, *tags)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An entry that was written."""

    operation: Operation  #: with its number
    scope_id: int
    version: int  #: that the scope has now
    touched: Mapping[int, Memory | None]  #: by ref: what is no longer what it was, with what it is now; None: gone
    upset: frozenset[Hashable] | None  #: names of lasting answers that are no longer true; None: any may be


def write_entry(
    connection: Connection,
    scope: Scope,
    entry: Entry,
    *,
    seen_version: int,
    embedder: str,
    actor: Actor = LIBRARY,
) -> Written:
    """Write `entry`, and that `actor` had it written; raises `ScopeMoved` if `seen_version` is past."""
    ledger = opened_ledger(connection, scope, seen_version=seen_version, embedder=embedder)
    end = chain_end(ledger.connection, ledger.scope_id, operations=ledger.operation_number)
    erased = None if entry.gone is None else ErasedDeeds.of(ledger, entry.gone, entry.revised)
    _revise(ledger, end, entry, actor)
    turn = None if entry.turn is None else write_turn(ledger, entry.turn, entry)
    if entry.caught_up is not None:
        set_turn_unread(ledger, entry.caught_up, unread=False)
    if entry.deepened is not None:
        close_turn(ledger, entry.deepened)
    for change in entry.memories:
        write_memory(ledger, change, entry.index.get(change.memory_id))
    for move in entry.things:
        write_thing(ledger, move)
    _index_the_rest(ledger, entry)
    if erased is not None and entry.gone is not None:
        erased.carry_out(end, turns=purge(ledger, scope, entry.gone), by=entry.operation, actor=actor)
    operation = _write_operation(ledger, end, entry, turn, actor)
    end.close()
    ledger.close()
    return Written(
        operation=operation,
        scope_id=ledger.scope_id,
        version=seen_version + 1,
        touched=ledger.touched,
        upset=upset_by(entry),
    )


def _write_operation(ledger: Ledger, end: ChainEnd, entry: Entry, turn: int | None, actor: Actor) -> Operation:
    """Write the operation into the journal, and who did what into the audit log; `turn` is the id of what was said."""
    operation = entry.operation
    private_id = ledger.new_operation_id()
    row = operation_row(operation, private_id, ledger.scope_id)
    ledger.connection.run("insert_operation", **row)
    content = new_content()
    content.line(operation_line(row))
    write_outcome(ledger.connection, operation, private_id, content.line)
    if entry.turn is not None and turn is not None:
        content.passing(said_line(utterance_row(each, 0, turn)) for each in entry.turn.utterances)
    end.append(
        act_of(operation),
        operation.moment.recorded_at,
        actor,
        who=operation.who,
        why=operation.why,
        targets=targets_of(operation, (change.memory_id for change in entry.memories)),
        operation=ledger.operation_number,
        turn=None if turn is None else number_of(turn),
        content=content,
    )
    return replace(operation, number=ledger.operation_number)


def _revise(ledger: Ledger, end: ChainEnd, entry: Entry, actor: Actor) -> None:
    """Replace the outcomes of earlier operations, and take the turns of undone ones out of the story.

    What they told before is kept in the audit log, except by an erasure.
    """
    operations = entry.revised
    told = journal_lines(ledger.connection, ledger.scope_id, (each.number for each in operations))
    for operation in operations:
        after = _revised(ledger, operation)
        before = told.get(operation.number)
        if entry.gone is None and before is not None and before != after:
            at, why = entry.operation.moment.recorded_at, f"by operation {entry.operation.id}"
            revised(end, operation.number, before, after, at=at, actor=actor, why=why)
    for operation in reversed(operations):
        if operation.undone and operation.turn_id is not None:
            _undo_turn(ledger, operation.kind, operation.turn_id)


def _revised(ledger: Ledger, operation: Operation) -> list[str]:
    """Replace the outcome of an operation, and return what the journal tells of it now."""
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
    lines = [operation_line(operation_row(operation, private_id, ledger.scope_id))]
    rewrite_outcome(ledger.connection, operation, private_id, lines.append)
    return lines


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
