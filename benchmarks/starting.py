"""How long it takes until something is seen: commands that read no Korean, and the demo.

    python benchmarks/starting.py

Each command runs in a fresh process; the first run of each, which may still read from the disk, is not counted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer
from rich.table import Table

from figures import quantile
from gieok.cli.console import answers

_LIGHT: Final = (("--help",), ("facts", "--user", "민수", "--character", "레티아"), ("scopes",))


def main(
    runs: Annotated[int, typer.Option(min=1, help="Of each command.")] = 7,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure how long commands take to start; a guide, not a test."""
    with TemporaryDirectory(prefix="gieok-starting-") as folder:
        _run(folder, "observe", "나 고양이 좋아해", "--user", "민수", "--character", "레티아")  # there is a bank then
        found = {words[0]: _median([_run(folder, *words) for _ in range(runs + 1)][1:]) for words in _LIGHT}
        found["demo"] = _run(folder, "demo")
    if json_file is not None:
        json_file.write_text(json.dumps({"seconds": found}, indent=2) + "\n", encoding="utf-8")
    table = Table("command", "seconds")
    for name, seconds in found.items():
        table.add_row(f"gieok {name}", f"{seconds:.2f}")
    answers().print(table)


def _run(folder: str, *words: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "gieok", *words], cwd=folder, capture_output=True, check=True)
    return time.perf_counter() - begun


def _median(seconds: list[float]) -> float:
    return quantile(sorted(seconds), 0.5)


if __name__ == "__main__":
    typer.run(main)
