"""What a model says aloud. What a reasoning model thinks between `<think>` and `</think>` is nobody's business."""

from __future__ import annotations

from typing import Final

_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"


class Aloud:
    """Leaves the thoughts out of an answer that comes bit by bit; a tag may be spread over bits."""

    def __init__(self) -> None:
        self._held = ""  #: may be the beginning of a tag
        self._thinking = False
        self._begun = False  #: something was said; before that, blank space is part of the thinking

    def hear(self, bit: str) -> str:
        """Return what of `bit`, and of what was held back before, is said aloud."""
        text, aloud = self._held + bit, ""
        while True:
            tag = _CLOSES if self._thinking else _OPENS
            before, found, after = text.partition(tag)
            if not found:
                break
            aloud += "" if self._thinking else before
            text, self._thinking = after, not self._thinking
        kept = _tail(text, tag)
        self._held = text[len(text) - kept :]
        if not self._thinking:
            aloud += text[: len(text) - kept]
        return self._from_the_first_word(aloud)

    def end(self) -> str:
        """Return what was held back and turned out to be no tag."""
        rest, self._held = ("" if self._thinking else self._held), ""
        return self._from_the_first_word(rest)

    def _from_the_first_word(self, aloud: str) -> str:
        if not self._begun:
            aloud = aloud.lstrip()
            self._begun = bool(aloud)
        return aloud


def aloud(text: str) -> str:
    """Return a whole answer without thoughts, also where its template opened them before the answer began."""
    listening = Aloud()
    said = listening.hear(text) + listening.end()
    return said.rpartition(_CLOSES)[2].lstrip() if _CLOSES in said else said


def _tail(text: str, tag: str) -> int:
    """Return how many characters at the end of `text` may be the beginning of `tag`."""
    return next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
