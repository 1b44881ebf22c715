"""Something before and after an operation, as two JSON texts: what is after stands whole, before only what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gieok.domain.record import differing, to_record
from gieok.stores.sqlite.rows import dump

Record = dict[str, Any]


def pair_texts(before: Any | None, after: Any | None) -> tuple[str | None, str | None]:
    """Return two values of one dataclass, or one of them, as texts."""
    if before is None or after is None:
        earlier = None if before is None else to_record(before)
    else:
        earlier = differing(before, after)
    return (None if earlier is None else dump(earlier), None if after is None else dump(to_record(after)))


def pair_records(before: str | None, after: str | None) -> tuple[Record | None, Record | None]:
    earlier = None if before is None else json.loads(before)
    later = None if after is None else json.loads(after)
    if earlier is not None and later is not None:
        earlier = _applied(earlier, later)
    return earlier, later


def _applied(difference: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    return {name: value for name, value in {**other, **difference}.items() if value is not None}
