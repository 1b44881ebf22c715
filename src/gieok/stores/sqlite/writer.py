"""The one thread that writes, and its group commit.

Jobs that wait together are committed together, each in a savepoint of its own: one sync to the disk serves them all,
and a job that fails takes nobody with it. A caller gets its answer only when its job is on the disk.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from gieok.errors import BankClosed, GieokError
from gieok.stores.sqlite.connection import Connection, give_up, in_savepoint
from gieok.stores.sqlite.log_length import LogLength

Result = TypeVar("Result")

_LARGEST_GROUP: Final = 64


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Connection], Any]
    done: Future[Any] = field(default_factory=Future)


_Jobs = SimpleQueue[_Job | None]  # None: close


class Writer:
    """Where everybody hands in what they want written."""

    def __init__(self, connection: Connection) -> None:
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
        was written.
        """
        job = _Job(work)
        with self._gate:
            if self._closed:
                raise BankClosed
            self._jobs.put(job)
        result: Result = job.done.result()
        return result

    def close(self) -> None:
        """Write what is waiting, put the log into the file, and stop."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()


def _serve(connection: Connection, jobs: _Jobs) -> None:
    log = LogLength(connection)
    while (first := jobs.get()) is not None:
        _commit_together(connection, first, jobs)
        with suppress(GieokError):  # what is committed is safe in the log as well
            log.check()
    with suppress(GieokError):
        log.empty()
        connection.close()


def _commit_together(connection: Connection, first: _Job, jobs: _Jobs) -> None:
    """Answer a group of jobs, come what may: whoever is left without an answer waits for ever."""
    finished: list[tuple[_Job, Any]] = []
    try:
        connection.script("BEGIN IMMEDIATE")
    except Exception as error:  # noqa: BLE001  # the edge of the writer thread: the callers get it, here and below
        _fail(_waiting(first, jobs), error)
        return
    for job in _waiting(first, jobs):
        try:
            finished.append((job, in_savepoint(connection, job.work)))
        except Exception as error:  # noqa: BLE001
            job.done.set_exception(error)
            if not connection.in_transaction:  # SQLite gave the whole transaction up
                _fail((done for done, _ in finished), error)
                return
    try:
        connection.script("COMMIT")
    except Exception as error:  # noqa: BLE001
        give_up(connection)
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
        if job is None:
            jobs.put(None)
            return
        yield job


def _fail(jobs: Iterator[_Job], error: Exception) -> None:
    for job in jobs:
        job.done.set_exception(error)
