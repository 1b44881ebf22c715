"""Memories, turns and utterances as rows, and back."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from gieok.domain.answer import Found, Scored, Source, Trace
from gieok.domain.memory import Memory
from gieok.domain.record import from_record, to_record
from gieok.domain.scoring import PART_NAMES, Parts
from gieok.domain.turn import Turn, Utterance
from gieok.errors import ScopeFull
from gieok.stores.tables.connection import Row

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MINUTE: Final = timedelta(minutes=1)
_FARTHEST: Final = 24 * 60 - 1  # minutes that a clock can be away from UTC


def microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def utc_offset(moment: datetime) -> int:
    """Return the clock's offset in minutes; seconds, as in zones before 1912, are rounded away."""
    return _possible(round((moment.utcoffset() or timedelta()) / _MINUTE))


def moment(microseconds: int, offset: int) -> datetime:
    try:
        return _epoch_at(offset) + timedelta(0, 0, microseconds)
    except OverflowError:
        return _in_utc(microseconds)


def _in_utc(microseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(0, 0, microseconds)
    except OverflowError:
        return _FIRST if microseconds < 0 else _LAST


@lru_cache(maxsize=256)
def _epoch_at(offset: int) -> datetime:
    return _EPOCH.astimezone(timezone(timedelta(minutes=_possible(offset))))


def _possible(offset: int) -> int:
    return max(-_FARTHEST, min(offset, _FARTHEST))


_MOMENTS: Final = ("valid_at", "invalid_at", "known_at", "recorded_at", "forgotten_at", "faded_at", "last_used_at")
_LISTS: Final = ("sources", "tags", "details", "pii_flags", "made_from")
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_FIELDS: Final = tuple(field.name for field in fields(Memory) if field.name != "id")


def memory_row(memory: Memory, private_id: int, scope_id: int) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(memory, name) for name in _FIELDS}
    for name in _MOMENTS:
        row[name] = _stored(row[name])
    for name in _LISTS:
        row[name] = dump(row[name])
    return row | {
        "id": private_id,
        "scope_id": scope_id,
        "public_id": memory.id,
        "utc_offset": utc_offset(memory.known_at),
    }


def changed_columns(before: Memory, after: Memory) -> dict[str, Any]:
    """Return the columns in which two versions of a memory differ."""
    row: dict[str, Any] = {}
    for name in _FIELDS:
        value = getattr(after, name)
        if value != getattr(before, name):
            row[name] = _stored(value) if name in _MOMENTS else dump(value) if name in _LISTS else value
    if before.known_at.utcoffset() != after.known_at.utcoffset():
        row["utc_offset"] = utc_offset(after.known_at)
    return row


def memory_from(row: Row) -> Memory:
    # Field by field: recall builds dozens of these for each question, and a loop over names takes twice as long.
    (
        _, public_id, speaker, subject, subject_id, content, content_type, kind, attribute, value,
        surface, value_class, polarity, certainty, importance, emotion_intensity, strength,
        touched_turn, offset, valid_at, invalid_at, known_at, recorded_at, retracted, forgotten_at,
        closed_by, mentions, uses, last_used_at, pinned, origin, extractor, sources, tags, details,
        channel, interpretation, pii_flags, version, faded_at, made_from,
    ) = row  # fmt: skip
    return Memory(
        id=public_id,
        speaker=speaker,
        subject=subject,
        subject_id=subject_id,
        content=content,
        content_type=content_type,
        kind=kind,
        attribute=attribute,
        value=value,
        surface=surface,
        value_class=value_class,
        polarity=polarity,
        certainty=certainty,
        importance=importance,
        emotion_intensity=emotion_intensity,
        strength=strength,
        touched_turn=touched_turn,
        valid_at=moment(valid_at, offset),
        invalid_at=_moment(invalid_at, offset),
        known_at=moment(known_at, offset),
        recorded_at=moment(recorded_at, offset),
        retracted=bool(retracted),
        forgotten_at=_moment(forgotten_at, offset),
        faded_at=_moment(faded_at, offset),
        closed_by=closed_by,
        made_from=_names(made_from),
        mentions=mentions,
        uses=uses,
        last_used_at=_moment(last_used_at, offset),
        pinned=bool(pinned),
        origin=origin,
        extractor=extractor,
        sources=_names(sources),
        tags=_names(tags),
        details=_names(details),
        channel=channel,
        interpretation=interpretation,
        pii_flags=_names(pii_flags),
        version=version,
    )


def as_read(memory: Memory) -> Memory:
    """Return `memory` as it is read once it was written: all its moments by the clock of `known_at`."""
    offset = utc_offset(memory.known_at)
    return replace(
        memory,
        valid_at=moment(microseconds(memory.valid_at), offset),
        invalid_at=_moment(_stored(memory.invalid_at), offset),
        known_at=moment(microseconds(memory.known_at), offset),
        recorded_at=moment(microseconds(memory.recorded_at), offset),
        forgotten_at=_moment(_stored(memory.forgotten_at), offset),
        faded_at=_moment(_stored(memory.faded_at), offset),
        last_used_at=_moment(_stored(memory.last_used_at), offset),
    )


def utterance_row(utterance: Utterance, private_id: int, turn: int) -> dict[str, Any]:
    return {
        "id": private_id,
        "turn": turn,
        "position": utterance.position,
        "speaker": utterance.speaker,
        "text": utterance.text,
        "at": microseconds(utterance.at),
        "utc_offset": utc_offset(utterance.at),
        "session": utterance.session,
    }


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


def turn_row(
    turn: Turn, private_id: int, scope_id: int, *, number: int, unread: bool, left_open: bool
) -> dict[str, Any]:
    return {
        "id": private_id,
        "scope_id": scope_id,
        "public_id": turn.id,
        "number": number,
        "session": turn.session,
        "channel": turn.channel,
        "present": dump(turn.present),
        "at": microseconds(turn.at),
        "utc_offset": utc_offset(turn.at),
        "recorded_at": microseconds(turn.recorded_at),
        "unread": unread,
        "left_open": left_open,
        "cut_off": turn.cut_off,
    }


def turn_from(row: Row, utterances: Sequence[Utterance]) -> Turn:
    _, public_id, number, session, channel, present, at, offset, recorded_at, cut_off = row
    return Turn(
        id=public_id,
        utterances=tuple(utterances),
        at=moment(at, offset),
        recorded_at=moment(recorded_at, offset),
        session=session,
        channel=channel,
        present=_names(present),
        cut_off=bool(cut_off),
        number=number,
    )


def dump(value: Any) -> str:
    """Return `value` as JSON, in the letters it is written in."""
    return _JSON.encode(value)


def _stored(value: datetime | None) -> int | None:
    return None if value is None else microseconds(value)


def _moment(at: int | None, offset: int) -> datetime | None:
    return None if at is None else moment(at, offset)


def _names(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text != "[]" else ()


_PARTS: Final = attrgetter(*PART_NAMES)
_SIZE: Final = 1 + len(PART_NAMES)
_PLACES: Final = 6  #: that four bytes hold
PACKED: Final = frozenset({"hits", "numbers", "whys", "sources", "ranks"})  #: what stands in for `Trace.scored`


def trace_text(trace: Trace) -> str:
    record = to_record(replace(trace, scored=()))
    numbers = array("f")
    for hit in trace.scored:
        numbers.append(hit.score)
        numbers.extend(_PARTS(hit.parts))
    record["hits"] = [hit.item_id for hit in trace.scored]
    record["numbers"] = b64encode(numbers.tobytes()).decode()
    record["whys"] = [len(hit.why) for hit in trace.scored]
    record["sources"] = [found.source for hit in trace.scored for found in hit.why]
    record["ranks"] = [found.rank for hit in trace.scored for found in hit.why]
    return dump(record)


def trace_from(text: str) -> Trace:
    record: dict[str, Any] = json.loads(text)
    hits, packed, whys = (record.pop(name) for name in ("hits", "numbers", "whys"))
    found = map(_found, record.pop("sources"), record.pop("ranks"))
    numbers = [round(number, _PLACES) for number in array("f", b64decode(packed))]
    rows = (numbers[place : place + _SIZE] for place in range(0, len(numbers), _SIZE))
    scored = tuple(
        _scored(item_id, row, tuple(islice(found, many))) for item_id, row, many in zip(hits, rows, whys, strict=True)
    )
    return replace(from_record(Trace, record), scored=scored)


def _scored(item_id: str, numbers: list[float], why: tuple[Found, ...]) -> Scored:
    score, *parts = numbers
    return Scored(item_id, score, Parts(**dict(zip(PART_NAMES, parts, strict=True))), why)


def _found(source: Source, rank: int) -> Found:
    return Found(source=source, rank=rank)


_BITS: Final = 24
MOST: Final = (1 << _BITS) - 1  #: the last running number of a scope


def first_id(scope_id: int) -> int:
    return scope_id << _BITS


def last_id(scope_id: int) -> int:
    return scope_id << _BITS | MOST


def numbered(scope_id: int, number: int) -> int:
    """Return the private id of `number` in a scope; raises `ScopeFull` beyond the scope's range."""
    if number > MOST:
        raise ScopeFull(f"this scope holds {MOST:,} entries and takes no more; go on in another scope")
    return scope_id << _BITS | number


def number_of(private_id: int) -> int:
    return private_id & MOST
