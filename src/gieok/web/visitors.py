"""Whoever looks at a page: what their key opens now, the desk before them, and the words they read.

Their key is looked at again with every action: a page stays open longer than a key may hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from gieok.access.acting import acting_for, note_reading
from gieok.access.caller import Caller
from gieok.bank import MemoryBank, Mind
from gieok.domain.desk import Role
from gieok.domain.scope import Scope
from gieok.errors import Forbidden
from gieok.web.desks import Desk, Language
from gieok.web.wording import Words, words_in

Given = ParamSpec("Given")
Result = TypeVar("Result")
_PLACE: Final = "gieok.visitor"


class Gone(Exception):
    """A visitor's key opens nothing any more, or their visit is over: they have to show a key again."""


class Door(Protocol):
    """What the guard knows of visitors."""

    async def visitor(self, cookie: str | None, *, counts: bool = False) -> Caller | None: ...
    def lives(self, cookie: str | None) -> bool: ...
    async def log_in(self, token: str) -> str: ...
    def log_out(self, cookie: str) -> None: ...
    @property
    def asks_for_keys(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Somebody with a page before them."""

    bank: MemoryBank
    desk: Desk
    door: Door = field(repr=False)
    visit: str | None = field(default=None, repr=False)  #: what their browser is known by
    page: Scope | None = None  #: whose mind the page was opened for; None: whosever is on the desk

    @property
    def scope(self) -> Scope | None:
        """Whose mind their page is about, also when another tab of the browser has turned to another one meanwhile."""
        return self.page if self.page is not None else self.desk.scope

    @property
    def own_desk(self) -> Desk:
        """The desk for what is picked: what lies there belongs to the mind on it. Of another's page nothing is kept."""
        return self.desk if self.desk.scope == self.scope else Desk()

    @property
    def language(self) -> Language:
        return self.desk.language or cast(Language, self.bank.settings.language)

    @property
    def words(self) -> Words:
        return words_in(self.language)

    async def who(self) -> Caller | None:
        """Return who they are, as their key is now; None: nobody who may be here. Raises `TurnedAway`."""
        return await self.door.visitor(self.visit)

    def lives(self) -> bool:
        """Note that they have done something; return whether they are known."""
        return self.door.lives(self.visit)

    async def caller(self, *, counts: bool = False) -> Caller:
        """Return who they are. Raises `Gone`, and where it is a use of their key (`counts`) `TurnedAway`."""
        caller = await self.door.visitor(self.visit, counts=counts)
        if caller is None:
            raise Gone
        return caller

    async def mind(self, role: Role = "reader") -> Mind:
        """Return the mind of their page. Raises `Forbidden` unless they may do there what `role` may.

        Whatever is more than reading is a use of their key, as a request is.
        """
        if self.scope is None:
            raise Forbidden("no mind is chosen")
        caller = await self.caller(counts=role != "reader")
        caller.check(role, self.scope)
        if role == "reader":
            await self.notes_reading(caller, self.scope)
        return self.bank.mind(self.scope)

    async def notes_reading(self, caller: Caller, scope: Scope, what: str = "pages") -> None:
        """Note that they look at what is somebody else's."""
        await note_reading(self.bank, caller, scope, what)

    async def may(self, role: Role) -> bool:
        """Whether they may do with the mind of their page what `role` may."""
        try:
            (await self.caller()).check(role, self.scope)
        except Forbidden:
            return False
        return self.scope is not None

    async def ask(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Read from the mind of their page, in a thread: `await visitor.ask(Mind.facts, history=True)`."""
        return await asyncio.to_thread(partial(what, await self.mind("reader"), *given, **named))

    async def change(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Write to the mind of their page, in a thread: `await visitor.change(Mind.forget, id)`."""
        mind = await self.mind("writer")
        with acting_for(await self.caller()):
            return await asyncio.to_thread(partial(what, mind, *given, **named))


def seat(scope: MutableMapping[str, Any], visitor: Visitor) -> None:
    """Note in an ASGI scope who is visiting."""
    scope[_PLACE] = visitor


def visitor_in(scope: Mapping[str, Any]) -> Visitor:
    visitor = scope[_PLACE]
    assert isinstance(visitor, Visitor)
    return visitor
