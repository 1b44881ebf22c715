"""Turns that the extractor could not read: each is tried again once it reads others, and then left alone.

An extractor that is ill fails at every turn, and whatever it missed is read when it is well again. One that reads the
newest turn and fails at an older one has met a turn it cannot read. This is kept in memory only: a bank that is opened
again, perhaps by a better gieok, tries again.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from gieok.domain.turn import Turn

MOST: Final = 10_000

_Key = tuple[str, ...]


class Unreadable:
    """Which turns failed, and which for good. Of more than `most`, those that failed longest ago are dropped."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._for_good: OrderedDict[_Key, bool] = OrderedDict()
        self._lock = Lock()

    def failed(self, turn: Turn) -> bool:
        """Note that `turn` could not be read; return whether that is news."""
        with self._lock:
            known = _key(turn) in self._for_good
            self._note(_key(turn), for_good=self._for_good.get(_key(turn), False))
            return not known

    def give_up(self, turn: Turn) -> None:
        with self._lock:
            self._note(_key(turn), for_good=True)

    def worth_trying(self, turn: Turn) -> bool:
        with self._lock:
            return not self._for_good.get(_key(turn), False)

    def _note(self, key: _Key, *, for_good: bool) -> None:
        self._for_good[key] = for_good
        self._for_good.move_to_end(key)
        if len(self._for_good) > self._most:
            self._for_good.popitem(last=False)


def _key(turn: Turn) -> _Key:
    """Return what no other turn has: the id of a rewound turn may be given again, and a caller's ids mean one scope."""
    return (turn.id, *(utterance.id for utterance in turn.utterances))
