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


def _forward(
    method: Callable[Concatenate[Sync, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Coroutine[Any, Any, Result]]:
    """Return `method` of `sync` as a coroutine function with the same signature."""

    @wraps(method)
    async def forward(self: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        result: Result = await asyncio.to_thread(getattr(self.sync, method.__name__), *arguments, **options)
        return result

    return forward


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

    observe = _forward(Mind.observe)
    observe_many = _forward(Mind.observe_many)
    read_unread = _forward(Mind.read_unread)
    remember = _forward(Mind.remember)
    recall = _forward(Mind.recall)
    context = _forward(Mind.context)
    items = _forward(Mind.items)
    facts = _forward(Mind.facts)
    doubtful = _forward(Mind.doubtful)
    correct = _forward(Mind.correct)
    pin = _forward(Mind.pin)
    confirm = _forward(Mind.confirm)
    reject = _forward(Mind.reject)
    forget = _forward(Mind.forget)
    rewind = _forward(Mind.rewind)
    turns = _forward(Mind.turns)
    turn = _forward(Mind.turn)
    restore = _forward(Mind.restore)
    memories = _forward(Mind.memories)
    story = _forward(Mind.story)
    months = _forward(Mind.months)
    subjects = _forward(Mind.subjects)
    sources = _forward(Mind.sources)
    lineage = _forward(Mind.lineage)
    present = _forward(Mind.present)
    strengths = _forward(Mind.strengths)
    memory = _forward(Mind.memory)
    last_operations = _forward(Mind.last_operations)
    summaries = _forward(Mind.summaries)
    history = _forward(Mind.history)
    versions = _forward(Mind.versions)
    observed = _forward(Mind.observed)
    trace = _forward(Mind.trace)
    silence = _forward(Mind.silence)
    journal = _forward(Mind.journal)
    reroll = _forward(Mind.reroll)
    edit = _forward(Mind.edit)
    instead = _forward(Mind.instead)
    maintain = _forward(Mind.maintain)
    upkept = _forward(Mind.upkept)
    due = _forward(Mind.due)
    outlook = _forward(Mind.outlook)
    conclusions = _forward(Mind.conclusions)
    grounds = _forward(Mind.grounds)
    holdings = _forward(Mind.holdings)
    erase = _forward(Mind.erase)
    forget_said = _forward(Mind.forget_said)
    scrub = _forward(Mind.scrub)
    period = _forward(Mind.period)
    deepen = _forward(Mind.deepen)
    relationship = _forward(Mind.relationship)
    trajectory = _forward(Mind.trajectory)
    manners = _forward(Mind.manners)
    course = _forward(Mind.course)
    level_changes = _forward(Mind.level_changes)
    manner_changes = _forward(Mind.manner_changes)
    regards = _forward(Mind.regards)
    courses_of_regard = _forward(Mind.courses_of_regard)
    surroundings = _forward(Mind.surroundings)
    emotions = _forward(Mind.emotions)
    entities = _forward(Mind.entities)
    entity = _forward(Mind.entity)
    frequent_contacts = _forward(Mind.frequent_contacts)
    same_person = _forward(Mind.same_person)
    different_people = _forward(Mind.different_people)
    scenes = _forward(Mind.scenes)
    scene = _forward(Mind.scene)
    start_scene = _forward(Mind.start_scene)
    end_scene = _forward(Mind.end_scene)
    shared_experiences = _forward(Mind.shared_experiences)
    last_time = _forward(Mind.last_time)
    timeline = _forward(Mind.timeline)
    about_me = _forward(Mind.about_me)


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

    scopes = _forward(MemoryBank.scopes)
    latest_scopes = _forward(MemoryBank.latest_scopes)
    latest_scope = _forward(MemoryBank.latest_scope)
    holdings = _forward(MemoryBank.holdings)
    erase = _forward(MemoryBank.erase)
    erase_asked = _forward(MemoryBank.erase_asked)
    scrub = _forward(MemoryBank.scrub)
    prove = _forward(MemoryBank.prove)
    certificates = _forward(MemoryBank.certificates)
    lift = _forward(MemoryBank.lift)
    erase_again = _forward(MemoryBank.erase_again)
    hold = _forward(MemoryBank.hold)
    release = _forward(MemoryBank.release)
    keep_for = _forward(MemoryBank.keep_for)
    provisions = _forward(MemoryBank.provisions)
    audit = _forward(MemoryBank.audit)
    verify_audit = _forward(MemoryBank.verify_audit)
    note_read = _forward(MemoryBank.note_read)
    scopes_of = _forward(MemoryBank.scopes_of)
    export = _forward(MemoryBank.export)
    import_export = _forward(MemoryBank.import_export)
    info = _forward(MemoryBank.info)
    backup = _forward(MemoryBank.backup)
    calls = _forward(MemoryBank.calls)
    upstream = _forward(MemoryBank.upstream)
    warm = _forward(MemoryBank.warm)
    settle = _forward(MemoryBank.settle)
    close = _forward(MemoryBank.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
