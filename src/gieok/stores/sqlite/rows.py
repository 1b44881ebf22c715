"""Memories, turns and utterances as rows, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from gieok.domain.memory import Memory
from gieok.domain.turn import Turn, Utterance
from gieok.stores.sqlite.connection import Row
from gieok.stores.sqlite.moments import microseconds, moment, utc_offset

MEMORY_COLUMNS: Final = (
    "id public_id speaker subject subject_id content content_type kind attribute value surface value_class "
    "polarity certainty importance emotion_intensity strength touched_turn utc_offset valid_at invalid_at "
    "known_at recorded_at retracted forgotten_at closed_by mentions uses last_used_at pinned origin extractor "
    "sources tags details channel interpretation pii_flags version"
).split()
_FIELDS: Final = [column for column in MEMORY_COLUMNS if column not in ("id", "public_id", "utc_offset")]
_MOMENTS: Final = ("valid_at", "invalid_at", "known_at", "recorded_at", "forgotten_at", "last_used_at")
_LISTS: Final = ("sources", "tags", "details", "pii_flags")
_FLAGS: Final = ("retracted", "pinned")


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


def memory_from(row: Row) -> Memory:
    fields: dict[str, Any] = dict(zip(MEMORY_COLUMNS, row, strict=True))
    offset = fields.pop("utc_offset")
    fields["id"] = fields.pop("public_id")
    for name in _MOMENTS:
        if fields[name] is not None:
            fields[name] = moment(fields[name], offset)
    for name in _LISTS:
        fields[name] = _names(fields[name])
    for name in _FLAGS:
        fields[name] = bool(fields[name])
    return Memory(**fields)


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


def turn_row(turn: Turn, private_id: int, scope_id: int, *, number: int, unread: bool) -> dict[str, Any]:
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
    }


def turn_from(row: Row, utterances: Sequence[Utterance]) -> Turn:
    _, public_id, number, session, channel, present, at, offset, recorded_at = row
    return Turn(
        id=public_id,
        utterances=tuple(utterances),
        at=moment(at, offset),
        recorded_at=moment(recorded_at, offset),
        session=session,
        channel=channel,
        present=_names(present),
        number=number,
    )


def dump(value: Any) -> str:
    """Return `value` as JSON, in the letters it is written in."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _stored(value: datetime | None) -> int | None:
    return None if value is None else microseconds(value)


def _names(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text != "[]" else ()
