"""How well the tagger does on the dev authors while it is trained: a quick look, without the rest of gieok."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from model import EMOTIONS, FACT
from torch import Tensor

if TYPE_CHECKING:
    from train import Training

LEAST = 0.05  # chance of a span that is looked at
POINTED = 3  # columns before those of the places where somebody is named
PRECISION = 0.85


def scores(training: Training) -> dict[str, float]:
    """Return what a run prints after each epoch.

    The mean precision of facts of the speaker and of others, the share found at a fixed precision ("@"), the share of
    found ones with the right attribute, and the F1 of emotions.
    """
    facts = _Facts(training)
    index = np.where(training.held)[0]
    for part in np.array_split(index, max(1, len(index) // 512)) if len(index) else []:
        facts.add(torch.tensor(part, device=training.data.device))
    return {
        **{f"own{name}": value for name, value in _ranked(facts.own, facts.wanted_own).items()},
        **{f"others{name}": value for name, value in _ranked(facts.others, facts.wanted_others).items()},
        "kinds": facts.named / max(1, facts.right),
        "emotions": emotions(training),
    }


def _ranked(marks: list[tuple[float, bool]], wanted: int) -> dict[str, float]:
    right = np.array([good for _, good in sorted(marks, reverse=True)], float)
    precision = right.cumsum() / np.arange(1, len(right) + 1)
    level = np.where(precision >= PRECISION)[0]
    found = right[: level[-1] + 1].sum() if len(level) else 0.0
    return {"": float((precision * right).sum()) / max(1, wanted), "@": float(found) / max(1, wanted)}


class _Facts:
    """Spans that are marked as facts, with certainty and whether somebody labelled them."""

    def __init__(self, training: Training) -> None:
        self.training, self.data = training, training.data
        self.own: list[tuple[float, bool]] = []
        self.others: list[tuple[float, bool]] = []
        self.wanted_own = self.wanted_others = self.right = self.named = 0
        self.no_fact = self.data.meta["acts"].index("not")

    @torch.no_grad()
    def add(self, part: Tensor) -> None:
        net = self.training.average
        window, layout = self.training.window(net, part)
        chances = net.begins(window)[..., FACT].sigmoid() * window.mask
        row, start = (chances > LEAST).nonzero(as_tuple=True)
        end = net.ends(window, row, start, torch.zeros_like(row)).argmax(-1) + 1
        attribute, act, holder = net.facts(window, row, start, end)
        sure = (chances[row, start] * (1 - act.softmax(-1)[:, self.no_fact])).tolist()
        labels = self.data.labels[part]
        have = (labels[..., 0] >= 0).nonzero(as_tuple=True)
        places = layout.inside(have[0], self.data.pointers[part][have]).cpu().numpy()
        told: dict[int, list[tuple[list[int], np.ndarray]]] = {}
        for number, fact, at in zip(have[0].tolist(), labels[have].tolist(), places, strict=True):
            if fact[3] != self.no_fact:
                told.setdefault(number, []).append((fact, at[at >= 0]))
                self.wanted_own += fact[4] == 0
                self.wanted_others += fact[4] != 0
        named, kinds = holder.exp().cpu().numpy(), attribute.argmax(-1).tolist()
        for n, (number, begin, last) in enumerate(zip(row.tolist(), start.tolist(), end.tolist(), strict=True)):
            pointed = float(named[n, POINTED:].sum())
            whose = int(named[n, :POINTED].argmax()) if named[n, :POINTED].max() > pointed else POINTED
            certainty = sure[n] * (float(named[n, whose]) if whose < POINTED else pointed)
            facts = told.get(number, [])
            kind = next((fact[0] for fact, at in facts if self._same(fact, at, begin, last, whose, named[n])), None)
            self.right += kind is not None
            self.named += kind == kinds[n]
            (self.own if whose == 0 else self.others).append((certainty, kind is not None))

    @staticmethod
    def _same(fact: list[int], places: np.ndarray, begin: int, end: int, whose: int, holder: np.ndarray) -> bool:
        _, first, last, _, target = fact
        if not (first < end and begin < last and (target == 0) == (whose == 0)):
            return False
        return target != POINTED or float(holder[POINTED + places].sum()) > 0.3


@torch.no_grad()
def emotions(training: Training) -> float:
    """Return the F1 of emotions on dev authors, as the mean over the four."""
    training.average.eval()
    pieces = training.data.felt_dev
    if not len(pieces):
        return 0.0
    told = training.data.emotions[pieces]
    said = torch.cat([training.felt(training.average, part).argmax(-1) for part in pieces.split(512)])
    both = [int(((said == kind) & (told == kind)).sum()) for kind in range(EMOTIONS)]
    either = [int((said == kind).sum() + (told == kind).sum()) for kind in range(EMOTIONS)]
    return float(np.mean([2 * b / max(1, e) for b, e in zip(both, either, strict=True)]))
