"""The bank: all memories in one file or database. It connects the services and contains no rules."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import EllipsisType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, cast

from gieok import embedders, stores
from gieok.bank.backups import BackupSchedule, back_up
from gieok.bank.events import Follower, Handler, Listeners
from gieok.bank.inputs import composed, listed
from gieok.bank.mind import PERSON, Mind
from gieok.bank.models import JobRunner, Models, Upstream, collect
from gieok.bank.privacy import (
    Erasures,
    Expiry,
    Exported,
    RecentReads,
    chain_record,
    export_pieces,
    log_mask_of,
    mask_of,
    write_whole,
)
from gieok.bank.services import Services, iter_scopes
from gieok.domain.actor import Actor, acting_as, person
from gieok.domain.answer import CallSum, Context, ModelCall
from gieok.domain.audit import Deed, Verified, deed_record, parsed_json
from gieok.domain.erasure import Certificate, Erasing, Erasure, checked_erasure, checked_part
from gieok.domain.memory import Hold, Provisions, checked_days
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.server_state import Bounds
from gieok.domain.turn import Turn
from gieok.errors import (
    BankClosed,
    ErrorText,
    InvalidExport,
    InvalidQuery,
    InvalidScope,
    UnknownCertificate,
    UnknownUser,
)
from gieok.export.archive import unpacked
from gieok.export.page import Chapter
from gieok.ports import (
    BankInfo,
    Clock,
    Embedder,
    Extractor,
    Holdings,
    Hooks,
    Masker,
    Model,
    ScopeSummary,
    Store,
    TakenIn,
    Watch,
)
from gieok.settings import Settings, load
from gieok.stores.backups import Backup

if TYPE_CHECKING:
    from gieok.domain.memory import Days
    from gieok.domain.upkeep import PassName, Upkept


log = logging.getLogger(__name__)

_CLOSE_SECONDS: Final = 5.0  #: how long closing waits for a model or a backup
_HANG_UP_SECONDS: Final = 2.0  #: … and for jobs to notice that the model was closed
_TURNS_AT_ONCE: Final = 200  #: turns per page of an export


class NoWatch:
    """A `Watch` that records nothing."""

    def took(self, what: str, part: str, seconds: float) -> None: ...

    def counted(self, what: str, part: str, by: float = 1.0) -> None: ...


class SystemClock:
    """Wall time, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def open_bank(
    location: str | os.PathLike[str] | None = None,
    *,
    settings: Settings | None = None,
    embedder: Embedder | str | None = None,
    extractor: Extractor | None = None,
    clock: Clock | None = None,
    model: Model | None = None,
    deep_model: Model | None = None,
    watch: Watch | None = None,
    **overrides: object,
) -> MemoryBank:
    """Open the bank at `location`; create it if it does not exist.

    Settings come from gieok.toml and GIEOK_*, unless given; `overrides` are single settings; `embedder` is an object
    or a name. A file that is not a bank, or was built with another embedder, is refused and left unchanged.
    """
    named = embedder if isinstance(embedder, str) else None
    if settings is None:
        settings = load(given={"bank": location, "embedder": named, **overrides})
    elif location is not None or named is not None or overrides:
        raise InvalidQuery("give either settings or a location with single settings, not both")
    own = None if isinstance(embedder, str) else embedder
    return MemoryBank(
        settings, embedder=own, extractor=extractor, clock=clock, model=model, deep_model=deep_model, watch=watch
    )


class MemoryBank:
    """All memories in one place. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        clock: Clock | None = None,
        mask: Masker | None = None,
        store: Store | None = None,
        model: Model | None = None,
        deep_model: Model | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Open the bank. A given `model` or `deep_model` replaces the configured one."""
        from gieok.language import morphemes

        morphemes.use(settings.profile)
        self.settings = settings
        self.watch: Watch = watch or NoWatch()  #: counts and times operations
        self.clock: Clock = clock or SystemClock()
        self._models = Models(settings, record=self._note_call, now=self.clock.now, fast=model, deep=deep_model)
        self.embedder: Embedder = embedder or embedders.create(
            settings.embedder, url=settings.embedder_url, key=settings.embedder_key, cache=settings.model_cache
        )
        self._made_embedder = embedder is None
        self._listeners = Listeners()
        self._reads = RecentReads()
        opened: Store = store or stores.open_store(
            settings.bank,
            embedder=self.embedder.name,
            dimension=self.embedder.dimension,
            **settings.opened_with,
            cache_bytes=settings.index_cache_mb * 1024 * 1024,
            pool=settings.postgres_pool,
            seconds=settings.postgres_seconds,
            keyword=settings.keyword,
            prepare=settings.postgres_prepare,
            replicas=(settings.postgres_replicas or "").split(),
            staleness=settings.postgres_staleness,
        )
        expiry = Expiry(
            days=cast("Days", settings.retention),
            clock=self.clock,
            expire=lambda scope: self.services.maintainer.let_expire(scope),
        )
        hooks = Hooks(on_enter=expiry, on_apply=self._listeners.on_apply)
        masking = mask or mask_of(settings)
        self.store = opened.hooked(hooks)
        quoting = self.store  #: for text that is quoted, indexed or shown to a model
        if settings.pii_turns == "keep":
            quoting = opened.hooked(replace(hooks, mask=lambda text: masking(text).text))
        self.services = Services(
            settings=settings,
            store=quoting,
            embedder=self.embedder,
            clock=self.clock,
            mask=masking,
            log_mask=log_mask_of(settings),
            given_extractor=extractor,
            models=self._models,
            watch=self.watch,
        )
        self._jobs = JobRunner(lambda scope: self.services.model_jobs(scope))
        self._erasures = Erasures(services=self.services, jobs=self._jobs, store=self.store)
        self._backups = BackupSchedule(self) if store is None else None

    def scope(
        self,
        *,
        user: str | EllipsisType = ...,
        character: str | None = None,
        world: str | None = None,
        weights: Weights | Mapping[str, float] | None = None,
    ) -> Mind:
        """Return the mind of `character` for `user` in `world`. Without `user` it is canon, which all may read.

        `user=None` is refused: a lost session must not write into canon. `weights` apply to this handle only; they are
        not stored.
        """
        if user is None:
            raise InvalidScope(ErrorText("scope.user_is_none"))
        named = None if isinstance(user, EllipsisType) else user
        return Mind(self, Scope(user=named, character=character, world=world), weights=weights)

    def mind(self, scope: Scope, *, weights: Weights | Mapping[str, float] | None = None) -> Mind:
        """Return the mind of a `Scope`; `scope` takes the names instead."""
        return Mind(self, scope, weights=weights)

    def contexts(self, scopes: Iterable[Scope | Mind], query: str, *, budget: int | None = None) -> list[Context]:
        """Return the context of each scope for one question, in the given order."""
        minds = (each if isinstance(each, Mind) else self.mind(each) for each in scopes)
        return [mind.context(query, budget=budget) for mind in minds]

    # Scopes

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (after `after`) with their sizes, sorted by name; without a limit, all.

        `within` limits them to the bounds of an access key.
        """
        return self.store.scopes(limit, after=after, within=within)

    def latest_scopes(
        self,
        limit: int = 50,
        *,
        after: ScopeSummary | None = None,
        text: str | None = None,
        within: Sequence[Bounds] = (),
    ) -> list[ScopeSummary]:
        """Return scopes (after `after`), sorted by newest turn, latest first.

        `text`: every word of it is in their names. `within` limits them to the bounds of an access key.
        """
        words = composed(text or "").split()
        return self.store.latest_scopes(limit, after=after, words=words, within=within)

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the scope with the newest turn."""
        return self.store.latest_scope(within)

    def scopes_of(self, user: str, *, character: str | None = None, world: str | None = None) -> list[Scope]:
        """Return the scopes of a user, optionally only those with this character or world."""
        return list(iter_scopes(self.store, [Bounds(user=user, character=character, world=world)]))

    def holdings(self, scope: Scope) -> Holdings:
        """Return how much is stored of a scope, in every state: everything that `erase` would remove."""
        return self.store.holdings(scope, self.services.present(scope))

    def info(self) -> BankInfo:
        """Return the schema, the embedder and the size of the bank."""
        return self.store.info()

    # Models and background work

    @property
    def model(self) -> Model | None:
        """The model that replies and extracts; None: not configured."""
        return self._models.fast

    @property
    def deep_model(self) -> Model | None:
        """The model that reflects and directs; None: not configured."""
        return self._models.deep

    def upstream(self) -> Upstream | None:
        """Return the endpoint that chats are forwarded to (`proxy_url`, else that of `llm`); None: not configured."""
        return self._models.upstream()

    def wake(self, scope: Scope) -> None:
        """Start the models' background work in `scope`, as after every turn; returns at once."""
        if self.settings.behind_the_scenes == "auto" and self.services.model_jobs.any:
            self._jobs.wake(scope)

    def settle(self, seconds: float | None = None) -> bool:
        """Wait for background work; return whether it finished within `seconds`."""
        return self._jobs.settle(seconds)

    def calls(self) -> list[CallSum]:
        """Return totals of all model calls by day (UTC), task, model and outcome."""
        return self.store.model_calls()

    def _note_call(self, call: ModelCall) -> None:
        collect(call)
        self.watch.took("model", call.task, call.seconds)
        self.watch.counted("model_calls", f"{call.task}/{call.failure or 'answered'}")
        self.watch.counted("model_tokens", f"{call.task}/asked", call.prompt_tokens)
        self.watch.counted("model_tokens", f"{call.task}/answered", call.answer_tokens)
        self.watch.counted("model_cost", call.task, call.cost)
        with suppress(BankClosed):  # a call may end after the bank was closed
            self.store.note_call(call)

    # Events

    def on(self, event: str, handler: Handler) -> Callable[[], None]:
        """Call `handler` with every `Event` of that name, after it is stored. Call the result to unsubscribe.

        Names are memory.remembered, memory.superseded, memory.forgotten, relationship.changed, emotion.changed,
        scene.started, reflected and others (`gieok.bank.events.EVENTS`); * means all. A failing handler is logged.
        """
        return self._listeners.add(event, handler)

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` with all events of an operation, after it is stored and before its caller resumes."""
        return self._listeners.follow(follower)

    # Upkeep

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Iterator[Upkept]:
        """Run the upkeep that is due, or the named `passes`, in each scope in turn; yield the results.

        Without named passes, forgotten memories are also erased from disk: see `scrub`.
        """
        wanted = None if passes is None else listed(passes, "passes")
        for scope in iter_scopes(self.store):
            yield self.mind(scope).upkept(cast("Iterable[PassName] | None", wanted), at=at, dry_run=dry_run)
        if wanted is None and not dry_run:
            self.scrub(prove=self.store.proves_quickly)

    def backup(
        self, target: str | os.PathLike[str] | None = None, *, full: bool = False, keep: int | None = None
    ) -> Backup:
        """Make a backup while the bank is in use: in a folder (default: `backup_folder`), or one file named ….db.

        In a folder, only changes since the last backup there are copied, unless `full`; all but the last `keep` are
        deleted. A backup is encrypted like the bank, and verified before it gets its name. Raises `BankInUse` while
        another one is being made there, `DiskFull` and the like; an unfinished backup is then removed. Use
        `gieok.restore` to restore it.
        """
        made = back_up(self.store, self.settings, target, full=full, keep=keep)
        assert made is not None, "it is made whether or not it is due"
        return made

    # Erasure and retention

    def erase(
        self,
        scope: Scope | None = None,
        *,
        user: str | None = None,
        character: str | None = None,
        world: str | None = None,
        session: str | None = None,
        turn: str | None = None,
        matching: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
        prove: bool = True,
    ) -> Erasure:
        """Erase data permanently, from the tables and from the files beneath them; return how much.

        Selects either one scope, or all scopes of a user, a character, a user with a character …; in these everything,
        or the turns of a `session`, one `turn`, those that contain `matching`, or those in a period of story time.
        Conditions are combined with "and". Other scopes are not touched. Raises `UnderHold` before anything is erased,
        and `ErasureUnproven` if the tables are clean but the files may still hold the data; call `prove()` to retry.
        """
        part = checked_part(session=session, turn=turn, matching=matching, since=since, until=until)
        asked = checked_erasure(scope, user=user, character=character, world=world, part=part)
        return self.erase_asked(asked, by=by, dry_run=dry_run, prove=prove)

    def erase_asked(self, asked: Erasing, *, by: str = PERSON, dry_run: bool = False, prove: bool = True) -> Erasure:
        """Erase what `asked` selects."""
        return self._erasures.erase(asked, by=by, dry_run=dry_run, prove=prove)

    def scrub(
        self, scopes: Iterable[Scope] | None = None, *, by: str = "scrub", dry_run: bool = False, prove: bool = True
    ) -> Erasure:
        """Erase what was forgotten or has expired in these scopes (None: in all); skip those under a hold.

        Also proves earlier erasures that are still unproven.
        """
        return self._erasures.scrub(scopes, by=by, dry_run=dry_run, prove=prove)

    def prove(self) -> list[Certificate]:
        """Remove remains of erased rows from the files; return the certificates that this proves."""
        return self._erasures.prove()

    def lift(self, certificate_id: str) -> int:
        """Allow data of an erasure to be learned again; return how many texts and facts it had blocked.

        Until then, a chat client that still shows it, an import or a restored backup does not bring it back.
        Raises `UnknownCertificate`. The certificate stays unchanged, and `audit()` records who lifted it.
        """
        if self.store.certificate(certificate_id) is None:
            raise UnknownCertificate(certificate_id)
        return self.store.lift(certificate_id)

    def erase_again(self, known: frozenset[str], *, by: str) -> dict[Scope, int]:
        """Erase again what was erased before and has come back, found by digests of this bank; see `gieok.restore`."""
        return self._erasures.erase_again(known, by=by)

    def certificates(self, limit: int = 100) -> list[Certificate]:
        """Return erasure certificates, the latest first."""
        return self.store.certificates(limit)

    def hold(self, scope: Scope, *, by: str = PERSON, why: str = "") -> Hold:
        """Put a scope under a hold: none of its data is erased or expires until `release`."""
        if not by.strip():
            raise InvalidQuery(ErrorText("hold.who"))
        hold = Hold(since=self.clock.now(), by=by, why=why)
        self.store.put_hold(scope, hold)
        return hold

    def release(self, scope: Scope) -> None:
        """Release the hold on a scope; without one, do nothing."""
        self.store.put_hold(scope, None)

    def keep_for(self, scope: Scope, days: Mapping[str, float | None] | None) -> None:
        """Set how many days a scope keeps each type of memory (None: forever), overriding the settings.

        With `days=None` the settings apply again.
        """
        self.store.put_retention(scope, None if days is None else checked_days(days))

    def provisions(self, scope: Scope) -> Provisions:
        """Return the hold on a scope and its retention settings."""
        with self.store.view(scope) as view:
            return view.provisions

    # Export

    def export(
        self, *, user: str, to: str | os.PathLike[str], character: str | None = None, world: str | None = None
    ) -> Exported:
        """Write all data of a user into one file, which `import_export` imports and a person can read.

        It is a consistent snapshot, without canon and data of other users. An existing file is replaced only when the
        new one is complete. Raises `UnknownUser` if nothing is stored for the user.
        """
        target = Path(to)
        scopes = self.scopes_of(user, character=character, world=world)
        pieces = self.exported(user=user, character=character, world=world)
        write_whole(target, pieces, bank=self.settings.bank)
        return Exported(path=target, scopes=tuple(scopes), size_bytes=target.stat().st_size)

    def exported(self, *, user: str, character: str | None = None, world: str | None = None) -> Iterator[bytes]:
        """Return the file that `export` writes, piece by piece; raises `UnknownUser` at once."""
        asked = Scope(user=user, character=character, world=world)
        name = asked.user or user
        scopes = self.scopes_of(name, character=asked.character, world=asked.world)
        if not scopes:
            raise UnknownUser(str(asked))
        chapters = (_chapter(self.mind(scope)) for scope in scopes)
        return export_pieces(self.services, self.store, name, scopes, chapters)

    def import_export(
        self, path: str | os.PathLike[str], *, user: str | None = None, dry_run: bool = False
    ) -> list[TakenIn]:
        """Import a file that `export` wrote, with all ids, history and relationships; return the result of each scope.

        Data that exists here stays unchanged, so importing a file twice has no further effect. A broken file raises
        `InvalidExport` with the line, and nothing is imported. With `user`, a file of another user is refused.
        """
        with unpacked(path) as parcel:
            if user is not None and Scope(user=user).user != parcel.user:
                raise InvalidExport(ErrorText("export.other_user"))
            taken = self.store.import_lines(parcel.lines, dry_run=dry_run)
        for each in taken:
            if each.fate == "new" and not dry_run:  # if the embedder is down, upkeep makes the vectors later
                self.services.fill_in_vectors(each.scope, most=sum(each.counts.values()))
        return taken

    # Audit

    def acting_as(self, name: str) -> AbstractContextManager[None]:
        """Record this person as the author of all writes in the block: `with bank.acting_as("운영자 김"): …`."""
        return acting_as(person(name))

    def audit(
        self, scope: Scope | Mind | None = None, limit: int | None = None, *, before: int | None = None
    ) -> list[Deed]:
        """Return the last entries of a scope's audit log (numbered below `before`), in order.

        Each says who did what, when and why. Without a scope: the bank's own log of keys, webhooks, documents and
        embedders.
        """
        return self.store.audit.deeds(_scope(scope), limit, before=before)

    def verify_audit(self, scope: Scope | Mind | None = None) -> Verified:
        """Verify the audit chain of a scope, or all chains, against the journal and the turn log."""
        return self.store.audit.verify(_scope(scope))

    def audit_records(self, scope: Scope | Mind | None = None) -> Iterator[dict[str, Any]]:
        """Yield the audit log as records for a file: each chain, then its deeds, the newest first.

        `told` of a deed are the lines that its digest covers: the operation with the state before and after it.
        """
        for chain in self.store.audit.chains(_scope(scope)):
            yield chain_record(chain)
            for deed, lines in self.store.audit.lines(chain):
                told = [parsed_json(line) for line in lines]
                yield {"kind": "deed", "chain": chain.mark, **deed_record(deed), "told": told}

    def is_unread(self, scope: Scope, actor: Actor) -> bool:
        """Return whether `note_read` would record a read: `actor` has not read this scope within the last minute."""
        return self._reads.is_news(actor, scope, self.clock.now())

    def note_read(self, scope: Scope, actor: Actor, route: str) -> None:
        """Record in the audit log that `actor` reads another user's scope, at most once a minute."""
        now = self.clock.now()
        if self._reads.is_news(actor, scope, now):
            self.store.audit.note_read(scope, actor, route, now)
            self._reads.note(actor, scope, now)

    # Open and close

    def warm(self) -> None:
        """Load morphology, encoder, reader and token counts now, so that the first turn is as fast as later ones."""
        from gieok.language import morphemes
        from gieok.language.token_count import token_counter

        morphemes.warm()
        self.embedder.warm()
        token_counter(self.settings.tokens)
        self.services.warm()

    def close(self) -> None:
        """Finish pending writes and release the file. Closing twice is allowed.

        Running background work gets time to end; work that has not begun is done after the next turn.
        """
        if self._backups is not None and not self._backups.close(_CLOSE_SECONDS):
            log.warning("the bank closes while a backup is still being made; nothing is left of it")
        if not self._jobs.close(_CLOSE_SECONDS):
            log.info("the bank closes while a model is still asked; it will be asked again")
        self._models.close()
        self._jobs.settle(_HANG_UP_SECONDS)
        self.store.close()
        if self._made_embedder and isinstance(self.embedder, embedders.EndpointEmbedder):
            self.embedder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _scope(given: Scope | Mind | None) -> Scope | None:
    return given if given is None or isinstance(given, Scope) else given.key  # also an `AsyncMind`


def _chapter(mind: Mind) -> Chapter:
    return Chapter(
        scope=mind.key,
        present=mind.present(),
        memories=tuple(mind.timeline()),
        course=tuple((step.at, step.relationship) for step in mind.course()),
        levels=tuple((step.at, step.relationship) for step in mind.level_changes()),
        manners=tuple((step.at, step.change) for step in mind.manner_changes()),
        people=tuple(mind.entities()),
        turns=_turns(mind),
    )


def _turns(mind: Mind) -> Iterator[Turn]:
    """Yield the turns in force, oldest first."""
    number = 1
    while True:
        page = mind.turns(_TURNS_AT_ONCE, before=number + _TURNS_AT_ONCE)
        page = [turn for turn in page if turn.number >= number]
        if not page:
            return
        yield from page
        number = page[-1].number + 1
