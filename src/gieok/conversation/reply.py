"""A reply while it comes in: whatever a model sends, what is shown and kept is fit to be an utterance."""

from __future__ import annotations

import atexit
import logging
import re
from collections.abc import Generator
from typing import Final
from weakref import WeakSet

from gieok.conversation.events import Event
from gieok.domain.turn import LONGEST_UTTERANCE

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  #: all but tab and line feed
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_FIRST_HALF: Final = re.compile(r"[\ud800-\udbff]\Z")
log = logging.getLogger(__name__)
_UNFINISHED: Final[WeakSet[Generator[Event, None, None]]] = WeakSet()


class Reply:
    """What has been said so far."""

    def __init__(self, longest: int = LONGEST_UTTERANCE) -> None:
        self._room = longest
        self._bits: list[str] = []
        self._half = ""  #: of a letter whose other half is still to come
        self.overflowed = False  #: there was more than an utterance holds

    @property
    def text(self) -> str:
        """What was said, without the white space around it."""
        return "".join(self._bits).rstrip()

    def add(self, bit: str) -> str:
        """Take in the next bit; return what of it is to be shown."""
        shown = _CONTROLS.sub("", self._whole_letters(bit))
        if not self._bits:
            shown = shown.lstrip()
        if len(shown) > self._room:
            shown, self.overflowed = shown[: self._room], True
        self._room -= len(shown)
        if shown:
            self._bits.append(shown)
        return shown

    def _whole_letters(self, bit: str) -> str:
        """Return `bit` with halves of letters joined, over the edges of bits, too; what stays half becomes "�"."""
        if not self._half and not _SURROGATE.search(bit):
            return bit
        bit = self._half + bit
        self._half = bit[-1] if _FIRST_HALF.search(bit) else ""
        whole = bit[: len(bit) - len(self._half)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


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
