"""What endpoints ask FastAPI for: bank, caller, the mind of the scope that a request names, and pages of lists."""

from __future__ import annotations

import base64
import binascii
import json
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Query, Request

from gieok.access.caller import Caller, caller_in, note_reading
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import Role
from gieok.errors import InvalidScope
from gieok.http.problems import NAME, HTTPProblem
from gieok.http.schemas import Page

Name = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]

# These are coroutines, so that they need no thread: they wait only where a read of another user's scope is recorded.


async def bank_of(request: Request) -> MemoryBank:
    bank = request.app.state.bank
    assert isinstance(bank, MemoryBank)
    return bank


async def caller_of(request: Request) -> Caller:
    return caller_in(request.scope)


CurrentBank = Annotated[MemoryBank, Depends(bank_of)]
CurrentCaller = Annotated[Caller, Depends(caller_of)]


async def scope_of(
    request: Request, caller: CurrentCaller, user: Name = None, character: Name = None, world: Name = None
) -> Scope:
    """Return the scope that the query names; where it names none, the home scope of the caller's key."""
    try:  # decoded with a � for each broken letter, the names of two users could become one
        unquote_to_bytes(request.scope["query_string"]).decode()
    except UnicodeDecodeError as cause:
        detail = "the query is not UTF-8; percent-encode names as UTF-8 (민수 is %EB%AF%BC%EC%88%98)"
        raise HTTPProblem(400, "not-utf-8", detail) from cause
    if user is character is world is None:
        user, character, world = caller.home.user, caller.home.character, caller.home.world
    if user is character is world is None:
        raise InvalidScope(
            "whose memory? name at least one of user, character and world in the query: ?user=minsu&character=letia"
        )
    return Scope(user=user, character=character, world=world)


def mind_for(role: Role) -> Callable[..., Awaitable[Mind]]:
    """Return a dependency: the mind of the named scope, if the caller has `role` there."""

    async def mind(
        request: Request, scope: Annotated[Scope, Depends(scope_of)], caller: CurrentCaller, bank: CurrentBank
    ) -> Mind:
        caller.check(role, scope)
        if role != "writer":  # a write records its actor itself
            await note_reading(bank, caller, scope, f"{request.method} {request.scope['route'].path}")
        return bank.mind(scope)

    return mind


def whole_bank_for(role: Role) -> Callable[..., Awaitable[MemoryBank]]:
    """Return a dependency: the bank, if the caller has `role` in all of it."""

    async def whole_bank(caller: CurrentCaller, bank: CurrentBank) -> MemoryBank:
        caller.check(role)
        return bank

    return whole_bank


ReadMind = Annotated[Mind, Depends(mind_for("reader"))]
WriteMind = Annotated[Mind, Depends(mind_for("writer"))]
AdminMind = Annotated[Mind, Depends(mind_for("admin"))]
WholeBank = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


Item = TypeVar("Item")

Limit = Annotated[
    int, Query(ge=1, le=1_000, description="Items on a page; the server may return fewer (setting `serve_page`).")
]
Cursor = Annotated[str | None, Query(alias="cursor", max_length=1_000, description="`next` of the page before.")]


def page_size(bank: MemoryBank, limit: int) -> int:
    return min(limit, bank.settings.serve_page)


def make_cursor(name: str, *place: str | int) -> str:
    text = json.dumps([name, *place], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(name: str, cursor: str | None, *kinds: type) -> list[Any] | None:
    """Return the place that a cursor of the list `name` holds; None without a cursor. Raises `HTTPProblem`."""
    if cursor is None:
        return None
    try:
        found, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        found, place = None, []
    too_large = any(isinstance(each, int) and not 0 <= each < 2**31 for each in place)
    if found != name or [type(each) for each in place] != list(kinds) or too_large:
        raise unknown_cursor(name)
    return list(place)


def unknown_cursor(name: str) -> HTTPProblem:
    detail = f"this cursor does not belong to this list ({name}); leave it out to begin at the start"
    return HTTPProblem(422, "unknown-cursor", detail)


def read_number(name: str, cursor: str | None) -> int | None:
    place = read_cursor(name, cursor, int)
    return None if place is None else int(place[0])


def numbered_page(name: str, found: Sequence[Any]) -> Page[Any]:
    """Return a page, newest first, of what was read oldest first; its members are numbered from 1."""
    following = make_cursor(name, found[0].number) if found and found[0].number > 1 else None
    return Page(list(reversed(found)), following)


def sorted_page(
    name: str,
    found: Sequence[Item],
    key: Callable[[Item], tuple[str, ...]],
    cursor: str | None,
    size: int,
    *,
    newest_first: bool = False,
) -> Page[Item]:
    """Return a page of a list that is all in memory, in the order of `key`."""
    ordered = sorted(found, key=key)
    keys = [key(item) for item in ordered]
    read = read_cursor(name, cursor, *(str for _ in keys[0])) if keys else None
    place = None if read is None else tuple(read)
    if newest_first:
        end = len(keys) if place is None else bisect_right(keys, place) - (place in keys)
        start = max(end - size, 0)
        return Page(ordered[start:end][::-1], make_cursor(name, *keys[start]) if start > 0 else None)
    start = 0 if place is None else bisect_right(keys, place)
    end = start + size
    return Page(ordered[start:end], make_cursor(name, *keys[end - 1]) if end < len(keys) else None)


def moment_key(moment: datetime) -> str:
    """Return a moment as a text that sorts as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
