"""What a model does for a bank, put together around one that says what it is told to."""

from __future__ import annotations

from typing import Any

import gieok
from gieok.maintain.model_passes import Director, Ponderer, PonderRules
from gieok.ports import Model
from gieok.testing import ScriptedModel


def ponderer(bank: gieok.MemoryBank, model: Model | None = None, **rules: Any) -> Ponderer:
    services = bank.services
    return Ponderer(
        store=bank.store,
        model=model or ScriptedModel(),
        carrier=services.carrier,
        clock=services.clock,
        zone=services.settings.zone,
        language="ko",
        indexed=services.maintainer.indexed,
        rules=PonderRules(**rules),
    )


def director(bank: gieok.MemoryBank, model: Model | None = None) -> Director:
    services = bank.services
    return Director(
        store=bank.store, model=model or ScriptedModel(), carrier=services.carrier, clock=services.clock, language="ko"
    )
