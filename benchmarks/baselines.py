"""Memories that know nothing of memory, for `gieok eval run`: what any real one should be better than.

gieok eval run --adapter benchmarks/baselines.py:Vectors
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

_ANSWERS = 10


class Letters:
    """Keeps every line, and answers with those that share most pairs of letters with the question."""

    def __init__(self) -> None:
        self.lines: defaultdict[str, list[str]] = defaultdict(list)

    def observe(self, user: str, text: str, reply: str, at: datetime) -> None:
        self.lines[user].append(text)

    def ask(self, user: str, question: str) -> list[str]:
        wanted = _pairs(question)
        return sorted(self.lines[user], key=lambda line: -len(wanted & _pairs(line)))[:_ANSWERS]


def _pairs(text: str) -> set[str]:
    bare = "".join(text.split())
    return {bare[place : place + 2] for place in range(len(bare) - 1)}
