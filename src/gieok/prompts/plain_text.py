"""Text without what nobody sees: control characters, half characters, marks that turn the direction of writing."""

from __future__ import annotations

import re
from typing import Final

_LINE_ENDS: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_SENTENCE_END: Final = re.compile(r"[.!?。…](?=[\s\"'”’)\]]|$)|\n")


def seen(text: str) -> str:
    """Return what a reader sees of `text`."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text)).strip()


def cut(text: str, most: int) -> str:
    """Return the beginning of `text` in at most `most` characters: whole sentences where one ends, else with "…"."""
    if len(text) <= most:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text[:most])]
    return text[: ends[-1]].rstrip() if ends else text[: most - 1].rstrip() + "…"
