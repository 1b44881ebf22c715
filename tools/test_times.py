"""Say what `make test` takes, by file: `make test ARGS="--junitxml=report.xml"`, then `make times REPORT=report.xml`.

Writes `docs/tests.md`. The seconds are those of the tests alone, added up over all workers: what loads once for all
tests of a worker (morphology, encoder) counts where it was first needed.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
SHOWN = 30
SLOW = 5.0

HEAD = """# What the tests take

Written by `make times` from a report of `make test` (`tools/test_times.py`); do not edit it by hand. {tests:,} tests
in {files} files took {seconds:.0f} seconds of tests, which several workers share; the machine had {cores} cores.
"""


def main() -> None:
    report = Path(sys.argv[1])
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    slow: list[tuple[float, str]] = []
    for case in ET.parse(report).iter("testcase"):
        file = _file(case.get("classname") or "")
        took = float(case.get("time") or 0)
        counts[file] += 1
        seconds[file] += took
        if took >= SLOW:
            slow.append((took, f"{file}: {(case.get('name') or '').partition('[')[0]}"))
    (ROOT / "docs" / "tests.md").write_text(_page(counts, seconds, slow), encoding="utf-8")


def _file(classname: str) -> str:
    """Return the file of a test: `tests.unit.domain.test_turn.TestTurn` is in tests/unit/domain/test_turn.py."""
    parts = classname.split(".")
    while parts and not (ROOT / Path(*parts)).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py" if parts else classname


def _page(counts: Counter[str], seconds: Counter[str], slow: list[tuple[float, str]]) -> str:
    total = sum(seconds.values())
    lines = [HEAD.format(tests=sum(counts.values()), files=len(counts), seconds=total, cores=os.cpu_count())]
    lines += [f"The {SHOWN} files that take longest; all others together take what is left.", ""]
    lines += ["| File | Tests | Seconds | |", "|---|---:|---:|---:|"]
    longest = seconds.most_common(SHOWN)
    lines += [f"| `{file}` | {counts[file]:,} | {took:.1f} | {took / total:.0%} |" for file, took in longest]
    rest = total - sum(took for _, took in longest)
    others = sum(counts.values()) - sum(counts[file] for file, _ in longest)
    lines += [f"| {len(counts) - len(longest)} others | {others:,} | {rest:.1f} | {rest / total:.0%} |", ""]
    lines += [f"Single tests of {SLOW:g} seconds and more:", ""]
    lines += [f"- {took:.1f} s, `{name}`" for took, name in sorted(slow, reverse=True)] or ["- none"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
