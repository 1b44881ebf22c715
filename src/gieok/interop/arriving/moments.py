"""Moments as chat programs wrote them over the years."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from gieok.domain.turn import checked_moment
from gieok.errors import InvalidInput

_MONTHS: Final = "january february march april may june july august september october november december".split()
_MERIDIEM: Final = re.compile(
    r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2}), (?P<year>\d{4}),? "
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) ?(?P<half>am|pm)",
    re.IGNORECASE,
)  #: June 19, 2023 2:20pm
_KOREAN: Final = re.compile(
    r"(?P<year>\d{4})년 (?P<month>\d{1,2})월 (?P<day>\d{1,2})일 (?P<half>오전|오후) (?P<hour>\d{1,2}):(?P<minute>\d{2})"
)
_HUMANIZED: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2}) ?@ ?"
    r"(?P<hour>\d{1,2})h ?(?P<minute>\d{1,2})m ?(?P<second>\d{1,2})s(?: ?(?P<millisecond>\d{1,3})ms)?"
)  #: 2023-6-19 @14h 20m 30s 123ms
_AFTERNOON: Final = ("pm", "오후")
_MILLISECONDS: Final = 100_000_000_000  #: a count of seconds would be past the year 5000


def moment_of(said: Any, zone: tzinfo) -> datetime | None:
    """Return the moment that a file names; None: it names none. Raises ValueError for what is no moment.

    Where it has no time zone it is read in `zone`.
    """
    if said is None or said == "" or (said == 0 and not isinstance(said, bool)):
        return None
    if isinstance(said, bool) or not isinstance(said, int | float | str):
        raise ValueError(f"{str(said)[:40]!r} is no moment")
    try:
        return checked_moment(_counted(float(said)) if _is_count(said) else _written(str(said).strip(), zone))
    except (ValueError, OverflowError, OSError, InvalidInput) as cause:
        raise ValueError(f"{str(said)[:40]!r} is no moment") from cause


def _is_count(said: Any) -> bool:
    return not isinstance(said, str) or (said.isascii() and said.isdigit() and len(said) > 8)


def _counted(count: float) -> datetime:
    return datetime.fromtimestamp(count / 1000 if abs(count) >= _MILLISECONDS else count, UTC)


def _written(said: str, zone: tzinfo) -> datetime:
    for pattern in (_HUMANIZED, _MERIDIEM, _KOREAN):
        if match := pattern.fullmatch(said):
            return _matched(match.groupdict(), zone)
    found = datetime.fromisoformat(said)
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)


def _matched(parts: dict[str, str | None], zone: tzinfo) -> datetime:
    def number(name: str) -> int:
        return int(parts.get(name) or 0)

    hour, half = number("hour"), parts.get("half")
    if half:
        hour = hour % 12 + (12 if half.lower() in _AFTERNOON else 0)
    month = parts["month"] or ""
    return datetime(
        number("year"),
        int(month) if month.isdigit() else _month(month),
        number("day"),
        hour,
        number("minute"),
        number("second"),
        number("millisecond") * 1000,
        tzinfo=zone,
    )


def _month(name: str) -> int:
    for number, month in enumerate(_MONTHS, start=1):
        if month.startswith(name.lower()):
            return number
    raise ValueError(f"{name!r} is no month")
