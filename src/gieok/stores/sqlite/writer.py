"""The one thread that writes, and its group commit.

Jobs that wait together are committed together, all but the first in savepoints: one sync to the disk serves them all,
and a job that fails takes nobody with it. A caller gets its answer only when its job is on the disk.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from gieok.errors import BankClosed, BankError, BankUnavailable, ErrorText
from gieok.stores.sqlite.connection import Connection, in_savepoint
from gieok.stores.tables.scopes import OwnProcess

LONG: Final = 64 * 1024 * 1024
_PATIENCE_MS: Final = 1_000
log = logging.getLogger(__name__)
Result = TypeVar("Result")
_LARGEST_GROUP: Final = 64
_SECONDS_OF_TRUST: Final = 1.0  # how long a caller waits before it looks whether the thread still lives


class LogLength:
    """Waits for a moment without old readers once the log is long."""

    def __init__(self, connection: Connection, long: int = LONG) -> None:
        self._connection = connection
        self._log = Path(f"{connection.location}-wal")
        self._long = long
        self._bearable = long

    def check(self) -> None:
        """To be called between transactions; seldom takes up to a second."""
        length = self._log.stat().st_size if self._log.exists() else 0
        if length > self._bearable:
            self._bearable = self._long if self.empty() else length + self._long

    def empty(self) -> bool:
        """Move the whole log into the file; False if a reader of old pages was in the way for a second."""
        usual = self._connection.pragma("busy_timeout")
        self._connection.pragma("busy_timeout", _PATIENCE_MS)
        try:
            ((blocked, *_),) = self._connection.script("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._connection.pragma("busy_timeout", usual)
        return not blocked


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Connection], Any]
    between: bool = False  #: not within a transaction
    done: Future[Any] = field(default_factory=Future)


_Jobs = SimpleQueue[_Job | None]  # None: close


class Writer:
    """Where everybody hands in what they want written."""

    def __init__(self, connection: Connection) -> None:
        self._process = OwnProcess()
        self._jobs: _Jobs = SimpleQueue()
        self._gate = Lock()
        self._closed = False
        # A daemon, and without a reference to this object: a bank that nobody closes neither keeps the interpreter
        # alive nor, once it is garbage, its thread.
        self._thread = Thread(target=_serve, args=(connection, self._jobs), name="gieok-writer", daemon=True)
        self._thread.start()
        weakref.finalize(self, self._jobs.put, None).atexit = False

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in the writer's transaction; return when it is on the disk.

        Raises what `work` raises, or the trouble that kept the whole group from being committed; then nothing of it
        was written. Raises `BankError` in a fork, and if the writer thread is gone.
        """
        result: Result = self._done(_Job(work))
        return result

    def between(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` between two transactions; nobody writes meanwhile."""
        result: Result = self._done(_Job(work, between=True))
        return result

    def _done(self, job: _Job) -> Any:
        self._process.check()
        with self._gate:
            if self._closed:
                raise BankClosed
            self._check_thread()
            self._jobs.put(job)
        while not wait([job.done], _SECONDS_OF_TRUST).done:
            self._check_thread(job)
        return job.done.result()

    def close(self) -> None:
        """Write what is waiting, put the log into the file, and stop; in a fork do nothing."""
        if self._process.left:
            return
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _check_thread(self, job: _Job | None = None) -> None:
        """Raise `BankError` if the thread is gone, unless the last thing it did was to answer `job`."""
        gone = not self._thread.is_alive()
        if gone and not (job and job.done.done()):
            raise BankError(ErrorText("bank.writer_ended"))


def _serve(connection: Connection, jobs: _Jobs) -> None:
    length = LogLength(connection)
    while (first := jobs.get()) is not None:
        if first.between:
            try:
                first.done.set_result(first.work(connection))
            except Exception as error:  # noqa: BLE001  # the edge of the writer thread: the caller gets it
                first.done.set_exception(error)
        else:
            _commit_together(connection, first, jobs)
        _tidy(length.check)
    _tidy(length.empty)
    _tidy(connection.close)


def _tidy(step: Callable[[], Any]) -> None:
    """Do what keeps the file in shape. It may fail: what is committed is safe in the log as well."""
    try:
        step()
    except Exception:  # the edge of the writer thread: without it nobody is ever answered again
        log.warning("the bank is written to, but its log could not be tidied up", exc_info=True)


def _commit_together(connection: Connection, first: _Job, jobs: _Jobs) -> None:
    """Answer a group of jobs, come what may: whoever is left without an answer waits for ever."""
    finished: list[tuple[_Job, Any]] = []
    try:
        connection.begin_to_write()
    except Exception as error:  # noqa: BLE001  # the edge of the writer thread: the callers get it, here and below
        _fail(_waiting(first, jobs), error)
        return
    for job in _waiting(first, jobs):
        try:  # the first one needs no savepoint: if it fails, nothing else is in the transaction
            finished.append((job, in_savepoint(connection, job.work) if finished else job.work(connection)))
        except Exception as error:  # noqa: BLE001  # whoever waits for it is told; the writer goes on
            if isinstance(error, BankUnavailable):
                connection.give_up()
            elif not finished:
                connection.end()
            job.done.set_exception(error)
            if not connection.in_transaction:  # this job, or SQLite, gave all of it up; the rest goes on waiting
                _fail((done for done, _ in finished), error)
                return
    try:
        connection.script("COMMIT")
    except Exception as error:  # noqa: BLE001  # whoever waits for it is told; the writer goes on
        connection.give_up()
        _fail((done for done, _ in finished), error)
        return
    for job, result in finished:
        job.done.set_result(result)


def _waiting(first: _Job, jobs: _Jobs) -> Iterator[_Job]:
    yield first
    for _ in range(_LARGEST_GROUP - 1):
        try:
            job = jobs.get_nowait()
        except Empty:
            return
        if job is None or job.between:
            jobs.put(job)
            return
        yield job


def _fail(jobs: Iterable[_Job], error: Exception) -> None:
    for job in jobs:
        job.done.set_exception(error)
