"""Writing an entry: one operation with all that it changes, in one transaction, each table once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.audit import REVISED, act_of, targets_of
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.record import to_record
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import BankError, EmbedderMismatch
from gieok.ports import Entry, IndexEntry, ScopeMoved
from gieok.stores.tables.audit import (
    ChainEnd,
    chain_end,
    journal_line,
    journal_lines,
    new_content,
    rewrite_outcome,
    strip_erased,
    write_outcome,
)
from gieok.stores.tables.columns import OPERATIONS, TURNS, UTTERANCES, dump, number_of, numbered
from gieok.stores.tables.connection import EMBEDDER, Connection
from gieok.stores.tables.erase import Purge
from gieok.stores.tables.rows import (
    changed_columns,
    memory_row,
    operation_row,
    trace_text,
    turn_as_read,
    turn_row,
    utterance_row,
)
from gieok.stores.tables.scopes import ScopeRow, begin_scope, find_scope
from gieok.stores.tables.search_index import TAG, scoped_terms

if TYPE_CHECKING:
    from gieok.ports import Matrix


STORY_SO_FAR: Final = "rolling"  #: tag of a summary that every context has, so that nobody searches for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An entry that was written."""

    entry: Entry
    operation: Operation  #: with its number
    turn: Turn | None  #: as it is read from here on
    scope_id: int
    version: int  #: that the scope has now
    items: Mapping[int, Memory | None]  #: by ref: what is no longer what it was, with what it is now; None: gone
    refs: Mapping[str, int]  #: of new items and changed memories, by public id
    index_epoch: int  #: that the scope has now
    reindexed: bool  #: the index changed other than by new rows
    hidden: frozenset[int]  #: memories that left the index, if nothing else changed in it but new rows


def write_entry(
    connection: Connection, scope: Scope, entry: Entry, *, seen_version: int, embedder: str, actor: Actor = LIBRARY
) -> Written:
    """Write `entry` to `scope`, which begins here if it is new, and that `actor` had it written.

    Raises `ScopeMoved` if somebody wrote since `seen_version`, and `EmbedderMismatch` if the bank was re-embedded.
    """
    connection.hold(EMBEDDER, shared=True)  # before it is asked whose vectors the bank holds
    here = find_scope(connection, scope)
    if here.version != seen_version:
        raise ScopeMoved
    if here.embedder != embedder:
        raise EmbedderMismatch(built_with=here.embedder, configured=embedder)
    owned, scope_id = here.connection, here.scope_id
    if not scope_id:
        owned, scope_id = begin_scope(connection, scope)
    end = chain_end(owned, scope_id, here.chain, scope=scope, operations=here.operation_number)
    return EntryWriter(owned, scope_id, here, entry, end, actor, max(here.next_seq, 1)).write(scope)


@dataclass(slots=True)
class EntryWriter:
    """Writes one entry. New rows are gathered, so that each table is written to once."""

    connection: Connection  #: whose queries are about the scope
    scope_id: int
    here: ScopeRow  #: as the scope stood before
    entry: Entry
    end: ChainEnd
    actor: Actor
    next_seq: int
    reindexed: bool = False  #: the index changed other than by new rows and by memories that are hidden
    hidden: set[int] = field(default_factory=set)  #: memories that left the index
    items: dict[int, Memory | None] = field(default_factory=dict)  #: see `Written`
    refs: dict[str, int] = field(default_factory=dict)  #: see `Written`
    _item_rows: list[dict[str, Any]] = field(default_factory=list)
    _vectors: dict[int, Matrix] = field(default_factory=dict)
    _keywords: list[tuple[int, Sequence[str]]] = field(default_factory=list)
    _memories: list[dict[str, Any]] = field(default_factory=list)
    _turns: list[dict[str, Any]] = field(default_factory=list)
    _utterances: list[dict[str, Any]] = field(default_factory=list)

    def write(self, scope: Scope) -> Written:
        entry, gone = self.entry, self.entry.removal
        rewritten = (each.number for each in chain(gone.operations if gone else (), entry.revised))
        told_before = journal_lines(self.connection, self.scope_id, rewritten)
        self._revise(told_before)
        turn_ref = None if entry.turn is None else self._add_turn(entry.turn)
        self._write_memories()
        self.connection.insert_items(self._item_rows, self._vectors, self.here.dimension)
        self.connection.insert("utterances", self._utterances)
        self.connection.insert("memories", self._memories)
        self.connection.insert_keywords(self._keywords)
        if turn_ref is not None and entry.trace is not None:
            trace = {"turn": turn_ref, "scope_id": self.scope_id, "record": trace_text(entry.trace)}
            self.connection.insert("traces", [trace])
            # A turn has one trace at most. Old ones go a few at a time.
            if self.here.turn_number >= entry.traces and self.here.turn_number % max(entry.traces // 10, 1) == 0:
                self.connection.run("delete_old_traces", left=entry.traces)
        if entry.caught_up is not None:
            self.connection.run("set_turn_unread", public_id=entry.caught_up, unread=False)
        if entry.deepened is not None:
            self.connection.run("close_turn", public_id=entry.deepened)
        keys = [{"scope_id": self.scope_id, "kind": move.kind, "public_id": move.id} for move in entry.moves]
        records = [None if move.after is None else dump(to_record(move.after)) for move in entry.moves]
        state = [key | {"record": record} for key, record in zip(keys, records, strict=True)]
        for query, rows in (
            ("delete_thing", [row for row in state if row["record"] is None]),
            ("put_thing", [row for row in state if row["record"] is not None]),
        ):
            if rows:
                self.connection.run_many(query, rows)
        if gone is not None:
            purge = Purge(self.connection, self.scope_id, self.here.dimension)
            purge.run(scope, gone, self.actor)
            self.items.update(dict.fromkeys(purge.items))
            self.reindexed = True
            strip_erased(self.end, told_before, turns=purge.turns, by=entry.operation, actor=self.actor)
        operation = self._write_operation(turn_ref)
        self.end.close()
        reindexed = self.reindexed or bool(self.hidden)
        self.connection.run(
            "update_scope", next_seq=self.next_seq, operation_number=operation.number, reindexed=reindexed
        )
        return Written(
            entry=entry,
            operation=operation,
            turn=None if entry.turn is None else turn_as_read(entry.turn, self.here.turn_number + 1),
            scope_id=self.scope_id,
            version=self.here.version + 1,
            items=self.items,
            refs=self.refs,
            index_epoch=self.here.index_epoch + reindexed,
            reindexed=reindexed,
            hidden=frozenset() if self.reindexed else frozenset(self.hidden),
        )

    def _new_id(self) -> int:
        """Return an id that nothing in this scope ever had; raises `ScopeFull`."""
        self.next_seq += 1
        return numbered(self.scope_id, self.next_seq - 1)

    def _add_turn(self, turn: Turn) -> int:
        """Keep `turn` as the scope's next one; return its private id."""
        turn_ref, flags = self._new_id(), {"unread": self.entry.unread, "left_open": self.entry.left_open}
        row = turn_row(turn, turn_ref, self.scope_id, number=self.here.turn_number + 1, **flags)
        self._turns.append(row)
        self.connection.insert("turns", [row])
        for utterance in turn.utterances:
            ref = self._add_item(utterance.id, "utterance", searchable=True)
            self._utterances.append(utterance_row(utterance, ref, turn_ref))
        return turn_ref

    def _add_item(self, public_id: str, kind: str, *, searchable: bool) -> int:
        ref = self.refs[public_id] = self._new_id()
        words = self.entry.index.get(public_id)
        terms, tags = self._terms(words)
        self._item_rows.append(
            {
                "id": ref,
                "scope_id": self.scope_id,
                "public_id": public_id,
                "kind": kind,
                "searchable": searchable,
                "terms": len(terms),
                "marks": 0 if words is None else words.marks,
            }
        )
        if words is not None and words.vectors is not None:
            self._vectors[ref] = words.vectors
        if terms or tags:
            self._keywords.append((ref, [*terms, *tags]))
        return ref

    def _terms(self, words: IndexEntry | None) -> tuple[list[str], list[str]]:
        if words is None:
            return [], []
        tags = (f"{TAG}{tag}" for tag in words.tags)
        return scoped_terms(self.scope_id, words.terms), scoped_terms(self.scope_id, tags)

    def _write_memories(self) -> None:
        """Make memories what the entry says they are. Without new words they stay indexed as they were."""
        said = {utterance.id for utterance in self.entry.turn.utterances} if self.entry.turn else set()
        changed = [change.memory_id for change in self.entry.memories]
        others = [item_id for item_id in self.entry.index if item_id not in said and item_id not in changed]
        wanted = [*changed, *others]
        made = {change.memory_id for change in self.entry.memories if change.before is None}
        # What was read from a new utterance has its id and a number, which nothing else can have.
        read = made.issuperset(wanted) and said.issuperset(each.rpartition("-")[0] for each in wanted)
        asked = wanted if self.entry.revised or not read else []
        rows = self.connection.rows("find_items", public_ids=dump(asked)) if asked else []
        clash = next((public_id for public_id, _, kind, _ in rows if kind != "memory"), None)
        if clash := clash or next((each for each in wanted if each in said), None):
            raise BankError(f"{clash!r} is an utterance's id and cannot be a memory's; nothing was written")
        known = {public_id: (ref, bool(searchable)) for public_id, ref, _, searchable in rows}
        for change in self.entry.memories:
            self._write_memory(change, *known.get(change.memory_id, (None, False)))
        for item_id in others:  # words for what is not kept are dropped
            if item_id in known:
                self._reindex(known[item_id][0], self.entry.index[item_id])

    def _write_memory(self, change: Change, ref: int | None, searchable: bool) -> None:
        """Make a memory, which has this `ref` if it is kept already, what it is after a change."""
        before, after = change.before, change.after
        if after is None:
            if ref is not None:
                for query in ("delete_keywords", "delete_memory", "delete_item"):
                    self.connection.run(query, id=ref)
                self.items[ref] = None
                self.reindexed = True
            return
        if ref is None:
            ref = self._add_item(after.id, "memory", searchable=not after.hidden)
            self._memories.append(memory_row(after, ref, self.scope_id))
            self.items[ref] = after
            return
        self.refs[after.id] = ref
        if searchable == after.hidden:
            self._show(ref, after)
        if before is None:
            self.connection.run("delete_memory", id=ref)
            self._memories.append(memory_row(after, ref, self.scope_id))
            self.items[ref] = after
        elif columns := changed_columns(before, after):
            self.connection.update("memories", ref, columns)
            self.items[ref] = after
        # The layout, which is kept in memory, tells when a memory was true and whom it is about.
        self.reindexed |= before is None or (before.valid_at, before.subject) != (after.valid_at, after.subject)
        if (words := self.entry.index.get(after.id)) is not None:
            self._reindex(ref, words)

    def _show(self, ref: int, memory: Memory) -> None:
        """Let searches find a memory, or no longer."""
        self.connection.run("show_item", id=ref, searchable=not memory.hidden)
        if not memory.hidden:
            self.reindexed = True
        elif memory.content_type != "summary" or STORY_SO_FAR not in memory.tags:  # that is in no index
            self.hidden.add(ref)

    def _reindex(self, ref: int, words: IndexEntry) -> None:
        self.connection.run("delete_keywords", id=ref)
        self.connection.run("unstage_vector", id=ref)
        terms, tags = self._terms(words)
        packed = self.connection.packing.packed
        vector = None if words.vectors is None else packed(words.vectors, self.here.dimension)
        self.connection.run("set_item_index", id=ref, terms=len(terms), marks=words.marks, vector=vector)
        if terms or tags:
            self._keywords.append((ref, [*terms, *tags]))
        self.reindexed = True

    def _write_operation(self, turn_ref: int | None) -> Operation:
        """Write the operation into the journal, and who did what into the audit log."""
        operation = replace(self.entry.operation, number=self.here.operation_number + 1)
        private_id = numbered(self.scope_id, operation.number)
        row = operation_row(operation, private_id, self.scope_id)
        self.connection.insert("operations", [row])
        content = new_content()
        content.line(journal_line(OPERATIONS, row))
        write_outcome(self.connection, operation, private_id, content.line)
        content.passing(journal_line(TURNS, row) for row in self._turns)
        content.passing(journal_line(UTTERANCES, row) for row in self._utterances)
        self.end.append(
            act_of(operation),
            operation.moment.recorded_at,
            self.actor,
            who=operation.who,
            why=operation.why,
            targets=targets_of(operation, (change.memory_id for change in self.entry.memories)),
            operation=operation.number,
            turn=None if turn_ref is None else number_of(turn_ref),
            content=content,
        )
        return operation

    def _revise(self, told: Mapping[int, Sequence[str]]) -> None:
        """Replace the outcomes of earlier operations, and take the turns of undone ones out of the story.

        What they `told` before is kept in the audit log, except by an erasure.
        """
        operations = self.entry.revised
        for operation in operations:
            private_id = numbered(self.scope_id, operation.number)
            row = operation_row(operation, private_id, self.scope_id)
            if self.connection.row("revise_operation", **row) is None:
                raise BankError(f"operation {operation.id!r} is not number {operation.number} of {self.scope_id}'s log")
            before, after = told.get(operation.number), [journal_line(OPERATIONS, row)]
            rewrite_outcome(self.connection, operation, private_id, after.append)
            if self.entry.removal is None and before is not None and before != after:
                self.end.append(
                    REVISED,
                    self.entry.operation.moment.recorded_at,
                    self.actor,
                    who="rewind",
                    why=f"by operation {self.entry.operation.id}",
                    operation=operation.number,
                    record="\n".join(before),
                    content=new_content().passing(after),
                )
        for operation in reversed(operations):
            if operation.undone and operation.turn_id is not None:
                if operation.kind == "observe":
                    self._rewind_turn(operation.turn_id)
                elif operation.kind == "read":
                    self.connection.run("set_turn_unread", public_id=operation.turn_id, unread=True)

    def _rewind_turn(self, turn_id: str) -> None:
        """Mark a turn as rewound; its words and vectors leave the indexes for good."""
        rewound = self.connection.row("rewind_turn", public_id=turn_id)
        if rewound is None:
            return
        turn_ref, number = rewound
        self.connection.run("delete_trace", turn=turn_ref)
        self.connection.run("close_gap", number=number)
        for (ref,) in self.connection.rows("find_utterances_of_turns", turns=dump([turn_ref])):
            self.connection.run("delete_keywords", id=ref)
            self.connection.run("rewind_item", id=ref)
            self.items[ref] = None
        self.reindexed = True
