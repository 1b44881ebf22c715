"""Print what `make test` and `make check` take, by file, as Markdown.

`make test ARGS=--junitxml=test.xml`, `make check ARGS=--junitxml=check.xml`, `make times REPORT="test.xml check.xml"`.
The seconds are those of the tests alone, added up over all workers: what loads once for all tests of a worker
(morphology, encoder) counts where it was first needed.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
COMMANDS = ("make test", "make check")
SHOWN = 15
SLOW = {"make test": 2.0, "make check": 10.0}

HEAD = """# What the tests take

Seconds are those of the tests alone, shared by several workers; the machine had {cores} cores.
"""


def main() -> None:
    parts = [HEAD.format(cores=os.cpu_count())]
    parts += [_part(command, Path(report)) for command, report in zip(COMMANDS, sys.argv[1:], strict=False)]
    print("\n".join(parts))


def _part(command: str, report: Path) -> str:
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    slow: list[tuple[float, str]] = []
    for case in ET.parse(report).iter("testcase"):
        file = _file(case.get("classname") or "")
        took = float(case.get("time") or 0)
        counts[file] += 1
        seconds[file] += took
        if took >= SLOW[command]:
            slow.append((took, f"{file}: {(case.get('name') or '').partition('[')[0]}"))
    total, tests = sum(seconds.values()), sum(counts.values())
    longest = seconds.most_common(SHOWN)
    lines = [f"## `{command}`", "", f"{tests:,} tests in {len(counts)} files took {total:.0f} seconds.", ""]
    lines += ["| File | Tests | Seconds | |", "|---|---:|---:|---:|"]
    lines += [f"| `{file}` | {counts[file]:,} | {took:.1f} | {took / total:.0%} |" for file, took in longest]
    rest = total - sum(took for _, took in longest)
    others = tests - sum(counts[file] for file, _ in longest)
    lines += [f"| {len(counts) - len(longest)} others | {others:,} | {rest:.1f} | {rest / total:.0%} |", ""]
    lines += [f"Single tests of {SLOW[command]:g} seconds and more:", ""]
    lines += [f"- {took:.1f} s, `{name}`" for took, name in sorted(slow, reverse=True)] or ["- none"]
    return "\n".join(lines) + "\n"


def _file(classname: str) -> str:
    """Return the file of a test: `tests.unit.domain.test_turn.TestTurn` is in tests/unit/domain/test_turn.py."""
    parts = classname.split(".")
    while parts and not (ROOT / Path(*parts)).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py" if parts else classname


if __name__ == "__main__":
    main()
