"""Utterances in their order: a turn means what it means among those beside it, and within its sitting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.ports import NO_SITTING, Layout
from gieok.recall.noted import Noted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Places, Scores

LAYOUTS: Final = 16  #: of the scopes that were asked last
_REACH: Final = 2  #: utterances to either side that make up a window


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The utterances of a layout; a place here is a place among them."""

    said: Places  #: their places in the layout
    sittings: NDArray[np.int32]  #: the how manieth of them each is of
    openings: Places  #: where each sitting begins
    lengths: NDArray[np.int32]
    together: tuple[NDArray[np.bool_], ...]  #: whether one so and so far behind each is of its sitting

    @classmethod
    def of(cls, layout: Layout) -> Talk:
        return _TALKS.note(layout, _talk_of)

    def supported(self, scores: Scores, own: float) -> Scores:
        """Return `scores` of the layout, in which those of an utterance are its `own` share and its neighbours'.

        Where nobody spoke before or after in the same sitting, its own score stands in.
        """
        mine = scores[self.said]
        before, after = mine.copy(), mine.copy()
        together = self.together[0]
        np.copyto(before[1:], mine[:-1], where=together)
        np.copyto(after[:-1], mine[1:], where=together)
        supported = scores.copy()
        supported[self.said] = own * mine + (1 - own) / 2 * (before + after)
        return supported

    def heard_in_windows(self, times: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return, for each utterance, the sum of `times` over it and the utterances beside it in its sitting.

        `times` may have a row for each of several words.
        """
        around = times.copy()
        for far, together in enumerate(self.together, start=1):
            around[..., far:] += times[..., :-far] * together
            around[..., :-far] += times[..., far:] * together
        return around

    def heard_in_sittings(self, times: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sum of `times` over each sitting; they may have a row for each of several words."""
        return np.add.reduceat(times, self.openings, axis=-1) if len(self.openings) else times


_TALKS: Final[Noted[Layout, Talk]] = Noted(LAYOUTS)


def _talk_of(layout: Layout) -> Talk:
    said = np.flatnonzero(~layout.is_memory)
    sittings = layout.sittings[said]
    together = tuple(sittings[far:] == sittings[:-far] for far in range(1, _REACH + 1))
    opens = np.diff(sittings, prepend=NO_SITTING) != 0
    return Talk(
        said=said,
        sittings=np.cumsum(opens, dtype=np.int32) - 1,
        openings=np.flatnonzero(opens),
        lengths=layout.lengths[said],
        together=together,
    )
