"""How often a model failed at a turn: after a few times it is left alone.

This is kept in memory only: a bank that is opened again, perhaps with a better model, tries again.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from gieok.domain.turn import Turn

_MOST: Final = 10_000

_Key = tuple[str, ...]


class Tries:
    """Counts failures by turn. Of more than `most` turns, those that failed longest ago are dropped."""

    def __init__(self, *, enough: int = 3, most: int = _MOST) -> None:
        self._enough = enough
        self._most = most
        self._failures: OrderedDict[_Key, int] = OrderedDict()
        self._lock = Lock()

    def failed(self, turn: Turn) -> None:
        with self._lock:
            self._failures[_key(turn)] = self._failures.get(_key(turn), 0) + 1
            self._failures.move_to_end(_key(turn))
            if len(self._failures) > self._most:
                self._failures.popitem(last=False)

    def of(self, turn: Turn) -> int:
        with self._lock:
            return self._failures.get(_key(turn), 0)

    def worth_another(self, turn: Turn) -> bool:
        return self.of(turn) < self._enough


def _key(turn: Turn) -> _Key:
    """Return what no other turn has: the id of a rewound turn may be given again."""
    return (turn.id, *(utterance.id for utterance in turn.utterances))
