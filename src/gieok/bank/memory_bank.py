"""The objects users hold: a bank of memories, and the mind of one character for one user.

They wire the rooms together and own no rule.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from gieok import embedders, stores
from gieok.bank.mind import Mind
from gieok.domain.answer import Context
from gieok.domain.budget import Caps
from gieok.domain.judgement import Policy
from gieok.domain.scope import Scope
from gieok.domain.scoring import RecencyCurve, RecencyRule, Weights
from gieok.errors import InvalidQuery
from gieok.extract.korean import KoreanRules
from gieok.observe import Editor, Observer, Rewinder
from gieok.observe.indexing import Indexer
from gieok.ports import BankInfo, Clock, Embedder, Extractor, Masked, Masker, ScopeSummary, Store
from gieok.recall import Recaller
from gieok.settings import Settings, load


class SystemClock:
    """Wall time, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def unmasked(text: str) -> Masked:
    """Keep every text as it is. Privacy policies take this place."""
    return Masked(text=text)


def open_bank(
    location: str | os.PathLike[str] | None = None,
    *,
    settings: Settings | None = None,
    embedder: Embedder | str | None = None,
    extractor: Extractor | None = None,
    clock: Clock | None = None,
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
    return MemoryBank(settings, embedder=own, extractor=extractor, clock=clock)


class MemoryBank:
    """All the memories in one place. Safe to use from many threads."""

    def __init__(
        self,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        clock: Clock | None = None,
        mask: Masker = unmasked,
        store: Store | None = None,
    ) -> None:
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.embedder: Embedder = embedder or embedders.create(settings.embedder)
        self.extractor: Extractor = extractor or KoreanRules()
        self.store: Store = store or stores.open_store(
            settings.bank,
            embedder=self.embedder.name,
            dimension=self.embedder.dimension,
            key=settings.key,
            cache_bytes=settings.index_cache_mb * 1024 * 1024,
        )
        policy = Policy(promote_threshold=settings.promote_threshold)
        indexer = Indexer(self.embedder)
        self.observer = Observer(
            store=self.store, indexer=indexer, extractor=self.extractor, mask=mask, clock=self.clock, policy=policy
        )
        self.editor = Editor(store=self.store, indexer=indexer, mask=mask, clock=self.clock, policy=policy)
        self.rewinder = Rewinder(store=self.store, indexer=indexer, clock=self.clock, policy=policy)
        self.recaller = _recaller(settings, self.store, self.embedder, self.clock, policy)

    def scope(self, *, user: str | None = None, character: str | None = None, world: str | None = None) -> Mind:
        """Return the mind of `character` for `user` in `world`. Without a user it is canon, which all may read."""
        return Mind(self, Scope(user=user, character=character, world=world))

    def mind(self, scope: Scope) -> Mind:
        return Mind(self, scope)

    def contexts(self, scopes: Iterable[Scope | Mind], query: str, *, budget: int | None = None) -> list[Context]:
        """Return the context of each scope for one question, in the order given."""
        minds = (each if isinstance(each, Mind) else self.mind(each) for each in scopes)
        return [mind.context(query, budget=budget) for mind in minds]

    def scopes(self) -> list[ScopeSummary]:
        return self.store.scopes()

    def info(self) -> BankInfo:
        return self.store.info()

    def warm(self) -> None:
        """Load morphology and encoder now, so that the first turn is as fast as the rest."""
        from gieok.language import morphemes

        morphemes.warm()
        self.embedder.warm()

    def close(self) -> None:
        """Finish what is being written and release the file. Closing twice is fine."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _recaller(settings: Settings, store: Store, embedder: Embedder, clock: Clock, policy: Policy) -> Recaller:
    curve: RecencyCurve = "half_life" if settings.recency_curve == "half_life" else "exponential"
    return Recaller(
        store=store,
        embedder=embedder,
        clock=clock,
        weights=Weights(**{field.name: getattr(settings, f"weights_{field.name}") for field in fields(Weights)}),
        recency=RecencyRule(curve=curve, days=settings.recency_days),
        fading=policy.fading,
        caps=Caps(memories=settings.caps_memories, memory_item=settings.caps_memory_item, pinned=settings.caps_pinned),
        search_turns=settings.search_turns,
        recent_turns=settings.recent_turns,
        language=settings.language,
    )
