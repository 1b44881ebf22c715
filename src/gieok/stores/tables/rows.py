"""Memories, turns and utterances as rows, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from gieok.domain.memory import Memory
from gieok.domain.turn import Turn, Utterance
from gieok.stores.tables.connection import Row
from gieok.stores.tables.moments import microseconds, moment, utc_offset

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
