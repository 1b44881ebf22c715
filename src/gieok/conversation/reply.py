"""A reply while it comes in: whatever a model sends, what is shown and kept is fit to be an utterance."""

from __future__ import annotations

import re
from typing import Final

from gieok.domain.turn import LONGEST_UTTERANCE

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  #: all but tab and line feed
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_FIRST_HALF: Final = re.compile(r"[\ud800-\udbff]\Z")


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
