"""What a request is about: the bank, whoever asks, and the mind that they may ask."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Query, Request

from gieok.access.acting import note_reading
from gieok.access.caller import Caller, caller_in
from gieok.bank import MemoryBank, Mind
from gieok.domain.desk import Role
from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.http.misread import NAME
from gieok.http.problems import Refused

Name = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]

# None of these waits for anything, but for noting that somebody reads what is not theirs: as coroutines they cost no
# thread.


async def bank_of(request: Request) -> MemoryBank:
    bank = request.app.state.bank
    assert isinstance(bank, MemoryBank)
    return bank


async def caller_of(request: Request) -> Caller:
    return caller_in(request.scope)


async def scope_of(
    request: Request,
    caller: Annotated[Caller, Depends(caller_of)],
    user: Name = None,
    character: Name = None,
    world: Name = None,
) -> Scope:
    """Return the scope that the query names, or the one that the caller's key means where it names none."""
    _check_letters(request.scope["query_string"])
    if user is character is world is None:
        user, character, world = caller.home.user, caller.home.character, caller.home.world
    if user is character is world is None:
        raise InvalidScope(
            "whose memory? name at least one of user, character and world in the query: ?user=minsu&character=letia"
        )
    return Scope(user=user, character=character, world=world)


def _check_letters(query: bytes) -> None:
    """Refuse what is not UTF-8: read with a � for each letter, the names of two users could become one."""
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError as cause:
        detail = "the query is not UTF-8; percent-encode names as UTF-8 (민수 is %EB%AF%BC%EC%88%98)"
        raise Refused(400, "not-utf-8", detail) from cause


def mind_for(role: Role) -> Callable[..., Awaitable[Mind]]:
    """Return a dependency: the mind of the scope that is named, if the caller may do there what `role` may."""

    async def mind(
        request: Request,
        scope: Annotated[Scope, Depends(scope_of)],
        caller: Annotated[Caller, Depends(caller_of)],
        bank: Annotated[MemoryBank, Depends(bank_of)],
    ) -> Mind:
        caller.check(role, scope)
        if role != "writer":  # what is written tells by whom
            await note_reading(bank, caller, scope, f"{request.method} {request.scope['route'].path}")
        return bank.mind(scope)

    return mind


def whole_bank_for(role: Role) -> Callable[..., Awaitable[MemoryBank]]:
    """Return a dependency: the bank, if the caller may do everywhere in it what `role` may."""

    async def bank(
        caller: Annotated[Caller, Depends(caller_of)], bank: Annotated[MemoryBank, Depends(bank_of)]
    ) -> MemoryBank:
        caller.check(role)
        return bank

    return bank


Asked = Annotated[Caller, Depends(caller_of)]
Bank = Annotated[MemoryBank, Depends(bank_of)]
ReadMind = Annotated[Mind, Depends(mind_for("reader"))]
WrittenMind = Annotated[Mind, Depends(mind_for("writer"))]
