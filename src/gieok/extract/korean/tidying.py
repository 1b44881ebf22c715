"""Whether a value can be what it is taken for, and values without what was caught with them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.personal import PERSONAL_KINDS, masks_of
from gieok.domain.turn import USER
from gieok.extract.korean.kinds import department_of
from gieok.extract.korean.lexicon import lexicon, signals
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
#: 하나가 다큐멘터리, 수원 안녕~ 이제 동탄, 십 년째 곱창, …라고 했는데 생각해보니 규동
_BEFORE: Final = re.compile(
    r"^(?:(?:그중|그\s?중|이중)?\s?하나[가는]|\S{1,8}\s안녕~?|제가|내가|저가|나는|저는|난|전|제일|요즘|요새|이제|지금은?|평소에?|역시|바로|결국|대신"
    r"|(?:[가-힣\d]{1,4}\s)?(?:년|달|개월|주|일|해)째|[가-힣\d]{1,4}(?:년|개월|달)\s?전부터"
    r"|[^\n]{1,40}(?:라고\s했는데|했는데|랬는데|더니|해\s?보니까?|하니까))\s+(?=\S)"
)
_WHERE: Final = frozenset({"residence", "workplace", "school"})
_AFTER: Final = re.compile(r"\s(?:뿐|정도|만큼|쪽|아니)$")
_NOTHING: Final = frozenset("새 새로운 다른 요즘 좋아하는 싫어하는 하는 되는 그런 이런 같은".split())
_MOST: Final = 3
_FAITH: Final = re.compile(
    r"(?:교|회|당|신앙|론|론자|주의|주의자|증인|이슬람|크리스천|가톨릭|카톨릭|유대|무속|샤머니즘|없음|신자|신도|절)$"
)
_WINKED_AT: Final = frozenset("job skill likes hobby workplace".split())
_IDLE: Final = ("숨쉬기", "침대", "이불", "방구석")  #: 숨쉬기 전문가
_YOUNGEST: Final = 7  #: of those who write
#: 오빠 셋 밑에서 컸다, 절집에서 자랐다
_NO_PLACE: Final = re.compile(r"(?:\s밑|\s품|\s손|절집|보육원|고아원|손녀|손자|아들|딸|냉면|국밥|찌개)$")
_NO_SONG: Final = re.compile(r"(?<!빗)(?<!파도)(?<!바람)(?:\s소리|목소리)$")
#: 평양냉면 졸업했어: no school
_FINISHED: Final = re.compile(r"(?:^|\s)(?P<what>\S+?)(?:을|를|에서)?\s졸업")
_SCHOOL: Final = re.compile(
    r"(?:학교|대|대학|대학원|고|중|초|원|과|석사|박사|년|반|캠프|훈련소|수석으로|드디어|오늘|어제|작년|때)$"
)
_WORDS: Final = re.compile("[가-힣]+")
_MASKS: Final = tuple(
    mask for kind in PERSONAL_KINDS for mask in masks_of(kind)
)  #: a morpheme may have lost its bracket


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
    if key == "diet" and parts[-1:] and parts[-1].form in ("음", "ㅁ"):
        return True  # 고기 안 먹음
    if key == "major" and parts[-1:] and parts[-1].form == "과":
        return True  # 통계학과 is not "statistics and"
    return last not in _CUT and not (noun and last in _ENDINGS)


def can_be(claim: Claim) -> bool:
    """Whether the value is one at all: no bound noun, no chicken for a religion, no breathing for a job."""
    key, value = claim.attribute or "", claim.value or ""
    crab = key == "allergy" and value == "게"
    if value in signals("values", "none") and key not in ("blood_type", "name") and not crab:
        return False
    if claim.subject == USER and _is_no_such(key, value):
        return False
    if key == "religion":
        return _FAITH.search(value) is not None
    winked = key in _WINKED_AT or key.startswith("favorite.")
    bare = value.replace(" ", "")
    return not (winked and (bare in signals("values", "winked") or bare.startswith(_IDLE)))


def _is_no_such(key: str, value: str) -> bool:
    """A name that is a word, an age nobody writes at, a place nobody comes from, a turning point that is none."""
    if key == "name":
        known = value in signals("values", "no_names") or value in lexicon().mbti
        return known or value.endswith(("증후군", "학교")) or (len(value) > 2 and department_of(value) is not None)
    if key == "age":
        return value.isdigit() and int(value) < _YOUNGEST
    if key in ("hometown", "residence"):
        return _NO_PLACE.search(value) is not None
    if key == "favorite.music":
        return _NO_SONG.search(value) is not None
    if key != "milestone":
        return False
    finished = _FINISHED.search(value)
    born = value.endswith("태어났음") and not any(word in lexicon().kin for word in _WORDS.findall(value))
    return born or (finished is not None and _SCHOOL.search(finished["what"]) is None)


def _is_somebody(attribute: str, value: str) -> bool:
    """Whether whoever likes a thing was taken for the thing."""
    return attribute.startswith("favorite.") and value in lexicon().kin | lexicon().others


def tidied(finding: Finding) -> Finding | None:
    """Return `finding` with a value of its own; None where nothing is left of it."""
    if finding.attribute not in _FREE and not finding.attribute.startswith("favorite."):
        return finding
    value = next((mask for mask in _MASKS if mask[:-1] in finding.value), finding.value)  # 나 [주소]에 살아
    if finding.attribute in _WHERE:
        value = value.removeprefix("저 ")  # 저 세종시 살아요, where 저 is taken for "that"
    for _ in range(_MOST):
        value = _BEFORE.sub("", value)
    if _AFTER.search(value) or value in _NOTHING or _is_somebody(finding.attribute, value):
        return None
    return finding if value == finding.value else replace(finding, value=value, shown=value, surface=value)
