"""Facts filled in like a form: "Name: Anna / Blood type: O", one to a line or divided by strokes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import values
from gieok.extract.english.reading import Finding, found
from gieok.extract.english.words import words

_FIELDS: Final = re.compile(r"[/\n;|]")
_LONGEST_LABEL: Final = 4  #: words
_UTMOST: Final = frozenset("ultimate biggest all-time main current secret".split())
_UNSURE: Final = frozenset("? secret unknown none idk n/a tbd".split())


def filled_in(text: str) -> Iterator[Finding]:
    """Yield the fields of a form; the rest of a text is left to the other rules."""
    for field in _fields(text):
        pattern, said = _field(field)
        if pattern is None or not said:
            continue
        spelt = words(said)
        while len(spelt) > 1 and (spelt[0].low in lexicon().skippable or spelt[0].low in (",", "easy")):
            spelt = spelt[1:]
        if not spelt or {word.low for word in spelt} & _UNSURE:
            continue
        got = list(values(spelt, 0, pattern.value, said, many=pattern.many and pattern.value != "doing", title=True))
        if not got and pattern.free:
            got = list(values(spelt, 0, "noun", said, many=False, title=True))
        for value in got:
            yield found(pattern, value)


def without_forms(text: str) -> str:
    """Return `text` without the fields of a form, so that nothing is read twice."""
    kept = [field for field in _fields(text) if _field(field)[0] is None]
    return text if len(kept) == len(_fields(text)) else "\n".join(kept)


def _fields(text: str) -> list[str]:
    """Return the fields of `text`; a comma divides them where each has its label."""
    fields = _FIELDS.split(text) if ":" in text else text.split("\n")
    cut: list[str] = []
    for field in fields:
        parts = field.split(",")
        cut += parts if len(parts) > 1 and all(":" in part for part in parts) else [field]
    return cut


def _field(line: str) -> tuple[Pattern | None, str]:
    mark = min((line.index(each) for each in ":?=" if each in line), default=len(line))
    named, colon, said = line[:mark], line[mark : mark + 1], line[mark + 1 :]
    lows = [word.low for word in words(named.strip(" -•*")) if not word.is_mark]
    if not colon or not 1 <= len(lows) <= _LONGEST_LABEL:
        return None, ""
    if lows[0] in ("my", "the"):
        lows = lows[1:]
    while len(lows) > 1 and lows[0] in _UTMOST:
        lows = lows[1:]
    known = patterns()
    favourite = (
        known.by_favourite.get(" ".join(low for low in lows[1:] if low != "ever"))
        if lows and lows[0] in ("favorite", "best")
        else None
    )
    return favourite or known.by_label.get(" ".join(lows)), said.strip()
