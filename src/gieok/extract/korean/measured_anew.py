"""Figures that are told anew without saying of what: 오늘 재니 71킬로 나왔어, 사실 175입니다, 인바디가 178.6이래.

Only one who has told their height or weight can be meant to tell it again, and then only by a number near the
old one, in words of measuring or of owning up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.memory import Memory
from gieok.extract.korean.giving_up import of_others
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.values import Value
from gieok.language.clauses import Clause, Phrase, clauses
from gieok.language.mood import mood

FIGURES: Final = ("height", "weight")
_NEAR: Final = {"height": 15.0, "weight": 35.0}  #: how far from the old value a new one may be
_FITS: Final = {"height": (130.0, 215.0), "weight": (30.0, 180.0)}
_UNITS: Final = {
    "cm": "height", "센티": "height", "센치": "height", "kg": "weight", "킬로": "weight", "키로": "weight",
}  # fmt: skip
_NUMBER: Final = re.compile(
    r"(?<![\d.])(?P<number>\d{2,3}(?:\.\d)?)\s?(?P<unit>cm|kg|센티|센치|킬로|키로)?(?:그램|미터)?$"
)
_MEASURING: Final = re.compile(
    r"(?<![가-힣])(?:재니|재\s?보|재\s?봤|쟀|잰|쟤)|체중계|저울|인바디|보건소|검진|신검|신체검사|몸무게|체중|키(?=[는가를\s])|신장|앞자리|바지|청바지|헐렁|깔창"
    r"|살\s?(?:이\s)?(?:빠|쪘|찌|쪄)|다이어트|감량|벌크업"
)
_OWNED_UP: Final = re.compile(r"(?<![가-힣])(?:사실|실은|솔직히|고백|정정|실제론|실제로는|진짜는|반올림)")
_SHOWN: Final = frozenset("이다 나오다 찍다 찍히다 나가다 되다 뜨다".split())
_OF_IT: Final = frozenset(
    "키 몸무게 체중 신장 기계 인바디 체중계 저울 결과 숫자 앞자리 실제 오늘 아침 지금 나 저".split()
)
_AT: Final = frozenset("어제 병원 보건소 집 헬스장 학교 회사 방금 저녁 이번 정확히".split())
_ELSE: Final = re.compile(
    r"높이|길이|너비|둘레|거리|가로|세로|조회|구독|팔로|레벨|속도|체지방|근육|혈압|혈당|맥박|심박|체온|점수|토익|시험|번호|등수|가격|버스|호선|만\s?원|사이즈|허리|가슴|발|데드|스쿼트|벤치|중량|목표|면\s|고양이|강아지|택배|캐리어|짐|수하물"
)


def tells_figure(said: str) -> bool:
    """Whether `said` may tell a height or weight anew."""
    shown = any(letter.isdigit() for letter in said) and _ELSE.search(said) is None
    return shown and (_MEASURING.search(said) or _OWNED_UP.search(said)) is not None


def measured_anew(text: str, known: Sequence[Memory]) -> Iterator[Finding]:
    """Yield the height or weight that `text` tells of one who has told it before."""
    old = {each.attribute: each.value or "" for each in known if each.attribute in FIGURES}
    if not old or not tells_figure(text):
        return
    said = clauses(text)
    for place, clause in enumerate(said):
        if of_others(clause):
            return
        told = _figure(clause) if _measures_me(said[place - 1] if place else None) else None
        meant = [key for key in old if told is not None and _is_near(key, old[key], *told)]
        if told is not None and len(meant) == 1:
            value = Value(value=told[0], shown=told[0], surface=told[0])
            yield found(patterns().by_attribute[meant[0]], value, act="prefer", instead_of=old[meant[0]])
            return


def _figure(clause: Clause) -> tuple[str, str | None] | None:
    """Return the number that `clause` shows, with its unit; none that is asked, supposed, denied or of another."""
    predicate, last = clause.predicate, clause.phrases[-1] if clause.phrases else None
    if last is None or clause.head is not None or mood(clause) not in ("statement", "fragment", "hearsay"):
        return None
    if clause.ends_with.startswith("?") or not set(last.words[:-1]) <= _OF_IT:
        return None
    if predicate is not None and (predicate.negated or predicate.lemma not in _SHOWN or _unsure(predicate.endings)):
        return None
    if any(phrase is not last and _is_something_else(phrase) for phrase in clause.phrases):
        return None
    match = _NUMBER.search(last.text)
    return (match["number"], match["unit"]) if match is not None and not last.has("보다", "까지", "만") else None


def _measures_me(before: Clause | None) -> bool:
    """집에서 재보니까 …, 키 쟀는데 …; not 창문 재보니까 …."""
    measuring = before is not None and before.predicate is not None and before.predicate.lemma == "재다"
    objects = [p for p in before.phrases if not p.has("에서", "서", "에", "로", "으로")] if measuring and before else []
    return all(set(p.words) <= _OF_IT or p.pronoun or p.words[-1] in _AT for p in objects)


def _unsure(endings: Sequence[str]) -> bool:
    return bool(endings) and endings[-1] in ("면", "으면", "려고", "ㄹ까", "을까", "었으면")


def _is_something_else(phrase: Phrase) -> bool:
    """책상이 120이야; but 인바디 기계가 178이래."""
    return phrase.has("이", "가", "은", "는") and not set(phrase.words) <= _OF_IT


def _is_near(key: str, old: str, number: str, unit: str | None) -> bool:
    if unit is not None and _UNITS[unit] != key:
        return False
    low, high = _FITS[key]
    try:
        before, now = float(old), float(number)
    except ValueError:  # a value that was stored by hand: any words
        return False
    return low <= now <= high and before != now and abs(now - before) <= _NEAR[key]
