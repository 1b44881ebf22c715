"""Measuring what needs no fresh process: asking, writing, and the vector scan against the machine's memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.cli import bench
from gieok.language.terms import query_terms
from scaling.findings import Scan, Writing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.bank import MemoryBank, Mind
    from gieok.ports import Embedder, Vector

_LARGE_BYTES: Final = 1024**3
_TIMES: Final = 50
_FEW: Final = 10
_GIGA: Final = 1e9


def mean_cpu_ms(act: Callable[[str], object], texts: Sequence[str]) -> float:
    start = time.process_time()
    for text in texts:
        act(text)
    return (time.process_time() - start) * 1000 / len(texts)


def asking(embedder: Embedder, texts: Sequence[str]) -> tuple[float, float]:
    """Return the CPU milliseconds that encoding a question and reading its morphemes take."""
    encode = mean_cpu_ms(lambda text: embedder.embed([text], purpose="query"), texts)
    return encode, mean_cpu_ms(query_terms, texts)


def writing(bank: MemoryBank, character: str, *, turns: int, name: str) -> list[Writing]:
    """Write to new scopes, one turn or memory after the other."""
    texts = list(islice(bench.made_turns(seed=len(name)), turns))
    observer, rememberer = (bank.scope(user=f"{name}-{act}", character=character) for act in ("observes", "remembers"))
    observer.observe(texts[0])  # loads the rules
    return [_written("observe", observer.observe, texts), _written("remember", rememberer.remember, texts)]


def _written(act: str, write: Callable[[str], object], texts: Sequence[str]) -> Writing:
    wall, cpu = time.perf_counter(), time.process_time()
    for text in texts:
        write(text)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Writing(act=act, per_second=len(texts) / wall, cpu_ms=cpu * 1000 / len(texts), count=len(texts))


def scan(bank: MemoryBank, mind: Mind, vector: Vector, rows: int) -> Scan:
    """Time the store's exact vector search of a scope that holds `rows` vectors.

    Best times, not medians: what others do on the machine only ever slows it down.
    """
    size = rows * len(vector) * 4
    same = np.ones(size // 4, np.float32)
    large = np.ones(_LARGE_BYTES // 4, np.float32)
    asked = cycle((vector, vector[::-1].copy()))  # a view keeps the last answer
    with bank.store.view(mind.key) as view:

        def search() -> object:
            return view.dense(next(asked), 10)

        search()
        cached = _best_seconds(search)
        uncached = _best_seconds(search, _FEW, before=large.sum)
    return Scan(
        rows=rows,
        dimension=len(vector),
        milliseconds=cached * 1000,
        cached_gb_s=size / cached / _GIGA,
        read_cached_gb_s=size / _read_seconds(same) / _GIGA,
        uncached_gb_s=size / uncached / _GIGA,
        read_uncached_gb_s=_LARGE_BYTES / _read_seconds(large, _FEW) / _GIGA,
        copy_uncached_gb_s=_copy_gb_s(large),
    )


def _read_seconds(array: NDArray[np.float32], times: int = _TIMES) -> float:
    """Return how long numpy takes to read `array`, in whichever way it is faster."""
    return min(_best_seconds(array.sum, times), _best_seconds(array.max, times))


def _copy_gb_s(source: NDArray[np.float32]) -> float:
    target = np.zeros_like(source)
    target[:] = 1  # so that its pages are there
    return 2 * source.nbytes / _best_seconds(lambda: np.copyto(target, source), _FEW) / _GIGA


def _best_seconds(
    act: Callable[[], object], times: int = _TIMES, *, before: Callable[[], object] = lambda: None
) -> float:
    """Return the shortest time of `act`, each after `before`, which is not counted."""
    spent = []
    for _ in range(times):
        before()
        start = time.perf_counter()
        act()
        spent.append(time.perf_counter() - start)
    return min(spent)
