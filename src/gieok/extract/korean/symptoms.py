"""Cautions that are told by what happens: 새우 먹으면 두드러기 나, 고소공포증 있어, 땅콩 알러지 있어요."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.extract.korean.whose import PERSONS
from gieok.language.clauses import Clause, Phrase

_ALLERGY: Final = ("알레르기", "알러지", "앨러지")
_REACTIONS: Final = frozenset("두드러기 발진 알레르기 콧물 재채기 기침 응급실 가려움".split())
_REACTING: Final = frozenset("붓다 부어오르다 가렵다 간지럽다 부풀다 숨막히다 빨개지다 퉁퉁붓다".split())
_TAKING: Final = frozenset("먹다 마시다 만지다 닿다 쓰다 맞다 먹이다 스치다 맡다 바르다 들어가다".split())
_FELT: Final = {
    "차ㄴ": "찬", "차갑은": "차가운", "차갑ㄴ": "차가운", "뜨겁은": "뜨거운", "뜨겁ㄴ": "뜨거운", "건조하ㄴ": "건조한",
    "습하ㄴ": "습한", "춥은": "추운", "덥은": "더운", "춥ㄴ": "추운", "덥ㄴ": "더운", "맵은": "매운", "맵ㄴ": "매운",
    "더럽은": "더러운", "더럽ㄴ": "더러운",
}  # fmt: skip
_PHOBIAS: Final = {
    "고소공포증": "높은 곳", "폐소공포증": "좁은 곳", "환공포증": "구멍 무늬", "대인공포증": "사람 많은 "
    "곳", "물공포증": "물",
    "광장공포증": "넓은 곳", "무대공포증": "무대",
}  # fmt: skip
_TAKEN: Final = ("이", "가", "은", "는", "ㄴ", "도")
_BODY: Final = frozenset({"몸", "속", "위", "배", "체질"})
_CONSTITUTION: Final = frozenset({"체질", "몸", "편", "타입", "스타일"})
_CONSUMED: Final = ("먹다", "마시다", "드시다", "대다", "끊다", "피하다", "시키다", "빼다")
_NEAR: Final = 2  #: clauses


def allergy(reading: Reading) -> Iterator[Finding]:
    """땅콩 알레르기 있어, 저 새우 알러지예요, 복숭아에 알레르기가 있어요."""
    for place, phrase in enumerate(reading.clause.phrases):
        if phrase.words[-1] not in _ALLERGY or phrase.labels:
            continue
        cause = touched(" ".join(phrase.words[:-1]), phrase) or _beside(reading, place)
        fitting = reading.predicate is None or reading.says("있다", "없다", "이다", "심하다", "생기다", "아니다")
        last = cause.split()[-1] if cause else ""
        if not fitting or not last or last in signals("allergy", "no_cause") or last in reading.words.no_allergen:
            return
        free = reading.says("없다") or reading.negated
        yield Finding(attribute="allergy", value=cause, shown=cause, surface=cause, polarity="-" if free else "+")
        return


def touched(cause: str, phrase: Phrase) -> str:
    """찬 공기, 뜨거운 물: what a thing feels like belongs to what somebody reacts to; 심한 tells of the reaction."""
    feel = "".join(part.form for part in phrase.adnominal)
    return f"{_FELT[feel]} {cause}" if cause and feel in _FELT else cause


def _beside(reading: Reading, place: int) -> str:
    for phrase in reversed(reading.clause.phrases[:place]):
        if phrase is not reading.about.phrase and phrase.pronoun is None and (not phrase.particles or phrase.has("에")):
            return phrase.text
    return ""


def reaction(reading: Reading) -> Iterator[Finding]:
    """새우 먹으면 두드러기 올라와: an "if" whose "then" is an allergic reaction."""
    before = reading.before
    if before is None or before.predicate is None or before.predicate.lemma not in _TAKING:
        return
    if before.predicate.endings[-1:] not in (("으면",), ("면",), ("으니까",), ("고",), ("었다가",), ("다가",)):
        return
    if _somebodys(reading, before):
        return
    hurt = bool(_REACTIONS & reading.everything) or reading.says(*_REACTING)
    cause = _since_shunned(portion_cut(_object(before)), reading.text[reading.clause.end :])
    if hurt and cause and not reading.negated:
        yield Finding(attribute="allergy", value=cause, shown=cause, surface=cause)


def _somebodys(reading: Reading, before: Clause) -> bool:
    """우리 애가 계란만 먹으면 두드러기 나: another one eats, and it is theirs."""
    subjects = (
        phrase for phrase in before.phrases if phrase.has("이", "가", "은", "는", "도") and phrase.pronoun is None
    )
    known = reading.words.kin | reading.words.others | reading.words.address | PERSONS
    return any(phrase.words[-1] in known for phrase in subjects) and not reading.of_self


def portion_cut(cause: str) -> str:
    """때 땅콩버터 한 입 is 땅콩버터."""
    words = cause.split()
    words = words[words.index("때") + 1 :] if "때" in words[:-1] else words
    if len(words) > 2 and words[-1] in signals("allergy", "portion"):
        words = words[:-2]
    return " ".join(words)


def _since_shunned(cause: str, after: str) -> str:
    """땅콩버터 먹고 …, 땅콩은 입에도 안 대: what is shunned since is what it was in."""
    inside = (cause[:size] for size in range(len(cause) - 1, 1, -1))
    return next((thing for thing in inside if f" {thing}은 " in after or f" {thing}는 " in after), cause)


def _object(clause: Clause) -> str:
    fitting = (p for p in reversed(clause.phrases) if not p.particles or p.has("을", "를", "만", "에", "도"))
    phrase: Phrase | None = next((p for p in fitting if p.pronoun is None), None)
    return phrase.text if phrase is not None else ""


def fear(reading: Reading) -> Iterator[Finding]:
    """고소공포증 있거든, 벌레 공포증 있어."""
    for phrase in reading.clause.phrases:
        last = phrase.words[-1]
        if not last.endswith("공포증") or not (reading.predicate is None or reading.says("있다", "이다", "심하다")):
            continue
        if reading.negated or reading.says("없다"):
            return
        whole = "".join(phrase.words)
        known = next((name for name in (whole, last) if name in _PHOBIAS), "")
        value = known or last.removesuffix("공포증") or " ".join(phrase.words[:-1])
        if not value and reading.before is not None and reading.before.phrases:
            named = (
                each for each in reversed(reading.before.phrases) if each.words[-1] not in signals("fear", "around")
            )
            value = next((each.text for each in named), "")  # 지네에 대한 공포증
        if value:
            yield Finding(attribute="phobia", value=value, shown=_PHOBIAS.get(value, value), surface=whole)
        return


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
