"""Whether a value can be what it is taken for: a thing, a place, a person, and no stray piece of a sentence.

Rules cut values out of sentences, and what is cut wrongly shows at its end: 기억하세, 왕자 아니, 야근이 별로.
"""

from __future__ import annotations

import re
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.language.morphemes import analyse

_NOUNS_ONLY: Final = frozenset(
    "name nickname job workplace major school hometown residence nationality religion pet friend allergy phobia "
    "medical_condition medication part_time_job exercise diet favorite.food favorite.color".split()
)
_TITLES_TOO: Final = frozenset("likes dislikes".split())  #: 소년이 온다 is a thing to like
_CUT: Final = frozenset({"MAG", "MAJ", "IC", "VCN", "VV", "VA", "VX", "EP", "JKO", "JKS", "JX", "JC", "JKB", "MM"})
_ENDINGS: Final = frozenset({"EF", "EC", "ETM"})
_SPAN: Final = re.compile(r"[년월달주일간번]\s?(?:째|차|동안)$")  #: 십오 년째
_SHORT: Final = 3  #: syllables; 보라 and 이든 are names, whatever else they are


def says_the_same(claim: Claim, other: Claim) -> bool:
    """Whether `other` says what `claim` would: the same value, or one that holds it, or the only one there can be."""
    if claim.topic != other.topic:
        return False
    if claim.attribute is not None and attribute(claim.attribute).single and other.act != "end":
        return True
    mine, theirs = (claim.value or "").replace(" ", ""), (other.value or "").replace(" ", "")
    return mine in theirs or theirs in mine


def is_thing(key: str, value: str) -> bool:
    """Whether `value` can be a value of the attribute `key`, as far as its last morpheme tells."""
    if _SPAN.search(value):
        return False
    noun = key in _NOUNS_ONLY
    if not (noun or key in _TITLES_TOO) or (len(value) <= _SHORT and " " not in value and key != "school"):
        return True
    parts = analyse(value)
    last = parts[-1].tag.split("-")[0] if parts else ""
    if last == "NNB" and parts[-1].form in ("듯", "줄", "적", "수", "척", "체"):
        return False  # 기억하는 듯
    if key == "major" and parts[-1:] and parts[-1].form == "과":
        return True  # 통계학과 is not "statistics and"
    return last not in _CUT and not (noun and last in _ENDINGS)
