"""Memories that know nothing of memory, for `gieok eval run`: what any real one should be better than.

gieok eval run --adapter benchmarks/baselines.py:Vectors
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from gieok.embedders import UniversalEncoder
from gieok.ports import Embedder

_ANSWERS = 10
_shared: list[Embedder] = []  #: the encoder, loaded once for all scripts


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


class Vectors:
    """Keeps every line as a vector of gieok's own encoder, and answers with the nearest: a vector store alone."""

    def __init__(self) -> None:
        if not _shared:
            _shared.append(UniversalEncoder())
        self.encoder = _shared[0]
        self.lines: defaultdict[str, list[str]] = defaultdict(list)
        self.rows: defaultdict[str, list[Sequence[float]]] = defaultdict(list)

    def observe(self, user: str, text: str, reply: str, at: datetime) -> None:
        self.lines[user].append(text)
        self.rows[user].append(self.encoder.embed([text], purpose="document")[0])

    def ask(self, user: str, question: str) -> list[str]:
        if not self.rows[user]:
            return []
        near = np.stack(self.rows[user]) @ self.encoder.embed([question], purpose="query")[0]
        return [self.lines[user][place] for place in np.argsort(-near)[:_ANSWERS]]
