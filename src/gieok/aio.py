"""gieok for asyncio: the same objects, each call forwarded to a thread.

A thin forwarder, not a second implementation: `await letia.recall(…)` runs `Mind.recall` off the event loop.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from types import EllipsisType
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from gieok.bank import MemoryBank, Mind, open_bank
from gieok.bank.backing_up import Restored
from gieok.bank.backing_up import restore as restore_backup
from gieok.bank.backstage import Deepened
from gieok.bank.disclosing import Exported
from gieok.bank.events import Follower, Handler
from gieok.bank.keeping import Grounds
from gieok.bank.living import Feeling, Step
from gieok.bank.models import Upstream
from gieok.bank.pages import Month
from gieok.bank.rekeying import rekey as rekey_bank
from gieok.bank.relating import MannerStep, Regard
from gieok.bank.versions import Version
from gieok.domain.actor import Actor
from gieok.domain.answer import CallSum, Context, Hit, Item, Observed, Trace
from gieok.domain.audit import Deed, Verified
from gieok.domain.decision import Decision
from gieok.domain.entity import Entity, Surroundings
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.memory import Change, Hold, Memory, Provisions
from gieok.domain.operation import Operation
from gieok.domain.relationship import Manners, Relationship
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.turn import Turn
from gieok.domain.upkeep import Outlook, PassName
from gieok.export.about_me import AboutMe
from gieok.language.mood import Mood
from gieok.maintain.maintainer import Upkept
from gieok.ports import About, BankInfo, Holdings, Leaf, ScopeSummary, TakenIn
from gieok.settings import Settings
from gieok.stores.backups import Backup

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def open(location: str | os.PathLike[str] | None = None, **options: Any) -> AsyncBank:
    """Open a bank as `gieok.open` does."""
    return AsyncBank(await asyncio.to_thread(open_bank, location, **options))


async def restore(*arguments: Any, **options: Any) -> Restored:
    """Put a backup back as `gieok.restore` does."""
    return await asyncio.to_thread(restore_backup, *arguments, **options)


async def rekey(*arguments: Any, **options: Any) -> Settings:
    """Give a bank's file another key as `gieok.rekey` does."""
    return await asyncio.to_thread(rekey_bank, *arguments, **options)


def _forwarded(name: str) -> Callable[..., Any]:
    async def forward(self: Any, *arguments: Any, **options: Any) -> Any:
        return await asyncio.to_thread(getattr(self.sync, name), *arguments, **options)

    forward.__name__ = name
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

    if TYPE_CHECKING:

        async def observe(self, *arguments: Any, **options: Any) -> Observed: ...
        async def remember(self, *arguments: Any, **options: Any) -> Decision: ...
        async def recall(self, *arguments: Any, **options: Any) -> list[Hit]: ...
        async def context(self, *arguments: Any, **options: Any) -> Context: ...
        async def items(self, *arguments: Any, **options: Any) -> dict[str, Item]: ...
        async def facts(self, *arguments: Any, **options: Any) -> list[Memory]: ...
        async def correct(self, *arguments: Any, **options: Any) -> Memory: ...
        async def pin(self, *arguments: Any, **options: Any) -> Memory: ...
        async def forget(self, *arguments: Any, **options: Any) -> Memory: ...
        async def rewind(self, *arguments: Any, **options: Any) -> tuple[str, ...]: ...
        async def turns(self, *arguments: Any, **options: Any) -> list[Turn]: ...
        async def turn(self, *arguments: Any, **options: Any) -> Turn: ...
        async def restore(self, *arguments: Any, **options: Any) -> Memory: ...
        async def memories(self, *arguments: Any, **options: Any) -> list[Leaf]: ...
        async def story(self, *arguments: Any, **options: Any) -> list[Leaf]: ...
        async def months(self, *arguments: Any, **options: Any) -> list[Month]: ...
        async def subjects(self) -> list[About]: ...
        async def sources(self, *arguments: Any, **options: Any) -> list[Turn]: ...
        async def lineage(self, memory_id: str) -> list[Memory]: ...
        async def present(self) -> datetime: ...
        async def strengths(self, memories: Iterable[Memory]) -> dict[str, float]: ...
        async def memory(self, *arguments: Any, **options: Any) -> Memory: ...
        async def last_operations(self, *arguments: Any, **options: Any) -> list[Operation]: ...
        async def summaries(self, *arguments: Any, **options: Any) -> list[Memory]: ...
        async def history(self, *arguments: Any, **options: Any) -> list[tuple[Operation, Change]]: ...
        async def versions(self, memory_id: str) -> list[Version]: ...
        async def observed(self, *arguments: Any, **options: Any) -> Observed: ...
        async def trace(self, *arguments: Any, **options: Any) -> Trace: ...
        async def silence(self, *arguments: Any, **options: Any) -> tuple[Mood, ...]: ...
        async def journal(self, *arguments: Any, **options: Any) -> list[Operation]: ...
        async def reroll(self, *arguments: Any, **options: Any) -> Observed: ...
        async def edit(self, *arguments: Any, **options: Any) -> Observed: ...
        async def instead(self, *arguments: Any, **options: Any) -> Observed: ...
        async def maintain(self, *arguments: Any, **options: Any) -> Upkept: ...
        async def upkept(self, *arguments: Any, **options: Any) -> Upkept: ...
        async def due(self, *arguments: Any, **options: Any) -> tuple[PassName, ...]: ...
        async def outlook(self, *arguments: Any, **options: Any) -> tuple[Outlook, ...]: ...
        async def conclusions(self) -> list[Memory]: ...
        async def grounds(self, *arguments: Any, **options: Any) -> dict[str, Grounds]: ...
        async def holdings(self) -> Holdings: ...
        async def erase(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def forget_said(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def scrub(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def period(self, when: str) -> tuple[datetime | None, datetime | None]: ...
        async def deepen(self) -> Deepened: ...
        async def relationship(self, *arguments: Any, **options: Any) -> Relationship: ...
        async def trajectory(self, *arguments: Any, **options: Any) -> list[Step]: ...
        async def manners(self, *arguments: Any, **options: Any) -> Manners: ...
        async def course(self, *arguments: Any, **options: Any) -> list[Step]: ...
        async def level_changes(self, *arguments: Any, **options: Any) -> list[Step]: ...
        async def manner_changes(self, *arguments: Any, **options: Any) -> list[MannerStep]: ...
        async def regards(self, *arguments: Any, **options: Any) -> list[Regard]: ...
        async def courses_of_regard(self, *arguments: Any, **options: Any) -> dict[str, list[Regard]]: ...
        async def surroundings(self, *arguments: Any, **options: Any) -> Surroundings: ...
        async def emotions(self, *arguments: Any, **options: Any) -> list[Feeling]: ...
        async def entities(self, *arguments: Any, **options: Any) -> list[Entity]: ...
        async def entity(self, *arguments: Any, **options: Any) -> Entity: ...
        async def frequent_contacts(self, *arguments: Any, **options: Any) -> tuple[Entity, ...]: ...
        async def same_person(self, *arguments: Any, **options: Any) -> Entity: ...
        async def different_people(self, *arguments: Any, **options: Any) -> Entity: ...
        async def scenes(self, *arguments: Any, **options: Any) -> list[Scene]: ...
        async def scene(self, *arguments: Any, **options: Any) -> Scene | None: ...
        async def start_scene(self, *arguments: Any, **options: Any) -> Scene: ...
        async def end_scene(self, *arguments: Any, **options: Any) -> Scene | None: ...
        async def shared_experiences(self, *arguments: Any, **options: Any) -> tuple[Scene, ...]: ...
        async def last_time(self, *arguments: Any, **options: Any) -> Scene | None: ...
        async def timeline(self, *arguments: Any, **options: Any) -> list[Memory]: ...
        async def about_me(self) -> AboutMe: ...
    else:
        observe = _forwarded("observe")
        remember = _forwarded("remember")
        recall = _forwarded("recall")
        context = _forwarded("context")
        items = _forwarded("items")
        facts = _forwarded("facts")
        correct = _forwarded("correct")
        pin = _forwarded("pin")
        forget = _forwarded("forget")
        rewind = _forwarded("rewind")
        turns = _forwarded("turns")
        turn = _forwarded("turn")
        restore = _forwarded("restore")
        memories = _forwarded("memories")
        story = _forwarded("story")
        months = _forwarded("months")
        subjects = _forwarded("subjects")
        sources = _forwarded("sources")
        lineage = _forwarded("lineage")
        present = _forwarded("present")
        strengths = _forwarded("strengths")
        memory = _forwarded("memory")
        last_operations = _forwarded("last_operations")
        summaries = _forwarded("summaries")
        history = _forwarded("history")
        versions = _forwarded("versions")
        observed = _forwarded("observed")
        trace = _forwarded("trace")
        items = _forwarded("items")
        silence = _forwarded("silence")
        journal = _forwarded("journal")
        reroll = _forwarded("reroll")
        edit = _forwarded("edit")
        instead = _forwarded("instead")
        maintain = _forwarded("maintain")
        upkept = _forwarded("upkept")
        due = _forwarded("due")
        outlook = _forwarded("outlook")
        conclusions = _forwarded("conclusions")
        grounds = _forwarded("grounds")
        holdings = _forwarded("holdings")
        erase = _forwarded("erase")
        forget_said = _forwarded("forget_said")
        scrub = _forwarded("scrub")
        period = _forwarded("period")
        deepen = _forwarded("deepen")
        relationship = _forwarded("relationship")
        trajectory = _forwarded("trajectory")
        manners = _forwarded("manners")
        course = _forwarded("course")
        level_changes = _forwarded("level_changes")
        manner_changes = _forwarded("manner_changes")
        regards = _forwarded("regards")
        courses_of_regard = _forwarded("courses_of_regard")
        surroundings = _forwarded("surroundings")
        emotions = _forwarded("emotions")
        entities = _forwarded("entities")
        entity = _forwarded("entity")
        frequent_contacts = _forwarded("frequent_contacts")
        same_person = _forwarded("same_person")
        different_people = _forwarded("different_people")
        scenes = _forwarded("scenes")
        scene = _forwarded("scene")
        start_scene = _forwarded("start_scene")
        end_scene = _forwarded("end_scene")
        shared_experiences = _forwarded("shared_experiences")
        last_time = _forwarded("last_time")
        timeline = _forwarded("timeline")
        about_me = _forwarded("about_me")


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
        """Return the context of each scope for one question, in the order given, worked out side by side."""
        minds = [each if isinstance(each, AsyncMind) else self.mind(each) for each in scopes]
        return list(await asyncio.gather(*(mind.context(query, budget=budget) for mind in minds)))

    def wake(self, scope: Scope) -> None:
        """Have models work behind the scenes in `scope`; returns at once."""
        self.sync.wake(scope)

    def acting_as(self, name: str) -> AbstractContextManager[None]:
        """Have what is written meanwhile be done by the person of that name."""
        return self.sync.acting_as(name)

    def is_unread(self, scope: Scope, actor: Actor) -> bool:
        """Whether it would be news that somebody reads a scope."""
        return self.sync.is_unread(scope, actor)

    async def audit_records(self, *arguments: Any, **options: Any) -> list[dict[str, Any]]:
        """Return the audit log as records for a file."""
        return await asyncio.to_thread(lambda: list(self.sync.audit_records(*arguments, **options)))

    def on(self, event: str, handler: Handler) -> Callable[[], None]:
        """Call `handler`, in a worker thread, with every event of that name; the result, called, takes it back."""
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

    if TYPE_CHECKING:

        async def scopes(self, *arguments: Any, **options: Any) -> list[ScopeSummary]: ...
        async def latest_scopes(self, *arguments: Any, **options: Any) -> list[ScopeSummary]: ...
        async def latest_scope(self, *arguments: Any, **options: Any) -> Scope | None: ...
        async def holdings(self, scope: Scope) -> Holdings: ...
        async def erase(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def erase_asked(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def scrub(self, *arguments: Any, **options: Any) -> Erasure: ...
        async def prove(self) -> list[Certificate]: ...
        async def certificates(self, *arguments: Any, **options: Any) -> list[Certificate]: ...
        async def hold(self, *arguments: Any, **options: Any) -> Hold: ...
        async def release(self, scope: Scope) -> None: ...
        async def keep_for(self, *arguments: Any, **options: Any) -> None: ...
        async def provisions(self, scope: Scope) -> Provisions: ...
        async def audit(self, *arguments: Any, **options: Any) -> list[Deed]: ...
        async def verify_audit(self, *arguments: Any, **options: Any) -> Verified: ...
        async def note_read(self, *arguments: Any, **options: Any) -> None: ...
        async def scopes_of(self, *arguments: Any, **options: Any) -> list[Scope]: ...
        async def export(self, *arguments: Any, **options: Any) -> Exported: ...
        async def import_export(self, *arguments: Any, **options: Any) -> list[TakenIn]: ...
        async def info(self) -> BankInfo: ...
        async def backup(self, *arguments: Any, **options: Any) -> Backup: ...
        async def calls(self) -> list[CallSum]: ...
        async def upstream(self) -> Upstream | None: ...
        async def warm(self) -> None: ...
        async def settle(self, seconds: float | None = None) -> bool: ...
        async def close(self) -> None: ...
    else:
        scopes = _forwarded("scopes")
        latest_scopes = _forwarded("latest_scopes")
        latest_scope = _forwarded("latest_scope")
        holdings = _forwarded("holdings")
        erase = _forwarded("erase")
        erase_asked = _forwarded("erase_asked")
        scrub = _forwarded("scrub")
        prove = _forwarded("prove")
        certificates = _forwarded("certificates")
        hold = _forwarded("hold")
        release = _forwarded("release")
        keep_for = _forwarded("keep_for")
        provisions = _forwarded("provisions")
        audit = _forwarded("audit")
        verify_audit = _forwarded("verify_audit")
        note_read = _forwarded("note_read")
        scopes_of = _forwarded("scopes_of")
        export = _forwarded("export")
        import_export = _forwarded("import_export")
        info = _forwarded("info")
        backup = _forwarded("backup")
        calls = _forwarded("calls")
        upstream = _forwarded("upstream")
        warm = _forwarded("warm")
        settle = _forwarded("settle")
        close = _forwarded("close")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
