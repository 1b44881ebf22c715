"""Count what one call passes through: files, functions, calls and SQL statements, in all threads.

    python benchmarks/trace.py                      observe, recall and context on a warm bank
    python benchmarks/trace.py --show               also every SQL statement, and the functions of each file
    python benchmarks/trace.py --json FILE          the figures as JSON; - for standard output

The bank is new, has the default settings and has seen a few similar turns. CPU time is measured first, without the
profiler. Comprehensions count as a part of the function they stand in; a generator counts as called at each step.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import apsw
from rich.console import Console
from rich.table import Table

import gieok

HOME = str(Path(gieok.__file__).parent)
ANIMALS = ("강아지", "토끼", "고양이")  # the last one is counted
PARTS = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>", "<module>"})
#: How much a call may pass through at most.
GOALS: Mapping[str, Mapping[str, int]] = {
    "observe": {"files": 70, "functions": 450, "statements": 20},
    "recall": {"files": 30, "functions": 150},
    "context": {},
}
REPEATS = 15


@dataclass
class Trace:
    """What one call passed through."""

    codes: Counter[CodeType] = field(default_factory=Counter)
    sql: list[str] = field(default_factory=list)
    rows: int = 0  #: how often a statement ran: an `executemany` runs its statement for each row
    active: bool = False
    _last: tuple[apsw.Cursor, str] | None = None

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call of a function of gieok; for `sys.setprofile`."""
        if self.active and event == "call" and frame.f_code.co_filename.startswith(HOME):
            self.codes[frame.f_code] += 1

    def execute(self, cursor: apsw.Cursor, statement: str, _: object) -> bool:
        """Note a statement; for `apsw.Connection.exec_trace`."""
        if self.active:
            self.rows += 1
            if self._last != (cursor, statement):  # else it is the next row of the same `executemany`
                self.sql.append(" ".join(statement.split()))
            self._last = cursor, statement
        return True

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count from nothing until the block ends."""
        self.codes.clear()
        self.sql.clear()
        self.rows = 0
        self.active = True
        try:
            yield
        finally:
            self.active = False
            self._last = None

    def by_file(self) -> dict[str, list[str]]:
        """Return the functions that were called, by their file."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for code in self.codes:
            functions = found[code.co_filename.removeprefix(f"{HOME}/")]
            if code.co_name not in PARTS:
                functions.add(f"{code.co_qualname}:{code.co_firstlineno}")
        return {name: sorted(functions) for name, functions in sorted(found.items())}


@dataclass(frozen=True, kw_only=True)
class Passed:
    """The figures of one call."""

    files: int
    functions: int
    calls: int
    statements: int  #: an `executemany` is one
    executions: int  #: and here as many as it has rows
    cpu_ms: float
    sql: list[str]
    by_file: dict[str, list[str]]


def calls(mind: gieok.Mind, animal: str) -> dict[str, Callable[[], Any]]:
    """Return the calls that are looked at, in their order."""
    return {
        "observe": lambda: mind.observe(f"나 {animal} 좋아해", reply=f"저도 {animal} 좋아해요!"),
        "recall": lambda: mind.recall(animal),
        "context": lambda: mind.context(f"{animal} 보러 갈까?"),
    }


@contextmanager
def opened(**settings: Any) -> Iterator[tuple[gieok.MemoryBank, gieok.Mind]]:
    with tempfile.TemporaryDirectory() as folder, gieok.open(Path(folder) / "bank.db", **settings) as bank:
        bank.warm()
        yield bank, bank.scope(user="minsu", character="letia")


def cpu_ms(**settings: Any) -> dict[str, float]:
    """Return the median CPU time of each call, in milliseconds and all threads, without a profiler."""
    taken: defaultdict[str, list[float]] = defaultdict(list)
    with opened(**settings) as (bank, mind):
        for number in range(REPEATS + len(ANIMALS)):
            for name, call in calls(mind, f"{ANIMALS[number % len(ANIMALS)]} {number}").items():
                begun = time.process_time()
                call()
                bank.settle()
                taken[name].append((time.process_time() - begun) * 1_000)
    return {name: statistics.median(each[len(ANIMALS) :]) for name, each in taken.items()}


def traced(**settings: Any) -> dict[str, Passed]:
    """Return the figures of each call."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        # In a process of its own: threads that recall starts there would be kept and never profiled here.
        cpu = process.submit(cpu_ms, **settings).result()
    trace = Trace()
    apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", trace.execute))
    threading.setprofile(trace.profile)  # before the bank starts its threads
    sys.setprofile(trace.profile)
    found = {}
    try:
        with opened(**settings) as (bank, mind):
            for animal in ANIMALS:
                for name, call in calls(mind, animal).items():
                    with trace.counting():
                        call()
                        bank.settle()
                    by_file = trace.by_file()
                    found[name] = Passed(
                        files=len(by_file),
                        functions=sum(map(len, by_file.values())),
                        calls=trace.codes.total(),
                        statements=len(trace.sql),
                        executions=trace.rows,
                        cpu_ms=round(cpu[name], 2),
                        sql=list(trace.sql),
                        by_file=by_file,
                    )
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        apsw.connection_hooks.pop()
    return found


def table(found: Mapping[str, Passed]) -> Table:
    names = ("files", "functions", "calls", "statements", "executions")
    shown = Table("call", *names, "CPU ms", title="what one call passes through / at most")
    for each in shown.columns[1:]:
        each.justify = "right"
    for call, passed in found.items():
        cells = []
        for name in names:
            value, goal = getattr(passed, name), GOALS[call].get(name)
            cells.append(f"{value:,}" if goal is None else f"{value:,} / {goal}")
        shown.add_row(call, *cells, f"{passed.cpu_ms:.2f}")
    return shown


def show(console: Console, found: Mapping[str, Passed]) -> None:
    for call, passed in found.items():
        console.print(f"\n{call}: SQL", style="bold")
        for number, statement in enumerate(passed.sql, 1):
            console.print(f"{number:>3} {statement}", highlight=False, markup=False)
        console.print(f"\n{call}: functions", style="bold")
        for name, functions in passed.by_file.items():
            console.print(f"{name} ({len(functions)})", highlight=False, markup=False)
            console.print(f"    {', '.join(functions)}", highlight=False, markup=False, soft_wrap=True)


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--embedder", default="universal", help='what makes the vectors (default: "universal")')
    asked.add_argument("--show", action="store_true", help="list every SQL statement, and the functions of each file")
    asked.add_argument("--json", metavar="FILE", help="write the figures there; - for standard output")
    options = asked.parse_args()
    found = traced(embedder=options.embedder)
    console = Console(stderr=options.json == "-")
    console.print(table(found))
    if options.show:
        show(console, found)
    if options.json:
        text = json.dumps({name: asdict(each) for name, each in found.items()}, ensure_ascii=False, indent=1)
        if options.json == "-":
            sys.stdout.write(f"{text}\n")
        else:
            Path(options.json).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
