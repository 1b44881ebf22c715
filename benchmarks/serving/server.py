"""`gieok serve` in a process of its own."""

from __future__ import annotations

import json
import os
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


class Server:
    """A server that runs; its log is in a file."""

    def __init__(self, bank: Path, log: Path, settings: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "gieok", "serve", "--port", "0", "--bank", str(bank)]
        self._log = log
        with log.open("wb") as errors:
            self._process = subprocess.Popen(command, stderr=errors, env={**os.environ, **settings})
        self.address = self._heard()

    def figures(self) -> dict[str, float]:
        """Return what its /metrics say."""
        text = httpx2.get(f"{self.address}/metrics").raise_for_status().text
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

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


@contextmanager
def serving(bank: Path, log: Path, **settings: str) -> Iterator[Server]:
    """Serve `bank` meanwhile."""
    server = Server(bank, log, settings)
    try:
        yield server
    finally:
        if server.running:
            server.kill()
