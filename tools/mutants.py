"""Change the rules a little, one change at a time, and see whether a test notices: `make mutants ARGS="domain"`.

A change is one of: a comparison turned round, a condition dropped or denied, a number one off or a little off, a truth
value flipped. Which changes are tried is drawn by the seed. Each is written into a copy of
the sources, and the tests of its room run against the copy, those that name its module first. A change that no test
notices is a missing test, or makes no difference; both are listed with their line.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
TESTS: dict[str, tuple[str, ...]] = {  #: after tests/unit/<room>; what only a whole engine would notice has none
    "domain": (),
    "extract": ("tests/unit/extract/test_as_read.py", "--soak", "-k", "everyday"),
    "recall": (),
    "stores": ("tests/contract",),
}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
SECONDS = 600  #: after which a change counts as noticed: it made the tests hang


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one module."""

    path: str  #: from the sources
    line: int
    kind: str
    was: str
    text: str  #: the module with the change


def mutant(path: Path, number: int) -> Mutant:
    """Return the change with that `number` of the module at `path`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node, kind, change = [*_changes(tree)][number]
    was = ast.unparse(node)
    change()
    return Mutant(
        path=str(path.relative_to(SOURCE)),
        line=getattr(node, "lineno", 0),
        kind=kind,
        was=was.splitlines()[0][:100],
        text=ast.unparse(ast.fix_missing_locations(tree)),
    )


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str, Callable[[], None]]]:
    """Yield the places of `tree` that can be changed, what the change is, and how to make it."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    noted = {
        id(each) for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) for each in ast.walk(node.annotation)
    }
    for node in ast.walk(tree):
        if id(node) in said or id(node) in noted:
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
            yield node, "comparison turned", lambda n=node: n.ops.__setitem__(0, TURNED[type(n.ops[0])]())
        elif isinstance(node, ast.BoolOp):
            for place in range(len(node.values)):
                yield node, f"condition {place + 1} dropped", lambda n=node, p=place: n.values.pop(p)
        elif isinstance(node, ast.If | ast.IfExp):
            yield node.test, "condition denied", lambda n=node: _deny(n)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, "truth flipped", lambda n=node: setattr(n, "value", not n.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield node, "number changed", lambda n=node: setattr(n, "value", _other(n.value))


def _deny(node: ast.If | ast.IfExp) -> None:
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)


def _other(number: float) -> float:
    return number + 1 if isinstance(number, int) else round(number * 1.25 + 0.01, 6)


def noticed(change: Mutant, room: str, copy: Path) -> bool:
    """Whether a test of `room` fails with `change` in the `copy` of the sources."""
    place = copy / "src" / change.path
    before = place.read_text(encoding="utf-8")
    place.write_text(change.text, encoding="utf-8")
    try:
        return any(_fails(tests, copy) for tests in _asked(change, room))
    finally:
        place.write_text(before, encoding="utf-8")


def _asked(change: Mutant, room: str) -> Iterator[list[str]]:
    """Yield tests, those that know the module first."""
    unit = ROOT / "tests/unit" / room
    module = change.path.removesuffix(".py").replace("/", ".")
    near = [
        str(path) for path in sorted(unit.rglob("test_*.py"))
        if module in path.read_text(encoding="utf-8") or path.stem == f"test_{Path(change.path).stem}"
    ]  # fmt: skip
    if near:
        yield near
    yield [str(unit)]
    if TESTS[room]:
        yield [*TESTS[room]]


def _fails(tests: list[str], copy: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", *tests]
    surroundings = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    if ran.returncode not in (0, 1, 2):
        raise SystemExit(f"pytest could not be asked:\n{ran.stdout.decode()}{ran.stderr.decode()}")
    return ran.returncode != 0


def main() -> None:
    """Try changes of the named rooms and tell which were not noticed."""
    asked = argparse.ArgumentParser(description=main.__doc__)
    asked.add_argument("rooms", nargs="*", default=[*TESTS], metavar="room", help=f"any of {', '.join(TESTS)}")
    asked.add_argument("--most", type=int, default=50, help="changes of each room (default 50)")
    asked.add_argument("--seed", type=int, default=0, help="which changes are drawn")
    asked.add_argument("--json", type=Path, help="write what came of each")
    options = asked.parse_args()
    outcomes = []
    workers = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            shutil.copytree(SOURCE, Path(folder, str(number), "src"), ignore=shutil.ignore_patterns("__pycache__"))
            copies.put(Path(folder, str(number)))

        def tried(change: Mutant, room: str) -> tuple[Mutant, str, bool]:
            copy = copies.get()
            try:
                return change, room, noticed(change, room, copy)
            finally:
                copies.put(copy)

        drawn = [(each, room) for room in options.rooms for each in sample(room, options.most, options.seed)]
        for change, room, seen in pool.map(lambda each: tried(*each), drawn):
            outcomes.append((change, room, seen))
            mark = "noticed " if seen else "SURVIVED"
            print(f"{mark} {change.path}:{change.line}  {change.kind}: {change.was}", flush=True)
    summed_up(outcomes)
    if options.json is not None:
        told = [{"path": m.path, "line": m.line, "kind": m.kind, "was": m.was, "noticed": s} for m, _, s in outcomes]
        options.json.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def sample(room: str, most: int, seed: int) -> list[Mutant]:
    places = [
        (path, number)
        for path in sorted((SOURCE / "gieok" / room).rglob("*.py"))
        for number, _ in enumerate(_changes(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return [mutant(*place) for place in random.Random(f"{room}-{seed}").sample(places, min(most, len(places)))]


def summed_up(outcomes: list[tuple[Mutant, str, bool]]) -> None:
    tried, seen = Counter(room for _, room, _ in outcomes), Counter(room for _, room, saw in outcomes if saw)
    for room, count in tried.items():
        print(f"{room}: {seen[room]} of {count} noticed, {seen[room] / count:.0%}")


if __name__ == "__main__":
    main()
