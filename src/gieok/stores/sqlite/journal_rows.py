"""Operations as rows: the operation itself, its claims with what became of each, and its changes.

A change keeps the memory after it whole, and of the memory before it only what differs: most changes touch two or
three fields of some forty.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gieok.domain.claim import Claim
from gieok.domain.journal import decision_records, decisions_from, request_from, request_record
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.record import from_record, to_record
from gieok.stores.sqlite.connection import Row
from gieok.stores.sqlite.moments import microseconds, moment, utc_offset
from gieok.stores.sqlite.rows import dump
from gieok.stores.sqlite.scope_ids import number_of

Record = dict[str, Any]


def operation_row(operation: Operation, private_id: int, scope_id: int) -> Record:
    request = request_record(operation.request)
    request.pop("claims", None)
    return {
        "id": private_id,
        "scope_id": scope_id,
        "public_id": operation.id,
        "kind": operation.kind,
        "turn_id": operation.turn_id,
        "at": microseconds(operation.moment.at),
        "utc_offset": utc_offset(operation.moment.at),
        "recorded_at": microseconds(operation.moment.recorded_at),
        "turn_number": operation.moment.turn_number,
        "channel": operation.moment.channel,
        "who": operation.who,
        "why": operation.why,
        "request": dump(request),
        "undone": operation.undone,
    }


def candidate_rows(operation: Operation, private_id: int) -> list[Record]:
    if not isinstance(operation.request, Learn):
        return []
    outcomes: Sequence[Record] = decision_records(operation.decisions) or [{}] * len(operation.request.claims)
    return [
        _candidate_row(claim, outcome) | {"operation": private_id, "position": position}
        for position, (claim, outcome) in enumerate(zip(operation.request.claims, outcomes, strict=True))
    ]


def _candidate_row(claim: Claim, outcome: Record) -> Record:
    subject, subject_id, attribute, said = claim.saying
    return {
        "subject": subject,
        "subject_id": subject_id,
        "attribute": attribute,
        "said": said,
        "claim": dump(to_record(claim)),
        "decision": outcome.get("kind"),
        "why": outcome.get("why"),
        "promotion": dump(outcome["promotion"]) if "promotion" in outcome else None,
        "changes": outcome.get("changes"),
    }


def change_rows(operation: Operation, private_id: int) -> list[Record]:
    return [
        _change_row(change) | {"operation": private_id, "position": position}
        for position, change in enumerate(operation.changes)
    ]


def _change_row(change: Change) -> Record:
    before = None if change.before is None else to_record(change.before)
    after = None if change.after is None else to_record(change.after)
    if before is not None and after is not None:
        before = _difference(before, after)
    return {
        "memory_id": change.memory_id,
        "before": None if before is None else dump(before),
        "after": None if after is None else dump(after),
    }


def operation_from(row: Row, candidates: Sequence[Row], changes: Sequence[Row]) -> Operation:
    private_id, public_id, kind, turn_id, at, offset, recorded_at, turn_number, channel, who, why, request, undone = row
    record = json.loads(request) | {"claims": [json.loads(claim) for _, claim, *_ in candidates]}
    asked = request_from(record)
    claims = asked.claims if isinstance(asked, Learn) else ()
    happened = tuple(change_from(before, after) for _, before, after in changes)
    outcomes = [_outcome(*rest) for _, _, *rest in candidates if rest[0] is not None]
    return Operation(
        id=public_id,
        kind=kind,
        moment=Moment(
            at=moment(at, offset), recorded_at=moment(recorded_at, offset), turn_number=turn_number, channel=channel
        ),
        who=who,
        request=asked,
        why=why,
        turn_id=turn_id,
        decisions=decisions_from(outcomes, claims, happened) if outcomes else (),
        changes=happened,
        number=number_of(private_id),
        undone=bool(undone),
    )


def _outcome(decision: str, why: str | None, promotion: str | None, changes: int) -> Record:
    outcome: Record = {"kind": decision, "changes": changes, "why": why}
    return outcome | {"promotion": json.loads(promotion)} if promotion else outcome


def change_from(before: str | None, after: str | None) -> Change:
    after_record = None if after is None else json.loads(after)
    before_record = None if before is None else json.loads(before)
    if before_record is not None and after_record is not None:
        before_record = _applied(before_record, after_record)
    return Change(before=_memory(before_record), after=_memory(after_record))


def memory_from_record(text: str) -> Memory:
    return from_record(Memory, json.loads(text))


def _memory(record: Record | None) -> Memory | None:
    return None if record is None else from_record(Memory, record)


def _difference(record: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    """Return what to put over `other` to get `record`; None: the field is not set."""
    names = {**record, **other}
    return {name: record.get(name) for name in names if record.get(name) != other.get(name)}


def _applied(difference: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    return {name: value for name, value in {**other, **difference}.items() if value is not None}
