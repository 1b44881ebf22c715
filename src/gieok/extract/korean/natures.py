"""What somebody is like by nature: 소심한 성격 탓에, 원래 예민해, 거절을 못 해, 게으른 게 아니라 느긋한 거."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.signals import signals
from gieok.extract.korean.telling import Part, Telling
from gieok.language.particles import nominalised

_ASKED: Final = re.compile(r"성격|어떤 (?:사람|스타일|타입|편)|장점|단점|장단점|성향|MBTI.*어때|본인은 어떤")
_BY_NATURE: Final = frozenset("원래 워낙 본래 천성 천성적으로 타고나 태생 선천적으로 평소 평소에".split())
_CHARACTER: Final = frozenset("성격 성향 성질 기질 천성 성미 인간 스타일 타입 체질 편".split())
_ALWAYS: Final = frozenset({"성격", "성향", "성질", "기질", "성미"})
_THINGS: Final = ("거", "것", "게", "건")
_EASILY: Final = frozenset("잘 쉽게 금방 자주 툭하면 걸핏하면".split())


def character(telling: Telling, place: int, part: Part) -> str | None:
    """Return the trait that a clause gives as somebody's nature."""
    predicate = part.clause.predicate
    if predicate is None or predicate.negated or (part.past and part.clause.head is None):
        return _cannot(telling, part)
    if not part.says(*signals("trait", "qualities"), *signals("trait", "inner")):
        return _inclined(telling, place, part)
    return nominalised(predicate.stem) if _by_nature(telling, place, part) else None


def _by_nature(telling: Telling, place: int, part: Part) -> bool:
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    if not mine or part.mood in ("question", "hearsay", "hypothetical"):
        return False
    if part.clause.head in _ALWAYS:
        return not telling_of_others(telling, place)
    if part.clause.head in _THINGS:
        return _set_right(telling, place)
    if part.clause.head is not None:
        return False
    asked = _ASKED.search(telling.asked) is not None and place < 2
    return asked or bool(_BY_NATURE & part.all_words)


def telling_of_others(telling: Telling, place: int) -> bool:
    """소심한 성격의 친구."""
    following = telling.next(place)
    if following is None:
        return False
    phrase = next((p for p in following.clause.phrases if p.adnominal), None)
    beside = phrase is not None and phrase.words[0] in _ALWAYS and len(phrase.words) > 1
    excused = phrase is not None and phrase.words[-1] in ("탓", "때문", "땜", "덕분", "덕", "상")
    likes = following.says("좋다", "싫다", "좋아하다", "싫어하다", "부럽다", "만나다")
    return (beside and not excused) or likes


def _set_right(telling: Telling, place: int) -> bool:
    """게으른 게 아니라 느긋한 거야: the second of the two."""
    following = telling.next(place)
    before = telling.parts[place - 1] if place else None
    is_so = following is not None and following.says("이다") and not following.negated
    return is_so and before is not None and before.says("아니다")


def denied(telling: Telling, place: int, part: Part) -> str | None:
    """Return the first of the two: 게으른 게 아니라."""
    following = telling.next(place)
    predicate = part.clause.predicate
    if predicate is None or part.clause.head not in _THINGS or not part.says(*signals("trait", "qualities")):
        return None
    undone = following is not None and following.says("아니다") and following.closes != "question"
    later = telling.parts[place + 2] if undone and place + 2 < len(telling.parts) else None
    return nominalised(predicate.stem) if later is not None and later.clause.head in _THINGS else None


def _cannot(telling: Telling, part: Part) -> str | None:
    """부탁을 거절 못 해."""
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    refuses = part.says("거절하다") or (part.says("하다") and "거절" in part.all_words)
    if mine and refuses and part.negated and "못" in part.clause.adverbs and not part.past:
        return "거절을 못함" if part.closes == "statement" else None
    return None


def _inclined(telling: Telling, place: int, part: Part) -> str | None:
    """나 잘 우는 편이야; 금방 질리는 스타일."""
    easily = next((word for word in part.clause.adverbs if word in _EASILY), None)
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    predicate = part.clause.predicate
    if easily is None or not mine or predicate is None or not part.says(*signals("trait", "easily")):
        return None
    kind = part.clause.head in _CHARACTER or bool(_BY_NATURE & part.all_words)
    return f"{easily} {nominalised(predicate.stem)}" if kind else None
