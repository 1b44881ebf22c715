"""How good rankings are: recall, reciprocal rank and discounted gain, with 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok_evals.reports import Interval
from gieok_evals.retrieval.ranking import Answer

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMES: Final = ("recall@5", "recall@10", "recall@20", "mrr", "ndcg@10")  #: in the order of `scores`
DEEPEST: Final = 100  #: the last rank that counts as found
_RESAMPLES: Final = 2_000


def recall_at(k: int, ranks: Iterable[int], relevant: int) -> float:
    """Return the share of the `relevant` lines among the first `k`."""
    return sum(rank <= k for rank in ranks) / relevant


def reciprocal_rank(ranks: Collection[int]) -> float:
    """Return 1 for the first place, 1/2 for the second …, 0 if nothing was found."""
    return 1 / min(ranks) if ranks else 0.0


def gain_at(k: int, ranks: Iterable[int], relevant: int) -> float:
    """Return the normalised discounted cumulative gain: 1 if the first places hold all they can."""
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, relevant) + 1))
    return gained / ideal


def ranks_of(evidence: Collection[str], ranking: Sequence[str]) -> list[int]:
    """Return the ranks, from 1, of the evidence in `ranking`."""
    return [rank for rank, line_id in enumerate(ranking[:DEEPEST], start=1) if line_id in evidence]


def scores(ranks: Collection[int], relevant: int) -> tuple[float, ...]:
    """Return the figures of one question by the ranks of its evidence, in the order of `NAMES`."""
    recalls = (recall_at(k, ranks, relevant) for k in (5, 10, 20))
    return (*recalls, reciprocal_rank(ranks), gain_at(10, ranks, relevant))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over questions."""

    value: float
    interval: Interval | None  #: None if there is only one unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The figures of some questions."""

    queries: int
    figures: Mapping[str, Figure]  #: by `NAMES`


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of one way of ranking."""

    overall: Scored
    categories: Mapping[str, Scored]  #: empty if the file has none
    apart: Mapping[str, Scored]  #: categories that are not part of the overall figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The figures of another way of ranking minus those of the default."""

    name: str
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The figures of every question, one row each."""

    rows: NDArray[np.float64]
    units: tuple[str, ...]  #: what intervals are drawn over, parallel to `rows`
    categories: tuple[tuple[str, bool], ...]  #: name, and whether it is apart

    def where(self, keep: Sequence[bool]) -> Sheet:
        places = [place for place, kept in enumerate(keep) if kept]
        return Sheet(
            rows=self.rows[places],
            units=tuple(self.units[place] for place in places),
            categories=tuple(self.categories[place] for place in places),
        )

    @property
    def counted(self) -> Sheet:
        """The questions of the overall figures: those that are not apart, or all if every one is."""
        kept = [not apart for _, apart in self.categories]
        return self.where(kept) if any(kept) else self


def sheet(answers: Sequence[Answer]) -> Sheet:
    several = len({answer.conversation for answer in answers}) > 1
    rows = [scores(ranks_of(answer.query.evidence, answer.ranking), len(answer.query.evidence)) for answer in answers]
    return Sheet(
        rows=np.array(rows).reshape(-1, len(NAMES)),
        units=tuple(
            answer.conversation if several else answer.query.group or str(number)
            for number, answer in enumerate(answers)
        ),
        categories=tuple((answer.query.category, answer.query.apart) for answer in answers),
    )


def summary(measured: Sheet, *, seed: int = 0) -> Summary:
    by_category = {
        category: scored(measured.where([each == category for each in measured.categories]), seed=seed)
        for category in sorted(set(measured.categories))
        if category[0]
    }
    return Summary(
        overall=scored(measured.counted, seed=seed),
        categories={name: figures for (name, apart), figures in by_category.items() if not apart},
        apart={name: figures for (name, apart), figures in by_category.items() if apart},
    )


def scored(measured: Sheet, *, seed: int = 0) -> Scored:
    """Return the means, with intervals over whole units."""
    return Scored(queries=len(measured.rows), figures=_figures(measured.rows, measured.units, seed))


def difference(name: str, other: Sheet, default: Sheet, *, seed: int = 0) -> Difference:
    """Return the change from `default` to `other`, paired question by question."""
    base = default.counted
    return Difference(name=name, figures=_figures(other.counted.rows - base.rows, base.units, seed))


def _figures(rows: NDArray[np.float64], units: Sequence[str], seed: int) -> dict[str, Figure]:
    ends = _intervals(rows, units, seed)
    means = rows.mean(axis=0)
    return {
        name: Figure(
            value=float(means[at]), interval=None if ends is None else (float(ends[0, at]), float(ends[1, at]))
        )
        for at, name in enumerate(NAMES)
    }


def _intervals(rows: NDArray[np.float64], units: Sequence[str], seed: int) -> NDArray[np.float64] | None:
    """Return the lower and upper bootstrap ends of each column, drawn over whole units; None for fewer than two."""
    places = {name: place for place, name in enumerate(dict.fromkeys(units))}
    if len(places) < 2:
        return None
    belongs = np.array([places[unit] for unit in units])
    sums = np.zeros((len(places), rows.shape[1]))
    np.add.at(sums, belongs, rows)
    sizes = np.bincount(belongs, minlength=len(places)).astype(np.float64)
    drawn = np.random.default_rng(seed).integers(len(places), size=(_RESAMPLES, len(places)))
    means = np.stack([sums[draw].sum(axis=0) / sizes[draw].sum() for draw in drawn])
    ends: NDArray[np.float64] = np.quantile(means, (0.025, 0.975), axis=0)
    return ends
