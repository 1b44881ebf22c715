"""Tunes the weights on some conversations and scores them on the others.

The parts of the first hits are collected once, with the default weights, and ranked again by score alone, without the
diversification of a recall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gieok.domain.scoring import PART_NAMES, Weights
from gieok.errors import InvalidQuery
from gieok_evals.retrieval.metrics import DEEPEST, NAMES
from gieok_evals.retrieval.ranking import Answer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

POOL: Final = 200  #: hits of each question that are ranked again
_FOLDS: Final = 5  #: of a file with a single conversation
_STEPS: Final = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0)
_ROUNDS: Final = 4
_NOTHING: Final = -1.0  #: parts of an empty place: lower than any hit can have
_GOAL: Final = (NAMES.index("recall@10"), NAMES.index("mrr"))  #: tuning raises their sum


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Questions left out of tuning, and their figures."""

    left_out: str
    queries: int
    weights: Mapping[str, float]  #: tuned on all the others
    default: Mapping[str, float]  #: figures with the default weights
    tuned: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Cross-validation of the weights."""

    folds: tuple[Fold, ...]
    default: Mapping[str, float]  #: over all folds
    held_out: Mapping[str, float]  #: over all folds, each with weights tuned on the others
    weights: Mapping[str, float]  #: tuned on everything
    seen: Mapping[str, float]  #: their figures on what they were tuned on


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pool:
    """The hits of many questions as arrays."""

    parts: Array  #: question × hit × part
    asked: NDArray[np.intp]  #: for every piece of evidence among the hits: its question
    found: NDArray[np.intp]  #: … and its place among the hits
    relevant: NDArray[np.intp]  #: number of pieces of evidence of each question

    def only(self, questions: NDArray[np.intp]) -> _Pool:
        places = np.full(len(self.parts), -1)
        places[questions] = np.arange(len(questions))
        kept = places[self.asked] >= 0
        return _Pool(
            parts=self.parts[questions],
            asked=places[self.asked[kept]],
            found=self.found[kept],
            relevant=self.relevant[questions],
        )

    def rows(self, weights: Array) -> Array:
        """Return the figures of every question under `weights`."""
        totals = self.parts @ weights
        totals[self.parts[:, :, 0] < 0] = -np.inf
        mine = totals[self.asked, self.found]
        before = (totals[self.asked] > mine[:, None]).sum(axis=1)
        first = np.arange(totals.shape[1]) < self.found[:, None]  # ties keep their order
        ranks = 1 + before + ((totals[self.asked] == mine[:, None]) & first).sum(axis=1)
        return np.stack([column / self._ideal(name) for name, column in self._gains(ranks).items()], axis=1)

    def _gains(self, ranks: NDArray[np.intp]) -> dict[str, Array]:
        """Return the sums of every question for each figure, by the ranks of its evidence."""
        first = np.zeros(len(self.parts))
        np.maximum.at(first, self.asked, np.where(ranks <= DEEPEST, 1 / ranks, 0.0))
        discounted = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0.0)
        return {
            "recall@5": self._summed(ranks <= 5),
            "recall@10": self._summed(ranks <= 10),
            "recall@20": self._summed(ranks <= 20),
            "mrr": first,
            "ndcg@10": self._summed(discounted),
        }

    def _summed(self, gains: NDArray[Any]) -> Array:
        sums = np.zeros(len(self.parts))
        np.add.at(sums, self.asked, gains)
        return sums

    def _ideal(self, name: str) -> Array:
        """Return the highest possible sum of every question."""
        if name == "mrr":
            return np.ones(len(self.relevant))
        if name == "ndcg@10":
            all_in_front: Array = np.cumsum(1 / np.log2(np.arange(2, 12)))
            return np.take(all_in_front, np.minimum(self.relevant, 10) - 1)
        return self.relevant.astype(np.float64)


def tuned(answers: Sequence[Answer], default: Weights) -> Tuning:
    """Tune on all conversations but one, in turn, and score that one; a single conversation is split into folds."""
    counted = [answer for answer in answers if not answer.query.apart] or list(answers)
    pool = _pool(counted)
    start = np.array([getattr(default, name) for name in PART_NAMES])
    labels = _labels(counted)
    before = pool.rows(start)
    after = np.zeros_like(before)
    folds = []
    for label in dict.fromkeys(labels):
        out = np.array([each == label for each in labels])
        weights = _climb(pool.only(np.flatnonzero(~out)), start)
        after[out] = pool.only(np.flatnonzero(out)).rows(weights)
        folds.append(
            Fold(
                left_out=label,
                queries=int(out.sum()),
                weights=_named(weights),
                default=_means(before[out]),
                tuned=_means(after[out]),
            )
        )
    everything = _climb(pool, start)
    return Tuning(
        folds=tuple(folds),
        default=_means(before),
        held_out=_means(after),
        weights=_named(everything),
        seen=_means(pool.rows(everything)),
    )


def _climb(pool: _Pool, start: Array) -> Array:
    """Return the best weights that changing one weight at a time finds."""
    weights, best = start.copy(), _goal(pool, start)
    for _ in range(_ROUNDS):
        before = best
        for place in range(len(weights)):
            for step in _STEPS:
                tried = weights.copy()
                tried[place] = step
                goal = _goal(pool, tried)
                if goal > best:
                    weights, best = tried, goal
        if best == before:
            break
    return weights


def _goal(pool: _Pool, weights: Array) -> float:
    return float(pool.rows(weights)[:, _GOAL].mean(axis=0).sum())


def _pool(answers: Sequence[Answer]) -> _Pool:
    width = max(len(answer.ranking) for answer in answers)
    parts = np.full((len(answers), max(width, 1), len(PART_NAMES)), _NOTHING)
    asked, found = [], []
    for number, answer in enumerate(answers):
        for place, (line, of_hit) in enumerate(zip(answer.ranking, answer.parts, strict=True)):
            parts[number, place] = [getattr(of_hit, name) for name in PART_NAMES]
            if line in answer.query.evidence:
                asked.append(number)
                found.append(place)
    return _Pool(
        parts=parts,
        asked=np.array(asked, dtype=np.intp),
        found=np.array(found, dtype=np.intp),
        relevant=np.array([len(answer.query.evidence) for answer in answers]),
    )


def _labels(answers: Sequence[Answer]) -> list[str]:
    """Return the fold of each question; questions of one group stay together."""
    conversations = [answer.conversation for answer in answers]
    if len(set(conversations)) > 1:
        return conversations
    groups = [answer.query.group or str(number) for number, answer in enumerate(answers)]
    order = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    if len(order) < 2:
        raise InvalidQuery("weights cannot be tuned on a single question; give a file with at least two conversations")
    folds = min(_FOLDS, len(order))
    return [f"fold {order[group] % folds + 1}" for group in groups]


def _means(rows: Array) -> dict[str, float]:
    return dict(zip(NAMES, rows.mean(axis=0).tolist(), strict=True))


def _named(weights: Array) -> dict[str, float]:
    return dict(zip(PART_NAMES, weights.tolist(), strict=True))
