"""Reading and writing data files, and checking the names of chart files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gieok.errors import InvalidQuery


def read_text(path: Path) -> str:
    """Return the text of `path`; raises `InvalidQuery` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cause:
        raise InvalidQuery(f"{path} cannot be read: {cause}") from cause


def numbered_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines of `path` that are not empty, each with its number."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line."""
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")


def check_chart(path: Path) -> None:
    """Raise `InvalidQuery` if no chart can be saved as `path`."""
    if path.suffix.lower() != ".svg":
        raise InvalidQuery(
            f"a chart is drawn as SVG, not as {path.suffix or path.name!r}; name it {path.with_suffix('.svg')} "
            "(any browser shows it, and can print or save it as PNG)"
        )
    if not path.absolute().parent.is_dir():
        raise InvalidQuery(f"there is no folder {path.absolute().parent} for the chart; make it first")
