"""Observing, recalling and making contexts in one scope of a given size, in a process of its own."""

from __future__ import annotations

import multiprocessing
import shutil
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import gieok
from gieok.bank import Mind
from gieok.cli import bench
from gieok.embedders import UniversalEncoder
from profiling.findings import Act, Profiled
from profiling.phases import REST, Profile, profiled

_WARMING: Final = 30  #: turns and questions that are not counted; upkeep settles meanwhile
_MOST_TURNS: Final = 500  #: told to fill a scope, beside its memories
_FIRST_DAY: Final = datetime(2026, 1, 1, 9, tzinfo=UTC)


def acts(memories: int, count: int) -> list[Profiled]:
    """Profile recalling, making contexts and observing, in this order, in a scope of so many memories."""
    spawned = multiprocessing.get_context("spawn")  # nothing is warm from before
    here, there = spawned.Pipe()
    process = spawned.Process(target=_work, args=(there, memories, count), daemon=True)
    process.start()
    there.close()
    try:
        told: list[Profiled] = here.recv()
    except EOFError as ended:
        raise RuntimeError(f"the process that profiled {memories:,} memories ended early; see above") from ended
    finally:
        process.join()
    return told


def _work(told: Connection, memories: int, count: int) -> None:
    folder = Path(mkdtemp(prefix="gieok-performance-"))
    try:
        told.send(_profiled(folder, memories, count))
    finally:
        shutil.rmtree(folder)


def _profiled(folder: Path, memories: int, count: int) -> list[Profiled]:
    embedder = bench.Prepared(UniversalEncoder())
    with gieok.open(folder / "bank.db", embedder=embedder) as bank, profiled() as profile:
        bank.warm()
        mind = bank.scope(user="민수", character="레티아")
        for _ in bench.fill(mind, embedder, islice(bench.memories(), memories)):
            pass  # in batches
        told = _told(mind)
        for _ in islice(told, min(memories, _MOST_TURNS)):
            pass
        asked = bench.questions()
        return [
            _counted("recall", memories, profile, count, (mind.recall(question) for question in asked)),
            _counted("context", memories, profile, count, (mind.context(question) for question in asked)),
            _counted("observe", memories, profile, count, told),
        ]


def _told(mind: Mind) -> Iterator[None]:
    """Tell one turn after the other, an hour apart."""
    for number, text in enumerate(bench.made_turns(seed=1)):
        mind.observe(text, reply="그랬군요.", at=_FIRST_DAY + number * timedelta(hours=1))
        yield


def _counted(act: Act, memories: int, profile: Profile, count: int, calls: Iterable[object]) -> Profiled:
    """Make some calls that do not count, then `count` that do."""
    calls = iter(calls)
    for _ in islice(calls, _WARMING):
        pass
    profile.reset()
    cpu = time.process_time()
    for _ in islice(calls, count):
        pass
    return summed_up(act, memories, count, time.process_time() - cpu, profile.spent())


def summed_up(act: Act, memories: int | None, count: int, seconds: float, spent: dict[str, float]) -> Profiled:
    """Return the share of one call; what no phase holds is the rest."""
    phases = {name: value * 1000 / count for name, value in spent.items() if value > 0}
    rest = max(seconds - sum(spent.values()), 0.0) * 1000 / count
    return Profiled(
        act=act, memories=memories, count=count, cpu_ms=seconds * 1000 / count, phases={**phases, REST: rest}
    )
