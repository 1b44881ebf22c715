"""Several processes on one file."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gieok.domain.scope import Scope
from gieok.stores.sqlite import open_store
from gieok.testing import Scribe

SHARED = Scope(user="민수", character="레티아")


def talk(path, name, turns):
    store = open_store(path, embedder="hash-32", dimension=32)
    own = Scribe(store, Scope(user=name, character="레티아"), name=name)
    shared = Scribe(store, SHARED, name=name)
    for number in range(turns):
        own.observe(f"{name}의 말 {number}")
        shared.observe(f"{name}의 말 {number}", id=f"{name}-{number}")
    store.close()


def test_processes_that_write_at_once_lose_nothing_and_never_find_it_locked(path, opened, counts):
    """They also make the bank at once: nobody opens it before."""
    turns = counts(15, 200)
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=talk, args=(str(path), f"{number}번", turns)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]

    store = opened()
    assert {summary.turns for summary in store.scopes()} == {turns, 3 * turns}
    with store.view(SHARED) as view:
        numbers = [turn.number for turn in view.turns(10_000)]
        assert numbers == list(range(1, 3 * turns + 1))
        [found] = view.occurrences(["말"])
        assert len(found.places) == 3 * turns
    assert store.problems() == []


CHATTER = """
import sys
from gieok.domain.scope import Scope
from gieok.stores.sqlite import open_store
from gieok.testing import Scribe, claim
store = open_store(sys.argv[1], embedder="hash-32", dimension=32)
scribe = Scribe(store, Scope(user="민수", character="레티아"), name=sys.argv[2])
for number in range(1_000):
    home = claim("residence", f"{number}번지", id=f"{sys.argv[2]}-{number}")
    done = scribe.observe("나 이사했어", "어디로?", claims=[home])
    print(done.turn_id, flush=True)
"""


def test_a_killed_process_leaves_every_turn_that_returned_and_no_half_one(path, opened, counts):
    dice = random.Random(11)
    returned = []
    for life in range(counts(3, 20)):
        child = subprocess.Popen(
            [sys.executable, "-c", CHATTER, str(path), f"{life}-"], stdout=subprocess.PIPE, text=True
        )
        returned.append(child.stdout.readline().strip())
        time.sleep(dice.uniform(0.0, 0.5))
        os.kill(child.pid, signal.SIGKILL)
        returned += child.communicate()[0].split()

    store = opened()
    assert store.problems() == []
    with store.view(SHARED) as view:
        turns = {turn.id: turn for turn in view.turns(100_000)}
        assert set(returned) <= set(turns)
        assert all(len(turn.utterances) == 2 for turn in turns.values())
        assert len(view.operations()) == len(turns)


FORKING = """
import os, sys
from gieok.domain.scope import Scope
from gieok.errors import BankError
from gieok.stores.sqlite import open_store
from gieok.testing import Scribe, entry_for, turn

def refused(act):
    try:
        act()
    except BankError as error:
        print(error, flush=True)

def look():
    with store.view(scope) as view:
        view.turns(1)

store = open_store(sys.argv[1], embedder="hash-32", dimension=32)
scope = Scope(user="민수", character="레티아")
scribe = Scribe(store, scope)
scribe.observe("포크 전", id="t1")
with store.locked(scope) as room, store._writer._gate, store._readers._lock:  # as other threads may hold them
    child = os.fork()
    if child == 0:
        refused(lambda: room.apply(entry_for(turn("아이", id="t2"))))
        refused(lambda: scribe.observe("아이", id="t3"))
        refused(look)
        refused(store.info)
        store.close()
        os._exit(0)
    os.waitpid(child, 0)
scribe.observe("포크 뒤", id="t4")
store.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_is_told_to_open_the_bank_again_and_its_parent_goes_on(path, opened):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKING, str(path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["this bank was opened in another process; open it again here"] * 4
    store = opened()
    with store.view(SHARED) as view:
        assert [turn.id for turn in view.turns(9)] == ["t1", "t4"]
    assert store.problems() == []


LOCKS = Path("/proc/locks")


def locks_on(path):
    return [line.split()[1:] for line in LOCKS.read_text().splitlines() if f":{path.stat().st_ino} " in line]


@pytest.mark.skipif(not LOCKS.exists(), reason="needs Linux to tell who holds which lock")
def test_a_bank_that_is_opened_twice_here_stays_locked_against_others(path, opened, letia):
    """Looking at the file before opening it must not undo the locks of those who have it open."""
    Scribe(opened(), letia).observe("안녕")
    held = locks_on(path)
    assert held
    opened()
    assert locks_on(path) == held
