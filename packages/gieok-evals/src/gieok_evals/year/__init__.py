"""A simulated year of ten users, played through real banks: what must be kept, and what must be forgotten."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.bank import Mind, open_bank
from gieok.domain.decision import Ignore
from gieok.errors import InvalidQuery
from gieok_evals.banks import StoryClock
from gieok_evals.reports import Share, percent
from gieok_evals.year.review import OLD, Knowing, Lived, Played, known, review
from gieok_evals.year.story import DAYS, START, Line, Person, check_turns, first, moment, year

_QUARTERS: Final = (91, 182, 273, DAYS)  #: days after which the mind is asked
_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 2**30  #: bytes; ten years take a quarter of it
_SMALL: Final = 0.3  #: importance of a noted episode
_POLL: Final = 0.25  #: seconds between two looks at the progress of the processes
_WHOLE_YEAR: Final = 3_000  #: turns; with fewer nobody has the time to become a friend


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a year is played."""

    characters: int = 10
    turns: int = 3_000  #: of each
    seed: int = 0
    embedder: str = "hashing"
    cap: int | None = 100  #: memories of a scope; None: no cap
    workers: int | None = None  #: processes; None: one for each core


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Something that should be true, with how often it was."""

    name: str
    share: Share
    must: bool = True
    note: str = ""

    @property
    def holds(self) -> bool:
        return self.share.hits == self.share.of


@dataclass(frozen=True, slots=True, kw_only=True)
class YearReport:
    """A year of some users. The fields are the keys of the JSON report."""

    characters: int
    turns: int  #: of each
    seed: int
    embedder: str
    cap: int | None
    seconds: float
    passed: bool  #: every condition that must hold does
    conditions: tuple[Condition, ...]
    lives: tuple[Lived, ...] = field(repr=False)

    @property
    def misses(self) -> tuple[str, ...]:
        return tuple(miss for lived in self.lives for miss in lived.misses)


def run(plan: Plan, *, progress: Callable[[int], None] = lambda _: None) -> YearReport:
    """Play the year and report; `progress` is called with the number of turns observed since the last call."""
    people = first(plan.characters)
    if plan.cap is not None and plan.cap < 1:
        raise InvalidQuery(f"cap={plan.cap}: keep at least one memory, or set no cap")
    for person in people:
        check_turns(person, plan.turns)
    workers = min(plan.workers or os.cpu_count() or 1, len(people))
    started = perf_counter()
    if workers == 1:
        lives = [_live(person, plan, lambda: progress(1)) for person in people]
    else:
        lives = _in_parallel(people, plan, workers, progress)
    conditions = _conditions(lives, turns=plan.turns, cap=plan.cap)
    return YearReport(
        characters=len(lives),
        turns=plan.turns,
        seed=plan.seed,
        embedder=plan.embedder,
        cap=plan.cap,
        seconds=perf_counter() - started,
        passed=all(condition.holds for condition in conditions if condition.must),
        conditions=tuple(conditions),
        lives=tuple(lives),
    )


def _in_parallel(people: Iterable[Person], plan: Plan, workers: int, progress: Callable[[int], None]) -> list[Lived]:
    # A fork would copy the locks of the caller's threads, but not the threads that hold them.
    context = multiprocessing.get_context("spawn")
    done = context.Value("q", 0)
    reported = 0
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_set_counter, initargs=(done,)) as pool:
        lives = [pool.submit(_live, person, plan, _count) for person in people]
        waiting: set[Future[Lived]] = set(lives)
        while waiting:
            _, waiting = wait(waiting, timeout=_POLL, return_when=FIRST_COMPLETED)
            now = done.value
            progress(now - reported)
            reported = now
        return [each.result() for each in lives]


_counter: Synchronized[int] | None = None  #: turns observed by all processes


def _set_counter(counter: Synchronized[int]) -> None:
    global _counter
    _counter = counter


def _count() -> None:
    assert _counter is not None, "only processes of the pool count"
    with _counter.get_lock():
        _counter.value += 1


def _live(person: Person, plan: Plan, progress: Callable[[], None]) -> Lived:
    """Play the year of one user in a temporary bank."""
    started = perf_counter()
    clock = StoryClock(START)
    with temporary_mind(person, plan, clock) as mind:
        lines = year(person, seed=plan.seed, turns=plan.turns)
        lived = review(mind, person, _play(mind, person, lines, clock, progress), cap=plan.cap)
    return replace(lived, seconds=perf_counter() - started)


@contextmanager
def temporary_mind(person: Person, plan: Plan, clock: StoryClock) -> Iterator[Mind]:
    """Open a mind with upkeep in a temporary bank, in the machine's memory if there is room."""
    in_memory = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    with (
        TemporaryDirectory(prefix="gieok-year-", dir=_MEMORY if in_memory else None) as folder,
        open_bank(
            Path(folder) / "year.db",
            embedder=plan.embedder,
            clock=clock,
            upkeep="auto",
            upkeep_cap=plan.cap,
            behind_the_scenes="off",
        ) as bank,
    ):
        yield bank.scope(user=person.user, character=person.character, world="year")


def _play(mind: Mind, person: Person, lines: Sequence[Line], clock: StoryClock, progress: Callable[[], None]) -> Played:
    """Observe `lines` and ask what is known after each quarter; `progress` is called after each line."""
    waiting = list(_QUARTERS)
    quarters: list[Knowing] = []
    heard: dict[str, frozenset[str]] = {}
    noted: dict[str, int] = {}
    most = unread = 0
    for number, line in enumerate(lines, start=1):
        clock.move_to(line.at)
        observed = mind.observe(line.text, reply=line.reply, at=line.at, session=line.session, turn_id=line.turn_id)
        heard[line.turn_id] = frozenset(utterance.id for utterance in observed.turn.utterances)
        unread += observed.unread
        if line.noted:
            decision = mind.remember(line.text, type="event", importance=_SMALL, at=line.at)
            if not isinstance(decision, Ignore):
                noted.setdefault(decision.memory.id, line.number)
        progress()
        while waiting and (number == len(lines) or lines[number].day > waiting[0]):
            at = moment(waiting.pop(0))
            clock.move_to(at)
            memories = mind.facts()
            most = max(most, len(memories))
            quarters.append(known(mind, lines[:number], memories, at, heard, person.aside))
    return Played(lines=lines, quarters=tuple(quarters), most=most, heard=heard, noted=noted, unread=unread)


def _conditions(lives: Sequence[Lived], *, turns: int, cap: int | None) -> list[Condition]:
    def total(share: Callable[[Lived], Share]) -> Share:
        return sum(map(share, lives), Share())

    def count(number: Callable[[Lived], int]) -> int:
        return sum(map(number, lives))

    made, repeated = count(lambda lived: lived.trivial_made), count(lambda lived: lived.trivial_repeated)
    most = max(lived.most for lived in lives)
    everything, everyday = count(lambda lived: lived.turns), count(lambda lived: lived.everyday)
    whole = turns >= _WHOLE_YEAR
    return [
        Condition(
            name="identity and caution facts are current",
            share=total(lambda lived: lived.known.current),
            note=f"{count(lambda lived: lived.never_read)} were never read",
        ),
        Condition(name="… and in the context of a question about them", share=total(lambda lived: lived.known.asked)),
        Condition(
            name="… and were so at the end of every quarter",
            share=total(lambda lived: lived.quarters.current + lived.quarters.asked),
        ),
        Condition(name="cautions are in any other context, too", share=total(lambda lived: lived.known.unasked)),
        Condition(name="what has changed is current no more", share=total(lambda lived: lived.known.outdated)),
        Condition(name="promises are kept in mind", share=total(lambda lived: lived.promises)),
        Condition(
            name="events of strong feeling are kept in mind",
            share=total(lambda lived: lived.events),
            note=f"{count(lambda lived: lived.never_remembered)} of both were never remembered",
        ),
        Condition(name="… and a question finds them", share=total(lambda lived: lived.found), note="among 10 hits"),
        Condition(
            name="trivial episodes are gone or merged",
            share=total(lambda lived: lived.trivial),
            note=f"{made:,} made; {repeated} mentioned again and kept; counted after {OLD} turns",
        ),
        Condition(
            name="memories in view are bounded",
            share=Share(sum(lived.bounded for lived in lives), len(lives)),
            note=f"{f'cap {cap}' if cap is not None else 'no cap'}; at most {most} in view",
        ),
        Condition(name="closed memories have a reason in their history", share=total(lambda lived: lived.explained)),
        Condition(
            name="relationships go as the story does",
            share=total(lambda lived: lived.expected),
            must=whole,
            note="" if whole else f"must hold from {_WHOLE_YEAR:,} turns on",
        ),
        Condition(
            name="levels do not flicker",
            share=Share(sum(lived.flickers == 0 for lived in lives), len(lives)),
            note="none comes back within two days",
        ),
        Condition(name="turns could be read", share=Share(everything - count(lambda lived: lived.unread), everything)),
        Condition(
            name="everyday lines gave no lasting fact",
            share=Share(max(0, everyday - count(lambda lived: lived.misread)), everyday),
            must=False,
        ),
    ]


def show_year(report: YearReport, console: Console, *, misses: bool = False) -> None:
    if misses:
        for miss in report.misses:
            console.print(f"[red]✗[/] {escape(miss)}", soft_wrap=True)
    console.print(_lives_table(report))
    table = Table("", "", title="what must be left after a year", title_justify="left")
    table.add_column("count", justify="right")
    table.add_column("", justify="right")
    table.add_column("")
    for condition in report.conditions:
        sign = "[green]✓[/]" if condition.holds else "[red]✗[/]" if condition.must else "[yellow]·[/]"
        share = condition.share
        table.add_row(sign, condition.name, f"{share.hits:,}/{share.of:,}", percent(share.rate), condition.note)
    console.print(table)
    verdict = "[green]all conditions hold[/]" if report.passed else "[red]a condition does not hold[/]"
    console.print(
        f"[bold]{report.characters} characters, {report.turns:,} turns each, seed {report.seed}, {report.embedder}: "
        f"{verdict}[/] ({report.seconds:.0f} s)"
    )


def _lives_table(report: YearReport) -> Table:
    table = Table("", title="users and characters", title_justify="left")
    for heading in ("made", "in view", "most", "merged", "forgotten", "score", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("levels")
    for lived in report.lives:
        levels = [point.level for point in lived.course]
        changes = [level for number, level in enumerate(levels) if number == 0 or levels[number - 1] != level]
        numbers = (lived.made, lived.visible, lived.most, lived.merged, lived.let_go)
        table.add_row(
            f"{lived.user} – {lived.character} [dim]{escape(lived.title)}[/]",
            *(f"{number:,}" for number in numbers),
            f"{lived.course[-1].score:.0f}" if lived.course else "–",
            f"{lived.seconds:.0f}",
            " → ".join(changes),
        )
    return table
