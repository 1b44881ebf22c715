"""Domain values as plain records (what JSON can hold), and back.

Fields that hold their default are left out, so that records stay small and old ones stay readable when a field
with a default is added.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Value = TypeVar("Value")
_known_hints: dict[Any, dict[str, Any]] = {}


def to_record(value: Any) -> Any:
    """Return `value` as dictionaries, lists, strings and numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_record(content)
            for field in fields(value)
            if (content := getattr(value, field.name)) != _default(field)
        }
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [to_record(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): to_record(part) for key, part in value.items()}
    return value


def from_record(kind: type[Value], record: Mapping[str, Any]) -> Value:
    """Return the value of dataclass `kind` that `record` describes."""
    hints = _hints_of(kind)
    return kind(**{name: _read(hints[name], part) for name, part in record.items() if name in hints})


def _read(hint: Any, part: Any) -> Any:
    if part is None:
        return None
    if hint is datetime:
        return datetime.fromisoformat(part)
    origin = get_origin(hint)
    if origin is tuple:
        inner = get_args(hint)[0]
        return tuple(_read(inner, each) for each in part)
    if origin in (types.UnionType, Union):
        return _read(next(arg for arg in get_args(hint) if arg is not type(None)), part)
    if isinstance(hint, type) and is_dataclass(hint):
        return from_record(hint, part)
    return part


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


def _hints_of(kind: Any) -> dict[str, Any]:
    if kind not in _known_hints:
        hints = get_type_hints(kind)
        _known_hints[kind] = {field.name: hints[field.name] for field in fields(kind) if field.init}
    return _known_hints[kind]
