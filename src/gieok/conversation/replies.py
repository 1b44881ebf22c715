"""Replies under way: one turn at a time in a scope, replies that can be interrupted, and their text so far."""

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
    users: int = 0  #: who holds it or waits for it


class TurnLocks:
    """The turns that are under way in one bank, in this process."""

    def __init__(self) -> None:
        self._places: dict[Scope, _ScopeLock] = {}
        self._guard = RLock()  # re-entrant: a turn that is collected as garbage ends wherever the collector runs

    @contextmanager
    def held(self, scope: Scope, seconds: float) -> Iterator[None]:
        """Keep others in `scope` waiting; raise `TurnUnderWay` if it is not free within `seconds`."""
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
    """Return the locks that all conversations over `bank` share."""
    with _LOCKS_GUARD:
        return _LOCKS.setdefault(bank, TurnLocks())


Result = TypeVar("Result")
Answer = TypeVar("Answer")
_News = str | BaseException | None  # None: it is over


def in_thread(work: Callable[[], Result], *, must_end: bool) -> Future[Result]:
    """Begin `work`; a program that ends waits for what `must_end`, and for nothing else."""
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
    """Return what `work` returns. Ctrl-C waits until it is done, and is raised then."""
    try:
        future = in_thread(work, must_end=True)
    except RuntimeError:  # no thread is to be had, as when the interpreter ends: better here than not at all
        return work()
    try:
        return future.result()
    except KeyboardInterrupt:
        future.exception()
        raise


def is_scripted(model: Model) -> bool:
    """Return whether `model` answers with fixed phrases, from which nothing is to be learned."""
    return bool(getattr(model, "scripted", False))


class Interruptible:
    """Implements `gieok.ports.Model` over another one, for one reply.

    Bits are read in a thread of their own. After `break_off` nothing more is heard: the reply ends as a failure of its
    own kind ("cancelled"), and the thread hangs up as soon as the model lets go.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.scripted = is_scripted(model)
        self._heard: SimpleQueue[_News] = SimpleQueue()
        self._gone = Signal()

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        return self._model.ask(prompt)

    def break_off(self) -> None:
        """Stop listening, from whichever thread."""
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


_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  #: all but tab and line feed
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_FIRST_HALF: Final = re.compile(r"[\ud800-\udbff]\Z")
log = logging.getLogger(__name__)
_UNFINISHED: Final[WeakSet[Generator[Event, None, None]]] = WeakSet()


class Reply:
    """What has been said so far."""

    def __init__(self, longest: int = LONGEST_UTTERANCE) -> None:
        self._room = longest
        self._bits: list[str] = []
        self._half = ""  #: of a letter whose other half is still to come
        self.overflowed = False  #: there was more than an utterance holds

    @property
    def text(self) -> str:
        """What was said, without the white space around it."""
        return "".join(self._bits).rstrip()

    def add(self, bit: str) -> str:
        """Take in the next bit; return what of it is to be shown."""
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
        """Return `bit` with halves of letters joined, over the edges of bits, too; what stays half becomes "�"."""
        if not self._half and not _SURROGATE.search(bit):
            return bit
        bit = self._half + bit
        self._half = bit[-1] if _FIRST_HALF.search(bit) else ""
        whole = bit[: len(bit) - len(self._half)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def closed_at_exit(events: Generator[Event, None, None]) -> Generator[Event, None, None]:
    """Return `events`; they are closed when the program ends at the latest."""
    _UNFINISHED.add(events)
    return events


@atexit.register
def _end_all() -> None:
    """End what is left, while threads and modules are still there: an interpreter that is torn down keeps nothing."""
    for events in list(_UNFINISHED):
        try:
            events.close()
        except Exception:  # the end of the process: its bank may be closed, and the next turn is to be kept as well
            log.warning("a turn that was under way could not be kept", exc_info=True)
