"""What endpoints ask FastAPI for: the bank, the caller, and the mind of the scope that a request names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Query, Request

from gieok.access.caller import Caller, caller_in, note_reading
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import Role
from gieok.errors import InvalidScope
from gieok.http.problems import NAME, HTTPProblem

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
