"""Whoever sent a request, and what they may do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, MutableMapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from gieok.domain.actor import Actor, acting_as
from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.errors import Forbidden

_PLACE: Final = "gieok.caller"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody with a key, or (`key` None) somebody on this machine, who may do everything."""

    key: AccessKey | None = None

    @property
    def name(self) -> str:
        """What the log calls them."""
        return self.key.id if self.key is not None else "local"

    @property
    def home(self) -> Bounds:
        """The scope that they mean when they say none."""
        return self.key.home if self.key is not None else Bounds()

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Where their key opens; none: everywhere."""
        return self.key.bounds if self.key is not None else ()

    def opens(self, scope: Scope) -> bool:
        return self.key is None or self.key.opens(scope)

    @property
    def actor(self) -> Actor:
        """What the audit log calls them: by the name of their key, never by the key."""
        return Actor(kind="local") if self.key is None else Actor(kind="key", name=f"{self.key.name} ({self.key.id})")

    def reads_another(self, scope: Scope) -> bool:
        """Whether `scope` is somebody's, and their key was not made for that one user."""
        if self.key is None or scope.user is None:
            return False
        return not any(bound.user == scope.user and bound.hold(scope) for bound in self.key.bounds)

    def check(self, role: Role, scope: Scope | None = None) -> None:
        """Raise `Forbidden` unless they may do what `role` may, in `scope`; None: in the whole bank."""
        if self.key is None:
            return
        if not self.key.may(role):
            article = "an" if role == "admin" else "a"
            way_out = f"use a key made with: gieok keys create NAME --role {role}"
            raise Forbidden(f"key {self.key.id!r} is a {self.key.role}; this takes {article} {role}; {way_out}")
        if scope is None and self.key.bounds:
            way_out = "use a key that is bound to nothing"
            raise Forbidden(f"key {self.key.id!r} opens only a part of the bank; this is about all of it; {way_out}")
        if scope is not None and not self.key.opens(scope):
            raise Forbidden(f"key {self.key.id!r} does not open {scope}")

    def check_hearers(self, scope: Scope, present: Iterable[str]) -> None:
        """Raise `Forbidden` unless they may write for all who hear a turn of `scope`: each remembers it."""
        for name in present:
            self.check("writer", scope.beside(name))


def let_in(scope: MutableMapping[str, Any], caller: Caller) -> None:
    """Note in an ASGI scope who is calling."""
    scope[_PLACE] = caller


def caller_in(scope: Mapping[str, Any]) -> Caller:
    """Return who is calling. Nobody gets past the guard without a name: there is no default."""
    caller = scope[_PLACE]
    assert isinstance(caller, Caller)
    return caller


class NotesReads(Protocol):
    """A bank, as far as it notes who reads in it."""

    def is_unread(self, scope: Scope, actor: Actor) -> bool: ...
    def note_read(self, scope: Scope, actor: Actor, route: str) -> None: ...


def acting_for(caller: Caller) -> AbstractContextManager[None]:
    """Have what is written meanwhile be done in the name of `caller`."""
    return acting_as(caller.actor)


def note_read(bank: NotesReads, caller: Caller, scope: Scope, route: str) -> None:
    """Note it, before anything is read, if `scope` is somebody else's."""
    if caller.reads_another(scope):
        bank.note_read(scope, caller.actor, route)


async def note_reading(bank: NotesReads, caller: Caller, scope: Scope, route: str) -> None:
    """The same for an event loop; it waits for the bank only where there is something to note."""
    if caller.reads_another(scope) and bank.is_unread(scope, caller.actor):
        await asyncio.to_thread(note_read, bank, caller, scope, route)
