"""Whether words say outright that something changed: 이제, 그만뒀어, 바뀌었어; no longer, moved, switched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from gieok.extract.korean.change_words import change_words
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.text import has_hangul

_SINCE_NOW: Final = frozenset("이제 이젠 이제부터 요즘 요새 앞으로 더이상 지금 현재 정정 전과 편입 전향 교체".split())
_TURNED: Final = frozenset(
    "바뀌다 바꾸다 옮기다 변하다 이사하다 이직하다 전학하다 갈아타다 넘어오다 그만두다 끊다 헤어지다 떠나다".split()
)
_RATHER: Final = frozenset({"아니", "말", "말고"})
_ENGLISH: Final = re.compile(
    r"\b(?:no longer|any ?more|not now|now|stopped|quit|gave up|switched|changed|moved|became|used to|instead|"
    r"broke up|left|retired|from now on)\b",
    re.IGNORECASE,
)


def replaced_in(text: str, value: str) -> str | None:
    """Return what the words put `value` in the place of: 유진 of "유진 아니고 유빈이야", "유진이 아니라 유빈"."""
    parts = analyse(text)
    for place, part in enumerate(parts):
        if part.form in _RATHER and part.tag in ("VCN", "VX", "VV", "JX") and value in text[part.end :]:
            nouns = takewhile(lambda each: each.tag[0] in "NSXJ", reversed(parts[:place]))
            own = [each for each in nouns if each.tag[0] != "J" and each.tag != "NP"]
            return text[own[-1].start : own[0].end] if own else None
    return None


def _put_right(parts: Sequence[Morpheme]) -> bool:
    """부산 아니고 대구, 교사가 아니라 강사."""
    return any(one.tag == "VCN" and after.tag == "EC" for one, after in pairwise(parts))


def says_change(text: str, attribute: str) -> bool:
    """Say whether `text` has a word by which something of the kind of `attribute` changes."""
    if not has_hangul(text):
        return _ENGLISH.search(text) is not None
    known = change_words()
    parts = analyse(text)
    if any(part.form in _SINCE_NOW or part.form in known.over_nouns for part in parts):
        return True
    endings = (ending for part in parts for ending in known.over.get(part.lemma, ()))
    return (
        _put_right(parts)
        or any(part.lemma in _TURNED for part in parts)
        or any(ending.fits(attribute) and not ending.needs for ending in endings)
    )
