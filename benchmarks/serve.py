"""A server under load: many clients in many scopes, who tell and ask.

    python benchmarks/serve.py                 # 200 scopes, 50 clients, 60 s
    python benchmarks/serve.py --kill          # it is killed meanwhile, and started again
    python benchmarks/serve.py --workers 2     # by two processes; and by one, for comparison, with --compare
    python benchmarks/serve.py --quick

Where other programs have the machine, its figures mean little by themselves: compare the processor time of a request
with that of a fixed piece of work, which is measured meanwhile.

It fails where a request failed, an acknowledged turn is missing afterwards, or the event loop was held up too long.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Coroutine
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Final, Self

import typer
from rich.table import Table

import gieok
from figures import Spread, spread
from gieok.cli.console import answers, asides
from serving.load import Told, load, scopes
from serving.server import Server, serving

_LONGEST: Final = 50.0  #: milliseconds that the event loop may be held up


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run; `--json` writes it with these keys."""

    scopes: int
    clients: int
    killed: bool
    workers: int
    ready_seconds: float  #: from its start until /readyz says so
    ready_cpu: float  #: seconds of the processor until then
    seconds: float
    requests: int
    errors: int  #: requests that failed, other than by the kill
    times: dict[str, Spread]  #: milliseconds, by path
    cpu_ms: float  #: of the server, a request
    work_ms: float  #: of the fixed piece of work, meanwhile
    client_ms: float  #: of the clients, a request
    memory_mb: float  #: what processes share counted once
    blocked_ms: float  #: the longest time that the event loop was held up
    beats: int
    late_by_10_ms: int  #: of the beats
    late_by_30_ms: int
    acknowledged: int  #: turns
    missing: int  #: of those
    unsure: int  #: turns that nobody answered for
    kept: int
    exit_code: int


def main(
    seconds: Annotated[float, typer.Option(min=1, help="How long.")] = 60,
    clients: Annotated[int, typer.Option(min=1, help="At once.")] = 50,
    people: Annotated[int, typer.Option("--scopes", min=1)] = 200,
    threads: Annotated[int, typer.Option(min=1, help="Of the server.")] = 2,
    workers: Annotated[int, typer.Option(min=1, help="Processes of the server.")] = 1,
    compare: Annotated[
        bool, typer.Option("--compare", help="One process first, then so many, and the ratios.")
    ] = False,
    kill: Annotated[bool, typer.Option("--kill", help="Kill the server in the middle, and start it again.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="5 s with 20 scopes and 10 clients.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Put a server under load; a check and a guide."""
    if quick:
        seconds, clients, people = 5, 10, 20
    results: list[Findings] = []
    troubles: list[str] = []
    for count in (1, workers) if compare and workers > 1 else (workers,):
        folder = Path(mkdtemp(prefix="gieok-serve-"))
        try:
            found, told = _run(folder, seconds, clients, people, threads, count, kill=kill)
        finally:
            shutil.rmtree(folder)
        _show(found)
        results.append(found)
        troubles += _troubles(found, told)
    if len(results) == 2:
        _compare(*results)
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(results[-1]), indent=2) + "\n", encoding="utf-8")
    for trouble in troubles:
        asides().print(trouble, style="red")
    sys.exit(1 if troubles else 0)


def _run(
    folder: Path, seconds: float, clients: int, people: int, threads: int, workers: int, *, kill: bool
) -> tuple[Findings, Told]:
    bank, told, among = folder / "bank.db", Told(), scopes(people)
    settings = {"GIEOK_SERVE_THREADS": str(threads), "GIEOK_SERVE_PER_MINUTE": "0"}
    if kill:
        with serving(bank, folder / "killed.log", workers=workers, **settings) as server:
            asyncio.run(
                _until_killed(server, load(server.address, among, clients=clients, seconds=seconds, told=told), seconds)
            )
        before = len(told.errors)
        asides().print(
            f"killed: {len(told.acknowledged):,} turns were acknowledged, {told.unsure} were not answered for"
        )
        told.errors.clear()
        told.seconds.clear()
        seconds = min(seconds, 5)
        asides().print(f"{before} requests ended with the server; it starts again …")
    with serving(bank, folder / "serve.log", workers=workers, **settings) as server:
        if not kill:
            asyncio.run(load(server.address, among, clients=clients, seconds=min(seconds, 3), told=told))  # warms it up
            told.seconds.clear()
        cpu, begun = server.figures()["process_cpu_seconds_total"], time.monotonic()
        clients_cpu = time.process_time()
        with Yardstick() as work:
            asyncio.run(load(server.address, among, clients=clients, seconds=seconds, told=told))
        clients_cpu = time.process_time() - clients_cpu
        wall, figures = time.monotonic() - begun, server.figures()
        memory = server.memory_mb()
        code = server.stop()
    kept, missing = _kept(bank, told)
    lags = {
        name.split('"')[1]: count
        for name, count in figures.items()
        if name.startswith("gieok_event_loop_lag_seconds_bucket")
    }
    beats = figures["gieok_event_loop_lag_seconds_count"]
    found = Findings(
        scopes=people,
        clients=clients,
        killed=kill,
        workers=workers,
        ready_seconds=server.ready_seconds,
        ready_cpu=server.ready_cpu,
        seconds=wall,
        requests=told.count,
        errors=len(told.errors),
        times={path: spread([each * 1000 for each in taken]) for path, taken in sorted(told.seconds.items())},
        cpu_ms=(figures["process_cpu_seconds_total"] - cpu) / told.count * 1000,
        work_ms=work.ms,
        client_ms=clients_cpu / told.count * 1000,
        memory_mb=memory,
        blocked_ms=figures["gieok_event_loop_blocked_longest_seconds"] * 1000,
        beats=round(beats),
        late_by_10_ms=round(beats - lags["0.01"]),
        late_by_30_ms=round(beats - lags["0.03"]),
        acknowledged=len(told.acknowledged),
        missing=missing,
        unsure=told.unsure,
        kept=kept,
        exit_code=code,
    )
    return found, told


async def _until_killed(server: Server, work: Coroutine[None, None, None], seconds: float) -> None:
    loading = asyncio.create_task(work)
    await asyncio.sleep(seconds / 2)
    server.kill()
    await asyncio.sleep(0.5)
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)


def _show(found: Findings) -> None:
    table = Table(title=f"{found.requests:,} requests in {found.seconds:.0f} s")
    for name in ("", "requests", "a second", "p50 ms", "p95 ms"):
        table.add_column(name, justify="left" if not name else "right")
    for path, times in found.times.items():
        rate = times.count / found.seconds
        table.add_row(path, f"{times.count:,}", f"{rate:.0f}", f"{times.p50:.1f}", f"{times.p95:.1f}")
    answers().print(table)
    answers().print(
        f"{found.requests / found.seconds:.0f} requests a second · {found.cpu_ms:.1f} ms CPU each, "
        f"{found.cpu_ms / found.work_ms:.2f} × a fixed piece of work ({found.work_ms:.1f} ms) · "
        f"{found.cpu_ms * found.requests / found.seconds / 1000:.2f} cores · {found.memory_mb:.0f} MB"
    )
    answers().print(
        f"ready after {found.ready_seconds:.1f} s, {found.ready_cpu:.1f} s of CPU · "
        f"clients: {found.client_ms:.2f} ms CPU a request · "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    )
    answers().print(
        f"event loop: blocked {found.blocked_ms:.1f} ms at the longest; of "
        f"{found.beats:,} beats {found.late_by_10_ms:,} came more than 10 ms late, "
        f"{found.late_by_30_ms:,} more than 30 (a busy machine adds to that)"
    )
    asides().print(
        f"{found.kept:,} turns are kept; {found.acknowledged:,} were acknowledged, {found.unsure} are unsure"
    )


def _compare(one: Findings, several: Findings) -> None:
    def per_work(found: Findings) -> float:
        return found.cpu_ms / found.work_ms

    rate = (several.requests / several.seconds) / (one.requests / one.seconds)
    p95 = {path: times.p95 / one.times[path].p95 for path, times in several.times.items() if path in one.times}
    answers().print(
        f"{several.workers} workers to one: {rate:.2f} × the requests a second, "
        f"{per_work(several) / per_work(one):.2f} × the CPU of each, "
        + ", ".join(f"{ratio:.2f} × the p95 of {path}" for path, ratio in p95.items())
        + f", {several.memory_mb / one.memory_mb:.2f} × the memory"
    )


class Yardstick:
    """Measures what a fixed piece of work costs meanwhile, in a process of its own, a tenth of the time."""

    ms = 0.0

    def __enter__(self) -> Self:
        self._told = subprocess.Popen([sys.executable, "-c", _WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_: object) -> None:
        self.ms = float(self._told.communicate()[0])


_WORK: Final = """
import select, sys, time
spent = []
while not spent or not select.select([sys.stdin], [], [], 0.2)[0]:
    begun, total = time.process_time(), 0
    for number in range(200_000):
        total += number * number
    spent.append(time.process_time() - begun)
print(sum(spent) / len(spent) * 1000)
"""


def _troubles(found: Findings, told: Told) -> list[str]:
    troubles = [f"{found.errors} requests failed, the first with {told.errors[0]}"] if told.errors else []
    if found.blocked_ms > _LONGEST:
        troubles.append(
            f"the event loop was held up for {found.blocked_ms:.0f} ms; {_LONGEST:.0f} are the limit, "
            f"on a machine with nothing else to do (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)"
        )
    if found.exit_code:
        troubles.append(f"the server ended with {found.exit_code}")
    if found.missing or not found.acknowledged <= found.kept <= found.acknowledged + found.unsure:
        troubles.append(f"{found.missing} acknowledged turns are missing; {found.kept} are kept")
    return troubles


def _kept(bank: Path, told: Told) -> tuple[int, int]:
    """Return how many turns are in the bank, now that nobody serves it, and how many acknowledged ones are not."""
    with gieok.open(bank) as opened:
        missing = 0
        for scope, turn_id in told.acknowledged:
            with opened.store.view(scope) as view:
                missing += view.turn(turn_id) is None
        return opened.info().counts["turns"], missing


if __name__ == "__main__":
    typer.run(main)
