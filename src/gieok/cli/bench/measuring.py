"""Measuring a bank: how long things take, on the clock and on the processor."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from statistics import quantiles
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gieok.bank import MemoryBank, Mind
from gieok.cli.bench import sentences
from gieok.language.terms import query_terms
from gieok.ports import Embedder

_QUESTIONS = 40  #: few enough that their morphemes stay remembered
_ROUNDS = 5
_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All measurements of one run; `--json` prints it with these keys."""

    embedder: str
    asking: Asking
    writing: tuple[Writing, ...]
    reading: tuple[Reading, ...]
    peak_memory_mb: float | None
    bank_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Observing turns of two sentences."""

    threads: int
    turns: int
    per_second: float
    cpu_ms: float  #: a turn, of all threads together


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Recalling from one scope, the question's vector and morphemes given."""

    scope: str
    memories: int
    p50_ms: float
    p95_ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a question costs before the search begins."""

    encode_ms: float
    morphology_ms: float


class Prepared:
    """An embedder that has some texts ready, so that a measurement leaves encoding out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._ready: dict[str, NDArray[np.float32]] = {}
        self.name = embedder.name
        self.dimension = embedder.dimension

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed `texts` in one batch; the ones made ready before are let go."""
        rows = self._embedder.embed(texts, purpose="document")
        self._ready = dict(zip(texts, rows, strict=True))

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        if all(text in self._ready for text in texts):
            return np.stack([self._ready[text] for text in texts])
        return self._embedder.embed(texts, purpose=purpose)

    def warm(self) -> None:
        self._embedder.warm()


def asking(embedder: Embedder) -> Asking:
    texts = list(islice(sentences.questions(), 2 * _QUESTIONS))
    fresh = texts[_QUESTIONS:]
    encode = _mean_ms(lambda text: embedder.embed([text], purpose="query"), fresh)
    return Asking(encode_ms=encode, morphology_ms=_mean_ms(query_terms, fresh))


def writing(bank: MemoryBank, *, threads: int, turns: int) -> Writing:
    """Observe `turns` turns from each of `threads` users at once."""
    said = sentences.turns(seed=threads)  # others than a run with more or fewer threads, which may be remembered
    shares = [list(islice(said, turns)) for _ in range(threads)]
    minds = [bank.scope(user=f"writer-{threads}-{i}", character="레티아") for i in range(threads)]
    wall, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(_observe, minds, shares))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    count = threads * turns
    return Writing(threads=threads, turns=count, per_second=count / wall, cpu_ms=cpu * 1000 / count)


def fill(mind: Mind, embedder: Prepared, texts: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Remember `texts`, embedded in batches; yield how many after each batch."""
    remaining = iter(texts)
    while batch := list(islice(remaining, _BATCH)):
        embedder.prepare([text for _, text in batch])
        for attribute, text in batch:
            mind.remember(text, attribute=attribute, value=text, origin="import")
        yield len(batch)


def reading(mind: Mind, embedder: Prepared, *, scope: str, memories: int) -> Reading:
    questions = list(islice(sentences.questions(), _QUESTIONS))
    embedder.prepare(questions)
    for question in questions:  # once, so that morphemes are remembered and the scope's vectors are loaded
        mind.recall(question)
    spent: list[float] = []
    cpu = time.process_time()
    for _ in range(_ROUNDS):
        for question in questions:
            start = time.perf_counter()
            mind.recall(question)
            spent.append((time.perf_counter() - start) * 1000)
    cpu = time.process_time() - cpu
    cut = quantiles(spent, n=20)
    return Reading(scope=scope, memories=memories, p50_ms=cut[9], p95_ms=cut[18], cpu_ms=cpu * 1000 / len(spent))


def peak_memory_mb() -> float | None:
    """Return the most memory that this process ever held, where the system tells."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _observe(mind: Mind, texts: Sequence[str]) -> None:
    for text in texts:
        mind.observe(text, reply="그랬군요.")


def _mean_ms(act: Callable[[str], object], texts: Sequence[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        act(text)
    return (time.perf_counter() - start) * 1000 / len(texts)
