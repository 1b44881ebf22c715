"""Operations as rows: the operation itself, its claims with what became of each, and its changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.record import (
    decision_records,
    decisions_from,
    from_record,
    kept_from,
    kept_records,
    request_from,
    request_record,
    to_record,
)
from gieok.stores.tables.connection import Row
from gieok.stores.tables.moments import microseconds, moment, utc_offset
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import number_of
from gieok.stores.tables.thing_rows import Record, move_from, pair_records, pair_texts


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
        "upkeep": upkeep_text(operation),
    }


def upkeep_text(operation: Operation) -> str | None:
    return dump(kept_records(operation.kept)) if operation.kept else None


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


def change_rows(operation: Operation, private_id: int) -> Iterator[Record]:
    """Yield a row for each change, one at a time: upkeep may change a hundred thousand memories at once."""
    for position, change in enumerate(operation.changes):
        yield _change_row(change) | {"operation": private_id, "position": position}


def _change_row(change: Change) -> Record:
    before, after = pair_texts(change.before, change.after)
    return {"memory_id": change.memory_id, "before": before, "after": after}


def operation_from(row: Row, candidates: Sequence[Row], changes: Sequence[Row], moves: Sequence[Row]) -> Operation:
    (
        private_id, public_id, kind, turn_id, at, offset, recorded_at, turn_number, channel, who, why, request, undone,
        upkeep,
    ) = row  # fmt: skip
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
        kept=kept_from(json.loads(upkeep), happened) if upkeep is not None else (),
        changes=happened,
        moves=tuple(move_from(*move) for _, *move in moves),
        number=number_of(private_id),
        undone=bool(undone),
    )


def _outcome(decision: str, why: str | None, promotion: str | None, changes: int) -> Record:
    outcome: Record = {"kind": decision, "changes": changes, "why": why}
    return outcome | {"promotion": json.loads(promotion)} if promotion else outcome


def change_from(before: str | None, after: str | None) -> Change:
    earlier, later = pair_records(before, after)
    return Change(before=_memory(earlier), after=_memory(later))


def memory_from_record(text: str) -> Memory:
    return from_record(Memory, json.loads(text))


def _memory(record: Record | None) -> Memory | None:
    return None if record is None else from_record(Memory, record)
