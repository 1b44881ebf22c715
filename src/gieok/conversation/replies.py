"""Replies in progress: one turn at a time per scope, interruption, and the text so far."""

from __future__ import annotations

import atexit
import logging
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Lock, RLock, Thread
from threading import Event as Signal
from typing import Final, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from gieok.bank import MemoryBank
from gieok.conversation.events import Event
from gieok.domain.answer import Message, Prompt, Task
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.errors import ModelFailed, TurnUnderWay
from gieok.ports import Model


@dataclass(slots=True)
class _ScopeLock:
    lock: Lock = field(default_factory=Lock)  # a turn may end in another thread than it began in
    users: int = 0  #: holders and waiters


class TurnLocks:
    """Locks for the turns in progress in one bank, in this process."""

    def __init__(self) -> None:
        self._places: dict[Scope, _ScopeLock] = {}
        self._guard = RLock()  # re-entrant: a garbage-collected turn ends in whatever thread runs the collector

    @contextmanager
    def held(self, scope: Scope, seconds: float) -> Iterator[None]:
        """Lock `scope`; raises `TurnUnderWay` if it is not free within `seconds`."""
        with self._guard:
            place = self._places.setdefault(scope, _ScopeLock())
            place.users += 1
        try:
            if not place.lock.acquire(timeout=min(seconds, TIMEOUT_MAX)):
                raise TurnUnderWay(str(scope), seconds)
            try:
                yield
            finally:
                place.lock.release()
        finally:
            with self._guard:
                place.users -= 1
                if not place.users:
                    del self._places[scope]


_LOCKS: Final[WeakKeyDictionary[MemoryBank, TurnLocks]] = WeakKeyDictionary()
_LOCKS_GUARD: Final = Lock()


def turn_locks_of(bank: MemoryBank) -> TurnLocks:
    """Return the locks shared by all conversations over `bank`."""
    with _LOCKS_GUARD:
        return _LOCKS.setdefault(bank, TurnLocks())


Result = TypeVar("Result")
Answer = TypeVar("Answer")
_StreamItem = str | BaseException | None  # None: end of stream


def in_thread(work: Callable[[], Result], *, must_end: bool) -> Future[Result]:
    """Start `work` in a thread; at exit, the program waits for it only if `must_end`."""
    future: Future[Result] = Future()
    context = copy_context()

    def do() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            future.set_exception(error)

    Thread(target=do, name="gieok-talk", daemon=not must_end).start()
    return future


def uninterrupted(work: Callable[[], Result]) -> Result:
    """Return the result of `work`. Ctrl-C is raised only after it is done."""
    try:
        future = in_thread(work, must_end=True)
    except RuntimeError:  # no thread can be started, for example at interpreter exit: run it here
        return work()
    try:
        return future.result()
    except KeyboardInterrupt:
        future.exception()
        raise


def is_scripted(model: Model) -> bool:
    """Return whether `model` replies with fixed phrases, from which nothing is learned."""
    return bool(getattr(model, "scripted", False))


class Interruptible:
    """Wraps a `gieok.ports.Model` for one reply that can be interrupted.

    Pieces are read in a separate thread. After `break_off` nothing more is delivered: the reply ends with the failure
    "cancelled", and the thread disconnects as soon as the model yields.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.scripted = is_scripted(model)
        self._heard: SimpleQueue[_StreamItem] = SimpleQueue()
        self._gone = Signal()

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        return self._model.ask(prompt)

    def break_off(self) -> None:
        """Stop listening; may be called from any thread."""
        self._gone.set()
        self._heard.put(None)

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        if not self._gone.is_set():
            in_thread(lambda: self._read(messages, task, most_tokens), must_end=False)
        try:
            while not self._gone.is_set():
                news = self._heard.get()
                if self._gone.is_set():
                    break
                if news is None:
                    return
                if isinstance(news, BaseException):
                    raise news
                yield news
            raise ModelFailed("cancelled", self.name, "the reply was broken off")
        finally:
            self._gone.set()

    def _read(self, messages: Sequence[Message], task: Task, most_tokens: int) -> None:
        bits = self._model.stream(messages, task=task, most_tokens=most_tokens)
        try:
            for bit in bits:
                if self._gone.is_set():
                    return
                self._heard.put(bit)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the bits are heard
            self._heard.put(error)
        else:
            self._heard.put(None)
        finally:
            bits.close()


_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  #: all except tab and line feed
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_FIRST_HALF: Final = re.compile(r"[\ud800-\udbff]\Z")
log = logging.getLogger(__name__)
_UNFINISHED: Final[WeakSet[Generator[Event, None, None]]] = WeakSet()


class Reply:
    """The text of a reply so far."""

    def __init__(self, longest: int = LONGEST_UTTERANCE) -> None:
        self._room = longest
        self._bits: list[str] = []
        self._pending_half = ""  #: first half of a surrogate pair
        self.overflowed = False  #: whether it exceeded the limit of an utterance

    @property
    def text(self) -> str:
        """The text, stripped."""
        return "".join(self._bits).rstrip()

    def add(self, bit: str) -> str:
        """Add the next piece; return the part of it to display."""
        shown = _CONTROLS.sub("", self._whole_letters(bit))
        if not self._bits:
            shown = shown.lstrip()
        if len(shown) > self._room:
            shown, self.overflowed = shown[: self._room], True
        self._room -= len(shown)
        if shown:
            self._bits.append(shown)
        return shown

    def _whole_letters(self, bit: str) -> str:
        """Return `bit` with surrogate pairs joined, also across pieces; a lone half becomes "�"."""
        if not self._pending_half and not _SURROGATE.search(bit):
            return bit
        bit = self._pending_half + bit
        self._pending_half = bit[-1] if _FIRST_HALF.search(bit) else ""
        whole = bit[: len(bit) - len(self._pending_half)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def closed_at_exit(events: Generator[Event, None, None]) -> Generator[Event, None, None]:
    """Return `events`, which are closed at program exit at the latest."""
    _UNFINISHED.add(events)
    return events


@atexit.register
def _close_all() -> None:
    """Close remaining replies while threads and modules still work; later, nothing can be stored."""
    for events in list(_UNFINISHED):
        try:
            events.close()
        except Exception:  # the bank may be closed, and the next reply must still be stored
            log.warning("a turn that was under way could not be kept", exc_info=True)
