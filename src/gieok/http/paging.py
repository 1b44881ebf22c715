"""Leafing through lists: pages of bounded length, and cursors that stay good while others write."""

from __future__ import annotations

import base64
import binascii
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeVar

from fastapi import Query

from gieok.bank import MemoryBank
from gieok.http.problems import Refused

Item = TypeVar("Item")

_MOST: Final = 1_000
Limit = Annotated[
    int, Query(ge=1, le=_MOST, description="Things on a page; the server may give fewer (setting `serve_page`).")
]
Cursor = Annotated[str | None, Query(alias="cursor", max_length=1_000, description="`next` of the page before.")]
Place = list[str | int]


def page_size(bank: MemoryBank, limit: int) -> int:
    return min(limit, bank.settings.serve_page)


def cursor(name: str, place: Place) -> str:
    """Return where the list `name` was left, as an opaque word."""
    told = json.dumps([name, *place], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def place_in(name: str, given: str | None, *kinds: type) -> Any:
    """Return the place that a cursor of the list `name` holds; None: no cursor was given. Raises `Refused`."""
    if given is None:
        return None
    try:
        held, *place = json.loads(base64.urlsafe_b64decode(given + "=" * (-len(given) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        held, place = None, []
    if held != name or [type(each) for each in place] != list(kinds) or any(_huge(each) for each in place):
        raise unknown_cursor(name)
    return place


def unknown_cursor(name: str) -> Refused:
    detail = f"this cursor is not one of this list ({name}); leave it out to begin at the start"
    return Refused(422, "unknown-cursor", detail)


def number_in(name: str, given: str | None) -> int | None:
    """Return the number that a cursor holds."""
    place = place_in(name, given, int)
    return None if place is None else int(place[0])


def leafed(
    found: Sequence[Item],
    key: Callable[[Item], tuple[str, ...]],
    name: str,
    given: str | None,
    size: int,
    *,
    newest_first: bool = False,
) -> tuple[list[Item], str | None]:
    """Return a page of a list that is at hand, by the order of `key`, and the cursor of the next one."""
    ordered = sorted(found, key=key)
    keys = [key(item) for item in ordered]
    place = place_in(name, given, *(str for _ in keys[0])) if keys else None
    if newest_first:
        end = len(keys) if place is None else bisect_right(keys, tuple(place)) - (tuple(place) in keys)
        start = max(end - size, 0)
        page = ordered[start:end][::-1]
        return page, cursor(name, list(keys[start])) if start > 0 else None
    start = 0 if place is None else bisect_right(keys, tuple(place))
    end = start + size
    return ordered[start:end], cursor(name, list(keys[end - 1])) if end < len(keys) else None


def moment_key(moment: datetime) -> str:
    """Return a moment as a text that sorts as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _huge(part: object) -> bool:
    return isinstance(part, int) and not 0 <= part < 2**31
