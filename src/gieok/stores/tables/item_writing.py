"""Writing what was said and what is remembered, with their places in the indexes."""

from __future__ import annotations

from typing import NamedTuple

from gieok.domain.memory import Change, Memory
from gieok.domain.trace import Trace
from gieok.domain.turn import Turn
from gieok.errors import BankError
from gieok.ports import Entry, IndexEntry
from gieok.stores.tables.ledger import Ledger
from gieok.stores.tables.rows import changed_columns, dump, memory_row, turn_row, utterance_row
from gieok.stores.tables.scope_ids import first_id, last_id
from gieok.stores.tables.trace_rows import trace_text
from gieok.stores.tables.word_index import TAG, scoped_terms


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
