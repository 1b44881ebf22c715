"""The bank: all memories in one file or database. It wires the rooms together and owns no rule."""

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

_CLOSE_SECONDS: Final = 5.0  #: that closing waits for a model or a backup
_HANG_UP_SECONDS: Final = 2.0  #: … and for jobs to notice that the model was closed
_TURNS_AT_ONCE: Final = 200  #: of an exported page


class NoWatch:
    """Counts nothing."""

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
    or the name of one. A file that is not a bank, or was built with another embedder, is refused and left unchanged.
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
    """All the memories in one place. Safe to use from many threads."""

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
        """Open it. A `model` or `deep_model` that is given replaces the one that the settings name."""
        from gieok.language import morphemes

        morphemes.use(settings.profile)
        self.settings = settings
        self.watch: Watch = watch or NoWatch()  #: counts and times what is done
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
        quoting = self.store  #: what is quoted, indexed or shown to a model
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

        A user of None is refused: a lost session must not write into what everybody reads. `weights` are what this
        handle recalls by; they are not kept in the bank.
        """
        if user is None:
            raise InvalidScope(ErrorText("scope.user_is_none"))
        named = None if isinstance(user, EllipsisType) else user
        return Mind(self, Scope(user=named, character=character, world=world), weights=weights)

    def mind(self, scope: Scope, *, weights: Weights | Mapping[str, float] | None = None) -> Mind:
        """Return the mind of a `Scope`; `scope` does the same by names."""
        return Mind(self, scope, weights=weights)

    def contexts(self, scopes: Iterable[Scope | Mind], query: str, *, budget: int | None = None) -> list[Context]:
        """Return the context of each scope for one question, in the order given."""
        minds = (each if isinstance(each, Mind) else self.mind(each) for each in scopes)
        return [mind.context(query, budget=budget) for mind in minds]

    # Scopes

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (after `after`) with how much is in each, by name; without a limit, all.

        `within` narrows them down to what an access key opens.
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
        """Return scopes (after `after`), the one with the newest turn first.

        Every word of `text` is in their names. `within` narrows them down to what an access key opens.
        """
        words = composed(text or "").split()
        return self.store.latest_scopes(limit, after=after, words=words, within=within)

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the scope with the newest turn."""
        return self.store.latest_scope(within)

    def scopes_of(self, user: str, *, character: str | None = None, world: str | None = None) -> list[Scope]:
        """Return the scopes of a user, only with this character and in this world if they are named."""
        return list(iter_scopes(self.store, [Bounds(user=user, character=character, world=world)]))

    def holdings(self, scope: Scope) -> Holdings:
        """Return how much is kept of a scope, in every state: all that `erase` would take."""
        return self.store.holdings(scope, self.services.present(scope))

    def info(self) -> BankInfo:
        """Return what the bank is made of: its schema, its embedder, and how much is in it."""
        return self.store.info()

    # Models and background work

    @property
    def model(self) -> Model | None:
        """The model that answers and extracts; None: none is configured."""
        return self._models.fast

    @property
    def deep_model(self) -> Model | None:
        """The model that reflects and directs; None: none is configured."""
        return self._models.deep

    def upstream(self) -> Upstream | None:
        """Return the endpoint that chats are passed on to (`proxy_url`, else that of `llm`); None: there is none."""
        return self._models.upstream()

    def wake(self, scope: Scope) -> None:
        """Start the models' background work in `scope`, as after every turn; returns at once."""
        if self.settings.behind_the_scenes == "auto" and self.services.model_jobs.any:
            self._jobs.wake(scope)

    def settle(self, seconds: float | None = None) -> bool:
        """Wait for background work; return whether all of it is done within `seconds`."""
        return self._jobs.settle(seconds)

    def calls(self) -> list[CallSum]:
        """Return the model calls so far, summed up by day (UTC), task, model and outcome."""
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

        There are memory.remembered, memory.superseded, memory.forgotten, relationship.changed, emotion.changed,
        scene.started, reflected and others (`gieok.bank.events.EVENTS`), and * for all. A failing handler is logged.
        """
        return self._listeners.add(event, handler)

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` with all events of an operation at once, after it is stored and before its caller goes on."""
        return self._listeners.follow(follower)

    # Upkeep

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Iterator[Upkept]:
        """Do the upkeep that is due, or the named `passes`, in one scope after the other; yield what was done.

        Without named passes, forgotten memories leave the disk: `scrub`.
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

        In a folder, only what changed since the last backup there is copied, unless it must be `full`; all but the
        last `keep` are deleted. It is encrypted like the bank, and verified before it gets its name. Raises
        `BankInUse` while another one is made there, `DiskFull` and the like; nothing is left of it then.
        `gieok.restore` restores it.
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
        """Erase what is named, for good, from the tables and from what they leave in the files; return how much.

        Either one scope, or all scopes of a user, a character, a user with a character …; of these everything, or the
        turns of a `session`, one `turn`, those that contain `matching`, or what was said in a period of the story.
        Conditions narrow one another. Other scopes are not touched. Raises `UnderHold` before anything goes, and
        `ErasureUnproven` if it is gone from the tables but the files may still hold it; `prove()` tries that again.
        """
        part = checked_part(session=session, turn=turn, matching=matching, since=since, until=until)
        asked = checked_erasure(scope, user=user, character=character, world=world, part=part)
        return self.erase_asked(asked, by=by, dry_run=dry_run, prove=prove)

    def erase_asked(self, asked: Erasing, *, by: str = PERSON, dry_run: bool = False, prove: bool = True) -> Erasure:
        """Erase what `asked` says."""
        return self._erasures.erase(asked, by=by, dry_run=dry_run, prove=prove)

    def scrub(
        self, scopes: Iterable[Scope] | None = None, *, by: str = "scrub", dry_run: bool = False, prove: bool = True
    ) -> Erasure:
        """Erase what was forgotten or has expired in these scopes (None: in all); skip those under a hold.

        Also proves earlier erasures that could not be proven then.
        """
        return self._erasures.scrub(scopes, by=by, dry_run=dry_run, prove=prove)

    def prove(self) -> list[Certificate]:
        """Rid the files of what erased rows left there; return the certificates that are proven by it."""
        return self._erasures.prove()

    def lift(self, certificate_id: str) -> int:
        """Let what an erasure took be learned again; return how many texts and facts were held back by it.

        Until then a chat client that still shows it, an import and the restoring of a backup do not bring it back.
        Raises `UnknownCertificate`. The certificate stays as it is, and `audit()` tells who lifted it.
        """
        if self.store.certificate(certificate_id) is None:
            raise UnknownCertificate(certificate_id)
        return self.store.lift(certificate_id)

    def erase_again(self, known: frozenset[str], *, by: str) -> dict[Scope, int]:
        """Erase what was erased before and is back, told by digests that this bank recognises; see `gieok.restore`."""
        return self._erasures.erase_again(known, by=by)

    def certificates(self, limit: int = 100) -> list[Certificate]:
        """Return the certificates of erasures, the latest first."""
        return self.store.certificates(limit)

    def hold(self, scope: Scope, *, by: str = PERSON, why: str = "") -> Hold:
        """Put a scope under a hold: nothing of it is erased or expires until it is released."""
        if not by.strip():
            raise InvalidQuery(ErrorText("hold.who"))
        hold = Hold(since=self.clock.now(), by=by, why=why)
        self.store.put_hold(scope, hold)
        return hold

    def release(self, scope: Scope) -> None:
        """Take the hold off a scope; without one nothing happens."""
        self.store.put_hold(scope, None)

    def keep_for(self, scope: Scope, days: Mapping[str, float | None] | None) -> None:
        """Set for how many days a scope keeps each type of memory (None: for good), whatever the settings say.

        Without `days` the settings apply again.
        """
        self.store.put_retention(scope, None if days is None else checked_days(days))

    def provisions(self, scope: Scope) -> Provisions:
        """Return the hold on a scope and its retention."""
        with self.store.view(scope) as view:
            return view.provisions

    # Export

    def export(
        self, *, user: str, to: str | os.PathLike[str], character: str | None = None, world: str | None = None
    ) -> Exported:
        """Write all that is kept of a user into one file, which `import_export` takes and a person can read.

        It is one consistent snapshot. Canon and what is kept of others is not in it. An existing file is replaced,
        but only by a complete one. Raises `UnknownUser` where nothing is kept of the user.
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
        """Import a file that `export` wrote, with all ids, history and relationships; return what became of it.

        What is kept here already stays unchanged, so that importing a file twice is the same as once. A broken file
        raises `InvalidExport`, which names the line, and nothing is imported. With `user` only if it is theirs.
        """
        with unpacked(path) as parcel:
            if user is not None and Scope(user=user).user != parcel.user:
                raise InvalidExport(ErrorText("export.other_user"))
            taken = self.store.import_lines(parcel.lines, dry_run=dry_run)
        for each in taken:
            if each.fate == "new" and not dry_run:  # where the embedder is down, upkeep makes the vectors later
                self.services.fill_in_vectors(each.scope, most=sum(each.counts.values()))
        return taken

    # Audit

    def acting_as(self, name: str) -> AbstractContextManager[None]:
        """Record what is written meanwhile as done by this person: `with bank.acting_as("운영자 김"): …`."""
        return acting_as(person(name))

    def audit(
        self, scope: Scope | Mind | None = None, limit: int | None = None, *, before: int | None = None
    ) -> list[Deed]:
        """Return the last deeds in a scope (with a number below `before`), in order: who did what, when and why.

        Without a scope: what was done to the bank itself, its keys, webhooks, documents and embedder.
        """
        return self.store.audit.deeds(_scope(scope), limit, before=before)

    def verify_audit(self, scope: Scope | Mind | None = None) -> Verified:
        """Verify the audit chain of a scope, or all chains, against the journal and the turn log."""
        return self.store.audit.verify(_scope(scope))

    def audit_records(self, scope: Scope | Mind | None = None) -> Iterator[dict[str, Any]]:
        """Yield the audit log as records for a file: each chain, and its deeds, the newest first.

        `told` of a deed are the lines that its digest covers: the operation with what was before and after it.
        """
        for chain in self.store.audit.chains(_scope(scope)):
            yield chain_record(chain)
            for deed, lines in self.store.audit.lines(chain):
                told = [parsed_json(line) for line in lines]
                yield {"kind": "deed", "chain": chain.mark, **deed_record(deed), "told": told}

    def is_unread(self, scope: Scope, actor: Actor) -> bool:
        """Return whether `note_read` would note it: no read of this scope by `actor` within the last minute."""
        return self._reads.is_news(actor, scope, self.clock.now())

    def note_read(self, scope: Scope, actor: Actor, route: str) -> None:
        """Note in the audit log that somebody reads a scope that is not theirs, once a minute."""
        now = self.clock.now()
        if self._reads.is_news(actor, scope, now):
            self.store.audit.note_read(scope, actor, route, now)
            self._reads.note(actor, scope, now)

    # Open and close

    def warm(self) -> None:
        """Load morphology, encoder, reader and token counts now, so that the first turn is as fast as the rest."""
        from gieok.language import morphemes
        from gieok.language.token_count import token_counter

        morphemes.warm()
        self.embedder.warm()
        token_counter(self.settings.tokens)
        self.services.warm()

    def close(self) -> None:
        """Finish what is being written and release the file. Closing twice is fine.

        Running background work may end first; what has not begun is done after the next turn.
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
