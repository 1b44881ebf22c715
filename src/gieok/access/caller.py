"""The caller of a request, what they may do, and the refusals of the guard; `refusals.toml` has their texts."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Protocol

from gieok.domain.actor import Actor, acting_as
from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.errors import ErrorText, Forbidden

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
REFUSALS: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("refusals.toml").read_text(encoding="utf-8")
)


class TurnedAway(Exception):
    """A request that the guard refuses, with the answer that it gets."""

    def __init__(self, name: str, **values: object) -> None:
        """`name` is a table of `refusals.toml`, and `values` are filled in."""
        known = REFUSALS[name]
        super().__init__(known["title"])
        self.status: int = known["status"]
        self.title: str = known["title"]
        self.detail: str = known["detail"].format(**values)
        self.headers = {header: value.format(**values) for header, value in known.get("headers", {}).items()}


Refused = Callable[[TurnedAway], App]  #: makes the answer; a Starlette response is an `App`

_PLACE: Final = "gieok.caller"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The holder of a key, or (`key` None) somebody on this machine, who may do everything."""

    key: AccessKey | None = None

    @property
    def name(self) -> str:
        return self.key.id if self.key is not None else "local"

    @property
    def home(self) -> Bounds:
        """The scope of requests that name none."""
        return self.key.home if self.key is not None else Bounds()

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """What their key opens; none: everything."""
        return self.key.bounds if self.key is not None else ()

    def opens(self, scope: Scope) -> bool:
        return self.key is None or self.key.opens(scope)

    @property
    def actor(self) -> Actor:
        """Who they are in the audit log: the name and id of the key, never the key."""
        return Actor(kind="local") if self.key is None else Actor(kind="key", name=f"{self.key.name} ({self.key.id})")

    def reads_another(self, scope: Scope) -> bool:
        """Whether `scope` belongs to a user for whom their key was not made."""
        if self.key is None or scope.user is None:
            return False
        return not any(bound.user == scope.user and bound.hold(scope) for bound in self.key.bounds)

    def check(self, role: Role, scope: Scope | None = None) -> None:
        """Raise `Forbidden` unless they have `role` in `scope`; None: in the whole bank."""
        if self.key is None:
            return
        if not self.key.may(role):
            raise Forbidden(ErrorText("access.role", id=self.key.id, role=self.key.role, needed=role))
        if scope is None and self.key.bounds:
            raise Forbidden(ErrorText("access.whole_bank", id=self.key.id))
        if scope is not None and not self.key.opens(scope):
            raise Forbidden(ErrorText("access.scope", id=self.key.id, scope=scope))

    def check_hearers(self, scope: Scope, present: Iterable[str]) -> None:
        """Raise `Forbidden` unless they may write for every character who hears a turn: each remembers it."""
        for name in present:
            self.check("writer", scope.beside(name))


def let_in(scope: MutableMapping[str, Any], caller: Caller) -> None:
    scope[_PLACE] = caller


def caller_in(scope: Mapping[str, Any]) -> Caller:
    """Return the caller. There is no default: the guard sets one for every request that passes."""
    caller = scope[_PLACE]
    assert isinstance(caller, Caller)
    return caller


class NotesReads(Protocol):
    """A bank that records who reads in it."""

    def is_unread(self, scope: Scope, actor: Actor) -> bool: ...
    def note_read(self, scope: Scope, actor: Actor, route: str) -> None: ...


def acting_for(caller: Caller) -> AbstractContextManager[None]:
    return acting_as(caller.actor)


def note_read(bank: NotesReads, caller: Caller, scope: Scope, route: str) -> None:
    """Record a read before it happens, if `scope` belongs to another user."""
    if caller.reads_another(scope):
        bank.note_read(scope, caller.actor, route)


async def note_reading(bank: NotesReads, caller: Caller, scope: Scope, route: str) -> None:
    """The same for an event loop; it waits for the bank only where there is something to record."""
    if caller.reads_another(scope) and bank.is_unread(scope, caller.actor):
        await asyncio.to_thread(note_read, bank, caller, scope, route)
