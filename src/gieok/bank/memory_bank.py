"""The objects users hold: a bank of memories, and the mind of one character for one user.

They wire the rooms together and own no rule.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import EllipsisType, TracebackType
from typing import TYPE_CHECKING, Final, Self, cast

from gieok import embedders, stores
from gieok.bank.auditing import Auditing, Reads
from gieok.bank.backing_up import back_up
from gieok.bank.backstage import Backstage
from gieok.bank.checking import composed, listed
from gieok.bank.disclosing import Exporting
from gieok.bank.erasures import Erasures
from gieok.bank.events import AnnouncingStore, Follower, Handler, Listeners
from gieok.bank.expiring import ExpiringStore
from gieok.bank.mind import Mind
from gieok.bank.models import Models, Upstream, collect
from gieok.bank.privacy import log_mask_of, mask_of
from gieok.bank.quoting import QuotingStore
from gieok.bank.roll import every_scope
from gieok.bank.schedule import Schedule
from gieok.bank.services import Services
from gieok.domain.answer import CallSum, Context, ModelCall
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.server_state import Bounds
from gieok.errors import BankClosed, InvalidQuery, InvalidScope
from gieok.ports import (
    BankInfo,
    Clock,
    Embedder,
    Extractor,
    Holdings,
    Masker,
    Model,
    ScopeSummary,
    Store,
    Watch,
)
from gieok.settings import Settings, load
from gieok.stores.backups import Backup

if TYPE_CHECKING:
    from gieok.domain.memory import Days
    from gieok.domain.upkeep import PassName
    from gieok.maintain.maintainer import Upkept


log = logging.getLogger(__name__)

_FAREWELL: Final = 5.0  #: seconds that closing waits for a model
_HANGING_UP: Final = 2.0  #: … and for whoever asked it to notice that nobody answers any more


class NobodyWatches:
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
    """Open the bank at `location`, and make it if it is not there.

    Settings come from gieok.toml and GIEOK_*, unless given; `overrides` are single settings; `embedder` is an object
    or the name of one. A file that is not a bank, or was built with another embedder, is refused and left as it is.
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


class MemoryBank(Erasures, Exporting, Auditing):
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
        """Open it. A `model` or `deep_model` that is given takes the place of the one that the settings name."""
        self.settings = settings
        self.watch: Watch = watch or NobodyWatches()  #: counts and times what is done
        self.clock: Clock = clock or SystemClock()
        self._models = Models(settings, record=self._note_call, now=self.clock.now, fast=model, deep=deep_model)
        self.embedder: Embedder = embedder or embedders.create(
            settings.embedder, url=settings.embedder_url, key=settings.embedder_key
        )
        self._made_embedder = embedder is None
        self._listeners = Listeners()
        self._reads = Reads()
        opened: Store = store or stores.open_store(
            settings.bank,
            embedder=self.embedder.name,
            dimension=self.embedder.dimension,
            **settings.opened_with,
            cache_bytes=settings.index_cache_mb * 1024 * 1024,
            pool=settings.postgres_pool,
            seconds=settings.postgres_seconds,
            keyword=settings.keyword,
        )
        expiring = ExpiringStore(
            opened,
            cast("Days", settings.retention),
            self.clock,
            lambda scope: self.services.maintainer.let_expire(scope),
        )
        self.store = cast(Store, AnnouncingStore(cast(Store, expiring), self._listeners))
        masking = mask or mask_of(settings)
        keeps = settings.pii_turns == "keep"
        self.services = Services(
            settings=settings,
            store=cast(Store, QuotingStore(self.store, masking)) if keeps else self.store,
            embedder=self.embedder,
            clock=self.clock,
            mask=masking,
            log_mask=log_mask_of(settings),
            given_extractor=extractor,
            models=self._models,
            watch=self.watch,
        )
        self._backstage = Backstage(lambda scope: self.services.afterwork(scope))
        self._schedule = Schedule(self) if store is None else None

    @property
    def model(self) -> Model | None:
        """What answers and extracts; None: no model is configured."""
        return self._models.fast

    @property
    def deep_model(self) -> Model | None:
        """What reflects and directs; None: no model is configured."""
        return self._models.deep

    def upstream(self) -> Upstream | None:
        """Return the endpoint that chats are passed on to (`proxy_url`, else that of `llm`); None: there is none."""
        return self._models.upstream()

    def wake(self, scope: Scope) -> None:
        """Have models work behind the scenes in `scope`, as they do after every turn; returns at once."""
        if self.settings.behind_the_scenes == "auto" and self.services.afterwork.any:
            self._backstage.wake(scope)

    def settle(self, seconds: float | None = None) -> bool:
        """Wait for what is done behind the scenes; return whether all of it is done within `seconds`."""
        return self._backstage.settle(seconds)

    def calls(self) -> list[CallSum]:
        """Return what models were asked so far, summed up by day (UTC), task, model and outcome."""
        return self.store.model_calls()

    def _note_call(self, call: ModelCall) -> None:
        collect(call)
        self.watch.took("model", call.task, call.seconds)
        self.watch.counted("model_calls", f"{call.task}/{call.failure or 'answered'}")
        self.watch.counted("model_tokens", f"{call.task}/asked", call.prompt_tokens)
        self.watch.counted("model_tokens", f"{call.task}/answered", call.answer_tokens)
        self.watch.counted("model_cost", call.task, call.cost)
        with suppress(BankClosed):  # a call may end after the bank was closed; that is no news
            self.store.note_call(call)

    def scope(
        self,
        *,
        user: str | EllipsisType = ...,
        character: str | None = None,
        world: str | None = None,
        weights: Weights | Mapping[str, float] | None = None,
    ) -> Mind:
        """Return the mind of `character` for `user` in `world`. With `user` left out it is canon, which all may read.

        A user of None is refused: a lost session must not write into what everybody reads. `weights` are what this
        handle recalls by; they are not kept in the bank.
        """
        if user is None:
            raise InvalidScope(
                "user is None; give the user's id, or leave user out to speak of canon, which all may read"
            )
        named = None if isinstance(user, EllipsisType) else user
        return Mind(self, Scope(user=named, character=character, world=world), weights=weights)

    def mind(self, scope: Scope, *, weights: Weights | Mapping[str, float] | None = None) -> Mind:
        """Return the mind of a scope, as `scope` does of its names."""
        return Mind(self, scope, weights=weights)

    def contexts(self, scopes: Iterable[Scope | Mind], query: str, *, budget: int | None = None) -> list[Context]:
        """Return the context of each scope for one question, in the order given."""
        minds = (each if isinstance(each, Mind) else self.mind(each) for each in scopes)
        return [mind.context(query, budget=budget) for mind in minds]

    def on(self, event: str, handler: Handler) -> Callable[[], None]:
        """Call `handler` with every `Event` of that name, after it is kept; the result, called, takes it back.

        There are memory.remembered, memory.superseded, memory.forgotten, relationship.changed, emotion.changed,
        scene.started, reflected and the like (`gieok.bank.events.EVENTS`), and * for all. One that fails is logged.
        """
        return self._listeners.add(event, handler)

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` with all events of an operation at once, after it is kept and before its caller goes on."""
        return self._listeners.follow(follower)

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Iterator[Upkept]:
        """Do the upkeep that is due, or the named `passes`, in one scope after the other; yield what was done.

        What is due includes that forgotten things leave the disk: `scrub`.
        """
        wanted = None if passes is None else listed(passes, "passes")
        for scope in every_scope(self.store):
            yield self.mind(scope).upkept(cast("Iterable[PassName] | None", wanted), at=at, dry_run=dry_run)
        if wanted is None and not dry_run:
            self.scrub(prove=self.store.proves_quickly)

    def scopes(
        self, limit: int | None = None, *, after: Scope | None = None, within: Sequence[Bounds] = ()
    ) -> list[ScopeSummary]:
        """Return scopes (behind `after`) with how much is in each, by their names; without a limit, all there are.

        Bounds narrow them down to what a key opens.
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
        """Return scopes (behind `after`), that whose story went on last first.

        Every word of `text` stands in their names. Bounds narrow them down to what a key opens; without, all are meant.
        """
        words = composed(text or "").split()
        return self.store.latest_scopes(limit, after=after, words=words, within=within)

    def latest_scope(self, within: Sequence[Bounds] = ()) -> Scope | None:
        """Return the scope whose story went on last."""
        return self.store.latest_scope(within)

    def holdings(self, scope: Scope) -> Holdings:
        """Return how much is kept of a scope, in every state: all that `erase` would take."""
        return self.store.holdings(scope, self.services.lister.present(scope))

    def info(self) -> BankInfo:
        """Return what the bank is made of: its schema, its embedder, and how much is in it."""
        return self.store.info()

    def backup(
        self, target: str | os.PathLike[str] | None = None, *, full: bool = False, keep: int | None = None
    ) -> Backup:
        """Make a backup while the bank is in use: in a folder (default: `backup_folder`), or one file named ….db.

        In a folder, only what changed since the last one there is copied, unless it must be `full`, and all but the
        last `keep` go. It is encrypted as the bank is, and read again before it gets its name. Raises `BankInUse`
        while another one is made there, `DiskFull` and the like: nothing is left of it then. `gieok.restore` puts it
        back.
        """
        made = back_up(self.store, self.settings, target, full=full, keep=keep)
        assert made is not None, "it is made whether or not it is due"
        return made

    def warm(self) -> None:
        """Load morphology, encoder, rules and token counts now, so that the first turn is as fast as the rest."""
        from gieok.language import morphemes
        from gieok.language.token_count import token_counter

        morphemes.warm()
        self.embedder.warm()
        token_counter(self.settings.tokens)
        self.services.warm()

    def close(self) -> None:
        """Finish what is being written and release the file. Closing twice is fine.

        What models have begun behind the scenes may end first; what they have not is done after the next turn.
        """
        if self._schedule is not None and not self._schedule.close(_FAREWELL):
            log.warning("the bank closes while a backup is still being made; nothing is left of it")
        if not self._backstage.close(_FAREWELL):
            log.info("the bank closes while a model is still asked; it will be asked again")
        self._models.close()
        self._backstage.settle(_HANGING_UP)
        self.store.close()
        if self._made_embedder and isinstance(self.embedder, embedders.EndpointEmbedder):
            self.embedder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
