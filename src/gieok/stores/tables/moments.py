"""Moments as UTC microseconds, and back on the clock they were told on.

Whatever stands in a row can be read. At the very ends of the calendar not every clock can tell every moment; there
UTC tells it, and what not even UTC can tell becomes the first or the last moment that it can.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Final

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
