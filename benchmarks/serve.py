"""A server under load: many clients in many scopes, who tell and ask.

    python benchmarks/serve.py                 # 200 scopes, 50 clients, 60 s
    python benchmarks/serve.py --kill          # it is killed meanwhile, and started again
    python benchmarks/serve.py --quick

It fails where a request failed, an acknowledged turn is missing afterwards, or the event loop was held up too long.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Final

import typer
from rich.table import Table

import gieok
from figures import spread
from gieok.cli.console import answers, asides
from serving.load import Told, load, scopes
from serving.server import Server, serving

_LONGEST: Final = 0.05  #: seconds that the event loop may be held up


def main(
    seconds: Annotated[float, typer.Option(min=1, help="How long.")] = 60,
    clients: Annotated[int, typer.Option(min=1, help="At once.")] = 50,
    people: Annotated[int, typer.Option("--scopes", min=1)] = 200,
    threads: Annotated[int, typer.Option(min=1, help="Of the server.")] = 2,
    kill: Annotated[bool, typer.Option("--kill", help="Kill the server in the middle, and start it again.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="5 s with 20 scopes and 10 clients.")] = False,
) -> None:
    """Put a server under load; a check and a guide."""
    if quick:
        seconds, clients, people = 5, 10, 20
    folder = Path(mkdtemp(prefix="gieok-serve-"))
    try:
        troubles = _run(folder, seconds, clients, people, threads, kill=kill)
    finally:
        shutil.rmtree(folder)
    for trouble in troubles:
        asides().print(trouble, style="red")
    sys.exit(1 if troubles else 0)


def _run(folder: Path, seconds: float, clients: int, people: int, threads: int, *, kill: bool) -> list[str]:
    bank, told, among = folder / "bank.db", Told(), scopes(people)
    settings = {"GIEOK_SERVE_THREADS": str(threads), "GIEOK_SERVE_PER_MINUTE": "0"}
    if kill:
        with serving(bank, folder / "killed.log", **settings) as server:
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
    with serving(bank, folder / "serve.log", **settings) as server:
        cpu, begun = server.figures()["process_cpu_seconds_total"], time.monotonic()
        asyncio.run(load(server.address, among, clients=clients, seconds=seconds, told=told))
        wall, figures = time.monotonic() - begun, server.figures()
        code = server.stop()
    _show(told, wall, figures["process_cpu_seconds_total"] - cpu, figures)
    return [*_troubles(told, figures, code), *_missing(bank, told)]


async def _until_killed(server: Server, work: Coroutine[None, None, None], seconds: float) -> None:
    loading = asyncio.create_task(work)
    await asyncio.sleep(seconds / 2)
    server.kill()
    await asyncio.sleep(0.5)
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)


def _show(told: Told, wall: float, cpu: float, figures: dict[str, float]) -> None:
    table = Table(title=f"{told.count:,} requests in {wall:.0f} s")
    for name in ("", "requests", "a second", "p50 ms", "p95 ms"):
        table.add_column(name, justify="left" if not name else "right")
    for path, taken in sorted(told.seconds.items()):
        times = spread([each * 1000 for each in taken])
        table.add_row(path, f"{times.count:,}", f"{times.count / wall:.0f}", f"{times.p50:.1f}", f"{times.p95:.1f}")
    lags = {
        name.split('"')[1]: count
        for name, count in figures.items()
        if name.startswith("gieok_event_loop_lag_seconds_bucket")
    }
    beats = figures["gieok_event_loop_lag_seconds_count"]
    answers().print(table)
    answers().print(
        f"{told.count / wall:.0f} requests a second · {cpu / told.count * 1000:.1f} ms CPU each · "
        f"{cpu / wall:.2f} cores · {figures['process_resident_memory_bytes'] / 2**20:.0f} MB"
    )
    answers().print(
        f"event loop: blocked {figures['gieok_event_loop_blocked_longest_seconds'] * 1000:.1f} ms at the longest; of "
        f"{beats:,.0f} beats {beats - lags['0.01']:,.0f} came more than 10 ms late, "
        f"{beats - lags['0.03']:,.0f} more than 30 (a busy machine adds to that)"
    )


def _troubles(told: Told, figures: dict[str, float], code: int) -> list[str]:
    found = [f"{len(told.errors)} requests failed, the first with {told.errors[0]}"] if told.errors else []
    longest = figures["gieok_event_loop_blocked_longest_seconds"]
    if longest > _LONGEST:
        found.append(
            f"the event loop was held up for {longest * 1000:.0f} ms; {_LONGEST * 1000:.0f} are the limit, "
            f"on a machine with nothing else to do (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)"
        )
    return [*found, *([f"the server ended with {code}"] if code else [])]


def _missing(bank: Path, told: Told) -> list[str]:
    """Return what is wrong with the turns that are in the bank, now that nobody serves it."""
    with gieok.open(bank) as opened:
        kept = opened.info().counts["turns"]
        missing = 0
        for scope, turn_id in told.acknowledged:
            with opened.store.view(scope) as view:
                missing += view.turn(turn_id) is None
    asides().print(f"{kept:,} turns are kept; {len(told.acknowledged):,} were acknowledged, {told.unsure} are unsure")
    wrong = not len(told.acknowledged) <= kept <= len(told.acknowledged) + told.unsure
    return [f"{missing} acknowledged turns are missing; {kept} are kept"] if missing or wrong else []


if __name__ == "__main__":
    typer.run(main)
