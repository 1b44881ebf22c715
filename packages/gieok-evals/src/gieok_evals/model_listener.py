"""Turns read without a model and then at once by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property

from gieok.bank.memory_bank import MemoryBank
from gieok.bank.models import created, fast_model
from gieok.domain.answer import Message, Observed
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER
from gieok.extract.left_open import left_open
from gieok.observe.model_reader import ModelReader
from gieok.observe.observer import Observer
from gieok.observe.said import Said, said
from gieok.ports import Model
from gieok.settings import load


@contextmanager
def model_named(spec: str, *, seconds: float = 600.0) -> Iterator[Model]:
    """Yield the model that `spec` names, with a long timeout; address and key come from the settings.

    Raises `InvalidSetting`.
    """
    from gieok.llms import CountedModel

    settings = replace(load(given={"llm": spec}), llm_seconds=seconds)
    named = fast_model(settings)
    assert named is not None, "it was given"
    llm = created(named, settings)
    try:
        yield CountedModel(llm, record=lambda call: None, now=lambda: datetime.now(UTC))
    finally:
        llm.close()


def wake_model(model: Model) -> None:
    """Ask for one word, so that a missing model fails at once (`ModelFailed`) and a local one is loaded."""
    bits = model.stream((Message(role="user", content="안녕"),), most_tokens=16)
    with closing(bits):
        next(bits, None)


@dataclass(frozen=True)
class DeepListener:
    """Observes turns in the scopes of `bank`; `model` reads at once what the reader leaves open."""

    bank: MemoryBank
    model: Model

    def observe(self, scope: Scope, speaker: str, text: str, at: datetime) -> tuple[Observed, Observed | None]:
        """Return what the reader learned, and what the model learned; None if nothing was open or it failed."""
        lines = said(None, text, None) if speaker == CHARACTER else said(text, None, speaker)
        observed = self._observer.observe(scope, Said(lines=lines, at=at))
        return observed, self._reader.read_turn(scope, observed.turn)

    @cached_property
    def _observer(self) -> Observer:
        return replace(self.bank.services.observer, left_open=left_open)

    @cached_property
    def _reader(self) -> ModelReader:
        return self.bank.services.reader(self.model)
