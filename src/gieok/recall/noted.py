"""What is worked out about an object, noted as long as that very object is at hand.

A store that keeps what it read hands out the same items again: what a line about one reads like, and what it says, is
then looked up. An item that has changed is another object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Thing = TypeVar("Thing")
Note = TypeVar("Note")

_MOST: Final = 8_192


class Noted(Generic[Thing, Note]):
    """Notes about values that never change, begun anew when there are too many. Threads may share it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._notes: dict[tuple[int, Hashable], tuple[Thing, Note]] = {}

    def note(self, thing: Thing, make: Callable[[Thing], Note], *, by: Hashable = None) -> Note:
        """Return what `make` says of `thing`; it must depend on nothing but that and `by`."""
        key = (id(thing), by)
        held = self._notes.get(key)
        if held is not None:  # what is noted lives on: nobody else can have its id
            return held[1]
        if len(self._notes) >= self._most:
            self._notes = {}
        note = make(thing)
        self._notes[key] = (thing, note)
        return note

    def __len__(self) -> int:
        return len(self._notes)
