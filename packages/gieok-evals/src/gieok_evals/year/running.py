"""Ten years side by side, each in a bank of its own, on as many processes as there are cores."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from multiprocessing.sharedctypes import Synchronized
from time import perf_counter
from typing import Final

from gieok.errors import InvalidQuery
from gieok_evals.benches import StoryClock
from gieok_evals.year.checking import Lived, looked_back
from gieok_evals.year.generator import START, check_turns, year
from gieok_evals.year.living import living
from gieok_evals.year.people import Person, first
from gieok_evals.year.playing import play
from gieok_evals.year.report import YearReport, report

_LOOK: Final = 0.25  #: seconds between two looks at how far the others are


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a year is to be lived."""

    characters: int = 10
    turns: int = 3_000  #: of each
    seed: int = 0
    embedder: str = "hashing"
    cap: int | None = 100  #: memories of a scope; None: no cap
    workers: int | None = None  #: processes; None: one for each core


def run(plan: Plan, *, progress: Callable[[int], None] = lambda _: None) -> YearReport:
    """Live the year and report; `progress` is called with how many turns were observed since the last call."""
    people = first(plan.characters)
    if plan.cap is not None and plan.cap < 1:
        raise InvalidQuery(f"cap={plan.cap}: keep at least one memory, or set no cap")
    for person in people:
        check_turns(person, plan.turns)
    workers = min(plan.workers or os.cpu_count() or 1, len(people))
    started = perf_counter()
    if workers == 1:
        lives = [live(person, plan, lambda: progress(1)) for person in people]
    else:
        lives = _side_by_side(people, plan, workers, progress)
    return report(
        lives,
        turns=plan.turns,
        seed=plan.seed,
        embedder=plan.embedder,
        cap=plan.cap,
        seconds=perf_counter() - started,
    )


def live(person: Person, plan: Plan, progress: Callable[[], None]) -> Lived:
    """Let one person live through the year, in a bank that is gone afterwards."""
    started = perf_counter()
    clock = StoryClock(START)
    with living(
        user=person.user, character=person.character, embedder=plan.embedder, cap=plan.cap, clock=clock
    ) as mind:
        played = play(mind, person, year(person, seed=plan.seed, turns=plan.turns), clock, progress)
        lived = looked_back(mind, person, played, cap=plan.cap)
    return replace(lived, seconds=perf_counter() - started)


def _side_by_side(people: Iterable[Person], plan: Plan, workers: int, progress: Callable[[int], None]) -> list[Lived]:
    # A fork would copy the threads' locks of whoever calls, but not the threads that hold them.
    context = multiprocessing.get_context("spawn")
    done = context.Value("q", 0)
    reported = 0
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_count_in, initargs=(done,)) as pool:
        lives = [pool.submit(_live, person, plan) for person in people]
        waiting: set[Future[Lived]] = set(lives)
        while waiting:
            _, waiting = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
            now = done.value
            progress(now - reported)
            reported = now
        return [each.result() for each in lives]


_counter: Synchronized[int] | None = None  #: turns observed by all processes


def _count_in(counter: Synchronized[int]) -> None:
    global _counter
    _counter = counter


def _count() -> None:
    assert _counter is not None, "a process of the pool counts"
    with _counter.get_lock():
        _counter.value += 1


def _live(person: Person, plan: Plan) -> Lived:
    return live(person, plan, _count)
