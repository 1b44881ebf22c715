"""Moments as UTC microseconds, and back on the clock they were told on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MINUTE: Final = timedelta(minutes=1)


def microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def utc_offset(moment: datetime) -> int:
    """Return the clock's offset in minutes; seconds, as in zones before 1912, are cut off."""
    return (moment.utcoffset() or timedelta()) // _MINUTE


def moment(microseconds: int, offset: int) -> datetime:
    return _epoch_at(offset) + timedelta(0, 0, microseconds)


@lru_cache(maxsize=256)
def _epoch_at(offset: int) -> datetime:
    return _EPOCH.astimezone(timezone(timedelta(minutes=offset)))
