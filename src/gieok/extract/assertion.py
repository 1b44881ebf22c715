"""Whether what the tagger marked is over or has just begun: the certain signs, where it may have missed them."""

from __future__ import annotations

import re
from typing import Final

from gieok.language.morphemes import analyse

#: words for a time that is over
_FORMERLY: Final = re.compile(
    r"예전|옛날|(?:어릴|어렸을|젊었을)\s?(?:때|땐|적)(?!부터)|한때|왕년|소싯적|(?:달|년|해)\s?전만\s?해도"
    r"|\bused to\b|\bback (?:then|when)\b|\bwhen i was (?:a kid|little|young)\b|\bformerly\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[.!?~…\n,]+|(?<=는데)\s|(?<=지만)\s|(?<=다가)\s|(?<=\S고)\s|\bbut\b|\bnow\b", re.IGNORECASE
)
_NOW: Final = re.compile(
    r"지금|이제|요즘|요새|현재|아직|여전|인자|시방|\bnow\b|\bstill\b|\bthese days\b", re.IGNORECASE
)

_TO: Final = re.compile(r"(?:으로|로)\s?(?:\S+\s)?(?:이사|이직|이민|전학|전근|전과|옮[겨기긴김]|바[꿔꾼꿈뀌뀐]|갈아)")
_MOVED_TO: Final = re.compile(
    r"\b(?:moved|moving|switched|changed|transferred|relocated) (?:\w+ )?to (?:the |an? )?$", re.I
)


_RATHER: Final = re.compile(r"아니(?:고|라|구|야|요)|아닌|말고|\bnot\b|\binstead of\b", re.IGNORECASE)


def is_replaced(text: str, end: int, start: int) -> bool:
    """Whether the words between `end` and `start` put what follows in the place of what stands before: A 아니고 B."""
    return 0 <= start - end <= 20 and _RATHER.search(text, end, start) is not None


def is_new(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is where a move or a change leads to: 대구로 이사했어."""
    return bool(_TO.match(text, end) or _MOVED_TO.search(text[:start]))


def is_over(text: str, start: int, end: int) -> bool:
    """Whether the clause around `text[start:end]` says by its tense or its words that it was so once."""
    begin = max((stop.end() for stop in _CLAUSE.finditer(text, 0, start)), default=0)
    stop = _CLAUSE.search(text, end)
    clause = text[begin : stop.start() if stop else len(text)]
    if _NOW.search(clause):
        return False
    return bool(_FORMERLY.search(clause)) or _was(text, end)


def _was(text: str, end: int) -> bool:
    """Whether the words before `end` are followed by the past of 이다: 88킬로였는데, 간호사였어."""
    after = [part for part in analyse(text) if part.end > end and part.start >= end - 1]
    tags = [(part.tag, part.form) for part in after[:3]]
    while tags and tags[0][0] not in ("VCP", "EP"):
        if tags[0][0] not in ("NNB", "XSN", "NNG"):
            return False
        tags.pop(0)
    tense = tags[1] if tags and tags[0][0] == "VCP" and len(tags) > 1 else None
    return tense is not None and tense[0] == "EP" and tense[1] in ("었", "였", "았")
