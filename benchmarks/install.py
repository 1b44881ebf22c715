"""What an installation takes: megabytes on the disk, package by package, and the seconds of an import.

    python benchmarks/install.py
    python benchmarks/install.py --extras serve,web

The packages are those of the environment that runs this. Each import runs in fresh processes, the first of which, as it
may still read from the disk, is not counted; what is told is the median of what `python -X importtime` says.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Annotated, Final

import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rich.console import Group
from rich.table import Table
from rich.text import Text

from figures import quantile
from gieok.cli.console import answers
from machine import ROOT

_GOAL: Final = 0.3  #: seconds of `import gieok`
_STATEMENTS: Final = {
    "import gieok": "import gieok",
    "gieok.open, before any bank is opened": "import gieok; gieok.open",
    "the commands (gieok --help)": "import gieok.cli.app",
}
_LINE: Final = re.compile(r"import time:\s*(\d+) \|\s*(\d+) \|( +)(\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What stands on the disk, and what an import takes."""

    megabytes: dict[str, float]  #: by package, gieok first
    total_mb: float
    import_seconds: dict[str, float]  #: by what is imported


def main(
    extras: Annotated[str, typer.Option(metavar="NAME,NAME", help="Count what these extras need, too.")] = "",
    runs: Annotated[int, typer.Option(min=1, help="Of each import.")] = 7,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure what an installation takes; a guide, not a test."""
    wanted = frozenset(each.strip() for each in extras.split(",") if each.strip())
    found = measured(wanted, runs)
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    answers().print(_tables(found))


def measured(extras: frozenset[str], runs: int) -> Installed:
    others = {name: size(name) for name in needed("gieok", extras, set()) if name != "gieok"}
    megabytes = {"gieok": _of_folder(ROOT / "src" / "gieok")}
    megabytes |= dict(sorted(others.items(), key=lambda each: -each[1]))
    seconds = {name: import_seconds(statement, runs) for name, statement in _STATEMENTS.items()}
    return Installed(megabytes=megabytes, total_mb=sum(megabytes.values()), import_seconds=seconds)


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> set[str]:
    """Return the installed packages that `name[extras]` needs on this machine, near and far."""
    if (name, extras) in seen:
        return set()
    seen.add((name, extras))
    try:
        lines = _own_requirements() if name == "gieok" else requires(name) or []
    except PackageNotFoundError:
        return set()
    found: set[str] = {canonicalize_name(name)}
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            found |= needed(canonicalize_name(wanted.name), frozenset(wanted.extras), seen)
    return found


def _own_requirements() -> list[str]:
    """Return what the checkout asks for: that of an editable installation may be older."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    return [*project["dependencies"], *(_named(line, name) for name, lines in extras for line in lines)]


def _named(line: str, extra: str) -> str:
    """Return a requirement of `extra` as metadata has it."""
    bare, _, marker = line.partition(";")
    also = f"({marker.strip()}) and " if marker else ""
    return f"{bare.strip()}; {also}extra == '{extra}'"


def size(name: str) -> float:
    """Return the megabytes of a package's own files, without what Python compiled of them."""
    files = distribution(name).files or []
    return sum(_bytes(Path(str(each.locate()))) for each in files if each.suffix != ".pyc") / 1e6


def _of_folder(folder: Path) -> float:
    return sum(_bytes(path) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc") / 1e6


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def import_seconds(statement: str, runs: int) -> float:
    times = sorted([_once(statement) for _ in range(runs + 1)][1:])
    return quantile(times, 0.5)


def _once(statement: str) -> float:
    """Return what the imports of `statement` took in a new process, beyond those of Python's own start."""
    command = [sys.executable, "-X", "importtime", "-c", statement]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return imports_took(done.stderr)


def imports_took(told: str) -> float:
    """Return the seconds of the outermost imports that begin with gieok, as `-X importtime` tells them."""
    outermost = [match for match in _LINE.finditer(told) if len(match[3]) == 1 and match[4].split(".")[0] == "gieok"]
    return sum(int(match[2]) for match in outermost) / 1e6


def _tables(found: Installed) -> Group:
    sizes = Table("on the disk", "MB")
    for name, megabytes in found.megabytes.items():
        sizes.add_row(name, f"{megabytes:,.1f}")
    sizes.add_row(Text("together", style="bold"), Text(f"{found.total_mb:,.1f}", style="bold"))
    times = Table("import", "seconds")
    for name, seconds in found.import_seconds.items():
        times.add_row(name, f"{seconds:.3f}")
    took = found.import_seconds["import gieok"]
    verdict = Text(f"import gieok: goal below {_GOAL} s, {'met' if took < _GOAL else 'NOT met'}")
    return Group(sizes, times, verdict)


if __name__ == "__main__":
    typer.run(main)
