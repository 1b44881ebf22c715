"""What somebody's body does not take: 우유가 안 받아서 두유로 마셔, 카페인이 안 받는 체질이라, 고기가 안 맞아."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.reading import Finding
from gieok.extract.korean.signals import signals
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase

_TAKEN: Final = ("이", "가", "은", "는", "ㄴ", "도")
_BODY: Final = frozenset({"몸", "속", "위", "배", "체질"})
_CONSTITUTION: Final = frozenset({"체질", "몸", "편", "타입", "스타일"})
_CONSUMED: Final = ("먹다", "마시다", "드시다", "대다", "끊다", "피하다", "시키다", "빼다")
_NEAR: Final = 2  #: clauses


def not_taken(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker's body refuses."""
    for place, part in enumerate(telling.parts):
        thing = _refused(telling, place, part)
        if thing is not None:
            yield finding("contraindication", telling.said(thing), whose=telling.me)
            return


def _refused(telling: Telling, place: int, part: Part) -> Phrase | None:
    if not part.says("받다", "맞다") or not part.negated or part.past or not telling.mine(part):
        return None
    if part.closes in ("question", "wish", "hypothetical", "hearsay") or part.mood == "hypothetical":
        return None
    if part.all_words & signals("intolerance", "passing"):
        return None  # 오늘따라 술이 안 받네
    phrases = part.clause.phrases
    body = any(phrase.words[-1] in _BODY and phrase.has("에", "에서", "이", "가") for phrase in phrases)
    thing = next((phrase for phrase in phrases if _may_be_taken(phrase)), None)
    if thing is None or (part.says("맞다") and not body):
        return None
    near = telling.parts[max(0, place - _NEAR) : place + 1 + _NEAR]
    eaten = thing.words[-1] in signals("intolerance", "taken") or any(each.says(*_CONSUMED) for each in near)
    return thing if body or part.clause.head in _CONSTITUTION or eaten else None


def _may_be_taken(phrase: Phrase) -> bool:
    if phrase.pronoun is not None or phrase.pointed or not phrase.has(*_TAKEN):
        return False
    return phrase.words[-1] not in signals("intolerance", "no") | _BODY and phrase.morphemes[-1].tag != "NNB"
