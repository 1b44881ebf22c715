"""The services behind a bank, each put together when first needed: listing facts loads nothing that reads Korean."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from gieok.domain.budget import Caps
from gieok.domain.judgement import Policy
from gieok.domain.scoring import RecencyRule, Weights
from gieok.language.token_count import token_counter
from gieok.ports import Clock, Embedder, Extractor, Masker, Store
from gieok.recall.listing import Lister
from gieok.settings import Settings

if TYPE_CHECKING:
    from gieok.observe.editing import Editor
    from gieok.observe.indexing import Indexer
    from gieok.observe.observing import Observer
    from gieok.observe.rewinding import Rewinder
    from gieok.recall.recalling import Recaller


@dataclass(frozen=True, kw_only=True)
class Services:
    """What a bank works with. Two threads may put a service together at once; either will do."""

    settings: Settings
    store: Store
    embedder: Embedder
    clock: Clock
    mask: Masker
    given_extractor: Extractor | None

    @cached_property
    def policy(self) -> Policy:
        return Policy(promote_threshold=self.settings.promote_threshold)

    @cached_property
    def weights(self) -> Weights:
        return Weights(**{field.name: getattr(self.settings, f"weights_{field.name}") for field in fields(Weights)})

    @cached_property
    def extractor(self) -> Extractor:
        if self.given_extractor is not None:
            return self.given_extractor
        from gieok.extract.rules import Rules

        return Rules()

    @cached_property
    def lister(self) -> Lister:
        return Lister(store=self.store, clock=self.clock)

    @cached_property
    def observer(self) -> Observer:
        from gieok.observe.observing import Observer

        return Observer(
            store=self.store,
            indexer=self._indexer,
            extractor=self.extractor,
            mask=self.mask,
            clock=self.clock,
            policy=self.policy,
        )

    @cached_property
    def editor(self) -> Editor:
        from gieok.observe.editing import Editor

        return Editor(store=self.store, indexer=self._indexer, mask=self.mask, clock=self.clock, policy=self.policy)

    @cached_property
    def rewinder(self) -> Rewinder:
        from gieok.observe.rewinding import Rewinder

        return Rewinder(store=self.store, indexer=self._indexer, clock=self.clock, policy=self.policy)

    @cached_property
    def recaller(self) -> Recaller:
        from gieok.recall.patience import Patience, PatientEmbedder
        from gieok.recall.recalling import Recaller
        from gieok.recall.recent import Recent

        settings = self.settings
        patience = Patience(settings.recall_patience)
        return Recaller(
            store=self.store,
            embedder=PatientEmbedder(self.embedder, patience),
            clock=self.clock,
            weights=self.weights,
            combine=settings.combine,
            recency=RecencyRule(curve=settings.recency_curve, days=settings.recency_days, since=settings.recency_since),
            fading=self.policy.fading,
            caps=Caps(
                memories=settings.caps_memories, memory_item=settings.caps_memory_item, pinned=settings.caps_pinned
            ),
            search_turns=settings.search_turns,
            recent=Recent(turns=settings.recent_turns, messages=settings.recent_messages),
            context_said=settings.context_said,
            language=settings.language,
            zone=settings.zone,
            patience=patience,
            count=token_counter(settings.tokens),
        )

    @cached_property
    def _indexer(self) -> Indexer:
        from gieok.observe.indexing import Indexer

        return Indexer(self.embedder)
