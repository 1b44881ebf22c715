"""Work behind the scenes."""

import logging
import os
import signal
from collections.abc import Callable
from threading import Event, Lock, active_count

import pytest

from gieok.bank.models import JobRunner
from gieok.domain.scope import Scope
from gieok.errors import BankClosed

LETIA, SERA, NARI = (Scope(user="민수", character=name) for name in ("레티아", "세라", "나리"))


class Worker:
    """Notes whom it worked on; waits where it is told to."""

    def __init__(self) -> None:
        self.done: list[Scope] = []
        self.at_once = 0
        self.most_at_once = 0
        self.gate = Event()
        self.gate.set()
        self.begun = Event()
        self._lock = Lock()

    def __call__(self, scope: Scope) -> None:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        assert self.gate.wait(10)
        with self._lock:
            self.at_once -= 1
            self.done.append(scope)


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.mark.parametrize("times", [1, 5])
def test_a_scope_that_is_woken_while_it_is_worked_on_is_worked_on_once_more_and_not_at_once(
    worker: Worker, times: int
) -> None:
    jobs = JobRunner(worker, threads=4)
    worker.gate.clear()
    jobs.wake(LETIA)
    assert worker.begun.wait(10)
    for _ in range(times):
        jobs.wake(LETIA)
    worker.gate.set()
    assert jobs.settle(10)
    assert worker.most_at_once == 1
    assert worker.done == [LETIA, LETIA]


def test_a_scope_woken_while_it_is_worked_on_is_not_forgotten_when_the_other_threads_go() -> None:
    seen: list[Scope] = []
    jobs: JobRunner

    def work(scope: Scope) -> None:
        seen.append(scope)
        if len(seen) == 1:
            jobs.wake(scope)

    jobs = JobRunner(work)
    jobs.wake(LETIA)
    assert jobs.settle(10)
    assert seen == [LETIA, LETIA]


def test_what_fails_in_one_scope_does_not_stop_the_next(caplog: pytest.LogCaptureFixture) -> None:
    done: list[Scope] = []

    def work(scope: Scope) -> None:
        if scope == LETIA:
            raise RuntimeError("broken")
        done.append(scope)

    jobs = JobRunner(work, threads=1)
    for scope in (LETIA, SERA):
        jobs.wake(scope)
    assert jobs.settle(10)
    assert done == [SERA]
    assert "background work failed" in caplog.text


def test_closing_lets_go_of_what_waits_and_finishes_what_began(worker: Worker) -> None:
    jobs = JobRunner(worker, threads=1)
    worker.gate.clear()
    jobs.wake(LETIA)
    assert worker.begun.wait(10)
    jobs.wake(SERA)
    assert not jobs.close(0.01)
    worker.gate.set()
    assert jobs.settle(10)
    jobs.wake(NARI)
    assert jobs.settle(10)
    assert worker.done == [LETIA]


def test_no_thread_stays_when_there_is_nothing_to_do(worker: Worker) -> None:
    before = active_count()
    jobs = JobRunner(worker)
    for scope in (LETIA, SERA, NARI):
        jobs.wake(scope)
    assert jobs.settle(10)
    assert _soon(lambda: active_count() <= before)


def _soon(holds: Callable[[], bool]) -> bool:
    waited = Event()
    return any(holds() or waited.wait(0.01) for _ in range(500))


def test_a_bank_that_closes_meanwhile_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    def closed(_: Scope) -> None:
        raise BankClosed

    jobs = JobRunner(closed)
    jobs.wake(LETIA)
    assert jobs.settle(10)
    assert [each for each in caplog.records if each.levelno > logging.INFO] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_fork_waits_for_nobody(worker: Worker) -> None:
    worker.gate.clear()
    jobs = JobRunner(worker)
    jobs.wake(LETIA)
    assert worker.begun.wait(10)
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # ends it where it waits for threads that it has not
        jobs.wake(SERA)
        os._exit(not (jobs.settle() and jobs.close(10)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    worker.gate.set()
    assert jobs.settle(10)
    assert worker.done == [LETIA]
