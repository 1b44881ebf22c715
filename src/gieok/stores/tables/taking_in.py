"""Scopes on their way through a file: read out line by line, and taken in again, all of them or none.

A file may come from anybody. Every line is looked at before the first is written, and what was written is read once
more before it counts; whatever does not fit leaves the bank as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Any, Final

from gieok.domain.acting import LIBRARY, Actor
from gieok.domain.audit import IMPORT
from gieok.domain.decision import Ignore
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.errors import BankError, InvalidExport
from gieok.ports import Fate, Line, TakenIn
from gieok.stores.tables.auditing import chain_end
from gieok.stores.tables.carried_rows import (
    BY_NAME,
    SCOPES,
    STANDING,
    WORDS,
    flaw_of,
    flaw_of_standing,
    kept_moment,
    record_of,
    row_of,
    told_moment,
)
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copying import THEIRS, Table, rows_of, words_of
from gieok.stores.tables.index_cache import IndexCache
from gieok.stores.tables.item_cache import ItemCache
from gieok.stores.tables.scope_ids import first_id, last_id, numbered
from gieok.stores.tables.snapshot import scope_key, standing
from gieok.stores.tables.view import StoredView
from gieok.stores.tables.word_index import scoped_terms

Lines = Callable[[], Iterable[Line]]
_ROWS: Final = {"memory": "memories", "utterance": "utterances"}  #: where an item of a kind says what it says
_AT_ONCE: Final = 1_000  #: rows that are written together
#: What a row points to by a number: column → table.
_POINTERS: Final = {
    "utterances": {"id": "items", "turn": "turns"},
    "memories": {"id": "items"},
    "candidates": {"operation": "operations"},
    "changes": {"operation": "operations"},
    "moves": {"operation": "operations"},
    "traces": {"turn": "turns"},
}


def carried(connection: Connection, scopes: Sequence[Scope]) -> Iterator[Line]:
    """Yield all that is kept of `scopes`, which belong to one user: where they stand, then table by table."""
    owner = connection.owned_by(scopes[0].user or "") if scopes else connection
    standings = {scope: here for scope in scopes if (here := standing(owner, scope)).version}
    for scope, here in standings.items():
        _, latest_at = owner.row("find_scope_place", **scope_key(scope)) or (0, 0)
        counters = {name: getattr(here, name) for name in STANDING}
        yield Line(SCOPES, scope, {**counters, "latest_at": told_moment(latest_at)})
    for table in THEIRS:
        for scope, here in standings.items():
            words = dict(words_of(owner, here.scope_id)) if table.name == "items" else {}
            for row in rows_of(owner, table, here.scope_id):
                record = record_of(table, row)
                if own := words.get(record.get("id", 0)):
                    record[WORDS] = own.split(" ")
                yield Line(table.name, scope, record)


@dataclass(slots=True)
class _Checked:
    """What was seen of one scope of a file."""

    standing: dict[str, Any]
    counts: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[Any]] = field(default_factory=lambda: {table.name: set() for table in THEIRS})
    names: set[tuple[str, str]] = field(default_factory=set)  #: public ids in force
    operations: set[str] = field(default_factory=set)  #: public ids
    bare: dict[int, tuple[str, str]] = field(default_factory=dict)  #: items without a row yet: table, public id


def looked_through(lines: Lines) -> dict[Scope, _Checked]:
    """Look at every line; raises `InvalidExport` at the first that cannot be kept."""
    checked: dict[Scope, _Checked] = {}
    for line in lines():
        flaw = _flaw(line, checked)
        if flaw is not None:
            raise InvalidExport(flaw, table=line.table, line=line.number)
    for scope, found in checked.items():
        if found.bare:
            raise InvalidExport(f"[{scope}] has items that say nothing ({len(found.bare)})", table="items")
        if found.standing["operation_number"] < max(found.seen["operations"], default=0):
            raise InvalidExport(f"[{scope}] has more operations than it says", table=SCOPES)
        if found.standing["next_seq"] <= max(found.seen["items"] | found.seen["turns"], default=0):
            raise InvalidExport(f"[{scope}] has more entries than it says", table=SCOPES)
    return checked


def _flaw(line: Line, checked: dict[Scope, _Checked]) -> str | None:
    if line.table == SCOPES:
        if line.scope in checked:
            return f"[{line.scope}] comes twice"
        checked[line.scope] = _Checked(dict(line.record))
        return flaw_of_standing(line.record)
    known, table = checked.get(line.scope), BY_NAME.get(line.table)
    if table is None or known is None:
        return "belongs to no table or scope of this file"
    return flaw_of(table, line.record) or _flaw_among_others(table, line.record, known)


def _flaw_among_others(table: Table, record: Any, known: _Checked) -> str | None:
    known.counts[table.name] += 1
    for column, other in _POINTERS.get(table.name, {}).items():
        if record[column] not in known.seen[other]:
            return f"{column} {record[column]} is nothing in {other}"
    if table.name in ("memories", "utterances") and (flaw := _flaw_of_item(table, record, known)):
        return flaw
    own: Any = _key(table, record)
    if own in known.seen[table.name]:
        return f"comes twice ({own})"
    known.seen[table.name].add(own)
    if table.name == "operations":
        known.operations.add(record["public_id"])
    if table.name == "items":
        known.bare[record["id"]] = (_ROWS[record["kind"]], record["public_id"])
    return _flaw_of_name(table, record, known)


def _flaw_of_name(table: Table, record: Any, known: _Checked) -> str | None:
    """Look whether nobody else in force goes by the same name, or has the same place in a turn."""
    name: tuple[str, str] | None = None
    if table.name == "utterances":
        name = (f"position in turn {record['turn']}", str(record["position"]))
    elif (table.name == "items" and record["in_force"]) or (table.name == "turns" and not record["rewound"]):
        name = (f"public_id in {table.name}", record["public_id"])
    if name is None:
        return None
    if name in known.names:
        return f"{name[0]} comes twice ({name[1]})"
    known.names.add(name)
    return None


def _flaw_of_item(table: Table, record: Any, known: _Checked) -> str | None:
    """Look whether the item that a row fills in is meant for it."""
    wanted = known.bare.pop(record["id"], None)
    if wanted is None or wanted[0] != table.name or record.get("public_id", wanted[1]) != wanted[1]:
        return f"id {record['id']} is another item's"
    return None


def _key(table: Table, record: Any) -> Any:
    if table.name == "things":
        return (record["kind"], record["public_id"])
    if table.name == "traces":
        return record["turn"]
    return record["id"] if "id" in table.columns else (record["operation"], record["position"])


def take_in(
    connection: Connection,
    lines: Lines,
    checked: dict[Scope, _Checked],
    *,
    dry_run: bool,
    actor: Actor = LIBRARY,
) -> list[TakenIn]:
    """Write what is new here, and read it once more; raises `InvalidExport` if it does not fit together.

    Who did what before it came is not vouched for: its chain begins with that `actor` took it in.
    """
    if not dry_run:
        for scope in sorted(checked, key=str):
            connection.hold(str(scope))
    fates = {scope: _fate(connection, scope, found) for scope, found in checked.items()}
    fresh = [scope for scope, fate in fates.items() if fate == "new"]
    if not dry_run and fresh:
        try:
            _write(connection, lines, {scope: checked[scope] for scope in fresh})
        except BankError as cause:
            if type(cause) is not BankError:  # the disk, the server: not the file's fault
                raise
            raise InvalidExport(f"its lines contradict each other ({cause})") from cause
        for scope in fresh:
            _read_again(connection, scope)
            _begin_chain(connection, scope, actor)
    return [TakenIn(scope=scope, fate=fate, counts=dict(checked[scope].counts)) for scope, fate in fates.items()]


def _fate(connection: Connection, scope: Scope, found: _Checked) -> Fate:
    owned = connection.owned_by(scope.user or "")
    here = standing(owned, scope)
    if not here.scope_id:
        return "new"
    low, high = first_id(here.scope_id), last_id(here.scope_id)
    known = {public_id for (public_id,) in owned.read("operations", ("public_id",), "id", low, high)}
    return "there" if found.operations <= known else "differs"


def _write(connection: Connection, lines: Lines, fresh: dict[Scope, _Checked]) -> None:
    numbers: dict[Scope, int] = {}
    for scope, found in fresh.items():
        owned = connection.owned_by(scope.user or "")
        numbers[scope] = owned.value("insert_scope", **scope_key(scope))
        standing_of = {name: found.standing[name] for name in STANDING}
        latest_at = kept_moment(found.standing["latest_at"])
        owned.run("restore_scope", scope_id=numbers[scope], latest_at=latest_at, **standing_of)
    wanted = (line for line in lines() if line.scope in numbers and line.table != SCOPES)
    for (name, scope), group in groupby(wanted, key=lambda line: (line.table, line.scope)):
        owned = connection.owned_by(scope.user or "")
        while some := list(islice(group, _AT_ONCE)):
            _fill(owned, BY_NAME[name], [line.record for line in some], numbers[scope])


def _begin_chain(connection: Connection, scope: Scope, actor: Actor) -> None:
    owned = connection.owned_by(scope.user or "")
    here = standing(owned, scope)
    end = chain_end(owned, here.scope_id, operations=here.operation_number)
    end.append(IMPORT, datetime.now(UTC), actor, who="person")
    end.close()


def _fill(connection: Connection, table: Table, records: Sequence[Any], scope_id: int) -> None:
    rows = [_here(table, row_of(table, record), scope_id) for record in records]
    if table.name != "items":
        connection.fill(table.name, rows)
        return
    connection.fill_items(rows, {}, 1)
    words = (
        (row["id"], scoped_terms(scope_id, record.get(WORDS, ()))) for row, record in zip(rows, records, strict=True)
    )
    connection.fill_keywords([(id, terms) for id, terms in words if terms])


def _here(table: Table, row: dict[str, Any], scope_id: int) -> dict[str, Any]:
    for name in table.ids:
        row[name] = numbered(scope_id, row[name])
    return row | ({"scope_id": scope_id} if table.numbers_scope else {})


def _read_again(connection: Connection, scope: Scope) -> None:
    """Read all of a scope as its readers will, before the transaction ends."""
    view = StoredView(
        connection, scope, embedder="", cache=IndexCache(connection.packing, 0), known=ItemCache()
    )  # not left: that would end the transaction
    try:
        number = 1
        while some := view.operations(since=number, limit=_AT_ONCE, in_force=False):
            number = some[-1].number + 1
            for operation in some:
                _check_outcome(operation)
        before: int | None = None
        while turns := view.turns(_AT_ONCE, before=before):
            before = turns[0].number
        view.things()
    except BankError:
        raise
    except Exception as cause:  # the edge: whatever a file makes of the readers, it is the file's fault
        raise InvalidExport(f"[{scope}] does not fit together ({type(cause).__name__}: {cause})") from cause


def _check_outcome(operation: Operation) -> None:
    """Raise ValueError where decisions and changes do not add up."""
    changes = sum(len(each.changes) for each in (*operation.decisions, *operation.kept))
    idle = any(not each.changes for each in operation.decisions if not isinstance(each, Ignore))
    if idle or changes > len(operation.changes):
        raise ValueError(f"operation {operation.id} did something else than it decided")
