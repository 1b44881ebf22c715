"""Moments as other systems write them."""

from __future__ import annotations

from datetime import UTC, datetime

from gieok.errors import InvalidQuery


def moment_of(timestamp: object) -> datetime | None:
    """Return when something was said: seconds since 1970, a datetime, or one that is written out; None: nobody says."""
    if timestamp is None or isinstance(timestamp, datetime):
        return timestamp
    try:
        if isinstance(timestamp, int | float) and not isinstance(timestamp, bool):
            return datetime.fromtimestamp(timestamp, UTC)
        if isinstance(timestamp, str):
            return datetime.fromisoformat(timestamp)
    except (ValueError, OverflowError, OSError) as cause:
        raise InvalidQuery(f"timestamp={timestamp!r} is no moment: {cause}; nothing was kept") from cause
    raise InvalidQuery(f"timestamp={timestamp!r} is neither seconds since 1970 nor a datetime; nothing was kept")


def written(moment: datetime) -> str:
    """Return a moment in UTC, as ISO 8601 has it."""
    return moment.astimezone(UTC).isoformat()
