"""Goals: 책 50권 읽기가 목표야, 마스터 찍는 걸 목표로 달리는 중, 목표 달성했다."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.deeds import begins, deed, stem_before
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.signals import signals
from gieok.extract.korean.telling import Part, Telling, ended, finding

_AIM: Final = "목표"
_LIFE: Final = frozenset({"인생", "최종", "평생", "장래"})
_REACHED: Final = ("달성하다", "이루다", "성공하다", "채우다", "찍다", "해내다")
_MEASURE: Final = re.compile(
    r"(?:\d+|[일이삼사오육칠팔구십백천만]+)\s?(?:키로|킬로|kg|등급|점|등|권|억|천만|만\s?원|개|학점|분대|단계)"
)
_THINGS: Final = frozenset({"거", "것", "게", "걸", "건"})


def aimed_at(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker aims at."""
    for place, part in enumerate(telling.parts):
        at = next((at for at, each in enumerate(part.clause.morphemes) if each.form == _AIM), None)
        idle = at is not None and _idle(part)
        if at is None or idle or part.about is None or part.about.subject == "other" or part.mood == "question":
            continue
        if part.closes in ("question", "wish", "hypothetical") or part.negated:
            continue
        if part.clause.morphemes[at + 1 : at + 2] and part.clause.morphemes[at + 1].lemma == "같다":
            continue  # 목표 같은 거
        value = _value(telling, place, part, at)
        if not value:
            continue
        words = {word for phrase in part.clause.phrases if _AIM in phrase.words for word in phrase.words}
        attribute = "dream" if _LIFE & words or telling.words.is_job(value.split()[-1]) else "goal"
        reached = (part.says(*_REACHED) and part.past) or "달성" in words
        found = finding(attribute, value, whose=telling.me)
        yield ended(found) if reached else found
        return


def _idle(part: Part) -> bool:
    """목표 지점, 목표 같은 거."""
    return any(
        _AIM in phrase.words and phrase.words[-1] in ("지점", "금액", "의식", "설정", "체중", "달성률")
        for phrase in part.clause.phrases
    ) or part.says("같다")


def striven_for(telling: Telling) -> Iterator[Finding]:
    """2호점 내려고 안 쉬고 일해요; 1등급으로 올리고야 만다; 50키로까지 뺄 거야."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject_id != telling.me.subject_id or part.mood == "question":
            continue
        if part.closes in ("question", "hearsay", "command") or (part.negated and not _to_the_end(telling, part)):
            continue
        if _strives(telling, place, part) or _is_set_on(telling, place, part):
            value = _deed(telling, part)
            if " " in value or len(value) > 3:
                yield finding("goal", value, whose=telling.me)
                return


def _strives(telling: Telling, place: int, part: Part) -> bool:
    """…려고 매일 공부해."""
    if part.ending not in ("려고", "으려고", "기") or not part.says(*signals("goal", "sought")):
        return False
    return any(
        each.says(*signals("goal", "striving")) and not each.past for each in telling.parts[place + 1 : place + 4]
    )


def _is_set_on(telling: Telling, place: int, part: Part) -> bool:
    """…고야 만다, 꼭 …ㄹ 거야, 45키로까지 빼고 싶다."""
    sure = _to_the_end(telling, part)
    measured = any(_MEASURE.search(phrase.text) for phrase in part.clause.phrases) and part.says(
        *signals("goal", "measured")
    )
    willing = part.ending in ("ㄹ", "을", "ㄹ래", "을래", "ㄹ게") or part.mood == "wish" or "어야" in _endings(part)
    firm = {"꼭", "반드시", "무조건", "기필코", "이번"} & part.all_words
    return (
        sure
        or (measured and (willing or bool(firm)))
        or (bool(firm) and part.says(*signals("goal", "won")) and willing)
    )


def _to_the_end(telling: Telling, part: Part) -> bool:
    """올리고야 만다."""
    return "고야 " in telling.text[part.clause.start : part.clause.end] and part.clause.final


def answered(telling: Telling) -> Iterator[Finding]:
    """목표가 뭐야? – 1억 모으기."""
    part = telling.parts[0] if len(telling.parts) in (1, 2) else None
    if part is None or _AIM not in telling.asked or part.mood == "question" or part.negated:
        return
    if part.ending in ("기", "요", "ㅁ", "음") or "기요" in telling.text:
        value = _deed(telling, part)
    else:
        noun = part.clause.predicate is None or part.says("이다")
        value = part.clause.phrases[-1].text if noun and part.clause.phrases else ""
    if len(value) > 2:
        yield finding("goal", value, whose=telling.me)


def _endings(part: Part) -> tuple[str, ...]:
    return part.clause.predicate.endings if part.clause.predicate is not None else ()


def _deed(telling: Telling, part: Part) -> str:
    predicate = part.clause.predicate
    own = part.clause.morphemes
    at = next((i for i, each in enumerate(own) if predicate is not None and each is predicate.stem[-1]), None)
    return deed(telling.text, own, at) if at is not None else ""


def _value(telling: Telling, place: int, part: Part, at: int) -> str:
    parts = part.clause.morphemes
    before = parts[:at]
    while before and before[-1].tag in ("JKS", "JKO", "JX", "SP"):
        before = before[:-1]
    if before and before[-1].tag == "ETN":
        stem = stem_before(before, len(before) - 1)
        return deed(telling.text, before, stem) if stem is not None else ""
    last = telling.parts[place - 1] if place else None
    if last is not None and last.clause.head in _THINGS and last.clause.predicate is not None:
        own = last.clause.morphemes
        stem = next((i for i, each in enumerate(own) if each is last.clause.predicate.stem[-1]), None)
        return deed(telling.text, own, stem) if stem is not None else ""
    start = begins(parts, len(before))
    said = telling.text[parts[start].start : before[-1].end].strip() if before and start < len(before) else ""
    return (
        ""
        if said.split()[-1:] and said.split()[-1] in ("올해", "이번", "내", "제", "인생", "나의", "새해", "우리")
        else said
    )
