"""What the file is made of. `docs/export.md` tells it to whoever reads such files."""

from __future__ import annotations

from typing import Final

FORMAT: Final = "gieok-export"
VERSION: Final = 1  #: grows when an older gieok could no longer read a file
HEAD: Final = "gieok.json"  #: the last that is written: a file without it was cut off
PAGE: Final = "index.html"
DOCUMENTS: Final = "documents"  #: what a program kept beside the memories; carried out, not in
#: In this order: what others point to comes before them.
TABLES: Final = (
    "scopes", "turns", "items", "utterances", "memories", "operations", "candidates", "changes", "moves", "traces",
    "things",
)  # fmt: skip


def file_of(table: str) -> str:
    return f"{table}.jsonl"
