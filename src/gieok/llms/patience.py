"""How long a model is waited for, and how often it is asked again."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

_DICE: Final = Random()  # its own: those of the program that uses this are not thrown
_LONGEST_PAUSE: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds and counts; every bound holds at once."""

    seconds: float = 30.0  #: for a whole answer, or for the beginning of a stream; with all retries
    connect: float = 5.0
    stall: float = 10.0  #: between two pieces of an answer
    stream: float = 300.0  #: for a whole stream, however steadily its bits come
    retries: int = 2  #: after a failure that may pass
    pause: float = 0.5  #: before the first retry; it doubles

    def pause_before(self, retry: int) -> float:
        """Return how long to wait before the `retry`-th retry (from 0), with jitter."""
        # Callers that failed together should not come back together.
        return min(self.pause * 2.0**retry, _LONGEST_PAUSE) * _DICE.uniform(0.5, 1.0)
