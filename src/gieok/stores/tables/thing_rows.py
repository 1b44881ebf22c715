"""Things and their moves as rows, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gieok.domain.operation import Operation
from gieok.domain.record import differing, from_record, to_record
from gieok.domain.things import KINDS, Cause, Move, Thing
from gieok.stores.tables.ledger import Ledger
from gieok.stores.tables.rows import dump

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


@lru_cache(maxsize=1024)  # most things are the same from one turn to the next
def thing_from(kind: str, record: str) -> Thing:
    return from_record(KINDS[kind], json.loads(record))


def move_from(kind: str, public_id: str, before: str | None, after: str | None, causes: str) -> Move:
    earlier, later = pair_records(before, after)
    return Move(
        kind=kind,
        id=public_id,
        before=None if earlier is None else from_record(KINDS[kind], earlier),
        after=None if later is None else from_record(KINDS[kind], later),
        causes=tuple(from_record(Cause, cause) for cause in json.loads(causes)),
    )


def move_rows(operation: Operation, private_id: int) -> list[dict[str, Any]]:
    return [
        _move_row(move) | {"operation": private_id, "position": position}
        for position, move in enumerate(operation.moves)
    ]


def _move_row(move: Move) -> dict[str, Any]:
    before, after = pair_texts(move.before, move.after)
    causes = dump([to_record(cause) for cause in move.causes])
    return {"kind": move.kind, "public_id": move.id, "before": before, "after": after, "causes": causes}


def write_thing(ledger: Ledger, move: Move) -> None:
    """Make a thing what `move` says it is after it."""
    key = {"scope_id": ledger.scope_id, "kind": move.kind, "public_id": move.id}
    if move.after is None:
        ledger.connection.run("delete_thing", **key)
    else:
        ledger.connection.run("put_thing", **key, record=dump(to_record(move.after)))
