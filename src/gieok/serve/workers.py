"""Several processes that serve one address: `gieok serve --workers`.

The parent opens the socket and loads everything, and then forks the workers, so that they share it in memory; it serves
nothing itself. A worker that dies is replaced at once. Workers end when the parent does, however it ends.
"""

from __future__ import annotations

import logging
import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

from gieok.errors import CannotListen, ErrorText

log = logging.getLogger(__name__)

_MOST_DEATHS: Final = 5
_DEATHS_SECONDS: Final = 60.0
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
#: What a worker does: it gets its index, what to call once it serves, and a descriptor that ends when the parent does.
Work = Callable[[int, Callable[[], None], int], None]


def are_possible() -> bool:
    """Whether this system can fork processes."""
    return hasattr(os, "fork")


class Supervisor:
    """Runs the workers until a signal comes, and replaces those that die."""

    def __init__(self, count: int, work: Work) -> None:
        self._count, self._work = count, work
        self._running: dict[int, int] = {}  #: the index of a worker by its process id
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)
        self._stopping = False
        self._failed = False  #: they died one after the other
        self._life = os.pipe()  #: the workers' end is at its end once no parent holds the other one
        self._ready = os.pipe()
        self._waiting = set(range(count))  #: those that have not served yet

    def run(self, *, opened: Callable[[], None], closing: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT; a second one ends all at once.

        `opened` is called once all workers serve, `closing` when they are told to stop. Raises `CannotListen` where
        they die one after the other.
        """
        with self._signals() as woken, selectors.DefaultSelector() as news:
            news.register(woken, selectors.EVENT_READ)
            news.register(self._ready[0], selectors.EVENT_READ)
            try:
                for index in range(self._count):
                    self._fork(index)
                told_of: Callable[[], None] | None = None
                while self._running:
                    for key, _ in news.select():
                        heard = os.read(key.fd, 4_096)
                        if key.fd == self._ready[0]:
                            self._waiting.difference_update(heard)
                    self._reap()
                    news_is = closing if self._stopping else opened if not self._waiting else None
                    if news_is is not None and news_is is not told_of:
                        told_of = news_is
                        news_is()
            finally:
                self._kill()
        if self._failed:
            raise CannotListen(ErrorText("serve.workers_die", count=_MOST_DEATHS, seconds=_DEATHS_SECONDS))

    def _fork(self, index: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
        try:
            pid = os.fork()
            if not pid:
                self._become(index)
            self._running[pid] = index
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)

    def _become(self, index: int) -> NoReturn:
        """Be a worker. Nothing of the parent is returned to."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for each in (*_STOPPING, signal.SIGCHLD):
                signal.signal(each, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all of them: the parent says when to stop
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
            os.close(self._life[1])
            os.close(self._ready[0])
            self._work(index, lambda: _write(self._ready[1], bytes([index])), self._life[0])
            code = 0
        except BaseException:  # the edge of a process
            log.exception("worker %d failed", index)
        finally:
            logging.shutdown()
            os._exit(code)

    def _reap(self) -> None:
        for pid in list(self._running):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                self._ended(self._running.pop(pid), pid, os.waitstatus_to_exitcode(status))

    def _ended(self, index: int, pid: int, code: int) -> None:
        if self._stopping:
            return
        if code:
            self._deaths.append(time.monotonic())
            if len(self._deaths) == _MOST_DEATHS and self._deaths[-1] - self._deaths[0] < _DEATHS_SECONDS:
                self._failed = self._stopping = True
                self._tell(signal.SIGTERM)
                return
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        log.warning("worker %d (process %d) ended with %s; another one takes its place", index, pid, how)
        self._fork(index)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            self._kill()
            os._exit(128 + number)
        self._stopping = True
        self._tell(signal.SIGTERM)

    def _tell(self, number: int) -> None:
        for pid in self._running:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _kill(self) -> None:
        """End the workers that are left; what they acknowledged is in the bank."""
        self._tell(signal.SIGKILL)
        for pid in list(self._running):
            os.waitpid(pid, 0)
            del self._running[pid]

    @contextmanager
    def _signals(self) -> Iterator[int]:
        """Handle signals meanwhile; yield a descriptor that can be read from whenever one came."""
        woken, wakes = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wakes, False)
        before = {each: signal.signal(each, self._stop) for each in _STOPPING}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _noted)
        known = signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(known)
            for each, handler in before.items():
                signal.signal(each, handler)
            os.close(woken)
            os.close(wakes)


def _noted(number: int, frame: FrameType | None) -> None:
    """Do nothing: the wake-up descriptor is written to only for signals that have a handler."""


def _write(descriptor: int, data: bytes) -> None:
    with suppress(OSError):  # the parent is gone
        os.write(descriptor, data)
