"""Several processes on one file."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time

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
        assert len(view.keyword(["말"], [], 10_000)) == 3 * turns
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
