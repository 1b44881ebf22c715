"""Work behind the scenes: what models do after a turn, off the path of whoever is talking.

One scope is worked on by one thread at a time, several scopes at once. What is not done when the bank closes is not
lost: the store knows which turns are left open and what was not pondered yet.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final

from gieok.domain.answer import Observed
from gieok.domain.decision import Retract, Supersede
from gieok.domain.scope import Scope
from gieok.errors import BankClosed
from gieok.ports import Store

if TYPE_CHECKING:
    from gieok.maintain.model_passes import Director, Pondered, Ponderer
    from gieok.observe.model_reading import DeepReader

log = logging.getLogger(__name__)
_THREADS: Final = 2
_WAITING: Final = 10_000  #: scopes; whoever comes later is served at the next turn there


@dataclass(frozen=True, slots=True, kw_only=True)
class Deepened:
    """What models did in a scope."""

    directed: bool = False  #: a note was left for the next reply
    read: tuple[Observed, ...] = ()  #: turns that rules had left open
    pondered: Pondered | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Afterwork:
    """The models' work, in the order in which somebody waits for it."""

    store: Store
    given_up: Callable[[Scope], object]  #: called when something known was ended, so that the summary is remade
    director: Director | None = None
    reader: DeepReader | None = None
    ponderer: Ponderer | None = None

    @property
    def any(self) -> bool:
        return any((self.director, self.reader, self.ponderer))

    def __call__(self, scope: Scope) -> Deepened:
        directed = self._directed(scope)
        read = tuple(self.reader.read(scope)) if self.reader is not None else ()
        pondered = self.ponderer.ponder(scope) if self.ponderer is not None else None
        if _ended(read, pondered):
            self.given_up(scope)
        return Deepened(directed=directed, read=read, pondered=pondered)

    def _directed(self, scope: Scope) -> bool:
        if self.director is None:
            return False
        with self.store.view(scope) as view:
            last = next(iter(view.turns(1)), None)
        return last is not None and self.director.direct(scope, last)


def _ended(read: tuple[Observed, ...], pondered: Pondered | None) -> bool:
    """Whether something that was known is no longer so."""
    told = any(isinstance(decision, Supersede | Retract) for observed in read for decision in observed.decisions)
    return told or (pondered is not None and any(each.action == "settle" for each in pondered.kept))


class Backstage:
    """Runs `work` for scopes that were woken. Its threads come when needed and go when there is nothing to do."""

    def __init__(self, work: Callable[[Scope], object], *, threads: int = _THREADS) -> None:
        self._work = work
        self._threads = threads
        self._running = 0
        self._waiting: dict[Scope, None] = {}
        self._busy: set[Scope] = set()
        self._closed = False
        self._changed = Condition()
        self._process = os.getpid()

    def wake(self, scope: Scope) -> None:
        """Have `scope` worked on soon; returns at once. Waking it again before that changes nothing."""
        if self._elsewhere:
            return
        with self._changed:
            if self._closed or len(self._waiting) >= _WAITING:
                return
            self._waiting.setdefault(scope)
            if self._running < self._threads:
                self._running += 1
                Thread(target=self._serve, name="gieok-backstage", daemon=True).start()
            self._changed.notify_all()

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until nothing is left to do; return whether that is so within `seconds`."""
        if self._elsewhere:
            return True
        until = None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while self._running:
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    return False
                self._changed.wait(left)
            return True

    @contextmanager
    def away_from(self, scope: Scope) -> Iterator[None]:
        """Keep everybody out of `scope` meanwhile; whoever is at work there is waited for."""
        if self._elsewhere:
            yield
            return
        with self._changed:
            self._waiting.pop(scope, None)
            while scope in self._busy:
                self._changed.wait()
            self._busy.add(scope)
        try:
            yield
        finally:
            with self._changed:
                self._busy.discard(scope)
                self._changed.notify_all()
                woken = scope in self._waiting
            if woken:  # whoever came for it meanwhile found it busy, and has left
                self.wake(scope)

    def close(self, seconds: float) -> bool:
        """Take on nothing more and let go of what waits; return whether what had begun ended within `seconds`."""
        if self._elsewhere:
            return True
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        return self.settle(seconds)

    @property
    def _elsewhere(self) -> bool:
        """Whether this is a fork: the threads stayed with the parent, and perhaps the lock in their hands."""
        return os.getpid() != self._process

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
            except Exception:  # the edge of a thread: what goes wrong behind the scenes must not stop the next scope
                log.exception("work behind the scenes failed in %s", scope)
            with self._changed:
                self._busy.discard(scope)
                self._changed.notify_all()
