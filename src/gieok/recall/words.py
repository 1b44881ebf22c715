"""How much of a question's words an item holds: BM25 over the scope's own statistics, as a share of all there is.

An utterance is looked at three times: alone, in the window of what was said around it, and in its whole sitting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.recall.talk import Talk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Layout, Occurrences, Scores

    Counts = NDArray[np.float32]

_K1: Final = 1.2
_B: Final = 0.75
_LONGER: Final = 0.25  #: what a longer word counts that begins with the asked one: 김밥 → 김밥천국
_AROUND, _SITTING = 0.50, 0.25  #: the rest is for the text alone


@dataclass(slots=True)
class _Texts:
    """Texts of one kind, and how much of the question each of them holds."""

    lengths: Counts
    held: Counts = field(init=False)
    whole: float = 0.0
    _heavy: Counts = field(init=False)

    def __post_init__(self) -> None:
        self.held = np.zeros(len(self.lengths), np.float32)
        mean = max(float(self.lengths.mean()), 1.0) if len(self.lengths) else 1.0
        self._heavy = _K1 * (1 - _B + _B * self.lengths / mean)

    def add(self, times: Counts, *, weight: float = 1.0) -> None:
        """Count a word that stands `times` in each text. A longer word is a bonus, and not asked for."""
        places = np.flatnonzero(times)
        rarity = float(np.log(1 + (len(times) - len(places) + 0.5) / (len(places) + 0.5)))
        here = times[places]
        self.held[places] += weight * rarity * here * (_K1 + 1) / (here + self._heavy[places])
        if weight == 1.0:
            self.whole += rarity * (_K1 + 1)

    def miss(self) -> None:
        """Count a word that stands in none of the texts."""
        self.whole += float(np.log(1 + (len(self.held) + 0.5) / 0.5)) * (_K1 + 1)

    def shares(self) -> Counts:
        return np.minimum(self.held / self.whole, 1.0) if self.whole else self.held


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
    alone = _Texts(layout.lengths.astype(np.float32))
    windows = _Texts(talk.heard_in_windows(talk.lengths.astype(np.float32)))
    sittings = _Texts(talk.heard_in_sittings(talk.lengths.astype(np.float32)))
    for found, weight in [*((each, 1.0) for each in words), *((each, _LONGER) for each in longer)]:
        if not len(found.places):
            if weight == 1.0:
                for texts in (alone, windows, sittings):
                    texts.miss()
            continue
        everywhere = np.zeros(len(layout.refs), np.float32)
        everywhere[found.places] = found.times
        said = everywhere[talk.said]
        alone.add(everywhere, weight=weight)
        windows.add(talk.heard_in_windows(said), weight=weight)
        sittings.add(talk.heard_in_sittings(said), weight=weight)
    shares = alone.shares()
    of_window, of_sitting = _AROUND * around, _SITTING * sitting
    together = (1 - of_window - of_sitting) * shares[talk.said] + of_window * windows.shares()
    shares[talk.said] = together + of_sitting * sittings.shares()[talk.sittings]
    return shares
