"""A server under load, profiled: many clients in many scopes, who tell and ask.

The server has a process of its own and the clients another; the clients' time is not counted.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp

from profiling.acting import summed_up
from profiling.findings import Profiled
from profiling.phases import EVENT_LOOP, Profile, profiled
from serving.load import Told, load, scopes


def served(*, seconds: float, clients: int, people: int) -> Profiled:
    """Put a server under load for so long; raises `RuntimeError` where a request failed."""
    folder, told, among = Path(mkdtemp(prefix="gieok-performance-")), Told(), scopes(people)
    try:
        with _server(folder) as (address, server):
            asyncio.run(load(address, among, clients=clients, seconds=min(seconds, 5), told=Told()))  # warms it up
            server.send("begin")
            server.recv()
            asyncio.run(load(address, among, clients=clients, seconds=seconds, told=told))
            server.send("end")
            cpu, spent = server.recv()
    finally:
        shutil.rmtree(folder)
    if told.errors or not told.count:
        raise RuntimeError(f"{len(told.errors)} of {told.count} requests failed: {told.errors[:1]}")
    return summed_up("serve", None, told.count, cpu, spent)


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, Connection]]:
    spawned = multiprocessing.get_context("spawn")
    here, there = spawned.Pipe()
    process = spawned.Process(target=_serve, args=(there, str(folder / "bank.db")), daemon=True)
    process.start()
    there.close()
    try:
        yield here.recv(), here
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection, bank_file: str) -> None:
    """Serve a new bank; between "begin" and "end" on `told`, count."""
    from gieok.bank import open_bank
    from gieok.serve import app, runtime
    from gieok.serve.app import open_socket
    from gieok.serve.metrics import Metrics
    from gieok.settings import load as settings_from

    settings = settings_from(given={"bank": bank_file, "serve_port": 0, "serve_per_minute": 0})
    with (
        profiled() as profile,
        open_bank(settings=settings, watch=Metrics()) as bank,
        open_socket("127.0.0.1", 0, command="") as door,
    ):
        bank.warm()
        runtime.warm_up(bank)
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        threading.Thread(target=_answer, args=(told, profile, threading.get_ident()), daemon=True).start()
        app.serve(bank, door, opened=lambda: told.send(address), closing=lambda: None)


def _answer(told: Connection, profile: Profile, main_thread: int) -> None:
    told.recv()
    clock = time.pthread_getcpuclockid(main_thread)
    profile.reset()
    cpu, loop = time.process_time(), time.clock_gettime(clock)
    told.send(None)
    told.recv()
    cpu, loop = time.process_time() - cpu, time.clock_gettime(clock) - loop
    inside = sum(profile.spent(main_thread).values())
    told.send((cpu, {**profile.spent(), EVENT_LOOP: max(loop - inside, 0.0)}))
