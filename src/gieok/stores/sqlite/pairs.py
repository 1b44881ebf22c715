"""Something before and after an operation, as two JSON texts: what is after stands whole, before only what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gieok.stores.sqlite.rows import dump

Record = dict[str, Any]


def pair_texts(before: Record | None, after: Record | None) -> tuple[str | None, str | None]:
    if before is not None and after is not None:
        before = _difference(before, after)
    return (None if before is None else dump(before), None if after is None else dump(after))


def pair_records(before: str | None, after: str | None) -> tuple[Record | None, Record | None]:
    earlier = None if before is None else json.loads(before)
    later = None if after is None else json.loads(after)
    if earlier is not None and later is not None:
        earlier = _applied(earlier, later)
    return earlier, later


def _difference(record: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    """Return what to put over `other` to get `record`; None: the field is not set."""
    names = {**record, **other}
    return {name: record.get(name) for name in names if record.get(name) != other.get(name)}


def _applied(difference: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    return {name: value for name, value in {**other, **difference}.items() if value is not None}
