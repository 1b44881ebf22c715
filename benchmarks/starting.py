"""How long commands take: those that read no Korean, those that do with and without a resident process, and the demo.

    python benchmarks/starting.py

Each command runs in a fresh process; the first run of each, which may still read from the disk, is not counted.
"""

from __future__ import annotations

import json
import os
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

_SCOPE: Final = ("--user", "민수", "--character", "레티아")
_OBSERVE: Final[tuple[str, ...]] = ("observe", "나 고양이 좋아해", *_SCOPE)
_LIGHT: Final = (("--help",), ("facts", *_SCOPE), ("scopes",))
_RECALL: Final = ("recall", "반려동물", *_SCOPE)
_CONTEXT: Final = ("context", "주말에 뭐 할까?", *_SCOPE)


def main(
    runs: Annotated[int, typer.Option(min=1, help="Of each command.")] = 7,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure how long commands take to start; a guide, not a test."""
    with TemporaryDirectory(prefix="gieok-starting-", dir="/tmp") as folder:  # the path of a socket is short
        _run(folder, *_OBSERVE)  # there is a bank then
        found = {words[0]: _median([_run(folder, *words) for _ in range(runs + 1)][1:]) for words in _LIGHT}
        for words in (_OBSERVE, _RECALL, _CONTEXT):
            found[f"{words[0]}, by itself"] = _median([_run(folder, *words) for _ in range(3)])
        found["observe, which starts a resident process"] = _run(folder, *_OBSERVE, warm=True)
        for words in (_OBSERVE, _RECALL, _CONTEXT, _LIGHT[1]):
            by_resident = [_run(folder, *words, warm=True) for _ in range(runs + 1)][1:]
            found[f"{words[0]}, by the resident process"] = _median(by_resident)
        _run(folder, "warm", "--stop", warm=True)
        found["demo"] = _run(folder, "demo")
    if json_file is not None:
        json_file.write_text(json.dumps({"seconds": found}, indent=2) + "\n", encoding="utf-8")
    table = Table("command", "seconds")
    for name, seconds in found.items():
        table.add_row(f"gieok {name}", f"{seconds:.2f}")
    answers().print(table)


def _run(folder: str, *words: str, warm: bool = False) -> float:
    env = os.environ | {"XDG_RUNTIME_DIR": folder, "GIEOK_WARM": "on" if warm else "off"}
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "gieok", *words], cwd=folder, env=env, capture_output=True, check=True)
    return time.perf_counter() - begun


def _median(seconds: list[float]) -> float:
    return quantile(sorted(seconds), 0.5)


if __name__ == "__main__":
    typer.run(main)
