"""How an animal leaves for good: 토끼 이모네로 보냈어, 초코를 떠나보냈어, 짹이가 날아가버렸어.

Whoever gives an animal away says to whom; sent to the vet or to be trimmed, it comes back.
"""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.language.clauses import Clause, Phrase

_GIVING: Final = frozenset("보내다 주다 넘기다 드리다 넘겨주다 분양하다 입양하다".split())
_FLEEING: Final = frozenset("날아가다 도망가다 도망치다 달아나다".split())
_NEW_HOMES: Final = frozenset("지인 마당 시골 농장 친정 본가 주인 가족 가정 보호소 집 고향".split())
_HOUSES: Final = ("네", "댁", "집", "님")
_FOR_A_WHILE: Final = frozenset("이틀 하루 사흘 며칠 잠깐 잠시 동안 주말 방학 휴가 오전 오후".split())
_IDLE: Final = frozenset("이제 결국 어제 오늘 지난주 지난달 다른 새 좋은 그냥 나 저 우리 저희".split())


def left_home(clause: Clause, following: Clause | None, named: Phrase | None, end: int) -> bool:
    """Whether `clause` says that the animal, named in `named` up to `end`, has gone for good."""
    predicate = clause.predicate
    if predicate is None or predicate.negated:
        return False
    last = predicate.endings[-1:]
    if predicate.lemma == "떠나다" and last == ("어",):
        then = following.predicate if following is not None and not following.phrases else None
        return then is not None and then.lemma == "보내다" and then.past  # 초코를 떠나보냈어
    if not (predicate.past or last in (("ㅁ",), ("음",), ("고",))):
        return False
    if predicate.lemma in _FLEEING:
        return "버리다" in predicate.auxiliaries
    return predicate.lemma in _GIVING and _to_somebody(clause, named, end)


def _to_somebody(clause: Clause, named: Phrase | None, end: int) -> bool:
    """토끼 할머니댁 마당으로, 고양이는 친구한테; not 강아지 사진 친구한테, 콩이한테, 이틀만 엄마한테."""
    longer = named is not None and named.morphemes[-1].end > end
    if named is not None and named.has("한테", "에게", "께") and not longer:
        return False
    words = list(named.words[1:]) if named is not None and longer else []
    words += (word for phrase in clause.phrases if phrase is not named for word in phrase.words)
    if _FOR_A_WHILE & {*words, *clause.adverbs}:
        return False
    if longer and (words[0] == "집" or words[0] in lexicon().kin):
        return False  # 햄스터 집 친구 줬어; 나비 엄마한테 may be the mother of 나비
    told = [word for word in words if word not in _IDLE]
    return bool(told) and all(_is_home(word) for word in told)


def _is_home(word: str) -> bool:
    words = lexicon()
    person = word in words.kin or word in words.others or word in words.address
    return person or word in _NEW_HOMES or (len(word) > 1 and word.endswith(_HOUSES))
