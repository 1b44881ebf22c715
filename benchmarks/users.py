"""What a bank of many users costs on PostgreSQL: the plans of every act, the pages they touch, and their time.

    python benchmarks/users.py --users 10000,100000
    python benchmarks/users.py --users 10000,100000,1000000 --parts 64    # the same cut into parts

Each user has a scope with a turn and five memories. At every size `--acts` users who are not in memory are asked; then
one turn is erased with proof while others go on talking.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Final

import psycopg
import typer

import gieok
from gieok.cli.console import answers, asides
from gieok.embedders import HashingEmbedder
from gieok.stores.postgres import PostgresStore
from gieok.stores.postgres import parts as cutting
from scaling import many_users
from scaling.plans import Plan, Plans, overheard
from scaling.servers import server_at
from scaling.tables import table_of

NUMBERS: Final = 64  #: of a vector: a million users fit on a small disk
TOLD: Final = 64  #: users whose stories the engine itself was told
_TICK: Final = 1000 / os.sysconf("SC_CLK_TCK")  #: milliseconds
_SAID: Final = "나 요즘 매운 짬뽕 좋아해"
_PAUSE: Final = 0.02
_PART: Final = re.compile(r"_p\d+$")
_FEW_PAGES: Final = 16  #: a table of so many is read whole by any plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of many users, each for the first time in this process."""

    name: str
    statements: float
    generic: float  #: statements of those that went by a plan for all users
    pages: float  #: of 8 kB, in memory or not
    whole: tuple[str, ...]  #: tables that were read from end to end
    wall_ms: float  #: median
    cpu_ms: float  #: of this process, mean
    server_cpu_ms: float | None  #: of the server's, mean; None: it runs elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The bank with so many users."""

    users: int
    megabytes: float
    load_seconds: float
    acts: tuple[Act, ...]
    proof_seconds: float  #: of one turn's erasure
    others_p50_ms: float  #: what a recall of another user took before
    others_longest_ms: float  #: and during it


def main(
    users: Annotated[str, typer.Option(metavar="N,N", help="Sizes, each larger than the one before.")] = "10000,100000",
    parts: Annotated[int, typer.Option(help="Cut the tables into so many parts; 0: they stay whole.")] = 0,
    acts: Annotated[int, typer.Option(min=2, help="Users who are asked at each size.")] = 40,
    store: Annotated[str, typer.Option(metavar="ADDRESS", help="An empty database, as a superuser.")] = "embedded",
    folder: Annotated[Path | None, typer.Option(help="Where an embedded server keeps its files.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure a bank of many users; a guide, not a test."""
    sizes = [int(each) for each in users.split(",")]
    place = Path(mkdtemp(prefix="gieok-users-", dir=folder))
    stages: list[Stage] = []
    try:
        with server_at(store, place) as location:
            _prepare(location, parts)
            for before, size in zip([TOLD, *sizes], sizes, strict=False):
                start = time.perf_counter()
                with asides().status(f"loading {size:,} users"):
                    many_users.multiply(location, TOLD, before, size)
                loaded = time.perf_counter() - start
                with asides().status(f"measuring {size:,} users"):
                    stages.append(_stage(location, size, acts, loaded))
    finally:
        shutil.rmtree(place)
    if json_file is not None:
        told = {"parts": parts, "stages": [asdict(stage) for stage in stages]}
        json_file.write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    for table in _tables(stages):
        answers().print(table)


def _open(location: str) -> gieok.MemoryBank:
    return gieok.open(location, embedder=HashingEmbedder(NUMBERS), postgres_seconds=3_600, erase_seconds=3_600)


def _prepare(location: str, parts: int) -> None:
    with _open(location) as bank:
        if parts:
            store = bank.store
            assert isinstance(store, PostgresStore)
            store.on_its_own(lambda connection: cutting.cut(connection, store.schema, parts))
    with _open(location) as bank:
        many_users.tell(bank, TOLD)


def _stage(location: str, users: int, acts: int, loaded: float) -> Stage:
    dice = random.Random(users)
    chosen = [many_users.user(number) for number in dice.sample(range(TOLD, users), 2 * acts)]
    with _open(location) as bank:
        megabytes = bank.info().size_bytes / 1e6
        times = _timed(bank, chosen[:acts], location)
    with overheard() as plans, _open(location) as bank:
        seen = _planned(bank, chosen[acts:], plans)
    talking = [many_users.user(number) for number in dice.sample(range(TOLD, users), 200)]
    with _open(location) as bank:
        proof, before, longest = _proof(bank, talking)
    return Stage(
        users=users,
        megabytes=megabytes,
        load_seconds=loaded,
        acts=tuple(_act(name, times[name], seen[name]) for name in times),
        proof_seconds=proof,
        others_p50_ms=before,
        others_longest_ms=longest,
    )


def _planned(bank: gieok.MemoryBank, users: Sequence[str], plans: Plans) -> dict[str, list[list[Plan]]]:
    seen: dict[str, list[list[Plan]]] = {}

    def do(name: str, act: Callable[[], object]) -> None:
        plans.take()
        act()
        seen.setdefault(name, []).append(plans.take())

    _each(bank, users, do)
    return seen


def _each(bank: gieok.MemoryBank, users: Sequence[str], do: Callable[[str, Callable[[], object]], object]) -> None:
    """Have every act done by every user; the first user is nobody's figure, for it finds everything cold."""
    for user in users:
        mind = bank.scope(user=user, character=many_users.CHARACTER)
        do("recall, entering", partial(mind.recall, "어디 살아?"))
        do("recall", partial(mind.recall, "취미가 뭐야?"))
        do("context", partial(mind.context, "오늘 뭐 먹을까?"))
        do("observe", partial(mind.observe, _SAID, reply="맛있겠다!", turn_id="measured"))
        do("facts", partial(mind.facts))
        do("erase a turn, unproven", partial(mind.erase, turn="measured", prove=False))


def _timed(
    bank: gieok.MemoryBank, users: Sequence[str], location: str
) -> dict[str, list[tuple[float, float, float | None]]]:
    """Return milliseconds on the clock, of our processor and of the server's."""
    times: dict[str, list[tuple[float, float, float | None]]] = {}
    with psycopg.connect(location, autocommit=True) as asking:

        def do(name: str, act: Callable[[], object]) -> None:
            server, cpu, wall = _server_cpu(asking), time.process_time(), time.perf_counter()
            act()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            spent = _server_cpu(asking)
            on_server = None if spent is None or server is None else spent - server
            times.setdefault(name, []).append((wall * 1000, cpu * 1000, on_server))

        _each(bank, users, do)
    return {name: each[1:] for name, each in times.items()}


def _server_cpu(asking: psycopg.Connection[Any]) -> float | None:
    """Return what the server spent on our connections so far; None: it runs elsewhere."""
    rows = asking.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'gieok'").fetchall()
    try:
        stats = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split() for (pid,) in rows]
    except OSError:
        return None
    return sum(int(each[11]) + int(each[12]) for each in stats) * _TICK


def _proof(bank: gieok.MemoryBank, users: Sequence[str]) -> tuple[float, float, float]:
    """Return the seconds of a proven erasure, and milliseconds of others' recalls: before it, and at most during it."""
    erased, *others = (bank.scope(user=user, character=many_users.CHARACTER) for user in users)
    erased.observe(_SAID, turn_id="proven")
    bank.prove()
    waits: list[float] = []
    done = threading.Event()

    def talk() -> None:
        place = 0
        while not done.is_set():
            start = time.perf_counter()
            others[place % len(others)].recall("어디 살아?")
            waits.append((time.perf_counter() - start) * 1000)
            place += 1
            time.sleep(_PAUSE)

    talking = threading.Thread(target=talk)
    talking.start()
    time.sleep(2)
    before = statistics.median(waits)
    waits.clear()
    start = time.perf_counter()
    erased.erase(turn="proven")
    seconds = time.perf_counter() - start
    done.set()
    talking.join()
    return seconds, before, max(waits)


def _act(name: str, times: list[tuple[float, float, float | None]], seen: list[list[Plan]]) -> Act:
    on_server = [spent for _, _, spent in times if spent is not None]
    return Act(
        name=name,
        statements=statistics.mean(map(len, seen)),
        generic=statistics.mean(sum(plan.generic for plan in plans) for plans in seen),
        pages=statistics.mean(sum(plan.buffers for plan in plans) for plans in seen),
        whole=tuple(sorted({table for plans in seen for plan in plans for table in _large_whole(plan)})),
        wall_ms=statistics.median(wall for wall, _, _ in times),
        cpu_ms=statistics.mean(cpu for _, cpu, _ in times),
        server_cpu_ms=statistics.mean(on_server) if on_server else None,
    )


def _large_whole(plan: Plan) -> set[str]:
    """Return the tables that a statement read from end to end, parts under the name of the whole."""
    return {_PART.sub("", table) for table in plan.whole_tables()} if plan.buffers > _FEW_PAGES else set()


def _tables(stages: Sequence[Stage]) -> list[object]:
    headings = ("users", "statements", "generic", "pages", "ms", "CPU ms", "server CPU ms", "read whole")
    acts = table_of("each act, by users who are not in memory", *headings)
    for place, first in enumerate(stages[0].acts):
        for stage in stages:
            act = stage.acts[place]
            figures = (
                f"{act.statements:.0f}",
                f"{act.generic:.0f}",
                f"{act.pages:,.0f}",
                f"{act.wall_ms:.1f}",
                f"{act.cpu_ms:.1f}",
            )
            server = "" if act.server_cpu_ms is None else f"{act.server_cpu_ms:.1f}"
            acts.add_row(
                first.name if stage is stages[0] else "", f"{stage.users:,}", *figures, server, ", ".join(act.whole)
            )
    proof = table_of(
        "one erasure with proof", "users", "MB", "loaded s", "proof s", "others' recall ms", "longest during it"
    )
    for stage in stages:
        spent = (f"{stage.megabytes:,.0f}", f"{stage.load_seconds:,.0f}", f"{stage.proof_seconds:,.1f}")
        proof.add_row("", f"{stage.users:,}", *spent, f"{stage.others_p50_ms:.1f}", f"{stage.others_longest_ms:,.0f}")
    return [acts, "", proof]


if __name__ == "__main__":
    typer.run(main)
