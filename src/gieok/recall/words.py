"""How much of a question's words an item holds: BM25 over the scope's own statistics, as a share of all there is.

An utterance is looked at three times: alone, in the window of what was said around it, and in its whole sitting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.ports import Layout
from gieok.recall.noted import Noted
from gieok.recall.talk import LAYOUTS, Talk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Occurrences, Scores, Weighed

    Counts = NDArray[np.float32]

_K1: Final = 1.2
_B: Final = 0.75
_LONGER: Final = 0.25  #: what a longer word counts that begins with the asked one: 김밥 → 김밥천국
_MOST_COUNTS: Final = 1 << 20  #: of words in texts that are looked at together
_AROUND, _SITTING = 0.50, 0.25  #: the rest is for the text alone


@dataclass(slots=True)
class _Texts:
    """Texts of one kind, and how much of the question each of them holds."""

    heavy: Counts  #: how much the length of each counts against it
    held: Counts = field(init=False)
    whole: float = 0.0

    def __post_init__(self) -> None:
        self.held = np.zeros(len(self.heavy), np.float32)

    def add(self, times: Counts, weights: NDArray[np.float64]) -> None:
        """Count words, of which each row says how often they stand in each text, in the weight of each."""
        standing = np.count_nonzero(times, axis=1)
        rarity = np.log(1 + (len(self.heavy) - standing + 0.5) / (standing + 0.5))
        shares = times * (weights * rarity).astype(np.float32)[:, None]
        shares *= _K1 + 1
        shares /= times + self.heavy
        for share in shares:
            self.held += share
        self.whole += sum((rarity[weights == 1.0] * (_K1 + 1)).tolist())  # a longer word is a bonus, and not asked for

    def shares(self) -> Counts:
        return np.minimum(self.held / self.whole, 1.0) if self.whole else self.held


_HEAVY: Final[Noted[Layout, tuple[Counts, Counts, Counts]]] = Noted(LAYOUTS)


def _heavy(layout: Layout, talk: Talk) -> tuple[Counts, Counts, Counts]:
    """Return what lengths count against texts: alone, in windows and in sittings."""
    said = talk.lengths.astype(np.float32)
    alone, windows, sittings = (
        _K1 * (1 - _B + _B * lengths / (max(float(lengths.mean()), 1.0) if len(lengths) else 1.0))
        for lengths in (layout.lengths.astype(np.float32), talk.heard_in_windows(said), talk.heard_in_sittings(said))
    )
    return alone, windows, sittings


def shares_held(
    layout: Layout,
    talk: Talk,
    words: Sequence[Occurrences],
    longer: Sequence[Occurrences],
    *,
    around: bool = True,
    sitting: bool = True,
) -> Scores:
    """Return, for every item, how much of the asked `words` it holds: 0–1."""
    alone, windows, sittings = map(_Texts, _HEAVY.note(layout, lambda layout: _heavy(layout, talk)))
    found = [*((each, 1.0) for each in words), *((each, _LONGER) for each in longer if len(each.places))]
    at_once = max(_MOST_COUNTS // max(len(layout.refs), 1), 1)
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        times = np.zeros((len(some), len(layout.refs)), np.float32)
        for row, (each, _) in zip(times, some, strict=True):
            row[each.places] = each.times
        weights = np.array([weight for _, weight in some])
        said = times.take(talk.said, axis=1)
        alone.add(times, weights)
        windows.add(talk.heard_in_windows(said), weights)
        sittings.add(talk.heard_in_sittings(said), weights)
    return _together(
        talk,
        alone.shares(),
        windows.shares(),
        sittings.shares(),
        of_window=_AROUND * around,
        of_sitting=_SITTING * sitting,
    )


def shares_weighed(
    layout: Layout,
    talk: Talk,
    words: Sequence[tuple[Weighed, Occurrences | None]],
    *,
    around: bool = True,
    sitting: bool = True,
) -> Scores:
    """Return the same by a store's own ranking of the `words`, each with where longer ones stand that begin alike.

    What a word weighs where it weighs least is taken for its weight, standing once; one that stands nowhere is as rare
    as the rarest. Whatever the unit, a text of usual length that holds each word once holds the same share as by BM25,
    so that all weights of a ranking stay apt; and more weight is always a higher share.
    """
    once = [float(each.weights.min()) if len(each.weights) else 0.0 for each, _ in words]
    heaviest = max(once, default=0.0) or 1.0
    held = np.zeros(len(layout.refs), np.float32)
    for (each, longer), weight in zip(words, once, strict=True):
        held[each.places] += each.weights
        if longer is not None:
            held[longer.places] += _LONGER * (weight or heaviest) * longer.times
    held /= sum(weight or heaviest for weight in once) or 1.0
    said = held[talk.said]
    alone, windows, sittings = (
        texts / (texts + np.float32(_K1)) for texts in (held, talk.heard_in_windows(said), talk.heard_in_sittings(said))
    )
    return _together(talk, alone, windows, sittings, of_window=_AROUND * around, of_sitting=_SITTING * sitting)


def _together(
    talk: Talk, shares: Scores, windows: Scores, sittings: Scores, *, of_window: float, of_sitting: float
) -> Scores:
    """Return the shares of texts alone, in which those of what was said are mixed with its window's and sitting's."""
    together = (1 - of_window - of_sitting) * shares[talk.said] + of_window * windows
    shares[talk.said] = together + of_sitting * sittings[talk.sittings]
    return shares
