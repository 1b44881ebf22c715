"""Memories, turns, operations and what belongs to them as rows, and back."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, Final, TypeVar

from gieok.domain.answer import Found, Scored, Trace
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.record import (
    decision_records,
    decisions_from,
    differing,
    from_record,
    kept_from,
    kept_records,
    request_from,
    request_record,
    to_record,
)
from gieok.domain.scoring import PART_NAMES, Parts
from gieok.domain.state import KINDS, Cause, Move, StateRecord
from gieok.domain.turn import Turn, Utterance
from gieok.stores.tables.columns import (
    MEMORIES,
    OPERATIONS,
    TURNS,
    UTTERANCES,
    Row,
    dump,
    microseconds,
    moment,
    number_of,
    of_stored,
    utc_offset,
)

Record = dict[str, Any]
_MOMENT_COLUMNS: Final = ("at", "recorded_at", "turn_number", "channel")  #: of an operation
Value = TypeVar("Value")
_MEMORY_FIELDS: Final = tuple(field.name for field in fields(Memory) if field.name != "id")
_MEMORY_COLUMNS: Final = MEMORIES.columns
_MEMORY_TIMES: Final = MEMORIES.of_kind("time")
_MEMORY_LISTS: Final = MEMORIES.of_kind("json")
_MEMORY_FLAGS: Final = MEMORIES.of_kind("flag")


def memory_row(memory: Memory, private_id: int, scope_id: int) -> Record:
    own = {"id": private_id, "scope_id": scope_id, "public_id": memory.id, "utc_offset": utc_offset(memory.known_at)}
    return MEMORIES.of(memory, **own)


def changed_columns(before: Memory, after: Memory) -> Record:
    """Return the columns in which two versions of a memory differ."""
    row = {
        name: MEMORIES.stored(name, value)
        for name in _MEMORY_FIELDS
        if (value := getattr(after, name)) != getattr(before, name)
    }
    if before.known_at.utcoffset() != after.known_at.utcoffset():
        row["utc_offset"] = utc_offset(after.known_at)
    return row


@of_stored
def memory_from(row: Row) -> Memory:
    values = dict(zip(_MEMORY_COLUMNS, row, strict=True))
    offset = values.pop("utc_offset")
    values["id"] = values.pop("public_id")
    for name in _MEMORY_TIMES:
        if (at := values[name]) is not None:
            values[name] = moment(at, offset)
    for name in _MEMORY_LISTS:
        values[name] = tuple(json.loads(text)) if (text := values[name]) != "[]" else ()
    for name in _MEMORY_FLAGS:
        values[name] = bool(values[name])
    return Memory(**values)


def as_read(memory: Memory) -> Memory:
    """Return `memory` as it is read once it was written: all its moments by the clock of `known_at`."""
    moments: Record = {
        name: moment_as_read(at, memory.known_at) for name in _MEMORY_TIMES if (at := getattr(memory, name)) is not None
    }
    return replace(memory, **moments)


def turn_as_read(turn: Turn, number: int) -> Turn:
    """Return `turn` as it is read once it was written as the scope's turn of that number."""
    return replace(
        turn,
        number=number,
        at=moment_as_read(turn.at),
        recorded_at=moment_as_read(turn.recorded_at, turn.at),
        utterances=tuple(replace(each, at=moment_as_read(each.at)) for each in turn.utterances),
    )


def moment_as_read(at: datetime, clock: datetime | None = None) -> datetime:
    """Return a moment as it is read once it was written: by the clock of another one, or its own."""
    return moment(microseconds(at), utc_offset(clock or at))


def utterance_row(utterance: Utterance, private_id: int, turn: int) -> Record:
    return UTTERANCES.of(utterance, id=private_id, turn=turn, utc_offset=utc_offset(utterance.at))


@of_stored
def utterance_from(row: Row) -> Utterance:
    _, public_id, turn_id, speaker, text, at, offset, position, session, _ = row
    return Utterance(
        id=public_id,
        turn_id=turn_id,
        speaker=speaker,
        text=text,
        at=moment(at, offset),
        position=position,
        session=session,
    )


def turn_row(turn: Turn, private_id: int, scope_id: int, **given: Any) -> Record:
    """Return the row of a turn; its `number`, and whether it is `unread` and `left_open`, are `given`."""
    own = {"id": private_id, "scope_id": scope_id, "public_id": turn.id, "utc_offset": utc_offset(turn.at)}
    return TURNS.of(turn, **own, rewound=False, **given)


@of_stored
def turn_from(row: Row, utterances: Sequence[Utterance]) -> Turn:
    _, public_id, number, session, channel, present, at, offset, recorded_at, cut_off = row
    return Turn(
        id=public_id,
        utterances=tuple(utterances),
        at=moment(at, offset),
        recorded_at=moment(recorded_at, offset),
        session=session,
        channel=channel,
        present=tuple(json.loads(present)) if present != "[]" else (),
        cut_off=bool(cut_off),
        number=number,
    )


def operation_row(operation: Operation, private_id: int, scope_id: int) -> Record:
    request, when = request_record(operation.request), operation.moment
    request.pop("claims", None)
    moment = {name: OPERATIONS.stored(name, getattr(when, name)) for name in _MOMENT_COLUMNS}
    return OPERATIONS.of(
        operation,
        id=private_id,
        scope_id=scope_id,
        public_id=operation.id,
        utc_offset=utc_offset(when.at),
        request=dump(request),
        upkeep=dump(kept_records(operation.kept)) if operation.kept else None,
        **moment,
    )


@of_stored
def operation_from(row: Row, candidates: Sequence[Row], changes: Sequence[Row], moves: Sequence[Row]) -> Operation:
    (
        private_id, public_id, kind, turn_id, at, offset, recorded_at, turn_number, channel, who, why, request, undone,
        upkeep,
    ) = row  # fmt: skip
    asked = request_from(json.loads(request) | {"claims": [json.loads(claim) for _, claim, *_ in candidates]})
    claims = asked.claims if isinstance(asked, Learn) else ()
    pairs = (pair_from(Memory, before, after) for _, before, after in changes)
    happened = tuple(Change(before=earlier, after=later) for earlier, later in pairs)
    outcomes: list[Record] = []
    for _, _, decision, because, promotion, count in candidates:
        if decision is not None:
            promoted = {"promotion": json.loads(promotion)} if promotion else {}
            outcomes.append({"kind": decision, "changes": count, "why": because, **promoted})
    moments = {"at": moment(at, offset), "recorded_at": moment(recorded_at, offset)}
    return Operation(
        id=public_id,
        kind=kind,
        moment=Moment(**moments, turn_number=turn_number, channel=channel),
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


def candidate_rows(operation: Operation, private_id: int) -> Iterator[Record]:
    if not isinstance(operation.request, Learn):
        return
    claims = operation.request.claims
    outcomes: Sequence[Record] = decision_records(operation.decisions) or [{}] * len(claims)
    for position, (claim, outcome) in enumerate(zip(claims, outcomes, strict=True)):
        subject, subject_id, attribute, said = claim.saying
        yield {
            "operation": private_id,
            "position": position,
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
        before, after = pair_texts(change.before, change.after)
        place = {"operation": private_id, "position": position}
        yield place | {"memory_id": change.memory_id, "before": before, "after": after}


def move_rows(operation: Operation, private_id: int) -> Iterator[Record]:
    for position, move in enumerate(operation.moves):
        before, after = pair_texts(move.before, move.after)
        yield {
            "operation": private_id,
            "position": position,
            "kind": move.kind,
            "public_id": move.id,
            "before": before,
            "after": after,
            "causes": dump([to_record(cause) for cause in move.causes]),
        }


def move_from(kind: str, public_id: str, before: str | None, after: str | None, causes: str) -> Move:
    earlier, later = pair_from(KINDS[kind], before, after)
    told = tuple(from_record(Cause, cause) for cause in json.loads(causes))
    return Move(kind=kind, id=public_id, before=earlier, after=later, causes=told)


def pair_texts(before: Any | None, after: Any | None) -> tuple[str | None, str | None]:
    """Return two values of one dataclass as JSON: `after` whole, `before` as far as it differs; a single one whole."""
    if before is None:
        return None, None if after is None else dump(to_record(after))
    if after is None:
        return dump(to_record(before)), None
    return dump(differing(before, after)), dump(to_record(after))


def pair_from(kind: type[Value], before: str | None, after: str | None) -> tuple[Value | None, Value | None]:
    """Return both values whole again."""
    earlier, later = (None if text is None else json.loads(text) for text in (before, after))
    if earlier is not None and later is not None:
        earlier = {name: value for name, value in {**later, **earlier}.items() if value is not None}
    first, last = (None if each is None else from_record(kind, each) for each in (earlier, later))
    return first, last


@lru_cache(maxsize=1024)  # most of them are the same from one turn to the next
@of_stored
def state_record_from(kind: str, record: str) -> StateRecord:
    return from_record(KINDS[kind], json.loads(record))


_PARTS: Final = attrgetter(*PART_NAMES)
_PLACES: Final = 6  #: that four bytes hold
PACKED: Final = frozenset({"hits", "numbers", "whys", "sources", "ranks"})  #: what stands in for `Trace.scored`


def trace_text(trace: Trace) -> str:
    """Return a trace as JSON, with its scores packed into one text."""
    record = to_record(replace(trace, scored=()))
    numbers = array("f")
    for hit in trace.scored:
        numbers.extend((hit.score, *_PARTS(hit.parts)))
    record["hits"] = [hit.item_id for hit in trace.scored]
    record["numbers"] = b64encode(numbers.tobytes()).decode()
    record["whys"] = [len(hit.why) for hit in trace.scored]
    record["sources"] = [found.source for hit in trace.scored for found in hit.why]
    record["ranks"] = [found.rank for hit in trace.scored for found in hit.why]
    return dump(record)


@of_stored
def trace_from(text: str) -> Trace:
    record: Record = json.loads(text)
    hits, packed, whys, sources, ranks = (record.pop(name) for name in ("hits", "numbers", "whys", "sources", "ranks"))
    found = (Found(source=source, rank=rank) for source, rank in zip(sources, ranks, strict=False))
    numbers = [round(number, _PLACES) for number in array("f", b64decode(packed))]
    size = 1 + len(PART_NAMES)
    rows = (numbers[start : start + size] for start in range(0, len(numbers), size))
    scored = []
    for item_id, (score, *parts), many in zip(hits, rows, whys, strict=True):
        why = tuple(islice(found, many))
        scored.append(Scored(item_id, score, Parts(**dict(zip(PART_NAMES, parts, strict=True))), why))
    return replace(from_record(Trace, record), scored=tuple(scored))
