"""Turns that nobody has heard to the end when the program ends: what was said in them is kept all the same."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Generator
from typing import Final
from weakref import WeakSet

from gieok.conversation.events import Event

log = logging.getLogger(__name__)

_UNFINISHED: Final[WeakSet[Generator[Event, None, None]]] = WeakSet()


def watched(events: Generator[Event, None, None]) -> Generator[Event, None, None]:
    """Return `events`, which are ended with the program at the latest."""
    _UNFINISHED.add(events)
    return events


@atexit.register
def _end_all() -> None:
    """End what is left, while threads and modules are still there: an interpreter that is torn down keeps nothing."""
    for events in list(_UNFINISHED):
        try:
            events.close()
        except Exception:  # the end of the process: its bank may be closed, and the next turn is to be kept as well
            log.warning("a turn that was under way could not be kept", exc_info=True)
