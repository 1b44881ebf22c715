"""Whether words say outright that something changed: 이제, 그만뒀어, 바뀌었어; no longer, moved, switched."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.change_words import change_words
from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

_SINCE_NOW: Final = frozenset("이제 이젠 이제부터 요즘 요새 앞으로 더이상".split())
_TURNED: Final = frozenset(
    "바뀌다 바꾸다 옮기다 변하다 이사하다 이직하다 전학하다 그만두다 끊다 헤어지다 떠나다".split()
)
_ENGLISH: Final = re.compile(
    r"\b(?:no longer|any ?more|not now|now|stopped|quit|gave up|switched|changed|moved|became|used to|instead|"
    r"broke up|left|retired|from now on)\b",
    re.IGNORECASE,
)


def says_change(text: str, attribute: str) -> bool:
    """Say whether `text` has a word by which something of the kind of `attribute` changes."""
    if not has_hangul(text):
        return _ENGLISH.search(text) is not None
    known = change_words()
    parts = analyse(text)
    if any(part.form in _SINCE_NOW or part.form in known.over_nouns for part in parts):
        return True
    endings = (ending for part in parts for ending in known.over.get(part.lemma, ()))
    return any(part.lemma in _TURNED for part in parts) or any(
        ending.fits(attribute) and not ending.needs for ending in endings
    )
