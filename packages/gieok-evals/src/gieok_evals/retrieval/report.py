"""The figures of a run: over all and by category, with 95 % intervals over whole conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok_evals.retrieval.metrics import NAMES, ranks_of, scores
from gieok_evals.retrieval.playing import Answer

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RESAMPLES: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean over questions."""

    value: float
    interval: tuple[float, float] | None  #: None where there is only one unit to draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The figures of some questions."""

    queries: int
    figures: Mapping[str, Figure]  #: by the names of `metrics.NAMES`


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One way of ranking, measured."""

    overall: Scored
    categories: Mapping[str, Scored]  #: by name; empty where the file has none
    apart: Mapping[str, Scored]  #: what is no part of the overall figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What another way of ranking changes: its figures less those of the default."""

    name: str
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Every question's figures: a row for each, parallel to its unit and its category."""

    rows: NDArray[np.float64]
    units: tuple[str, ...]  #: what hangs together
    categories: tuple[str, ...]
    apart: tuple[bool, ...]

    def where(self, keep: Sequence[bool]) -> Sheet:
        places = [place for place, kept in enumerate(keep) if kept]
        return Sheet(
            rows=self.rows[places],
            units=tuple(self.units[place] for place in places),
            categories=tuple(self.categories[place] for place in places),
            apart=tuple(self.apart[place] for place in places),
        )

    @property
    def counted(self) -> Sheet:
        """What the overall figures are drawn from; a file in which everything is apart is drawn from whole."""
        return self if all(self.apart) else self.where([not apart for apart in self.apart])


def sheet(answers: Sequence[Answer]) -> Sheet:
    several = len({answer.conversation for answer in answers}) > 1
    return Sheet(
        rows=np.array([_row(answer) for answer in answers]).reshape(-1, len(NAMES)),
        units=tuple(
            answer.conversation if several else answer.query.group or str(number)
            for number, answer in enumerate(answers)
        ),
        categories=tuple(answer.query.category for answer in answers),
        apart=tuple(answer.query.apart for answer in answers),
    )


def summary(measured: Sheet, *, seed: int = 0) -> Summary:
    named = dict.fromkeys(zip(measured.categories, measured.apart, strict=True))
    by_name = {
        (name, apart): scored(measured.where([pair == (name, apart) for pair in _pairs(measured)]), seed=seed)
        for name, apart in sorted(named)
        if name
    }
    return Summary(
        overall=scored(measured.counted, seed=seed),
        categories={name: figures for (name, apart), figures in by_name.items() if not apart},
        apart={name: figures for (name, apart), figures in by_name.items() if apart},
    )


def scored(measured: Sheet, *, seed: int = 0) -> Scored:
    """Return the means, with intervals from drawing whole units."""
    return Scored(queries=len(measured.rows), figures=_figures(measured.rows, measured.units, seed))


def difference(name: str, other: Sheet, default: Sheet, *, seed: int = 0) -> Difference:
    """Return what `other` changes; question is set against question, so that hard ones do not blur it."""
    counted, base = other.counted, default.counted
    return Difference(name=name, figures=_figures(counted.rows - base.rows, base.units, seed))


def _pairs(measured: Sheet) -> Sequence[tuple[str, bool]]:
    return list(zip(measured.categories, measured.apart, strict=True))


def _row(answer: Answer) -> tuple[float, ...]:
    evidence = answer.query.evidence
    return scores(ranks_of(evidence, answer.ranking), len(evidence))


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
    """Return the bootstrap's lower and upper ends for each column, drawn over whole units; None for fewer than two."""
    names = list(dict.fromkeys(units))
    if len(names) < 2:
        return None
    places = {name: place for place, name in enumerate(names)}
    belongs = np.array([places[unit] for unit in units])
    sums = np.zeros((len(names), rows.shape[1]))
    np.add.at(sums, belongs, rows)
    sizes = np.bincount(belongs, minlength=len(names)).astype(np.float64)
    dice = np.random.default_rng(seed)
    drawn = dice.integers(len(names), size=(_RESAMPLES, len(names)))
    means = np.stack([sums[draw].sum(axis=0) / sizes[draw].sum() for draw in drawn])
    ends: NDArray[np.float64] = np.quantile(means, (0.025, 0.975), axis=0)
    return ends
