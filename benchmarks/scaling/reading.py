"""Recalling in a fresh process: `python -m scaling.reading JOB.json` prints its times as JSON.

A scope's first recall here is cold: its index is loaded from the file (whose pages the system may still hold).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import numpy as np

import gieok
from gieok.language.terms import query_terms
from scaling.lookup import Lookup

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.ports import Matrix

_ROUNDS: Final = 5
_HERE: Final = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of single recalls in scopes of one size."""

    warm_cpu: list[float]
    warm_wall: list[float]
    cold_cpu: list[float]
    cold_wall: list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What one fresh process measured."""

    open_cpu_ms: float
    by_size: dict[int, Times]


def read_afresh(bank: str, questions: list[str], vectors: Matrix, users: dict[int, list[str]], character: str) -> Read:
    """Measure in a process of its own; `users` are those whose scopes have the size they stand under."""
    with TemporaryDirectory(prefix="gieok-scale-") as folder:
        job = Path(folder) / "job.json"
        np.save(Path(folder) / "vectors.npy", vectors)
        asked = {"bank": bank, "questions": questions, "users": users, "character": character}
        job.write_text(json.dumps(asked), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "scaling.reading", str(job)], cwd=_HERE, stdout=subprocess.PIPE, check=True
        )
    told = json.loads(done.stdout)
    return Read(
        open_cpu_ms=told["open_cpu_ms"], by_size={int(size): Times(**times) for size, times in told["by_size"].items()}
    )


def _measured(job: Path) -> Read:
    asked = json.loads(job.read_text(encoding="utf-8"))
    questions: list[str] = asked["questions"]
    ready = dict(zip(questions, np.load(job.with_name("vectors.npy")), strict=True))
    for question in questions:
        query_terms(question)  # from here on their morphemes are remembered
    start = time.process_time()
    with gieok.open(asked["bank"], embedder=Lookup(ready)) as bank:
        opened = (time.process_time() - start) * 1000
        bank.scope(user="nobody", character=asked["character"]).recall(questions[0])  # loads what is loaded once
        by_size = {
            int(size): _times([bank.scope(user=user, character=asked["character"]) for user in users], questions)
            for size, users in asked["users"].items()
        }
    return Read(open_cpu_ms=opened, by_size=by_size)


def _times(minds: Iterable[Mind], questions: list[str]) -> Times:
    times = Times(warm_cpu=[], warm_wall=[], cold_cpu=[], cold_wall=[])
    for number, mind in enumerate(minds):
        cpu, wall = _recalled(mind, questions[number % len(questions)])
        times.cold_cpu.append(cpu)
        times.cold_wall.append(wall)
        for question in questions:
            mind.recall(question)
        for _ in range(_ROUNDS):
            for question in questions:
                cpu, wall = _recalled(mind, question)
                times.warm_cpu.append(cpu)
                times.warm_wall.append(wall)
    return times


def _recalled(mind: Mind, question: str) -> tuple[float, float]:
    """Recall, and return the milliseconds on the processor and on the clock."""
    wall, cpu = time.perf_counter(), time.process_time()
    mind.recall(question)
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000


if __name__ == "__main__":
    json.dump(asdict(_measured(Path(sys.argv[1]))), sys.stdout)
