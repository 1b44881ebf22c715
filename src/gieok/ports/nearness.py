"""How near the items of a scope are to a vector, worked out exactly only where it matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Places, Scores


_LIKELY: Final = 4  #: times as many as are looked for are worked out first: what is as high as they are is still a lot


class Nearness:
    """Upper bounds of the cosines of a layout's items with one vector; the cosines themselves where they were measured.

    One thread at a time may use it.
    """

    def __init__(self, most: Scores, cosines: Callable[[Places], Scores] | None = None) -> None:
        """`cosines` works out those at some places; without it, `most` holds the cosines already."""
        self.most = most  #: no less than the cosine of each item (but for 1e-6); -1 without a vector
        self.measured: NDArray[np.bool_] = np.full(len(most), cosines is None)
        self._cosines = cosines

    def measure(self, places: Places) -> bool:
        """Put the cosines of the items at `places` into `most`; return whether any was new."""
        new = places[~self.measured[places]]
        if self._cosines is None or not len(new):
            return False
        self.most[new] = self._cosines(new)
        self.measured[new] = True
        return True


def highest(scores: Callable[[], Scores], count: int, measure: Callable[[Places], bool]) -> Places:
    """Return the places of the `count` highest `scores` above 0, in no order; of equals the first.

    Scores are upper bounds until `measure` was asked to work them out at their places, which returns whether any was
    new. No more are asked for than it takes to be sure.
    """
    now = scores()
    likely = _highest(now, _LIKELY * count)
    if measure(likely):
        now = scores()
        known = now[likely]
        if measure(np.flatnonzero((now > 0) & (now >= known[_highest(known, count)].min(initial=np.inf)))):
            now = scores()
    return _highest(now, count)


def _highest(scores: Scores, count: int) -> Places:
    places: Places
    least = np.partition(scores, len(scores) - count)[len(scores) - count] if 0 < count < len(scores) else 0
    if least <= 0:
        places = np.flatnonzero(scores > 0)
        return places[: max(count, 0)]
    places = np.flatnonzero(scores >= least)
    if len(places) > count:
        high = scores[places] > least
        places = np.concatenate((places[high], places[~high][: count - np.count_nonzero(high)]))
    return places
