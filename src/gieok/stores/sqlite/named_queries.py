"""The store's SQL by name, read from `queries.sql`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_NAMED: Final = re.compile(r"^-- name: (?P<name>\w+)\n-- .+\n(?P<sql>(?:(?!-- name: ).*\n)+)", re.MULTILINE)


def queries_in(text: str) -> dict[str, str]:
    """Return the SQL of each name; the line after a name tells its intent and is left out."""
    return {found["name"]: found["sql"].strip() for found in _NAMED.finditer(text)}


SQL: Final = queries_in(Path(__file__).with_name("queries.sql").read_text(encoding="utf-8"))
