"""How good a ranking is: recall, reciprocal rank and discounted gain of the lines that answer."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Final

NAMES: Final = ("recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")  #: in the order of `scores`
DEEPEST: Final = 100  #: rank from which on nothing counts as found


def recall_at(k: int, ranks: Iterable[int], relevant: int) -> float:
    """Return which share of the `relevant` lines stands among the first `k`."""
    return sum(rank <= k for rank in ranks) / relevant


def reciprocal_rank(ranks: Collection[int]) -> float:
    """Return 1 for the first place, 1/2 for the second …, 0 where nothing was found."""
    return 1 / min(ranks) if ranks else 0.0


def gain_at(k: int, ranks: Iterable[int], relevant: int) -> float:
    """Return the normalised discounted cumulative gain: 1 where all that fits into `k` places stands in front."""
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, relevant) + 1))
    return gained / ideal


def ranks_of(evidence: Collection[str], ranking: Sequence[str]) -> list[int]:
    """Return the ranks, from 1, of the evidence in `ranking`."""
    return [rank for rank, line_id in enumerate(ranking[:DEEPEST], start=1) if line_id in evidence]


def scores(ranks: Collection[int], relevant: int) -> tuple[float, ...]:
    """Return the figures of one question by the ranks of its evidence, in the order of `NAMES`."""
    return (
        recall_at(5, ranks, relevant),
        recall_at(10, ranks, relevant),
        recall_at(20, ranks, relevant),
        reciprocal_rank(ranks),
        gain_at(10, ranks, relevant),
    )
