"""Whose turn it is: one at a time in a scope, many scopes at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import TIMEOUT_MAX, Lock, RLock
from typing import Final
from weakref import WeakKeyDictionary

from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.errors import TurnUnderWay


@dataclass(slots=True)
class _Place:
    lock: Lock = field(default_factory=Lock)  # a turn may end in another thread than it began in
    users: int = 0  #: who holds it or waits for it


class Floor:
    """The turns that are under way in one bank, in this process."""

    def __init__(self) -> None:
        self._places: dict[Scope, _Place] = {}
        self._guard = RLock()  # re-entrant: a turn that is collected as garbage ends wherever the collector runs

    @contextmanager
    def held(self, scope: Scope, seconds: float) -> Iterator[None]:
        """Keep others in `scope` waiting; raise `TurnUnderWay` if it is not free within `seconds`."""
        with self._guard:
            place = self._places.setdefault(scope, _Place())
            place.users += 1
        try:
            if not place.lock.acquire(timeout=min(seconds, TIMEOUT_MAX)):
                raise TurnUnderWay(str(scope), seconds)
            try:
                yield
            finally:
                place.lock.release()
        finally:
            with self._guard:
                place.users -= 1
                if not place.users:
                    del self._places[scope]


_FLOORS: Final[WeakKeyDictionary[MemoryBank, Floor]] = WeakKeyDictionary()
_MADE: Final = Lock()


def floor_of(bank: MemoryBank) -> Floor:
    """Return the floor that all talks over `bank` share."""
    with _MADE:
        return _FLOORS.setdefault(bank, Floor())
