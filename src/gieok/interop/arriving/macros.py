"""Placeholders of chat programs, filled in: {{user}}, {{char}}, and the forms they had before."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = re.compile(r"\{\{\s*(user|char|bot)\s*\}\}|<(user|char|bot)>", re.IGNORECASE)
_UNSAID: Final = re.compile(r"\{\{\s*(?://|comment:|hidden_key:)[^{}]{0,2000}\}\}", re.IGNORECASE)
_HANGUL: Final = re.compile(r"[가-힣]")


def filled_in(text: str, *, user: str | None, character: str) -> str:
    """Return `text` with the names of those who talk; without a `user` it speaks of anybody who plays.

    What is written for nobody to see ({{// …}}) is left out.
    """
    anybody = user or ("사용자" if _HANGUL.search(text) else "the user")

    def name(match: re.Match[str]) -> str:
        return anybody if (match[1] or match[2]).lower() == "user" else character

    return _NAMES.sub(name, _UNSAID.sub("", text)).strip()
