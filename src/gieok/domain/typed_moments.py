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
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError as cause:
        raise InvalidQuery(f"{name} {text!r} is no date; write 2026-03-15 or 2026-03-15T20:30") from cause
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)


def end_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; a bare day ends where the next begins."""
    read = moment(text, zone, name)
    if read is None or text is None or not _DAY.fullmatch(text.strip()) or read.year == MAXYEAR:
        return read  # there is no day after the last one; whoever asks refuses such years, and says why
    return read + timedelta(days=1)


def last_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; of a bare day its last, so that asking as of a day counts all of it."""
    read, end = moment(text, zone, name), end_of(text, zone, name)
    return read if end is None or end == read else end - timedelta(microseconds=1)
