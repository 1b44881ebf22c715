"""Figures that every benchmark here gives: how spread out times are, and how well what was found fits what was wanted.

Nothing but the standard library: the workers import it inside other people's environments.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Times of one action, in milliseconds."""

    p50: float
    p95: float
    count: int


def spread(milliseconds: Collection[float]) -> Spread:
    if not milliseconds:
        raise ValueError("there is nothing to spread: measure at least once")
    ordered = sorted(milliseconds)
    return Spread(p50=quantile(ordered, 0.5), p95=quantile(ordered, 0.95), count=len(ordered))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the `ordered` values lie, between two of them if need be."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def recall_at(k: int, found: Sequence[Collection[str]], wanted: Collection[str]) -> float:
    """Return which share of `wanted` the first `k` answers hold; one answer may stand for several ids, or for none."""
    seen = {each for answer in found[:k] for each in answer}
    return len(seen & set(wanted)) / len(set(wanted))


def reciprocal_rank(found: Sequence[Collection[str]], wanted: Collection[str]) -> float:
    """Return 1 / the place of the first answer that is wanted, 0 if none is."""
    sought = set(wanted)
    return next((1 / place for place, answer in enumerate(found, start=1) if sought & set(answer)), 0.0)


def peak_memory_mb() -> float | None:
    """Return the most memory that this process ever held, where the system tells.

    Not `ru_maxrss` where it can be helped: on Linux it starts at what the parent held when it made this process, so
    that every small worker of a large benchmark would seem as large as the benchmark.
    """
    with suppress(OSError):
        told = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return next(int(line.split()[1]) / 1024 for line in told.splitlines() if line.startswith("VmHWM:"))
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)
