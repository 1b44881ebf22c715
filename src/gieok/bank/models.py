"""The models that a bank asks: one that is fast, one that thinks deeper.

A name that no model has fails at once; nothing is loaded or contacted before the first question.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

from gieok.domain.answer import ModelCall
from gieok.errors import InvalidSetting
from gieok.ports import Llm, Model
from gieok.ports.endpoints import PROVIDERS, Endpoint, endpoint, login_in
from gieok.settings import Settings, prices

Result = TypeVar("Result")
_COLLECTED: Final[ContextVar[list[ModelCall] | None]] = ContextVar("gieok_calls", default=None)


class Calls:
    """The calls that are made for one piece of work."""

    def __init__(self) -> None:
        self._made: list[ModelCall] = []

    @property
    def so_far(self) -> tuple[ModelCall, ...]:
        """Those that have ended, in the order of their ends."""
        return tuple(self._made)

    def run(self, work: Callable[[], Result]) -> Result:
        """Do `work`; the calls that end in it, here or in threads that it waits for, are collected."""
        context = copy_context()
        context.run(_COLLECTED.set, self._made)
        return context.run(work)


def collect(call: ModelCall) -> None:
    """Note a call for whoever it was made for."""
    made = _COLLECTED.get()
    if made is not None:
        made.append(call)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model as the settings name it."""

    spec: str
    url: str | None = field(default=None, repr=False)  #: may hold a password
    key: str | None = field(default=None, repr=False)
    price: tuple[float, float]  #: of one token asked, and of one answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """An OpenAI-compatible endpoint, as somebody who passes chats on is to call it."""

    url: str = field(repr=False)  #: without a login
    login: tuple[str, str] | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)
    model: str | None  #: what it is asked for; None: nobody said
    here: bool  #: on this machine: not behind the proxy that the environment names
    shown: str  #: where it is, fit to be shown

    def at(self, path: str) -> str:
        """Return the address of one of its calls."""
        base, mark, query = self.url.partition("?")
        return f"{base.rstrip('/')}/{path}{mark}{query}"


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

    def upstream(self) -> Upstream | None:
        """Return where chats are passed on to; None: no endpoint is configured. A model file is loaded for it.

        The key of `llm` is not sent to another endpoint than its own. Raises `InvalidSetting`, `ModelFailed`.
        """
        settings = self._settings
        if settings.proxy_url is not None:
            own = endpoint("vllm", url=settings.proxy_url, key=settings.proxy_key, environment={})
            return _upstream(own, settings.proxy_model or _model_name(settings.llm))
        if settings.llm is None:
            return None
        from gieok import llms

        if settings.llm.startswith("gguf:"):
            name, url, key = self._served_file()
            return _upstream(Endpoint(provider="vllm", url=url, key=key), settings.proxy_model or name)
        name, called = llms.addressed(settings.llm, url=settings.llm_url, key=settings.proxy_key or settings.llm_key)
        return _upstream(called, settings.proxy_model or name)

    def _served_file(self) -> tuple[str, str, str]:
        from gieok.llms import GgufLlm

        file = next((each for each in self._made if isinstance(each, GgufLlm)), None)  # the fast one is made first
        if file is None:
            raise InvalidSetting("the model file of the setting llm is not in use here; set proxy_url as well")
        return file.name, *file.address()

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


def _upstream(called: Endpoint, model: str | None) -> Upstream:
    url, login = login_in(called.url)
    return Upstream(
        url=url, login=login, key=called.key, model=model, here=called.here, shown=called.shown.partition("?")[0]
    )


def _model_name(spec: str | None) -> str | None:
    """Return what another endpoint may call the model of a settings string by; a file has no such name."""
    if spec is None or _provider(spec) == "gguf":
        return None
    return (spec.partition(":")[2] if _provider(spec) in PROVIDERS else spec) or None


def _provider(spec: str) -> str:
    return spec.partition(":")[0]
