"""Short labelled phrases of training authors: to show beside what is marked, and to keep what a taught reader knew."""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files

Phrase = tuple[str, int, int, str]  # text, start and end of the words, holder: u, c or o


@cache
def examples() -> dict[str, dict[str, list[Phrase]]]:
    """Return phrases by attribute and act; `training/examples.py` writes them."""
    packed = files(__package__).joinpath("examples.json.gz").read_bytes()
    found: dict[str, dict[str, list[Phrase]]] = json.loads(gzip.decompress(packed))
    return found
