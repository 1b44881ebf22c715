"""What a bench found."""

from __future__ import annotations

from dataclasses import dataclass

from gieok.cli.bench.measuring import Asking, Reading, Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All measurements of one run; `--json` prints it with these keys."""

    embedder: str
    asking: Asking
    writing: tuple[Writing, ...]
    reading: tuple[Reading, ...]
    peak_memory_mb: float | None
    bank_mb: float
