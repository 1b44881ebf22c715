"""Rows of parametrised tests, kept in tests/data/rows/<folder>_<module>.txt.

A section is `[name of the test: its arguments]`; a row is one Python literal a line, and `#` begins a remark.
"""

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROWS = Path(__file__).parents[1] / "data" / "rows"
HEAD = re.compile(r"\[(\w+): ([\w, ]+)\]")


@cache
def sections(module: str) -> dict[str, tuple[list[str], list[Any]]]:
    found: dict[str, tuple[list[str], list[Any]]] = {}
    for line in (ROWS / f"{module}.txt").read_text(encoding="utf-8").splitlines():
        if head := HEAD.fullmatch(line):
            rows: list[Any] = []
            found[head[1]] = (head[2].split(", "), rows)
        elif line and not line.startswith("#"):
            rows.append(ast.literal_eval(line))
    return found


def from_rows(test: Callable[..., None]) -> Any:
    """Run a test for each of its rows."""
    room, _, module = test.__module__.rpartition(".")
    names, rows = sections(f"{room.rpartition('.')[2]}_{module.removeprefix('test_')}")[test.__name__]
    return pytest.mark.parametrize(names if len(names) > 1 else names[0], rows)(test)
