"""One writer, group commit: what fails, fails alone; what is answered is on the disk."""

import gc
import logging
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import apsw
import pytest

from gieok.errors import BankClosed, BankError, DiskFull
from gieok.stores.sqlite import writer as writing
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.file import open_for_writing
from gieok.stores.sqlite.writer import LogLength, Writer


@pytest.fixture
def connection(path):
    return open_for_writing(path, None, embedder="hash-32", dimension=32, create=True)


@pytest.fixture
def writer(connection):
    writer = Writer(connection)
    yield writer
    writer.close()


def begin_scope(name):
    return lambda connection: connection.value("insert_scope", user=name, character="", world="")


def names(path):
    with apsw.Connection(str(path)) as reading:
        return [name for (name,) in reading.execute("SELECT user FROM scopes ORDER BY id").fetchall()]


@contextmanager
def piled_up(writer, *jobs):
    """Keep the writer busy until all of `jobs` wait in a row; lend what will come of them, and let it go on."""
    busy, free = threading.Event(), threading.Event()

    def wait(connection):
        busy.set()
        assert free.wait(30)

    with ThreadPoolExecutor(40) as pool:
        pool.submit(writer.write, wait)
        assert busy.wait(30)
        coming = []
        for number, job in enumerate(jobs, start=1):
            coming.append(pool.submit(writer.write, job))
            while writer._jobs.qsize() < number:
                pass
        yield coming, free
        free.set()


def test_a_job_gives_back_its_result_once_it_is_on_the_disk(writer, path):
    assert writer.write(begin_scope("민수")) == 1
    assert names(path) == ["민수"]


def test_jobs_that_wait_together_are_committed_together(writer, connection, path):
    commits = []
    connection._raw.set_commit_hook(lambda: bool(commits.append(1)))
    with piled_up(writer, *(begin_scope(f"사람 {number}") for number in range(20))) as (jobs, _):
        assert names(path) == []
    assert sorted(job.result() for job in jobs) == list(range(1, 21))
    assert len(commits) == 1
    assert len(names(path)) == 20


def test_a_job_that_fails_takes_nobody_with_it(writer, path):
    def half(connection: Connection):
        connection.run("insert_scope", user="반쪽", character="", world="")
        raise ZeroDivisionError

    jobs = (begin_scope("앞"), half, begin_scope("앞"), begin_scope("뒤"))
    with piled_up(writer, *jobs) as ((before, failing, twice, after), _):
        pass
    before.result()
    after.result()
    with pytest.raises(ZeroDivisionError):
        failing.result()
    with pytest.raises(BankError, match="UNIQUE"):
        twice.result()
    assert names(path) == ["앞", "뒤"]


def fill_up(connection):
    for number in range(10_000):
        connection.run("insert_scope", user=f"{number}" * 50, character="", world="")


def test_a_full_disk_is_said_and_leaves_nothing_behind(writer, path):
    writer.write(begin_scope("민수"))
    pages = writer.write(lambda connection: connection.pragma("page_count"))
    writer.write(lambda connection: connection.pragma("max_page_count", pages + 3))

    with pytest.raises(DiskFull, match="free some space"):
        writer.write(fill_up)
    assert names(path) == ["민수"]

    writer.write(lambda connection: connection.pragma("max_page_count", pages + 3_000))
    writer.write(begin_scope("지영"))
    assert names(path) == ["민수", "지영"]


def test_when_the_transaction_is_lost_everybody_in_it_hears_of_it(writer, path):
    def lose(connection):
        connection.script("ROLLBACK")
        raise DiskFull("가득 참")

    with piled_up(writer, begin_scope("앞"), lose, begin_scope("뒤")) as ((lost, losing, next_one), _):
        pass
    for job in (lost, losing):
        with pytest.raises(DiskFull):
            job.result()
    next_one.result()
    assert names(path) == ["뒤"]


@pytest.mark.parametrize(("hook", "trouble"), [(lambda: True, BankError), (lambda: 1 / 0, ZeroDivisionError)])
def test_whatever_goes_wrong_in_the_commit_is_answered(writer, connection, path, hook, trouble):
    connection._raw.set_commit_hook(hook)
    with pytest.raises(trouble):
        writer.write(begin_scope("민수"))
    assert names(path) == []
    connection._raw.set_commit_hook(None)
    writer.write(begin_scope("지영"))
    assert names(path) == ["지영"]


@pytest.mark.parametrize("trouble", [PermissionError(13, "Permission denied"), BankError("바쁨"), ZeroDivisionError()])
def test_upkeep_that_fails_is_logged_and_writing_goes_on(writer, path, monkeypatch, caplog, trouble):
    def fail(self):
        raise trouble

    monkeypatch.setattr(LogLength, "check", fail)
    with caplog.at_level(logging.WARNING, logger="gieok"):
        writer.write(begin_scope("민수"))
        writer.write(begin_scope("지영"))
        writer.close()
    assert names(path) == ["민수", "지영"]
    assert {record.exc_info[1] for record in caplog.records} == {trouble}


def test_the_file_is_closed_even_if_its_log_cannot_be_emptied(connection, monkeypatch, caplog):
    def fail(self):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(LogLength, "empty", fail)
    Writer(connection).close()
    with pytest.raises(apsw.ConnectionClosedError):
        connection._raw.execute("SELECT 1")
    assert "log could not be tidied up" in caplog.text


def test_without_its_thread_nobody_waits_for_an_answer(connection, monkeypatch):
    monkeypatch.setattr(writing, "_serve", lambda connection, jobs: jobs.get())  # ends at its first job
    writer = Writer(connection)
    for _ in range(2):
        with pytest.raises(BankError, match="has ended; close the bank and open it again"):
            writer.write(begin_scope("민수"))
    writer.close()
    with pytest.raises(BankClosed):
        writer.write(begin_scope("민수"))
    connection.close()


def test_closing_writes_what_is_waiting_and_then_takes_no_more(writer, path):
    with piled_up(writer, *(begin_scope(f"사람 {number}") for number in range(10))) as (jobs, free):
        threading.Timer(0.05, free.set).start()
        writer.close()
    assert all(job.result() for job in jobs)
    assert len(names(path)) == 10
    with pytest.raises(BankClosed):
        writer.write(begin_scope("늦은 사람"))
    writer.close()


def test_a_writer_that_nobody_holds_any_more_ends_its_thread(path, connection):
    writer = Writer(connection)
    thread, gone = writer._thread, weakref.ref(writer)
    writer.write(begin_scope("민수"))
    del writer
    gc.collect()
    assert gone() is None
    thread.join(10)
    assert not thread.is_alive()
    assert names(path) == ["민수"]


def test_a_program_that_forgets_to_close_ends_and_loses_nothing(path, opened):
    program = f"""
from gieok.domain.scope import Scope
from gieok.stores.sqlite import open_store
from gieok.testing import HashVectors, Scribe
store = open_store({str(path)!r}, embedder="hash-32", dimension=32)
Scribe(store, Scope(user="민수", character="레티아")).observe("안녕", id="t1")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert opened().info().counts["turns"] == 1
