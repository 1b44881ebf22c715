"""`gieok serve` in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2

_START: Final = 120.0  #: seconds
_WORKER: Final = re.compile(r'(?<=\{)worker="\d+",?')


class Server:
    """A server that runs; its log is in a file."""

    def __init__(self, bank: Path, log: Path, settings: Mapping[str, str], workers: int = 1) -> None:
        command = [sys.executable, "-m", "gieok", "serve", "--port", "0", "--bank", str(bank)]
        command += ["--workers", str(workers)] if workers > 1 else []
        self._log = log
        begun = time.monotonic()
        with log.open("wb") as errors:
            self._process = subprocess.Popen(command, stderr=errors, env={**os.environ, **settings})
        self.address = self._heard()
        while httpx2.get(f"{self.address}/readyz").status_code != 200:
            time.sleep(0.01)
        self.ready_seconds = time.monotonic() - begun
        self.ready_cpu = sum(map(_cpu_seconds, self.processes()))

    def processes(self) -> list[int]:
        """Return the ids of its processes."""
        parent = self._process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children")
        return [parent, *map(int, children.read_text(encoding="ascii").split() if children.exists() else ())]

    def memory_mb(self) -> float:
        """Return what it takes of the machine's memory, what processes share counted once; 0: nobody says."""
        found = 0
        for process in self.processes():
            told = Path(f"/proc/{process}/smaps_rollup")
            lines = told.read_text(encoding="ascii").splitlines() if told.exists() else []
            found += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        return found / 1024

    def figures(self) -> dict[str, float]:
        """Return what its /metrics say, summed over its workers; of what is longest, the longest."""
        text = httpx2.get(f"{self.address}/metrics").raise_for_status().text
        found: dict[str, float] = {}
        for line in text.splitlines():
            if not line.startswith("#"):
                name, _, value = line.rpartition(" ")
                name = _WORKER.sub("", name).removesuffix("{}")
                before = found.get(name, 0.0)
                found[name] = max(before, float(value)) if "longest" in name else before + float(value)
        return found

    def stop(self) -> int:
        """Ask it to end; return its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(60)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(60)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def _heard(self) -> str:
        """Wait until it says where it listens."""
        until = time.monotonic() + _START
        while time.monotonic() < until and self.running:
            for line in self._log.read_text(encoding="utf-8").splitlines():
                told = json.loads(line) if line.startswith("{") else {}
                if told.get("message") == "listening":
                    return str(told["address"])
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the server did not start:\n{self._log.read_text(encoding='utf-8')}")


def _cpu_seconds(process: int) -> float:
    told = Path(f"/proc/{process}/stat")
    fields = told.read_text(encoding="utf-8").rpartition(")")[2].split() if told.exists() else ["0"] * 13
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(bank: Path, log: Path, *, workers: int = 1, **settings: str) -> Iterator[Server]:
    """Serve `bank` meanwhile."""
    server = Server(bank, log, settings, workers)
    try:
        yield server
    finally:
        if server.running:
            server.kill()
