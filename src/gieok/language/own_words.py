"""What a speaker says in their own voice: without stage directions, and without the words of others that they cite."""

from __future__ import annotations

import re
from typing import Final

from gieok.language.lately import remembered

_DIRECTION: Final = re.compile(r"\*[^*\n]{1,2000}\*|^\s*\([^()\n]{1,400}\)|\([^()\n]{1,400}\)\s*$", re.MULTILINE)
_QUOTED: Final = re.compile(r"“([^”\n]{1,2000})”|\"([^\"\n]{1,2000})\"|「([^」\n]{1,2000})」")
_SINGLE: Final = re.compile(r"‘[^’\n]{1,2000}’|(?<![A-Za-z])'[^'\n]{2,2000}'(?![A-Za-z])")
_OPENS_LINE: Final = re.compile(r"(?:^|\n)\s*$")
_GOES_ON: Final = re.compile(r"[가-힣]")  # "고마워"라고


@remembered
def own_words(text: str) -> str:
    """Return `text` with blanks for what is not the speaker's own; every character keeps its place.

    A line that opens with a quotation is told like a novel: there the quotations are the speaker's own words and the
    rest is narration.
    """
    if "*" in text or "(" in text:
        text = _DIRECTION.sub(_blank, text)
    quotes = list(_QUOTED.finditer(text))
    if any(_is_dialogue(text, quote) for quote in quotes):
        return _only(text, [quote.span() for quote in quotes if not _GOES_ON.match(text, quote.end())])
    if quotes:
        text = _QUOTED.sub(_blank, text)
    return _SINGLE.sub(_blank, text) if "'" in text or "‘" in text else text


def _is_dialogue(text: str, quote: re.Match[str]) -> bool:
    before = text[max(0, quote.start() - 200) : quote.start()]
    opens = quote.start() == 0 or _OPENS_LINE.search(before) is not None or not text[: quote.start()].strip()
    return opens and not _GOES_ON.match(text, quote.end())


def _only(text: str, spans: list[tuple[int, int]]) -> str:
    kept = [" "] * len(text)
    for start, end in spans:
        kept[start + 1 : end - 1] = text[start + 1 : end - 1]
        kept[end - 1] = "\n"  # one quotation is no half of the next one's sentence
    return "".join(kept)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
