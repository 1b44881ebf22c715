"""Upkeep is done once: whatever falls between a turn and its passes, and whoever else is at it."""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

import gieok
from gieok.domain.operation import Maintain
from gieok.testing import day

TURNS = 13  # promote and merge are due at 10, a summary after 12
DUE = ("promote", "merge", "summarise")


def talked(bank: gieok.MemoryBank, turns: int = TURNS) -> gieok.Mind:
    mind = bank.scope(user="minsu", character="letia")
    for number in range(turns):
        mind.observe(f"{number + 1}번째 이야기야", at=day(1) + timedelta(minutes=number))
    return mind


def passes_of(mind: gieok.Mind) -> Counter[str]:
    """Return how often each pass was done."""
    requests = (operation.request for operation in mind.journal())
    return Counter(name for request in requests if isinstance(request, Maintain) for name in request.passes)


def once() -> Counter[str]:
    return Counter(DUE)


def test_what_a_crash_left_undone_is_done_by_whoever_comes_next(open_bank):
    talked(open_bank(upkeep="off"))  # every turn is kept, and the process ends before its passes
    mind = open_bank().scope(user="minsu", character="letia")
    assert mind.maintain(at=day(1.1)).passes == DUE
    assert passes_of(mind) == once()


def test_the_next_turn_makes_up_for_it_too(open_bank):
    talked(open_bank(upkeep="off"))
    mind = open_bank().scope(user="minsu", character="letia")
    mind.observe("또 왔어", at=day(1.1))
    assert passes_of(mind) == once()


def test_doing_it_again_does_nothing(open_bank):
    mind = talked(open_bank(upkeep="off"))
    mind.maintain(at=day(1.1))
    before = mind.journal()
    assert mind.maintain(at=day(1.1)).passes == ()
    assert open_bank().scope(user="minsu", character="letia").maintain(at=day(1.1)).passes == ()
    assert mind.journal() == before


def test_a_dry_run_tells_what_would_be_done_and_does_nothing(open_bank):
    mind = talked(open_bank(upkeep="off"))
    before = mind.journal()
    would = mind.maintain(at=day(1.1), dry_run=True)
    assert mind.journal() == before
    assert [each.why for each in mind.maintain(at=day(1.1)).kept] == [each.why for each in would.kept]


def test_whoever_died_at_it_holds_it_up_for_five_minutes_and_no_longer(open_bank, clock):
    bank = open_bank(upkeep="off")
    mind = talked(bank)
    clock.set(day(1.1))
    assert bank.store.lease(mind.key, "dead", until=clock.now() + timedelta(minutes=5), now=clock.now())
    assert mind.maintain(at=day(1.1)).busy
    assert passes_of(mind) == Counter()
    clock.advance(minutes=5)
    assert not mind.maintain(at=day(1.1)).busy
    assert passes_of(mind) == once()


def test_a_pass_that_fails_lets_go_and_is_done_the_next_time(open_bank, monkeypatch):
    mind = talked(open_bank(upkeep="off"))
    with monkeypatch.context() as patch:
        patch.setattr("gieok.maintain.maintainer.OperationApplier.carried_out", lambda *_, **__: 1 / 0, raising=True)
        with pytest.raises(ZeroDivisionError):
            mind.maintain(at=day(1.1))
    assert passes_of(mind) == Counter()
    assert mind.maintain(at=day(1.1)).passes == DUE


def test_threads_of_two_banks_at_once_do_it_once(open_bank, counts):
    first = open_bank(upkeep="off")
    banks = [first, open_bank()]
    for attempt in range(counts(3, 100)):
        minds = [bank.scope(user=f"minsu-{attempt}", character="letia") for bank in banks for _ in range(2)]
        for number in range(TURNS):
            minds[0].observe(f"{number + 1}번째 이야기야", at=day(1) + timedelta(minutes=number))
        start = Barrier(len(minds))

        def keep(mind: gieok.Mind, start: Barrier = start) -> tuple[str, ...]:
            start.wait()
            return mind.maintain(at=day(1.1)).passes

        with ThreadPoolExecutor(len(minds)) as threads:
            done = list(threads.map(keep, minds))
        assert sorted(done) == [(), (), (), DUE]
        assert passes_of(minds[0]) == once()


KEEPER = """
import sys
from datetime import datetime
import gieok
mind = gieok.open(sys.argv[1], embedder="hashing", upkeep="off").scope(user="minsu", character="letia")
print("ready", flush=True)
sys.stdin.readline()
print(",".join(mind.maintain(at=datetime.fromisoformat(sys.argv[2])).passes), flush=True)
"""


def test_processes_at_once_do_it_once(open_bank, tmp_path):
    mind = talked(open_bank(upkeep="off"))
    keepers = [
        subprocess.Popen(
            [sys.executable, "-c", KEEPER, str(tmp_path / "memories.db"), day(1.1).isoformat()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    for keeper in keepers:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == "ready\n"
    for keeper in keepers:
        assert keeper.stdin is not None
        keeper.stdin.write("\n")
        keeper.stdin.flush()
    done = sorted(keeper.communicate(timeout=60)[0].strip() for keeper in keepers)
    assert [keeper.returncode for keeper in keepers] == [0, 0]
    assert done == ["", ",".join(DUE)]
    assert passes_of(mind) == once()


def test_a_turn_that_comes_in_meanwhile_is_neither_lost_nor_kept_from_the_next_pass(open_bank):
    mind = talked(open_bank(upkeep="off"))
    start = Barrier(2)

    def keep() -> None:
        start.wait()
        mind.maintain(at=day(1.1))

    def talk() -> None:
        start.wait()
        for number in range(20):
            mind.observe(f"끼어든 {number}번째 이야기야", at=day(1.2) + timedelta(minutes=number))

    with ThreadPoolExecutor(2) as threads:
        for done in (threads.submit(keep), threads.submit(talk)):
            done.result()
    assert [turn.number for turn in mind.turns(100)] == list(range(1, TURNS + 21))
    mind.maintain(at=day(1.3))
    assert passes_of(mind)["merge"] == 2
