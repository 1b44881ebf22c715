"""What is kept against what vouches for it: a scope's rows against its journal, other rows against their deeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from operator import eq
from typing import Any, Final

from gieok.domain import audit
from gieok.domain.memory import Memory
from gieok.domain.record import from_record, to_record
from gieok.errors import ErrorText, GieokError
from gieok.stores.tables.columns import CHANGES, MEMORIES, MOVES, OPERATIONS, THINGS, TURNS, UNREADABLE, Row, Table
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.rows import as_read, memory_from
from gieok.stores.tables.scopes import ScopeRow

Differences = Iterator[ErrorText]
_NAMED: Final = 3  #: ids that a finding names
_AT_ONCE: Final = 1_000
#: What a deed of a kind is about, and whether it stands from then on.
_KINDS: Final[Mapping[str, tuple[str, bool]]] = {
    audit.HOLD: ("hold", True),
    audit.RELEASE: ("hold", False),
    audit.RETAIN: ("retention", True),
    audit.KEY: ("key", True),
    audit.WEBHOOK: ("webhook", True),
    audit.UNHOOK: ("webhook", False),
    audit.DOCUMENT: ("document", True),
    audit.DROP: ("document", False),
    audit.CERTIFICATE: ("certificate", True),
}


def scope_differences(here: ScopeRow) -> Differences:
    """Yield in what a scope's memories, state records, turns and counters differ from what its journal comes to."""
    operations = list(_rows(here, OPERATIONS))
    in_force = {row["id"] for row in operations if not row["undone"]}
    told = _last(here, CHANGES, in_force, ("memory_id",))
    yield from _compared("memories", told, _memories(here), _memory)
    told = _last(here, MOVES, in_force, ("kind", "public_id"))
    kept = (((row["kind"], row["public_id"]), _parsed(row["record"])) for row in _rows(here, THINGS))
    yield from _compared("things", told, kept, _parsed, _same_record)
    observed = [row["turn_id"] for row in operations if row["kind"] == "observe" and row["id"] in in_force]
    turns = [row for row in _rows(here, TURNS) if not row["rewound"]]
    yield from _compared(
        "turns",
        {(turn_id,): None for turn_id in observed if turn_id is not None},
        (((row["public_id"],), None) for row in turns),
        lambda nothing: nothing,
    )
    numbers = [row["number"] for row in turns]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        yield ErrorText("audit.turn_order")
    moments = [row["at"] for row in operations if row["id"] in in_force and row["kind"] != "rewind"]
    if max(numbers, default=0) != here.turn_number or (moments and max(moments) != here.latest_at):
        yield ErrorText("audit.counters")
    for name, count in here.connection.rows("find_misfits"):
        if count:
            yield ErrorText("audit.misfits", table=name, n=count)


def _rows(here: ScopeRow, table: Table) -> Iterator[dict[str, Any]]:
    by_scope = table.by == "scope_id"
    low, high = (here.scope_id, here.scope_id) if by_scope else (here.first, here.last)
    for rows in here.connection.windows(table.name, table.columns, table.by, low, high):
        named = (dict(zip(table.kinds, row, strict=True)) for row in rows)
        yield from sorted(named, key=lambda row: (row[table.by] if not by_scope else 0, row.get("position", 0)))


def _last(here: ScopeRow, table: Table, in_force: set[int], key: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
    """Return what the last operation that changed each thing left of it; what is gone by now is left out."""
    found: dict[tuple[str, ...], Any] = {}
    for row in _rows(here, table):
        if row["operation"] in in_force:
            found[tuple(row[name] for name in key)] = row["after"]
    return {name: after for name, after in found.items() if after is not None}


def _memories(here: ScopeRow) -> Iterator[tuple[tuple[str, ...], Any]]:
    for row in here.connection.windows("memories", MEMORIES.columns, "id", here.first, here.last):
        for each in row:
            yield (each[1],), _readable(lambda each=each: to_record(memory_from(each)))  # type: ignore[misc]  # read at once


def _memory(text: str) -> Any:
    return _readable(lambda: to_record(as_read(from_record(Memory, audit.parsed_json(text)))))


def _parsed(text: str) -> Any:
    return _readable(lambda: audit.parsed_json(text))


def _readable(read: Callable[[], Any]) -> Any:
    """Return what `read` returns; of what somebody has made unreadable, something that equals nothing."""
    try:
        return read()
    except (*UNREADABLE, GieokError):
        return object()


def _compared(
    table: str,
    told: dict[tuple[str, ...], Any],
    kept: Iterable[tuple[tuple[str, ...], Any]],
    read: Callable[[Any], Any],
    same: Callable[[Any, Any], bool] = eq,
) -> Differences:
    """Yield what is kept otherwise than the journal tells (`told`, as `read` reads it), unknown to it, or gone."""
    changed, unknown = [], []
    for name, value in kept:
        if name not in told:
            unknown.append(name)
        elif not same(read(told.pop(name)), value):
            changed.append(name)
    for trouble, names in (("changed", changed), ("unknown", unknown), ("gone", list(told))):
        if names:
            yield ErrorText(f"audit.rows_{trouble}", table=table, n=len(names), ids=_shown(names))


def _same_record(told: Any, kept: Any) -> bool:
    """Whether a state record is what the journal tells, or a director's note without its text.

    Forgetting a memory wipes the note, and a scrub takes the forgetting out of the journal. Nothing else has a text.
    """
    if not isinstance(told, dict) or not isinstance(kept, dict):
        return bool(told == kept)
    return told | {"text": ""} == kept if kept.get("text") == "" else told == kept


def _shown(names: list[tuple[str, ...]]) -> str:
    shown = [" ".join(name) for name in names[:_NAMED]]
    return ", ".join([*shown, "…"] if len(names) > _NAMED else shown)


@dataclass(slots=True)
class LaidDown:
    """What a chain tells of rows that stand in no journal: a scope's hold and retention, or what the bank keeps."""

    _last: dict[tuple[str, str], audit.Deed] = field(default_factory=dict)  #: by kind and id
    uncovered: int = 0  #: rows that an earlier gieok wrote, without a digest of what they say
    _certified: bool = False  #: certificates are vouched for, those of an earlier version too

    def take(self, deed: audit.Deed) -> None:
        if deed.act not in _KINDS:
            return
        kind, _ = _KINDS[deed.act]
        self._certified |= deed.act == audit.CERTIFICATE
        for target in deed.touched or ("",):
            self._last[kind, target] = deed

    def of_scope(self, here: ScopeRow) -> Differences:
        rows = (("hold", "", here.hold), ("retention", "", here.retention))
        return self._differences(row for row in rows if row[-1] is not None)

    def of_bank(self, connection: Connection) -> Differences:
        return self._differences(chain(connection.rows("load_vouched"), _documents(connection)))

    def _differences(self, rows: Iterable[Row]) -> Differences:
        for kind, target, record in rows:
            deed = self._last.pop((kind, target), None)
            name = f"{kind} {target}".rstrip()
            if deed is None and kind == "certificate" and not self._certified:
                self.uncovered += 1
            elif deed is None or not _stands(deed):
                yield ErrorText("audit.row_unknown", name=name)
            elif deed.record is None:
                self.uncovered += 1
            elif deed.salt is None or deed.record != audit.row_digest(deed.salt, kind, record):
                yield ErrorText("audit.row_changed", name=name, row=deed.number)
        for (kind, target), deed in self._last.items():
            if _stands(deed) and (deed.record is not None or kind != "document"):
                yield ErrorText("audit.row_gone", name=f"{kind} {target}".rstrip(), row=deed.number)


def _stands(deed: audit.Deed) -> bool:
    return _KINDS[deed.act][1] and not (deed.act == audit.RETAIN and not deed.why)


def _documents(connection: Connection) -> Iterator[Row]:
    namespace = key = ""
    while rows := connection.rows("load_documents", namespace=namespace, key=key, limit=_AT_ONCE):
        for namespace, key, record in rows:
            yield "document", _readable(lambda: audit.document_mark(audit.parsed_json(namespace), key)), record  # noqa: B023  # read at once
