"""Moments as people type them: 2026-03-15, or 2026-03-15T20:30 with or without an offset."""

from __future__ import annotations

import re
from datetime import MAXYEAR, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gieok.errors import InvalidQuery

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")


def moment(text: str | None, zone: ZoneInfo, name: str = "--at") -> datetime | None:
    """Return the moment that `text` names; without an offset it is read in `zone`. A bare day is its first moment."""
    return None if text is None else _start(text, zone, name)


def end_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; a bare day ends where the next begins."""
    return None if text is None else _end(text, zone, name)


def last_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; of a bare day its last, so that asking as of a day counts all of it."""
    if text is None:
        return None
    start, end = _start(text, zone, name), _end(text, zone, name)
    return start if end == start else end - timedelta(microseconds=1)


def _start(text: str, zone: ZoneInfo, name: str) -> datetime:
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError as cause:
        raise InvalidQuery(f"{name} {text!r} is no date; write 2026-03-15 or 2026-03-15T20:30") from cause
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)


def _end(text: str, zone: ZoneInfo, name: str) -> datetime:
    start = _start(text, zone, name)
    if not _DAY.fullmatch(text.strip()) or start.year == MAXYEAR:
        return start  # there is no day after the last one; whoever asks refuses such years, and says why
    return start + timedelta(days=1)
