"""Copying a scope from one bank to another, whatever their engines: row by row, whole or not at all.

Private ids are numbered anew, since a scope has another number there; everything else stays. Vectors are packed as the
other bank packs them: all but the last digits of their numbers stay.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from gieok.domain.acting import LIBRARY, Actor
from gieok.domain.scope import Scope
from gieok.errors import BankError, EmbedderMismatch
from gieok.stores.tables.auditing import COLUMNS, put_chain
from gieok.stores.tables.connection import EMBEDDER, Connection, Row
from gieok.stores.tables.erasing import erase
from gieok.stores.tables.moments import moment
from gieok.stores.tables.scope_ids import MOST, first_id, last_id, number_of, numbered
from gieok.stores.tables.snapshot import Standing, scope_key, standing
from gieok.stores.tables.word_index import scoped_terms

_WINDOW: Final = 5_000  #: ids that are read at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as all engines have it, apart from whose rows they are."""

    name: str
    by: str  #: the column whose range is a scope
    columns: tuple[str, ...]
    ids: frozenset[str] = frozenset()  #: columns with private ids
    flags: frozenset[str] = frozenset()  #: columns that are true or false
    documents: frozenset[str] = frozenset()  #: columns with JSON
    numbers_scope: bool = False  #: it has the number of its scope in a column, too


def _table(
    name: str, by: str, columns: str, *, ids: str, flags: str = "", documents: str = "", numbers_scope: bool = False
) -> Table:
    return Table(
        name=name,
        by=by,
        columns=tuple(columns.split()),
        ids=frozenset(ids.split()),
        flags=frozenset(flags.split()),
        documents=frozenset(documents.split()),
        numbers_scope=numbers_scope,
    )


#: What others point to comes before them.
TABLES: Final = (
    _table(
        "turns",
        "id",
        "id public_id number session channel present at utc_offset recorded_at unread rewound left_open cut_off",
        ids="id",
        flags="unread rewound left_open cut_off",
        documents="present",
        numbers_scope=True,
    ),
    _table(
        "items",
        "id",
        "id public_id kind in_force searchable terms marks",
        ids="id",
        flags="in_force searchable",
        numbers_scope=True,
    ),
    _table("utterances", "id", "id turn position speaker text at utc_offset session", ids="id turn"),
    _table(
        "memories",
        "id",
        "id public_id speaker subject subject_id content content_type kind attribute value surface value_class "
        "polarity certainty importance emotion_intensity strength touched_turn utc_offset valid_at invalid_at known_at "
        "recorded_at retracted forgotten_at closed_by mentions uses last_used_at pinned origin extractor sources tags "
        "details channel interpretation pii_flags version faded_at made_from",
        ids="id",
        flags="retracted pinned",
        documents="sources tags details pii_flags made_from",
        numbers_scope=True,
    ),
    _table(
        "operations",
        "id",
        "id public_id kind turn_id at utc_offset recorded_at turn_number channel who why request undone upkeep",
        ids="id",
        flags="undone",
        documents="request upkeep",
        numbers_scope=True,
    ),
    _table(
        "candidates",
        "operation",
        "operation position subject subject_id attribute said claim decision why promotion changes",
        ids="operation",
        documents="claim promotion",
    ),
    _table(
        "changes", "operation", "operation position memory_id before after", ids="operation", documents="before after"
    ),
    _table(
        "moves",
        "operation",
        "operation position kind public_id before after causes",
        ids="operation",
        documents="before after causes",
    ),
    _table("traces", "turn", "turn record", ids="turn", documents="record", numbers_scope=True),
    _table("things", "scope_id", "kind public_id record", ids="", documents="record", numbers_scope=True),
    _table("audit", "id", " ".join(COLUMNS), ids="id"),
    _table("provisions", "scope_id", "kind record", ids="", documents="record", numbers_scope=True),
)


#: What belongs to the user whose it is; the rest belongs to whoever keeps the bank.
THEIRS: Final = tuple(table for table in TABLES if table.name not in ("provisions", "audit"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a scope holds, in short: equal ones hold the same."""

    version: int  #: grows with all that is written, also with who has read it
    rows: dict[str, int] = field(default_factory=dict)  #: by table
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeMark:
    """Where a scope stands: what moves with every change of it."""

    scope: Scope
    number: int  #: never given twice: one that was erased and begun anew has another
    version: int
    epoch: int  #: of its index
    head: str  #: of its chain of deeds: no other course of events comes to it, as a restored bank does to a version

    @property
    def mark(self) -> tuple[int, int, int, str]:
        return self.number, self.version, self.epoch, self.head


def marks(connection: Connection) -> list[ScopeMark]:
    """Return where every scope stands."""
    return [
        ScopeMark(
            scope=Scope(user=user or None, character=character or None, world=world or None),
            number=number,
            version=version,
            epoch=epoch,
            head=head,
        )
        for user, character, world, number, version, epoch, head in connection.rows("list_scope_marks")
    ]


def last_turn(connection: Connection, mark: ScopeMark) -> tuple[str, datetime] | None:
    """Return the id of the last turn of a scope, and when it was recorded."""
    row = connection.owned_by(mark.scope.user or "").row("find_last_turn", scope_id=mark.number)
    return None if row is None else (row[0], moment(row[1], 0))


def fingerprint(connection: Connection, scope: Scope) -> Fingerprint:
    """Return what is kept of a scope, in short; vectors are counted, but not compared."""
    connection = connection.owned_by(scope.user or "")
    here = standing(connection, scope)
    seen, counts = hashlib.sha256(), {}
    for table in TABLES:
        lines = sorted(_told(table, row) for row in rows_of(connection, table, here.scope_id))
        counts[table.name] = len(lines)
        seen.update("\n".join([table.name, *lines]).encode(errors="surrogatepass"))
    words = sorted(words_of(connection, here.scope_id))
    seen.update("\n".join(f"{number} {text}" for number, text in words).encode(errors="surrogatepass"))
    counts["vectors"] = sum(
        connection.packing.rows_in(column, here.dimension) for _, column in _vectors(connection, here)
    )
    chain = connection.row("find_chain", scope_id=here.scope_id) or ("", 0, 0, "")
    seen.update(json.dumps(chain).encode())
    return Fingerprint(version=here.version + chain[2], rows=counts, digest=seen.hexdigest())


def take_over(
    target: Connection, source: Connection, scope: Scope, present: datetime, *, actor: Actor = LIBRARY
) -> int:
    """Keep what `source` keeps of a scope instead of what `target` did; return the number it had there (0: none).

    Where that was an earlier copy its chain goes on; else what was done there ends with the erasure.
    """
    target.hold(str(scope))
    target.hold(EMBEDDER, shared=True)
    same = chain_of(source, scope)[:1] == chain_of(target, scope)[:1]
    before, _ = erase(target, scope, present, actor=actor, chain_too=same, held_too=True)
    copy_scope(source, target, scope)
    return before


def chain_of(connection: Connection, scope: Scope) -> Row:
    """Return where the chain of a scope stands; empty: it has none."""
    connection = connection.owned_by(scope.user or "")
    return connection.row("find_chain", scope_id=standing(connection, scope).scope_id) or ()


def copy_scope(source: Connection, target: Connection, scope: Scope) -> None:
    """Write all that `source` keeps of a scope to `target`, which must keep nothing of it yet."""
    source, target = (each.owned_by(scope.user or "") for each in (source, target))
    there, here = standing(source, scope), standing(target, scope)
    if (there.embedder, there.dimension) != (here.embedder, here.dimension):
        raise EmbedderMismatch(built_with=there.embedder, configured=here.embedder)
    if here.scope_id:
        raise BankError(f"[{scope}] is kept there already")
    scope_id: int = target.value("insert_scope", **scope_key(scope))
    for table in TABLES:
        if table.name == "items":
            _copy_items(source, target, table, there, scope_id)
            continue
        for rows in _batches(source, table, there.scope_id):
            target.fill(table.name, [_moved(table, row, scope_id) for row in rows])
    _copy_words(source, target, there.scope_id, scope_id)
    if chain := source.row("find_chain", scope_id=there.scope_id):
        put_chain(target, scope_id, chain)
    place = source.row("find_scope_place", **scope_key(scope)) or (0, 0)
    target.run(
        "restore_scope",
        scope_id=scope_id,
        version=there.version,
        next_seq=there.next_seq,
        turn_number=there.turn_number,
        operation_number=there.operation_number,
        index_epoch=there.index_epoch,
        latest_at=place[1],
    )


def bring_closed_chains(target: Connection, source: Connection) -> int:
    """Write the chains of scopes that were erased in `source` to `target`, unless they are there; return how many."""
    source, target = source.owned_by(""), target.owned_by("")
    there = {row[6] for row in target.rows("find_chains")}
    closed = [row for row in source.rows("find_chains") if not row[2] and row[6] not in there]
    audit = next(table for table in TABLES if table.name == "audit")
    for source_id, *_, mark, since, length, head in closed:
        nobody = {"user": "", "character": "", "world": f"\x01{mark}"}
        scope_id: int = target.value("insert_scope", **nobody)  # only its number is wanted
        target.run("erase_scope", scope_id=scope_id)
        for rows in _batches(source, audit, source_id):
            target.fill("audit", [_moved(audit, row, scope_id) for row in rows])
        put_chain(target, scope_id, (mark, since, length, head))
    return len(closed)


def _copy_items(source: Connection, target: Connection, table: Table, there: Standing, scope_id: int) -> None:
    unpacked = source.packing.unpacked
    for rows in _batches(source, table, there.scope_id):
        items = [_moved(table, row, scope_id) for row in rows]
        numbers = [number_of(item["id"]) for item in items]
        low, high = numbered(there.scope_id, min(numbers)), numbered(there.scope_id, max(numbers))
        vectors = {
            numbered(scope_id, number_of(id)): unpacked([column], there.dimension)
            for id, column in source.rows("copy_vectors", low=low, high=high)
        }
        target.fill_items(items, vectors, there.dimension)


def _copy_words(source: Connection, target: Connection, source_id: int, scope_id: int) -> None:
    words = (
        (numbered(scope_id, number), scoped_terms(scope_id, text.split(" ")))
        for number, text in words_of(source, source_id)
    )
    while some := list(islice(words, _WINDOW)):
        target.fill_keywords([(id, terms) for id, terms in some if terms])


def rows_of(connection: Connection, table: Table, scope_id: int) -> Iterator[Row]:
    """Yield the rows that a table has of a scope."""
    for rows in _batches(connection, table, scope_id):
        yield from rows


def _batches(connection: Connection, table: Table, scope_id: int) -> Iterator[list[Row]]:
    """Yield the rows that a table has of a scope, some thousands at once; no batch is empty."""
    if table.by == "scope_id":
        ranges = [(scope_id, scope_id)]
    else:
        last = _last(connection, table, scope_id)
        starts = range(first_id(scope_id), last + 1, _WINDOW)
        ranges = [(first, min(first + _WINDOW - 1, last)) for first in starts]
    for low, high in ranges:
        if rows := connection.read(table.name, table.columns, table.by, low, high):
            yield rows


def _last(connection: Connection, table: Table, scope_id: int) -> int:
    highest = connection.highest(table.name, table.by, first_id(scope_id), last_id(scope_id))
    return first_id(scope_id) - 1 if highest is None else highest


def _vectors(connection: Connection, here: Standing) -> Iterator[tuple[int, Any]]:
    last = first_id(here.scope_id) + min(here.next_seq, MOST)
    for first in range(first_id(here.scope_id), last + 1, _WINDOW):
        rows = connection.rows("copy_vectors", low=first, high=min(first + _WINDOW - 1, last))
        yield from ((number_of(id), column) for id, column in rows)


def words_of(connection: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Yield the words of every item, without the prefix of their scope, by the item's number."""
    prefix = f"{scope_id}x"
    for id, terms in connection.rows("load_words", low=first_id(scope_id), high=last_id(scope_id)):
        words = sorted(connection.folded(term) or "" for term in terms.split(" "))
        yield number_of(id), " ".join(word.removeprefix(prefix) for word in words if word)


def _moved(table: Table, row: Row, scope_id: int) -> dict[str, Any]:
    values = dict(zip(table.columns, row, strict=True))
    for name in table.ids:
        values[name] = numbered(scope_id, number_of(values[name]))
    for name in table.flags:
        values[name] = bool(values[name])
    for name in table.documents:
        if values[name] is not None:
            values[name] = json.dumps(json.loads(values[name]), ensure_ascii=False, separators=(",", ":"))
    return values | ({"scope_id": scope_id} if table.numbers_scope else {})


def _told(table: Table, row: Row) -> str:
    """Return a row as it reads in any bank."""
    values = dict(zip(table.columns, row, strict=True))
    for name in table.ids:
        values[name] = number_of(values[name])
    for name in table.flags:
        values[name] = bool(values[name])
    for name in table.documents:
        values[name] = None if values[name] is None else json.loads(values[name])
    return json.dumps(values, ensure_ascii=False, sort_keys=True)
