"""The tables of a scope, the same for every engine: their columns, and how values are kept in them.

Rows, copies, export files and the digests of the audit log all follow from `TABLES`, which stand in columns.toml.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache, wraps
from pathlib import Path
from sys import intern
from typing import Any, Final, Literal, ParamSpec, TypeVar

from gieok.errors import BankDamaged, ErrorText, ScopeFull

Row = tuple[Any, ...]
Kind = Literal["id", "text", "int", "real", "flag", "time", "json"]
Asked = ParamSpec("Asked")
Value = TypeVar("Value")
#: What is raised where a column is not what was written there.
UNREADABLE: Final = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MINUTE: Final = timedelta(minutes=1)
_LARGEST_OFFSET: Final = 24 * 60 - 1  #: minutes that a clock can be away from UTC
_BITS: Final = 24
MOST: Final = (1 << _BITS) - 1  #: the last number that a scope has for its rows


def of_stored(read: Callable[Asked, Value]) -> Callable[Asked, Value]:
    """Have what makes a value of stored columns raise `BankDamaged` where these are not what was ever written."""

    @wraps(read)
    def reading(*args: Asked.args, **options: Asked.kwargs) -> Value:
        try:
            return read(*args, **options)
        except UNREADABLE as cause:
            raise BankDamaged(ErrorText("bank.damaged_row", cause=f"{type(cause).__name__}: {cause}")) from cause

    return reading


@dataclass(frozen=True, slots=True)
class Table:
    """A table, without the column that says whose its rows are."""

    name: str
    by: str  #: the column whose range is a scope
    kinds: Mapping[str, Kind]  #: by column
    nullable: frozenset[str]
    has_scope_id: bool
    later: Mapping[str, Any]  #: columns that files of earlier versions lack, and their values there

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.kinds)

    def of_kind(self, *kinds: Kind) -> tuple[str, ...]:
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


def _tables() -> Iterator[Table]:
    for name, told in tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8")).items():
        columns = [column.split(":") for column in told["columns"].split()]
        # Interned: as names of arguments they are told apart three times as fast.
        kinds: dict[str, Any] = {intern(column): kind.rstrip("?") for column, kind in columns}
        nullable = frozenset(column for column, kind in columns if kind.endswith("?"))
        yield Table(name, told["by"], kinds, nullable, told.get("scope_id", False), told.get("later", {}))


TABLES: Final = tuple(_tables())
TURNS, ITEMS, UTTERANCES, MEMORIES, OPERATIONS, CANDIDATES, CHANGES, MOVES, TRACES, THINGS, AUDIT, PROVISIONS = TABLES
USER_TABLES: Final = TABLES[:-2]  #: what belongs to the user, so that it goes into an export


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
