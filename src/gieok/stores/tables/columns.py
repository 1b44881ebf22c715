"""The tables of a scope, the same for every engine: their columns, and how values are kept in them.

Rows, copies, export files and the digests of the audit log all follow from `TABLES`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from sys import intern
from typing import Any, Final, Literal

from gieok.errors import ErrorText, ScopeFull

Row = tuple[Any, ...]
Kind = Literal["id", "text", "int", "real", "flag", "time", "json"]
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MINUTE: Final = timedelta(minutes=1)
_LARGEST_OFFSET: Final = 24 * 60 - 1  #: minutes that a clock can be away from UTC
_BITS: Final = 24
MOST: Final = (1 << _BITS) - 1  #: the last number that a scope has for its rows


@dataclass(frozen=True, slots=True)
class Table:
    """A table, without the column that says whose its rows are."""

    name: str
    by: str  #: the column whose range is a scope
    kinds: Mapping[str, Kind]  #: by column
    nullable: frozenset[str]
    has_scope_id: bool

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.kinds)

    def of_kind(self, *kinds: Kind) -> tuple[str, ...]:
        """Return the columns of some kinds."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)

    def plain(self, row: Row, parse: Callable[[str], Any] = json.loads) -> dict[str, Any]:
        """Return a row as it reads in any bank: ids as numbers in the scope, JSON as `parse` reads it."""
        values = dict(zip(self.kinds, row, strict=True))
        for name, kind in self.kinds.items():
            if values[name] is None:
                continue
            if kind == "id":
                values[name] = number_of(values[name])
            elif kind == "flag":
                values[name] = bool(values[name])
            elif kind == "json":
                values[name] = parse(values[name])
        return values

    def row(self, plain: Mapping[str, Any], scope_id: int) -> dict[str, Any]:
        """Return the row that stands for `plain` in a scope of this bank."""
        values = {name: plain[name] for name in self.kinds}
        for name, kind in self.kinds.items():
            if kind == "id":
                values[name] = numbered(scope_id, values[name])
            elif kind == "json" and values[name] is not None:
                values[name] = dump(values[name])
        return values | ({"scope_id": scope_id} if self.has_scope_id else {})

    def of(self, value: object, **given: Any) -> dict[str, Any]:
        """Return the row of a value of the domain: each column is `given`, or stands for the field of that name."""
        own = (name for name in self.kinds if name not in given)
        return given | {name: self.stored(name, getattr(value, name)) for name in own}

    def stored(self, name: str, value: Any) -> Any:
        """Return a value of the domain as it stands in a column."""
        kind = self.kinds[name]
        if value is None or kind not in ("time", "json"):
            return value
        return microseconds(value) if kind == "time" else dump(value)


def _table(name: str, by: str, columns: str, *, scope_id: bool = False) -> Table:
    """Read columns like "id:id session:text?"; a question mark says that the column may be NULL."""
    kinds: dict[str, Any] = {}
    for column in columns.split():
        column_name, kind = column.rstrip("?").split(":")
        kinds[intern(column_name)] = kind  # interned: as names of arguments they are told apart three times as fast
    nullable = frozenset(column.split(":")[0] for column in columns.split() if column.endswith("?"))
    return Table(name, by, kinds, nullable, scope_id)


TURNS: Final = _table(
    "turns",
    "id",
    "id:id public_id:text number:int session:text? channel:text? present:json at:time utc_offset:int recorded_at:time "
    "unread:flag rewound:flag left_open:flag cut_off:flag",
    scope_id=True,
)
ITEMS: Final = _table(
    "items",
    "id",
    "id:id public_id:text kind:text in_force:flag searchable:flag terms:int marks:int",
    scope_id=True,
)
UTTERANCES: Final = _table(
    "utterances", "id", "id:id turn:id position:int speaker:text text:text at:time utc_offset:int session:text?"
)
MEMORIES: Final = _table(
    "memories",
    "id",
    "id:id public_id:text speaker:text subject:text subject_id:text content:text content_type:text kind:text "
    "attribute:text? value:text? surface:text? value_class:text? polarity:text certainty:real importance:real "
    "emotion_intensity:real strength:real touched_turn:int utc_offset:int valid_at:time invalid_at:time? known_at:time "
    "recorded_at:time retracted:flag forgotten_at:time? closed_by:text? mentions:int uses:int last_used_at:time? "
    "pinned:flag origin:text extractor:text sources:json tags:json details:json channel:text? interpretation:text? "
    "pii_flags:json version:int faded_at:time? made_from:json",
    scope_id=True,
)
OPERATIONS: Final = _table(
    "operations",
    "id",
    "id:id public_id:text kind:text turn_id:text? at:time utc_offset:int recorded_at:time turn_number:int "
    "channel:text? who:text why:text request:json undone:flag upkeep:json?",
    scope_id=True,
)
CANDIDATES: Final = _table(
    "candidates",
    "operation",
    "operation:id position:int subject:text subject_id:text attribute:text? said:text? claim:json decision:text? "
    "why:text? promotion:json? changes:int?",
)
CHANGES: Final = _table("changes", "operation", "operation:id position:int memory_id:text before:json? after:json?")
MOVES: Final = _table(
    "moves", "operation", "operation:id position:int kind:text public_id:text before:json? after:json? causes:json"
)
TRACES: Final = _table("traces", "turn", "turn:id record:json", scope_id=True)
THINGS: Final = _table("things", "scope_id", "kind:text public_id:text record:json", scope_id=True)
#: JSON stands in some of its columns, too, but as it was written: its text is what the digests vouch for.
AUDIT: Final = _table(
    "audit",
    "id",
    "id:id recorded_at:int act:text operation:int? turn:int? covers:text? actor_kind:text? actor:text? who:text? "
    "name_salt:text? names:text targets:text? why:text? record:text? salt:text? digest:text link:text",
)
PROVISIONS: Final = _table("provisions", "scope_id", "kind:text record:json", scope_id=True)

#: What belongs to the user, so that it goes into an export. What others point to comes before them.
USER_TABLES: Final = (TURNS, ITEMS, UTTERANCES, MEMORIES, OPERATIONS, CANDIDATES, CHANGES, MOVES, TRACES, THINGS)
TABLES: Final = (*USER_TABLES, AUDIT, PROVISIONS)


def dump(value: Any) -> str:
    """Return `value` as JSON, in the letters it is written in."""
    return _JSON.encode(value)


def first_id(scope_id: int) -> int:
    return scope_id << _BITS


def last_id(scope_id: int) -> int:
    return scope_id << _BITS | MOST


def numbered(scope_id: int, number: int) -> int:
    """Return the private id of `number` in a scope; raises `ScopeFull` beyond the scope's range."""
    if number > MOST:
        raise ScopeFull(ErrorText("bank.full", most=MOST))
    return scope_id << _BITS | number


def number_of(private_id: int) -> int:
    return private_id & MOST


def microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def utc_offset(moment: datetime) -> int:
    """Return the clock's offset in minutes; seconds, as in zones before 1912, are rounded away."""
    return _possible(round((moment.utcoffset() or timedelta()) / _MINUTE))


def moment(microseconds: int, offset: int) -> datetime:
    """Return a stored time by a clock; one that is beyond the calendar there in UTC, or as near as can be."""
    try:
        return _epoch_at(offset) + timedelta(0, 0, microseconds)
    except OverflowError:
        pass
    try:
        return _EPOCH + timedelta(0, 0, microseconds)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if microseconds < 0 else datetime.max.replace(tzinfo=UTC)


@lru_cache(maxsize=256)
def _epoch_at(offset: int) -> datetime:
    return _EPOCH.astimezone(timezone(timedelta(minutes=_possible(offset))))


def _possible(offset: int) -> int:
    return max(-_LARGEST_OFFSET, min(offset, _LARGEST_OFFSET))
