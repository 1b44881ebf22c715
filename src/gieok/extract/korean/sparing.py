"""What somebody cannot bear to be asked or told: 결혼 언제 하냐고 물어볼 때마다 숨 막혀, 벌레 사진 올리면 나간다."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.signals import signals
from gieok.extract.korean.telling import Part, Telling

_TIMES: Final = ("때", "거", "것", "게", "건", "걸")
_IF: Final = ("면", "으면")
_ASKING: Final = ("묻다", "물어보다", "캐묻다", "질문하다")
_BODY: Final = frozenset({"소름", "숨", "스트레스", "눈물", "상처", "기분", "정"})
_TURNS: Final = (
    "막히다", "돋다", "나가다", "차단하다", "손절하다", "화나다", "화내다", "열받다", "빡치다", "떨어지다", "무너지다",
    "울컥하다", "터지다", "나쁘다", "받다", "더럽다", "도망가다", "나다", "상하다", "삐지다", "끊다",
)  # fmt: skip


def unbearable(telling: Telling, place: int, part: Part) -> str | None:
    """Return what is done to the speaker, where the speaker says that it hurts or drives away."""
    predicate = part.clause.predicate
    if (
        predicate is None
        or predicate.negated
        or predicate.past
        or not (part.says(*signals("boundary", "verbs")) or part.says("나오다", "듣다"))
    ):
        return None
    if part.closes in ("question", "wish", "hearsay") or not (part.clause.head in _TIMES or part.ending in _IF):
        return None
    if not any(_hurts(each) for each in telling.parts[place + 1 : place + 4]):
        return None
    return asked_whether(telling, place, part) or _question(part) or _thing(part)


def _hurts(part: Part) -> bool:
    if part.negated or part.past:
        return False
    hated = part.says(*signals("boundary", "unwelcome")) or part.says("나가다", "차단하다", "손절하다", "화내다")
    ends = part.says("이다") and bool({"손절", "차단", "스트레스", "아웃"} & part.all_words)
    return hated or ends or (part.says(*_TURNS) and bool(_BODY & part.all_words))


def asked_whether(telling: Telling, place: int, part: Part) -> str | None:
    """취업했냐고 물어볼 때마다: what is asked, as a question about it."""
    before = telling.parts[place - 1] if place else None
    if not part.says(*_ASKING) or before is None or before.clause.predicate is None:
        return None
    if not before.ending.endswith("냐고"):
        return None
    lemma = before.clause.predicate.lemma
    about = lemma.removesuffix("하다") if lemma.endswith("하다") else ""
    named = next((p.text for p in reversed(before.clause.phrases) if p.pronoun is None), "")
    return f"{about or named} 질문" if about or named else None


def _question(part: Part) -> str | None:
    thing = _object(part) if part.says(*_ASKING) else None
    return f"{thing} 질문" if thing else None


def _object(part: Part) -> str | None:
    for phrase in reversed(part.clause.phrases):
        if (
            (not phrase.particles or phrase.has("을", "를", "에", "만", "이", "가"))
            and phrase.pronoun is None
            and not phrase.pointed
        ):
            return phrase.text
    return None


def _thing(part: Part) -> str | None:
    """벌레 사진 of 벌레 사진 올리면; the bare word says too little."""
    thing = _object(part)
    told = thing is not None and thing.split()[-1] in signals("boundary", "topics")
    return thing if told and thing is not None and (" " in thing or thing in signals("boundary", "plain")) else None


def left_out(telling: Telling, place: int, part: Part) -> bool:
    """정치 얘기는 빼고 놀자; 나이 얘기 없이 가자."""
    following = telling.next(place)
    left = part.says("빼다", "제외하다", "말다") and part.ending == "고" and not part.negated
    return left and following is not None and following.mood == "command"
