"""What callers do is done in their name, and what they read of others is noted."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Protocol

from gieok.access.caller import Caller
from gieok.domain.acting import Actor, acting_as
from gieok.domain.scope import Scope


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
