"""A peer as a memory that one talks to: its worker is told line by line, and asked in between.

It stands before a peer as an adapter does for `gieok eval run`. Vectors are gieok's, as in all of this comparison.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from comparing.contenders import Contender
from comparing.environments import reason
from comparing.running import HERE, Job, WorkerFailed, variables, written
from comparing.workload import Workload
from gieok.ports import Embedder


class Talker:
    """Implements `gieok_evals.outside.Adapter`."""

    def __init__(self, process: subprocess.Popen[str], errors: Path, encoder: Embedder) -> None:
        self._process = process
        self._errors = errors
        self._encoder = encoder
        self._said: dict[str, str] = {}
        self._users: set[str] = set()

    def observe(self, user: str, text: str, reply: str, at: datetime) -> None:
        key = str(len(self._said))
        self._said[key] = text
        self._users.add(user)
        self._told({"user": user, "key": key, "at": at.isoformat()}, text)

    def ask(self, user: str, question: str) -> list[str]:
        if user not in self._users:
            return []
        return [self._said[key] for key in self._told({"user": user}, question)]

    def _told(self, record: dict[str, Any], text: str) -> list[str]:
        bare = text.strip()  # some peers trim what they are given, and look vectors up by the rest
        vector = [float(each) for each in self._encoder.embed([bare], purpose="document")[0]]
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        try:
            self._process.stdin.write(json.dumps(record | {"text": bare, "vector": vector}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise WorkerFailed(reason(self._errors.read_text(encoding="utf-8", errors="replace")))
        keys: list[str] = json.loads(answer)["keys"]
        return keys


@contextmanager
def talker(contender: Contender, python: Path, encoder: Embedder) -> Iterator[Talker]:
    """Start a peer's worker, and give what talks to it. Talking raises `WorkerFailed` when the worker has ended."""
    with TemporaryDirectory(prefix=f"gieok-peers-{contender.name}-") as name:
        folder = Path(name)
        nothing = folder / "nothing"
        nothing.mkdir()
        Workload(conversations=(), vectors=np.zeros((0, encoder.dimension), dtype=np.float32)).save(nothing)
        job = written(contender, Job(task="talking", workload=nothing, limit_seconds=0), folder)
        errors = folder / "stderr.txt"
        with errors.open("wb") as heard:
            process = subprocess.Popen(
                [str(python), "-m", f"comparing.{contender.worker}", str(job)],
                cwd=HERE,
                env=variables(contender, folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=heard,
                text=True,
            )
            with process:
                try:
                    yield Talker(process, errors, encoder)
                finally:
                    process.kill()
