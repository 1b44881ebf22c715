"""The services behind a bank. Each is created on first use: listing facts loads no language code."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from gieok.bank.models import ModelJobs, Models
from gieok.domain.answer import Caps, Observed
from gieok.domain.apply import OperationApplier, SocialRules
from gieok.domain.decision import Retract, Supersede
from gieok.domain.judgement import Policy
from gieok.domain.promotion import PromotionWeights
from gieok.domain.relationship import MannerChange, default_rules, rules_from
from gieok.domain.scene import SceneRules
from gieok.domain.scope import Scope
from gieok.domain.scoring import RecencyRule, Weights
from gieok.domain.server_state import Bounds
from gieok.domain.turn import checked_moment
from gieok.domain.upkeep import UpkeepRules
from gieok.embedders import EndpointEmbedder
from gieok.errors import ErrorText, InvalidSetting
from gieok.language.token_count import token_counter
from gieok.ports import Clock, Embedder, Extractor, Masker, Store, Watch
from gieok.settings import Settings, reading_pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gieok.domain.attributes import ContentType
    from gieok.domain.emotion import Felt
    from gieok.maintain.maintainer import Maintainer
    from gieok.maintain.scrub import Scrubber
    from gieok.observe.edit import Arranger, Editor
    from gieok.observe.erase import Eraser
    from gieok.observe.imports import Importer
    from gieok.observe.index import Indexer
    from gieok.observe.model_reader import ModelReader
    from gieok.observe.observer import Observer
    from gieok.observe.rewind import Rewinder
    from gieok.ports import Model
    from gieok.prompts.data import Language
    from gieok.recall.recaller import Recaller
    from gieok.recall.time_limit import TimeLimit


_FILLED_IN: Final = 1_000  #: items of a scope that one upkeep embeds
_PAGE: Final = 1_000  #: scopes
_READ_TOGETHER: Final = 16  #: unread turns
#: settings that are `Recaller` arguments of the same name
_READING: Final = (
    "combine search_turns canon sharing sharing_scopes recent_turns recent_messages context_said "
    "language zone rerank compress"
).split()


@dataclass(frozen=True, kw_only=True)
class Services:
    """The services of a bank. Two threads may create the same service at once; either result is valid."""

    settings: Settings
    store: Store
    embedder: Embedder
    clock: Clock
    mask: Masker
    log_mask: Masker | None
    given_extractor: Extractor | None
    models: Models
    watch: Watch

    @cached_property
    def policy(self) -> Policy:
        from gieok.privacy.masking import flags

        settings = self.settings
        promotion = {each.name: getattr(settings, f"promotion_{each.name}") for each in fields(PromotionWeights)}
        return Policy(
            promote_threshold=settings.promote_threshold, promotion_weights=PromotionWeights(**promotion), flags=flags
        )

    @cached_property
    def carrier(self) -> OperationApplier:
        return OperationApplier(policy=self.policy, living=self.living)

    @cached_property
    def living(self) -> SocialRules:
        scenes = SceneRules(silence=timedelta(minutes=self.settings.scene_silence_minutes))
        rules, path = default_rules(), self.settings.relationship_rules
        if path is not None:
            try:
                rules = rules_from(tomllib.loads(Path(path).read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
                raise InvalidSetting(ErrorText("settings.rules_unreadable", path=path, cause=cause)) from cause

        def retold(change: MannerChange, character: str | None) -> str:
            from gieok.language.wording import change_sentence

            if self.settings.language == "en":
                return change_sentence(change, {"user": "the user", "character": character or "the character"}, "en")
            return change_sentence(change, {"user": "상대", "character": character or "캐릭터"}, "ko")

        return SocialRules(relationship=rules, scenes=scenes, retold=retold)

    @cached_property
    def weights(self) -> Weights:
        return weights_in(self.settings)

    @cached_property
    def extractor(self) -> Extractor:
        if self.given_extractor is not None:
            return self.given_extractor
        from gieok.extract.reader import Reader

        taught = self.settings.reader_place
        return Reader(taught if taught is not None and taught.exists() else None)

    @cached_property
    def observer(self) -> Observer:
        from gieok.observe.observer import Observer

        return Observer(
            store=self.store,
            indexer=self._indexer,
            extractor=self.extractor,
            mask=self.mask,
            log_mask=self.log_mask,
            flags=self.policy.flags,
            clock=self.clock,
            carrier=self.carrier,
            watch=self.watch,
            model_reads=self._model_reads,
            traces=self.settings.keep_traces,
            language=self._language,
        )

    @property
    def _model_reads(self) -> bool:
        return self.models.fast is not None and self.settings.deep_extraction

    @cached_property
    def model_jobs(self) -> ModelJobs:
        """Return the background work of the configured models."""
        fast, deep = self.models.fast, self.models.deep
        director = ponderer = None
        if deep is not None:
            from gieok.maintain.model_passes import Director, Ponderer

            by: dict[str, Any] = {"store": self.store, "model": deep, "carrier": self.carrier, "clock": self.clock}
            by["language"] = self.settings.language
            director = Director(**by) if self.settings.director else None
            ponderer = Ponderer(**by, zone=self.settings.zone, indexed=self._indexer.entries)
        return ModelJobs(
            store=self.store,
            on_ended=lambda scope: self._keep_up(scope, self.present(scope), gave_up=True),
            director=director,
            reader=self.reader(fast) if fast is not None and self._model_reads else None,
            ponderer=ponderer,
        )

    def reader(self, model: Model) -> ModelReader:
        """Return a reader that uses `model`."""
        from gieok.extract.model import ModelExtractor
        from gieok.observe.model_reader import ModelReader

        turns, by_session = reading_pace(self.settings.llm_reading)
        return ModelReader(
            store=self.store,
            extractor=ModelExtractor(model=model, language=self._language),
            turns=turns,
            by_session=by_session,
            indexer=self._indexer,
            carrier=self.carrier,
            clock=self.clock,
        )

    def after_turn(self, scope: Scope, observed: Observed) -> None:
        gave_up = any(isinstance(decision, Supersede | Retract) for decision in observed.decisions)
        self._keep_up(scope, observed.turn.at, gave_up=gave_up)

    def read_unread(
        self, scope: Scope, *, most: int | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Read the unread turns of `scope`, then run the upkeep that is due; return how many turns were read.

        `progress` is called with how many are read.
        """
        done = 0
        while most is None or done < most:
            read = self.observer.read_unread(scope, _READ_TOGETHER)
            if not read:
                break
            done += read
            if progress is not None:
                progress(done)
        if done:
            self._keep_up(scope, self.present(scope), gave_up=True)
        return done

    def _keep_up(self, scope: Scope, at: datetime, *, gave_up: bool) -> None:
        if self.settings.upkeep == "auto":
            self.maintainer.after_turn(scope, at, gave_up=gave_up)

    def present(self, scope: Scope) -> datetime:
        """Return the present of the story: its newest turn, or the clock if that is later."""
        with self.store.view(scope) as view:
            return max(filter(None, (view.latest_at, self.clock.now())))

    def moment(self, scope: Scope, at: datetime | None) -> datetime:
        """Return `at`, checked, or the present of the story in `scope`."""
        return checked_moment(at) if at is not None else self.present(scope)

    @property
    def _language(self) -> Language:
        return cast("Language", self.settings.language)

    def felt_in_reply(self, lines: Sequence[tuple[str, str]], character: str) -> Felt | None:
        """Return the character's feeling at the end of `lines`, as a model reads it; None: use the classifier.

        The wait is limited to `recall_patience`.
        """
        model = self.models.fast
        if model is None or not self.settings.model_emotion:
            return None
        from gieok.observe.noticed import felt_in_reply
        from gieok.recall.time_limit import Running, SourceLate

        try:
            return self._emotion_time_limit.call(
                lambda: felt_in_reply(model, lines, character, self._language), Running("emotion")
            )
        except SourceLate:
            return None

    @cached_property
    def _emotion_time_limit(self) -> TimeLimit:
        """Shared by all replies, so that a hanging model is not called again and again, each time in a new thread."""
        from gieok.recall.time_limit import TimeLimit

        return TimeLimit(self.settings.recall_patience)

    @cached_property
    def editor(self) -> Editor:
        from gieok.observe.edit import Editor

        return Editor(store=self.store, indexer=self._indexer, clock=self.clock, carrier=self.carrier)

    @cached_property
    def receiver(self) -> Importer:
        from gieok.observe.imports import Importer

        return Importer(store=self.store, indexer=self._indexer, clock=self.clock, carrier=self.carrier)

    @cached_property
    def arranger(self) -> Arranger:
        from gieok.observe.edit import Arranger

        return Arranger(store=self.store, clock=self.clock, carrier=self.carrier)

    @cached_property
    def rewinder(self) -> Rewinder:
        from gieok.maintain.maintainer import replay_pass_runner
        from gieok.observe.rewind import Rewinder

        runners = partial(replay_pass_runner, self.upkeep)
        return Rewinder(
            store=self.store, indexer=self._indexer, clock=self.clock, carrier=self.carrier, pass_runners=runners
        )

    @cached_property
    def eraser(self) -> Eraser:
        from gieok.observe.erase import Eraser

        return Eraser(store=self.store, rewinder=self.rewinder, clock=self.clock)

    @cached_property
    def scrubber(self) -> Scrubber:
        from gieok.maintain.scrub import Scrubber

        return Scrubber(store=self.store, clock=self.clock, days=self.upkeep.keep_days)

    @cached_property
    def upkeep(self) -> UpkeepRules:
        settings = self.settings
        return UpkeepRules(
            fading=self.policy.fading,
            merge_mode=settings.upkeep_merge,
            cap=settings.upkeep_cap or None,
            keep_days=cast("dict[ContentType, float]", settings.retention),
            reflect_at=settings.upkeep_reflect_at,
            summarise_after_turns=settings.upkeep_summarise_after,
            summarise_every_turns=settings.upkeep_summarise_every or None,
            summarise_tokens=settings.upkeep_summarise_tokens,
            every_hours=settings.upkeep_hours or None,
        )

    @cached_property
    def maintainer(self) -> Maintainer:
        from gieok.maintain.maintainer import Maintainer

        return Maintainer(
            store=self.store,
            carrier=self.carrier,
            clock=self.clock,
            rules=self.upkeep,
            zone=self.settings.zone,
            indexed=self._indexer.entries,
            warm=self._indexer.warm,
            watch=self.watch,
        )

    @cached_property
    def recaller(self) -> Recaller:
        from gieok.recall.recaller import Recaller
        from gieok.recall.time_limit import TimeLimit, TimeLimitedEmbedder

        time_limit = TimeLimit(self.settings.recall_patience)
        return Recaller(
            store=self.store,
            embedder=TimeLimitedEmbedder(self.embedder, time_limit),
            clock=self.clock,
            fading=self.policy.fading,
            time_limit=time_limit,
            count=token_counter(self.settings.tokens),
            watch=self.watch,
            model=self.models.fast,
            **reading_rules(self.settings),
        )

    def recaller_under(self, settings: Settings) -> Recaller:
        """Return a recaller with other settings and the same store, encoder and model."""
        return replace(self.recaller, **reading_rules(settings))

    def warm(self) -> None:
        """Create the services for turns and questions now instead of on first use."""
        _ = self.recaller, self.maintainer
        self.observer.warm()

    def fill_in_vectors(self, scope: Scope, most: int = _FILLED_IN) -> None:
        """Embed at most `most` items of `scope` that were stored while the embedder was unavailable."""
        from gieok.observe.index import fill_in_vectors

        fill_in_vectors(self.store, self.embedder, scope, most=most)

    @cached_property
    def _indexer(self) -> Indexer:
        """The indexer of the write path. It waits briefly for a remote embedder; upkeep adds missing vectors."""
        from gieok.observe.index import Indexer

        if not isinstance(self.embedder, EndpointEmbedder):
            return Indexer(self.embedder, self._language)
        from gieok.recall.time_limit import TimeLimit, TimeLimitedEmbedder

        patient = TimeLimitedEmbedder(self.embedder, TimeLimit(self.settings.recall_patience))
        return Indexer(patient, self._language)


def iter_scopes(store: Store, within: Sequence[Bounds] = ()) -> Iterator[Scope]:
    """Yield the scopes sorted by name, canon first; `within` filters them.

    A scope that exists throughout is yielded exactly once, whatever is written or erased meanwhile.
    """
    page = store.scope_names(_PAGE, within=within)
    while page:
        yield from page
        page = store.scope_names(_PAGE, after=page[-1], within=within)


def is_begun(store: Store, scope: Scope) -> bool:
    with store.view(scope) as view:
        return view.version > 0


def weights_in(settings: Settings) -> Weights:
    return Weights(**{field.name: getattr(settings, f"weights_{field.name}") for field in fields(Weights)})


def reading_rules(settings: Settings) -> dict[str, Any]:
    """Return the `Recaller` arguments that come from settings."""
    return {name: getattr(settings, name) for name in _READING} | {
        "weights": weights_in(settings),
        "recency": RecencyRule(curve=settings.recency_curve, days=settings.recency_days, since=settings.recency_since),
        "caps": Caps(
            memories=settings.caps_memories, memory_item=settings.caps_memory_item, pinned=settings.caps_pinned
        ),
        "rewrite": settings.rewrite_query,
    }
