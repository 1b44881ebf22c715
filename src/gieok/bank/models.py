"""The two models of a bank, fast and deep, and the background work they do after turns.

An unknown model name fails at once; nothing is loaded or contacted before the first question.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from datetime import datetime
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final, TypeVar

from gieok.domain.answer import ModelCall, Observed
from gieok.domain.decision import Retract, Supersede
from gieok.domain.scope import Scope
from gieok.errors import BankClosed, ErrorText, InvalidSetting
from gieok.ports import Llm, Model, Store
from gieok.ports.endpoints import PROVIDERS, Endpoint, endpoint, login_in
from gieok.settings import Settings, prices
from gieok.stores.tables.scopes import OwnProcess

if TYPE_CHECKING:
    from gieok.maintain.model_passes import Director, Pondered, Ponderer
    from gieok.observe.model_reader import ModelReader

log = logging.getLogger(__name__)
Result = TypeVar("Result")
_THREADS: Final = 2
_MAX_WAITING: Final = 10_000  #: scopes; further ones are served at their next turn
_COLLECTED: Final[ContextVar[list[ModelCall] | None]] = ContextVar("gieok_calls", default=None)


class Calls:
    """The model calls made for one piece of work."""

    def __init__(self) -> None:
        self._made: list[ModelCall] = []

    @property
    def so_far(self) -> tuple[ModelCall, ...]:
        """The finished calls, in the order they ended."""
        return tuple(self._made)

    def run(self, work: Callable[[], Result]) -> Result:
        """Run `work` and collect its model calls, including those in threads that it waits for."""
        context = copy_context()
        context.run(_COLLECTED.set, self._made)
        return context.run(work)


def collect(call: ModelCall) -> None:
    """Record a call in the current `Calls`, if any."""
    if (made := _COLLECTED.get()) is not None:
        made.append(call)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model as configured."""

    spec: str
    url: str | None = field(default=None, repr=False)  #: may hold a password
    key: str | None = field(default=None, repr=False)
    price: tuple[float, float]  #: per input token and per output token


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """The OpenAI-compatible endpoint that chats are forwarded to."""

    url: str = field(repr=False)  #: without a login
    login: tuple[str, str] | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)
    model: str | None  #: the model to request; None: not configured
    here: bool  #: on this machine: the proxy of the environment is not used
    shown: str  #: the location without secrets, for display

    def at(self, path: str) -> str:
        """Return the URL of one of its endpoints."""
        base, mark, query = self.url.partition("?")
        return f"{base.rstrip('/')}/{path}{mark}{query}"


def fast_model(settings: Settings) -> NamedModel | None:
    """Return the model that replies and extracts."""
    if settings.llm is None:
        return None
    price = prices("llm_price", settings.llm_price)
    return NamedModel(spec=settings.llm, url=settings.llm_url, key=settings.llm_key, price=price)


def deep_model(settings: Settings) -> NamedModel | None:
    """Return the model that reflects, summarises and directs; it may share URL and key with the fast one."""
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
    """Return the client for a configured model. Raises `InvalidSetting`."""
    from gieok import llms

    return llms.create(
        named.spec,
        url=None if named.spec.startswith("gguf:") else named.url,  # a file is local, wherever the other model is
        key=named.key,
        seconds=settings.llm_seconds,
        retries=settings.llm_retries,
        cooldown=settings.llm_cooldown,
    )


class Models:
    """The configured models, or the given ones. Every call of a model created here is recorded."""

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
        self.fast = fast or self._counted(fast_model(settings))  #: replies and extracts
        self.deep = deep or self._counted(deep_model(settings))  #: reflects, summarises and directs

    def upstream(self) -> Upstream | None:
        """Return where chats are forwarded to; None: no endpoint is configured. A model file is loaded for it.

        The key of `llm` is sent only to its own endpoint. Raises `InvalidSetting`, `ModelFailed`.
        """
        settings = self._settings
        if settings.proxy_url is not None:
            own = endpoint("vllm", url=settings.proxy_url, key=settings.proxy_key, environment={})
            spec = settings.llm or ""  # another endpoint may know the model by this name, unless it is a file
            plain = spec.partition(":")[2] if _provider(spec) in PROVIDERS else spec
            return _upstream(own, settings.proxy_model or (plain if _provider(spec) != "gguf" else None) or None)
        if settings.llm is None:
            return None
        from gieok import llms

        if settings.llm.startswith("gguf:"):
            file = next((each for each in self._made if isinstance(each, llms.GgufLlm)), None)  # the fast model's
            if file is None:
                raise InvalidSetting(ErrorText("model.file_in_proxy"))
            url, key = file.address()
            return _upstream(Endpoint(provider="vllm", url=url, key=key), settings.proxy_model or file.name)
        name, called = llms.addressed(settings.llm, url=settings.llm_url, key=settings.proxy_key or settings.llm_key)
        return _upstream(called, settings.proxy_model or name)

    def close(self) -> None:
        """Close the connections, and stop a server that was started here."""
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
    return Upstream(url=url, login=login, key=called.key, model=model, here=called.here, shown=called.shown)


def _provider(spec: str) -> str:
    return spec.partition(":")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deepened:
    """What models did in a scope."""

    directed: bool = False  #: whether a note was left for the next reply
    read: tuple[Observed, ...] = ()  #: turns that a model has read
    pondered: Pondered | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJobs:
    """The models' background work in one scope, most urgent first."""

    store: Store
    on_ended: Callable[[Scope], object]  #: called when a fact was ended, so that the summary is rewritten
    director: Director | None = None
    reader: ModelReader | None = None
    ponderer: Ponderer | None = None

    @property
    def any(self) -> bool:
        return any((self.director, self.reader, self.ponderer))

    def __call__(self, scope: Scope, *, all_turns: bool = False) -> Deepened:
        """Work in `scope`; with `all_turns`, also read turns that would wait for more."""
        directed = False
        if self.director is not None:
            with self.store.view(scope) as view:
                last = next(iter(view.turns(1)), None)
            directed = last is not None and self.director.direct(scope, last)
        read = tuple(self.reader.read(scope, all_of_them=all_turns)) if self.reader is not None else ()
        pondered = self.ponderer.ponder(scope) if self.ponderer is not None else None
        decisions = (decision for observed in read for decision in observed.decisions)
        settled = pondered is not None and any(each.action == "settle" for each in pondered.kept)
        if settled or any(isinstance(decision, Supersede | Retract) for decision in decisions):
            self.on_ended(scope)
        return Deepened(directed=directed, read=read, pondered=pondered)


class JobRunner:
    """Runs `work` in the background for scopes that were woken: one thread per scope, several scopes in parallel.

    Threads start when needed and end when there is nothing to do. Work that is not done when the bank closes is not
    lost: the store records which turns are unread and what was not reflected on.
    """

    def __init__(self, work: Callable[[Scope], object], *, threads: int = _THREADS) -> None:
        self._work = work
        self._threads = threads
        self._running = 0
        self._waiting: dict[Scope, None] = {}
        self._busy: set[Scope] = set()
        self._closed = False
        self._changed = Condition()
        self._process = OwnProcess()  # after a fork, the threads run in the parent only, and may hold the lock

    def wake(self, scope: Scope) -> None:
        """Schedule work for `scope` and return at once. Waking it again before it starts has no effect."""
        if self._process.left:
            return
        with self._changed:
            if self._closed or len(self._waiting) >= _MAX_WAITING:
                return
            self._waiting.setdefault(scope)
            if self._running < self._threads:
                self._running += 1
                Thread(target=self._serve, name="gieok-model-jobs", daemon=True).start()
            self._changed.notify_all()

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until no work is left; return whether that happened within `seconds`."""
        if not self._running or self._process.left:
            return True
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    @contextmanager
    def away_from(self, scope: Scope) -> Iterator[None]:
        """Keep background work out of `scope` during the block; wait for work that is running there."""
        if self._process.left:
            yield
            return
        with self._changed:
            self._waiting.pop(scope, None)
            self._changed.wait_for(lambda: scope not in self._busy)
            self._busy.add(scope)
        try:
            yield
        finally:
            with self._changed:
                self._busy.discard(scope)
                self._changed.notify_all()
                woken = scope in self._waiting
            if woken:  # its thread found it busy and has ended
                self.wake(scope)

    def close(self, seconds: float) -> bool:
        """Drop waiting work and accept no more; return whether running work ended within `seconds`."""
        if self._process.left:
            return True
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        return self.settle(seconds)

    def _serve(self) -> None:
        while True:
            with self._changed:
                scope = next((each for each in self._waiting if each not in self._busy), None)
                if scope is None:
                    self._running -= 1
                    self._changed.notify_all()
                    return
                del self._waiting[scope]
                self._busy.add(scope)
            try:
                self._work(scope)
            except BankClosed:
                log.info("the bank was closed while a model was asked in %s; it is asked again later", scope)
            except Exception:  # the edge of a thread: a failure in one scope must not stop the next one
                log.exception("background work failed in %s", scope)
            with self._changed:
                self._busy.discard(scope)
                self._changed.notify_all()
