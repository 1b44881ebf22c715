"""gieok for asyncio: the same objects, each call forwarded to a thread.

`await letia.recall(…)` runs `Mind.recall` off the event loop. Signatures and documentation are those of the calls that
are forwarded to.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import wraps
from types import EllipsisType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from gieok.bank import MemoryBank, Mind, open_bank
from gieok.bank.events import Follower, Handler
from gieok.bank.restore import Restored
from gieok.bank.restore import rekey as rekey_bank
from gieok.bank.restore import restore as restore_backup
from gieok.domain.actor import Actor
from gieok.domain.answer import Context
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.upkeep import Upkept
from gieok.settings import Settings

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Sync = TypeVar("Sync")


async def open(location: str | os.PathLike[str] | None = None, **options: Any) -> AsyncBank:
    """Open a bank as `gieok.open` does."""
    return AsyncBank(await asyncio.to_thread(open_bank, location, **options))


async def restore(*arguments: Any, **options: Any) -> Restored:
    """Restore a backup as `gieok.restore` does."""
    return await asyncio.to_thread(restore_backup, *arguments, **options)


async def rekey(*arguments: Any, **options: Any) -> Settings:
    """Change the key of a bank's file as `gieok.rekey` does."""
    return await asyncio.to_thread(rekey_bank, *arguments, **options)


def forward(
    method: Callable[Concatenate[Sync, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Coroutine[Any, Any, Result]]:
    """Return `method` of `sync` as a coroutine function with the same signature."""

    @wraps(method)
    async def forwarded(self: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        result: Result = await asyncio.to_thread(getattr(self.sync, method.__name__), *arguments, **options)
        return result

    return forwarded


class AsyncMind:
    """A `Mind` whose calls are awaited. `sync` is the mind behind it."""

    def __init__(self, mind: Mind) -> None:
        self.sync = mind
        self.key = mind.key

    def __repr__(self) -> str:
        return f"AsyncMind({self.key})"

    def under(self, settings: Settings) -> AsyncMind:
        """Return this mind as it recalls and assembles under other settings."""
        return AsyncMind(self.sync.under(settings))

    observe = forward(Mind.observe)
    remember = forward(Mind.remember)
    recall = forward(Mind.recall)
    context = forward(Mind.context)
    items = forward(Mind.items)
    facts = forward(Mind.facts)
    doubtful = forward(Mind.doubtful)
    correct = forward(Mind.correct)
    pin = forward(Mind.pin)
    confirm = forward(Mind.confirm)
    reject = forward(Mind.reject)
    forget = forward(Mind.forget)
    rewind = forward(Mind.rewind)
    turns = forward(Mind.turns)
    turn = forward(Mind.turn)
    restore = forward(Mind.restore)
    memories = forward(Mind.memories)
    story = forward(Mind.story)
    months = forward(Mind.months)
    subjects = forward(Mind.subjects)
    sources = forward(Mind.sources)
    lineage = forward(Mind.lineage)
    present = forward(Mind.present)
    strengths = forward(Mind.strengths)
    memory = forward(Mind.memory)
    last_operations = forward(Mind.last_operations)
    summaries = forward(Mind.summaries)
    history = forward(Mind.history)
    versions = forward(Mind.versions)
    observed = forward(Mind.observed)
    trace = forward(Mind.trace)
    silence = forward(Mind.silence)
    journal = forward(Mind.journal)
    reroll = forward(Mind.reroll)
    edit = forward(Mind.edit)
    instead = forward(Mind.instead)
    maintain = forward(Mind.maintain)
    upkept = forward(Mind.upkept)
    due = forward(Mind.due)
    outlook = forward(Mind.outlook)
    conclusions = forward(Mind.conclusions)
    grounds = forward(Mind.grounds)
    holdings = forward(Mind.holdings)
    erase = forward(Mind.erase)
    forget_said = forward(Mind.forget_said)
    scrub = forward(Mind.scrub)
    period = forward(Mind.period)
    deepen = forward(Mind.deepen)
    relationship = forward(Mind.relationship)
    trajectory = forward(Mind.trajectory)
    manners = forward(Mind.manners)
    course = forward(Mind.course)
    level_changes = forward(Mind.level_changes)
    manner_changes = forward(Mind.manner_changes)
    regards = forward(Mind.regards)
    courses_of_regard = forward(Mind.courses_of_regard)
    surroundings = forward(Mind.surroundings)
    emotions = forward(Mind.emotions)
    entities = forward(Mind.entities)
    entity = forward(Mind.entity)
    frequent_contacts = forward(Mind.frequent_contacts)
    same_person = forward(Mind.same_person)
    different_people = forward(Mind.different_people)
    scenes = forward(Mind.scenes)
    scene = forward(Mind.scene)
    start_scene = forward(Mind.start_scene)
    end_scene = forward(Mind.end_scene)
    shared_experiences = forward(Mind.shared_experiences)
    last_time = forward(Mind.last_time)
    timeline = forward(Mind.timeline)
    about_me = forward(Mind.about_me)


class AsyncBank:
    """A `MemoryBank` whose calls are awaited. `sync` is the bank behind it."""

    def __init__(self, bank: MemoryBank) -> None:
        self.sync = bank

    def scope(
        self,
        *,
        user: str | EllipsisType = ...,
        character: str | None = None,
        world: str | None = None,
        weights: Weights | Mapping[str, float] | None = None,
    ) -> AsyncMind:
        return AsyncMind(self.sync.scope(user=user, character=character, world=world, weights=weights))

    def mind(self, scope: Scope, *, weights: Weights | Mapping[str, float] | None = None) -> AsyncMind:
        return AsyncMind(self.sync.mind(scope, weights=weights))

    async def contexts(
        self, scopes: Iterable[Scope | AsyncMind], query: str, *, budget: int | None = None
    ) -> list[Context]:
        """Return the context of each scope for one question, in the order given, made concurrently."""
        minds = [each if isinstance(each, AsyncMind) else self.mind(each) for each in scopes]
        return list(await asyncio.gather(*(mind.context(query, budget=budget) for mind in minds)))

    def wake(self, scope: Scope) -> None:
        """Start the models' background work in `scope`; returns at once."""
        self.sync.wake(scope)

    def acting_as(self, name: str) -> AbstractContextManager[None]:
        """Record what is written meanwhile as done by this person."""
        return self.sync.acting_as(name)

    def is_unread(self, scope: Scope, actor: Actor) -> bool:
        """Return whether `note_read` would note it."""
        return self.sync.is_unread(scope, actor)

    async def audit_records(self, *arguments: Any, **options: Any) -> list[dict[str, Any]]:
        """Return the audit log as records for a file."""
        return await asyncio.to_thread(lambda: list(self.sync.audit_records(*arguments, **options)))

    def on(self, event: str, handler: Handler) -> Callable[[], None]:
        """Call `handler`, in a worker thread, with every event of that name. Call the result to unsubscribe."""
        return self.sync.on(event, handler)

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower`, in a worker thread, with all events of an operation before its caller goes on."""
        return self.sync.follow(follower)

    async def exported(self, **options: Any) -> AsyncIterator[bytes]:
        """Yield the file that `export` writes, piece by piece."""
        pieces = await asyncio.to_thread(self.sync.exported, **options)
        while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
            yield piece

    async def maintain(self, *arguments: Any, **options: Any) -> list[Upkept]:
        """Do the upkeep that is due in every scope."""
        return await asyncio.to_thread(lambda: list(self.sync.maintain(*arguments, **options)))

    scopes = forward(MemoryBank.scopes)
    latest_scopes = forward(MemoryBank.latest_scopes)
    latest_scope = forward(MemoryBank.latest_scope)
    holdings = forward(MemoryBank.holdings)
    erase = forward(MemoryBank.erase)
    erase_asked = forward(MemoryBank.erase_asked)
    scrub = forward(MemoryBank.scrub)
    prove = forward(MemoryBank.prove)
    certificates = forward(MemoryBank.certificates)
    hold = forward(MemoryBank.hold)
    release = forward(MemoryBank.release)
    keep_for = forward(MemoryBank.keep_for)
    provisions = forward(MemoryBank.provisions)
    audit = forward(MemoryBank.audit)
    verify_audit = forward(MemoryBank.verify_audit)
    note_read = forward(MemoryBank.note_read)
    scopes_of = forward(MemoryBank.scopes_of)
    export = forward(MemoryBank.export)
    import_export = forward(MemoryBank.import_export)
    info = forward(MemoryBank.info)
    backup = forward(MemoryBank.backup)
    calls = forward(MemoryBank.calls)
    upstream = forward(MemoryBank.upstream)
    warm = forward(MemoryBank.warm)
    settle = forward(MemoryBank.settle)
    close = forward(MemoryBank.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
