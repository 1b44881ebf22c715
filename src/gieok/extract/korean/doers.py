"""Who does something, where somebody is named who does: 요즘 애들은 강아지를 많이 키워 tells nothing of the speaker."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.lexicon import Lexicon
from gieok.extract.korean.patterns import patterns
from gieok.language.clauses import Clause, Phrase

#: what only somebody does: a thing that stands with 이 or 가 beside it is no object of the speaker's
_DEEDS: Final = frozenset(
    "좋아하다 싫어하다 사랑하다 즐기다 즐겨하다 선호하다 꺼리다 무서워하다 두려워하다 아끼다 키우다 기르다 입양하다 "
    "다니다 살다 하다 일하다 근무하다 배우다 공부하다 운동하다 먹다 마시다 피우다 피다 치다 읽다 사귀다".split()
)
_FIRST: Final = frozenset({"나", "저"})
_TOLD_TO: Final = frozenset("래 래요 라네 라고 래서 라길래 라니까 으래 으라고".split())
_NOTICING: Final = frozenset("네 네요 는구나 구나 는군 군 는군요 군요 는구먼 는구만".split())
_SEEN: Final = _DEEDS - {"하다"}  #: not 욱신욱신하네
_LEARNING: Final = _NOTICING - {"네", "네요"}
_AT_LAST: Final = frozenset("벌써 이제 이젠 어느새 어느덧 드디어 결국 요즘 요새 또 오늘도 아직도 역시".split())
_MET: Final = frozenset("신입 학생 손님 환자 회원 알바생 동료 이웃 후임 선임 제자 고객".split())
_TURNS: Final = frozenset(
    "결혼하다 이혼하다 헤어지다 퇴사하다 이직하다 이사하다 이사가다 입사하다 취직하다 졸업하다".split()
)
_MYSELF: Final = frozenset({"놈", "년", "인간"})
_CAUSES: Final = frozenset("어서 아서 여서 라서 이라서 니까 으니까 느라 길래".split())
_INNER: Final = frozenset(
    "몸 속 위 장 배 손 발 눈 입 체질 성격 마음 맘 기분 머리 집 우리집 요즘 주말 평일 저녁 둘 셋 넷 다섯 단둘 "
    "식구 가족 부부 모녀 부자 남매 자매 형제 거 것 게 데 곳 나".split()
)


def somebody_does(phrase: Phrase, clause: Clause, words: Lexicon) -> bool:
    """Whether `phrase` names who does what `clause` tells: 손님들이 커피를 좋아해, 정부가; not 커피가 마시고 싶어."""
    predicate = clause.predicate
    if predicate is None or predicate.lemma not in _DEEDS or phrase.pronoun is not None:
        return False
    if "싶다" in predicate.auxiliaries or _TOLD_TO.intersection(predicate.endings[-1:]):
        return False  # 의사가 커피 마시지 말래
    last = phrase.words[-1]
    if last in _MYSELF and phrase.adnominal:
        return False  # 사회 보는 놈이 풍선을 무서워하면
    if predicate.lemma == "살다" and "있다" in predicate.auxiliaries and predicate.tail[0].form in ("어", "아"):
        return False  # 카세트가 아직 살아있어서
    if last in _INNER or last in patterns().by_label or last in patterns().by_favourite or last in words.class_of:
        return False
    beside = [each for each in clause.phrases if each is not phrase]
    if any(each.pronoun in _FIRST and not each.has("을", "를", "한테", "보고") for each in beside):
        return False
    if phrase.has("이", "가"):
        return bool(beside)
    return several(last) and phrase.has("은", "는", "도") and bool(beside)


def somebody_is(phrase: Phrase, clause: Clause, words: Lexicon) -> bool:
    """Whether `phrase` names who is or has what `clause` tells: 요즘 애들은 다 INFP야, 과외 학생이 알레르기가 있어."""
    predicate, last = clause.predicate, phrase.words[-1]
    several_of_them = several(last) and last not in words.class_of
    if predicate is None or phrase.pronoun is not None or not (several_of_them or last in _MET):
        return False
    beside = [each for each in clause.phrases if each is not phrase]
    if not phrase.has("이", "가", "은", "는", "도") or any(each.pronoun in _FIRST for each in beside):
        return False
    if predicate.form == "copula":
        return bool(beside)
    if predicate.lemma in ("있다", "없다", "심하다"):
        return any(each.has("이", "가", "도") or len(each.words) > 1 for each in beside)  # not 친구들이 있어
    return predicate.lemma in _TURNS


def remarked(clause: Clause) -> bool:
    """고양이 키우는구나, 서울 사네: said of whom one talks to; 나 요즘 커피만 마시네 is not."""
    predicate = clause.predicate
    if predicate is None or not predicate.endings or predicate.endings[-1] not in _NOTICING:
        return False
    if predicate.past or predicate.negated or not clause.final or clause.ends_with.startswith("?"):
        return False  # 고양이 키우는구나? guesses
    found_out = predicate.form in ("verb", "copula") and predicate.endings[-1] in _LEARNING
    aware = bool(_AT_LAST & set(clause.adverbs)) or any(each.pronoun in _FIRST for each in clause.phrases)
    return (found_out or predicate.lemma in _SEEN) and not aware and "싶다" not in predicate.auxiliaries


def nobody_in_particular(phrase: Phrase, words: Lexicon) -> bool:
    """요즘 애들은, 사람들이: what they do is not worth remembering; 우리 애들이, 내 친구들은 are somebody."""
    last = phrase.words[-1]
    ours = phrase.owner is not None or last.removesuffix("들") in words.kin | words.others
    return several(last) and not ours


def several(word: str) -> bool:
    """애들, 손님들: more than one; nobody in particular."""
    return len(word) > 1 and word.endswith("들") and word != "아들"


def gives_the_reason(clause: Clause, who: str) -> bool:
    """손님들이 커피를 좋아해서, 카페를 해: what others do moves the speaker to do something."""
    endings = clause.predicate.endings if clause.predicate is not None else ()
    return several(who.split()[-1]) and bool(endings) and endings[-1] in _CAUSES
