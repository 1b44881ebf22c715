"""What the digests of the audit log vouch for: an operation as the journal has it, and what was said in its turn.

Line by line and in one order, and each line the same whatever the engine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gieok.domain.audit import canonical, parsed, ranges
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.scope_ids import number_of, numbered

Record = dict[str, Any]
Hear = Callable[[str], object]  #: takes a line


@dataclass(frozen=True, slots=True)
class _Part:
    """A table of the journal: where an operation's rows are found, and what they tell."""

    table: str
    by: str  #: the column with the private id of the operation
    columns: tuple[str, ...]
    documents: frozenset[str]  #: columns with JSON


def _part(table: str, by: str, columns: str, documents: str) -> _Part:
    return _Part(table, by, tuple(columns.split()), frozenset(documents.split()))


_OPERATION: Final = _part(
    "operations",
    "id",
    "public_id kind turn_id at utc_offset recorded_at turn_number channel who why request undone upkeep",
    "request upkeep",
)
_CANDIDATE: Final = _part(
    "candidates",
    "operation",
    "position subject subject_id attribute said claim decision why promotion changes",
    "claim promotion",
)
_CHANGE: Final = _part("changes", "operation", "position memory_id before after", "before after")
_MOVE: Final = _part("moves", "operation", "position kind public_id before after causes", "before after causes")
_PARTS: Final = (_OPERATION, _CANDIDATE, _CHANGE, _MOVE)
_SAID: Final = _part("utterances", "turn", "position speaker text at utc_offset session", "")
_AT_ONCE: Final = 500  #: operations that are read together


def operation_line(row: Mapping[str, Any]) -> str:
    return _line(_OPERATION, row)


def heard(part: str, rows: Iterable[Record], hear: Hear) -> Iterator[Record]:
    """Yield rows of candidates, changes or moves as they go by, and have their lines heard."""
    which = next(each for each in _PARTS if each.table == part)
    for row in rows:
        hear(_line(which, row))
        yield row


def said_line(row: Mapping[str, Any]) -> str:
    return _line(_SAID, row)


def said(connection: Connection, scope_id: int, turn: int) -> list[str]:
    """Return the lines of what was said in a turn, by its private number."""
    place = numbered(scope_id, turn)
    rows = connection.read(_SAID.table, _SAID.columns, _SAID.by, place, place)
    return [_line(_SAID, dict(zip(_SAID.columns, row, strict=True))) for row in sorted(rows, key=lambda row: row[0])]


def journal_lines(connection: Connection, scope_id: int, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Return what the journal tells of operations, by their numbers; those that are not there are left out."""
    wanted = set(numbers)
    found: defaultdict[int, list[str]] = defaultdict(list)
    for first, last in ranges(wanted):
        for low in range(first, last + 1, _AT_ONCE):
            _read_into(found, connection, scope_id, low, min(low + _AT_ONCE - 1, last))
    return {number: lines for number, lines in found.items() if lines[0].startswith('["operations"')}


def _read_into(found: defaultdict[int, list[str]], connection: Connection, scope_id: int, low: int, high: int) -> None:
    for part in _PARTS:
        columns = (part.by, *part.columns)
        rows = connection.read(part.table, columns, part.by, numbered(scope_id, low), numbered(scope_id, high))
        told = [(number_of(row[0]), dict(zip(part.columns, row[1:], strict=True))) for row in rows]
        for number, values in sorted(told, key=lambda each: (each[0], each[1].get("position", 0))):
            found[number].append(_line(part, values))


def _line(part: _Part, row: Mapping[str, Any]) -> str:
    told = {name: _told(name, row[name], part) for name in part.columns}
    return canonical([part.table, told])


def _told(name: str, value: Any, part: _Part) -> Any:
    if value is None:
        return None
    if name == "undone":
        return bool(value)
    if name not in part.documents:
        return value
    try:
        return parsed(value)
    except ValueError:  # no JSON any more: somebody has tampered with it, and its digest will tell
        return value
