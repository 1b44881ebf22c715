"""The models that a bank asks: one that is fast, one that thinks deeper.

A name that no model has fails at once; nothing is loaded or contacted before the first question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gieok.domain.model import ModelCall
from gieok.ports import Llm, Model
from gieok.settings import Settings, prices


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model as the settings name it."""

    spec: str
    url: str | None = field(default=None, repr=False)  #: may hold a password
    key: str | None = field(default=None, repr=False)
    price: tuple[float, float]  #: of one token asked, and of one answered


def fast_model(settings: Settings) -> NamedModel | None:
    """Return what answers and extracts."""
    if settings.llm is None:
        return None
    price = prices("llm_price", settings.llm_price)
    return NamedModel(spec=settings.llm, url=settings.llm_url, key=settings.llm_key, price=price)


def deep_model(settings: Settings) -> NamedModel | None:
    """Return what reflects, summarises and directs; one of the same provider is found where the fast one is."""
    if settings.llm_deep is None:
        return None
    fast = fast_model(settings)
    shared = fast if fast is not None and _provider(fast.spec) == _provider(settings.llm_deep) else None
    return NamedModel(
        spec=settings.llm_deep,
        url=settings.llm_deep_url or (shared.url if shared else None),
        key=settings.llm_deep_key or (shared.key if shared else None),
        price=prices("llm_deep_price", settings.llm_deep_price),
    )


def created(named: NamedModel, settings: Settings) -> Llm:
    """Return the model itself. Raises `InvalidSetting`."""
    from gieok import llms

    return llms.create(
        named.spec,
        url=None if named.spec.startswith("gguf:") else named.url,  # a file is here, wherever the other model is
        key=named.key,
        seconds=settings.llm_seconds,
        retries=settings.llm_retries,
        cooldown=settings.llm_cooldown,
    )


class Models:
    """What the settings name, or what is given instead. Every call of a model that is made here is recorded."""

    def __init__(
        self,
        settings: Settings,
        *,
        record: Callable[[ModelCall], None],
        now: Callable[[], datetime],
        fast: Model | None = None,
        deep: Model | None = None,
    ) -> None:
        self._settings = settings
        self._record = record
        self._now = now
        self._made: list[Llm] = []
        self.fast = fast or self._counted(fast_model(settings))  #: answers and extracts
        self.deep = deep or self._counted(deep_model(settings))  #: reflects, summarises and directs

    def close(self) -> None:
        """Hang up, and stop a server of our own."""
        while self._made:
            self._made.pop().close()

    def _counted(self, named: NamedModel | None) -> Model | None:
        if named is None:
            return None
        from gieok.llms import CountedModel

        llm = created(named, self._settings)
        self._made.append(llm)
        return CountedModel(llm, record=self._record, now=self._now, price=named.price)


def _provider(spec: str) -> str:
    return spec.partition(":")[0]
