"""How love turns: 나 차임, 장거리 결국 끝났어, 걔랑 재결합함, 그 오빠가 내 남친이 됐어, 아내랑 별거 들어갔어.

A partner need not be named, and what ends or begins is often not the clause's subject. Whatever may be meant of
something else (장거리 운전 끝났다, 친구 만나고 있어) turns nothing.
"""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.telling import Part, Telling
from gieok.extract.korean.vows import bereaved, vowed
from gieok.language.clauses import Phrase

_WITH: Final = ("랑", "이랑", "과", "와", "하고", "이하고")
_US: Final = frozenset({"나", "저", "우리", "저희"})
_LOVE: Final = frozenset({"연애", "장거리", "장거리연애", "사내연애", "비밀연애", "썸", "사이", "관계"})
_ENDING: Final = frozenset("끝나다 끝내다 쫑나다 쫑내다 깨지다 정리하다 정리되다".split())
#: a couple counts its days: 오늘부터 1일이야; not 오늘부터 1일 1식
FIRST_DAY: Final = re.compile(r"(?:오늘|어제|그제|그저께)부터\s(?:우리\s)?1일(?!\s?[\d일])")
_FOR_GOOD: Final = frozenset("완전히 완전 결국 진짜 영영 이제 이젠 정말".split())
_THE_ONE: Final = frozenset("전남친 전여친 전애인 남친 여친 남자친구 여자친구 애인 남편 아내 와이프 썸남 썸녀".split())
_SOMEBODY: Final = frozenset("사람 애 분 남자 여자 오빠 언니 누나 형 자식 놈 인간 새끼 녀석".split())
_MET_FOR_LOVE: Final = ("소개팅", "맞선", "소개받", "썸")
_PARTS: Final = frozenset("헤어지 이별하 갈라서".split())
_TOGETHER: Final = frozenset("사귀 연애하 재결합하".split())
_BEGUN: Final = frozenset("들어가다 시작하다 하다".split())


def turned(telling: Telling, place: int, part: Part) -> str | None:
    """Return how things stand with the speaker after what `part` says has happened, or None."""
    if part.mood not in ("statement", "fragment") or part.closes not in ("statement", "fragment"):
        return None
    if bereaved(telling, part):
        return "사별"
    if not telling.mine(part) and not _with_somebody(part):
        return None
    if part.ending.endswith(("다고", "라고")) or _of_somebody_else(part):
        return None
    if part.clause.predicate is None or part.negated:
        return "이별" if part.clause.predicate is None and _dumped(part) else None
    vows = "이혼" if _papers_done(part) else vowed(telling, part)
    if vows is not None:
        return vows
    if _dumped(part) or _over(telling, place, part) or _agreed(part, _PARTS):
        return "이별"
    if _apart(part):
        return "별거"
    if _met_since(part) or _together_again(part) or _seeing(telling, place, part) or _agreed(part, _TOGETHER):
        return "연애중"
    return None


def _with_somebody(part: Part) -> bool:
    """걔랑 끝냈어, 소개팅했던 분이랑 사귀기로 했어: whoever is named, the speaker is the one who does it with them."""
    if part.about is None:
        return any(map(_with_one, part.clause.phrases))
    named = part.about.phrase
    if named is None and part.clause.head == "지":
        return _met_since(part)
    return named is not None and named.has(*_WITH) and named.words[-1] in _SOMEBODY


def _of_somebody_else(part: Part) -> bool:
    """밴드가 재결합함, 친구놈이 여친이랑 깨졌다; but 장거리가 끝났어."""
    subjects = [p for p in part.clause.phrases if p.has("이", "가", "은", "는") and not p.has(*_WITH)]
    return any(p.pronoun not in _US and not set(p.words) <= _LOVE | _FOR_GOOD for p in subjects)


def _papers_done(part: Part) -> bool:
    """남편이랑 서류 정리 끝났어요."""
    words = {word for phrase in part.clause.phrases for word in phrase.words}
    married = bool(words & signals("love", "married")) and any(_with_one(p) for p in part.clause.phrases)
    return married and "서류" in words and _done(part) and part.says(*_ENDING)


def became_mine(part: Part) -> bool:
    """짝사랑하던 오빠가 내 남친이 됐어: somebody else is spoken of, and yet it is the speaker's love."""
    if not part.says("되다") or part.negated or not _done(part) or part.clause.head is not None:
        return False
    last = part.clause.phrases[-1] if part.clause.phrases else None
    dating = last is not None and last.words[-1] in signals("love", "dating") and last.owner in ("나", "저")
    dating = dating and last is not None and len(last.words) == 1  # 내 남동생 여친이 됐어
    return dating and part.mood == "statement" and part.closes in ("statement", "fragment")


def _done(part: Part) -> bool:
    return part.past or part.ending in ("ㅁ", "음")


def _dumped(part: Part) -> bool:
    """나 차였어, 어제 차임: taken for 차 and 이다; not 빨간 차였어, nor 그 차였어."""
    phrases = part.clause.phrases
    last = phrases[-1] if phrases else None
    if last is None or last.adnominal or last.pointed or last.owner is not None or part.clause.head is not None:
        return False
    others = [p for p in phrases[:-1] if p.pronoun not in _US and not p.has("한테", "에게")]
    if any(not _is_time(phrase) and not set(phrase.words) <= _FOR_GOOD for phrase in others):
        return False
    if part.clause.predicate is None:
        return last.words == ("차임",) and not part.clause.ends_with.startswith("?")
    return last.words == ("차",) and part.says("이다") and _done(part)


def _is_time(phrase: Phrase) -> bool:
    return phrase.words[-1] in ("어제", "오늘", "방금", "주", "달", "전", "지난주", "지난달", "작년") or phrase.has(
        "부터"
    )


def _over(telling: Telling, place: int, part: Part) -> bool:
    """장거리 결국 못 버티고 끝났다, 걔랑 완전히 끝냄; not 장거리 운전 끝났다."""
    if part.clause.head is not None or not _done(part) or not _ENDING & set(verbs_of(part.clause)):
        return False
    phrases = [phrase for phrase in part.clause.phrases if phrase.words != ("끝",)]  # 끝 냈어
    named = [p for p in phrases if p.pronoun not in _US and not set(p.words) <= _FOR_GOOD and not _is_time(p)]
    if any(_with_one(phrase) for phrase in named):
        return len(named) == 1  # not 남친이랑 방 정리했어
    before = telling.parts[place - 1] if place and not named else None
    held = before is not None and before.says("버티다", "견디다") and not before.clause.ends_with.strip()
    if before is not None and (held or (not before.clause.final and before.ending in ("고", "다가", "어서", "더니"))):
        named = list(before.clause.phrases)
    elif part.says("정리하다", "정리되다"):
        return False
    words = {word for p in named for word in p.words if not word.endswith(("년", "개월"))}
    begun = "썸" in words and FIRST_DAY.search(telling.text) is not None  # 썸 끝났다. 어제부터 1일이야
    return bool(words & _LOVE) and words <= _LOVE | _FOR_GOOD and not begun


def _with_one(phrase: Phrase) -> bool:
    """걔랑, 그 사람이랑, 전남친이랑: with whom one may be in love."""
    if not phrase.has(*_WITH):
        return False
    return phrase.pronoun == "걔" or phrase.words[-1] in _THE_ONE or (phrase.pointed and phrase.words[-1] in _SOMEBODY)


def _apart(part: Part) -> bool:
    """아내랑 별거 들어갔어, 별거 중이에요; not 별거 아니야."""
    if part.says("별거하다") and part.clause.head == "지" and part.ending == "ㄴ":
        return True
    if part.clause.head is not None:
        return False
    if part.says("별거하다"):
        return _done(part) or _going_on(part)
    named = any(phrase.words[-1] == "별거" and not phrase.particles for phrase in part.clause.phrases)
    return named and part.says(*_BEGUN) and _done(part)


def _going_on(part: Part) -> bool:
    """만나고 있어, 별거 중이야."""
    predicate = part.clause.predicate
    doing = predicate is not None and ("있다" in predicate.auxiliaries or predicate.endings[:1] == ("고",))
    return doing and not part.past


def _together_again(part: Part) -> bool:
    """걔랑 재결합함, 전여친이랑 다시 사귀어; not 친구랑 다시 만나."""
    if part.clause.head is not None:
        return False
    if "재결합하다" in verbs_of(part.clause):
        return _done(part)
    again = "다시" in part.clause.adverbs and any(_with_one(phrase) for phrase in part.clause.phrases)
    somewhere = any(phrase.has("에서", "서") for phrase in part.clause.phrases)
    return again and not somewhere and (part.says("사귀다") or (part.says("만나다") and _going_on(part)))


def _seeing(telling: Telling, place: int, part: Part) -> bool:
    """소개팅한 분이랑 잘 돼서 만나고 있어요; 저 연애 시작했어요."""
    if part.clause.head is not None:
        return False
    if part.says("시작하다") and _done(part):
        return any(phrase.words[-1] == "연애" and not phrase.has("으로", "로", "에") for phrase in part.clause.phrases)
    if not part.says("만나다") or not _going_on(part) or any(p.has("에서", "서") for p in part.clause.phrases):
        return False
    near = telling.parts[max(0, place - 2) : place + 1]
    met = telling.text[near[0].clause.start : part.clause.end]
    with_whom = any(phrase.has(*_WITH) for each in near for phrase in each.clause.phrases)
    return with_whom and any(word in met for word in _MET_FOR_LOVE)


def _met_since(part: Part) -> bool:
    """옆집 살던 분이랑 만난 지 한 달 됐어요; not 친구랑 만난 지, 그 사람 안 만난 지."""
    if part.clause.head != "지" or not part.says("만나다") or part.ending != "ㄴ":
        return False
    with_whom = [p for p in part.clause.phrases if p.has(*_WITH)]
    return any(p.words[-1] in _SOMEBODY and (p.adnominal or p.pointed) for p in with_whom)


def _agreed(part: Part, deeds: frozenset[str]) -> bool:
    """저희 헤어지기로 했어요, 걔랑 다시 사귀기로 했어; 파혼하게 됐어."""
    if not part.says("하다") or not _done(part):
        return False
    forms = [each.form for each in part.clause.morphemes]
    at = next((n for n, form in enumerate(forms) if form == "기" and forms[n + 1 : n + 2] == ["로"]), 0)
    done = "".join(forms[max(0, at - 2) : at]) if at else ""
    return any(done.endswith(deed) for deed in deeds)
