"""`gieok serve` in a process of its own, for the time of a test."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

from support import stand_in


class Command:
    """`gieok serve …`, with its stderr in a file."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self.log = folder / f"{time.monotonic_ns()}.log"
        environment = {**os.environ, "GIEOK_EMBEDDER": "hashing", "PYTHONUNBUFFERED": "1", **settings}
        command = [sys.executable, stand_in.__file__, "serve", "--port", "0", "--bank", "bank.db", *arguments]
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(command, cwd=folder, stderr=errors, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.said.splitlines()]

    def address(self) -> str:
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            for line in self.said.splitlines():
                if '"listening"' in line:
                    return json.loads(line)["address"]
            Event().wait(0.05)
        raise AssertionError(f"it does not listen: {self.said}")

    def ends(self) -> int:
        return self.process.wait(60)
