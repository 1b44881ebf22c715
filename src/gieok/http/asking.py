"""What a request is about: the bank, whoever asks, and the mind that they may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Query, Request

from gieok.access.asgi import caller_in
from gieok.access.caller import Caller
from gieok.bank import MemoryBank, Mind
from gieok.domain.access import Role
from gieok.domain.scope import Scope

Name = Annotated[str | None, Query(min_length=1, max_length=200)]


def bank_of(request: Request) -> MemoryBank:
    bank = request.app.state.bank
    assert isinstance(bank, MemoryBank)
    return bank


def caller_of(request: Request) -> Caller:
    return caller_in(request.scope)


def scope_of(user: Name = None, character: Name = None, world: Name = None) -> Scope:
    return Scope(user=user, character=character, world=world)


def mind_for(role: Role) -> Callable[..., Mind]:
    """Return a dependency: the mind of the scope that is named, if the caller may do there what `role` may."""

    def mind(
        scope: Annotated[Scope, Depends(scope_of)],
        caller: Annotated[Caller, Depends(caller_of)],
        bank: Annotated[MemoryBank, Depends(bank_of)],
    ) -> Mind:
        caller.check(role, scope)
        return bank.mind(scope)

    return mind


def whole_bank_for(role: Role) -> Callable[..., MemoryBank]:
    """Return a dependency: the bank, if the caller may do everywhere in it what `role` may."""

    def bank(
        caller: Annotated[Caller, Depends(caller_of)], bank: Annotated[MemoryBank, Depends(bank_of)]
    ) -> MemoryBank:
        caller.check(role)
        return bank

    return bank
