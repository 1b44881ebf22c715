"""Whether a value can be what it is taken for, and values without what was caught with them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
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
_FREE: Final = frozenset(
    "likes dislikes hobby habit exercise part_time_job hometown residence workplace school dream skill diet pet".split()
)
#: 하나가 다큐멘터리, 십 년째 곱창, …라고 했는데 생각해보니 규동
_BEFORE: Final = re.compile(
    r"^(?:(?:그중|그\s?중|이중)?\s?하나[가는]|제가|내가|저가|나는|저는|난|전|제일|요즘|요새|이제|지금은?|평소에?|역시|바로|결국"
    r"|(?:[가-힣\d]{1,4}\s)?(?:년|달|개월|주|일|해)째|[가-힣\d]{1,4}(?:년|개월|달)\s?전부터"
    r"|[^\n]{1,40}(?:라고\s했는데|했는데|랬는데|더니|해\s?보니까?|하니까))\s+(?=\S)"
)
_AFTER: Final = re.compile(r"\s(?:뿐|정도|만큼|쪽|아니)$")
_NOTHING: Final = frozenset("새 새로운 다른 요즘 좋아하는 싫어하는 하는 되는 그런 이런 같은".split())
_MOST: Final = 3


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


def _is_somebody(attribute: str, value: str) -> bool:
    """Whether whoever likes a thing was taken for the thing."""
    return attribute.startswith("favorite.") and value in lexicon().kin | lexicon().others


def tidied(finding: Finding) -> Finding | None:
    """Return `finding` with a value of its own; None where nothing is left of it."""
    if finding.attribute not in _FREE and not finding.attribute.startswith("favorite."):
        return finding
    value = finding.value
    for _ in range(_MOST):
        value = _BEFORE.sub("", value)
    if _AFTER.search(value) or value in _NOTHING or _is_somebody(finding.attribute, value):
        return None
    return finding if value == finding.value else replace(finding, value=value, shown=value, surface=value)
