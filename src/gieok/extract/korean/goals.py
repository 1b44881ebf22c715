"""Goals: 책 50권 읽기가 목표야, 마스터 찍는 걸 목표로 달리는 중, 목표 달성했다."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.deeds import begins, deed, stem_before
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding

_AIM: Final = "목표"
_LIFE: Final = frozenset({"인생", "최종", "평생", "장래"})
_REACHED: Final = ("달성하다", "이루다", "성공하다", "채우다", "찍다", "해내다")
_THINGS: Final = frozenset({"거", "것", "게", "걸", "건"})


def aimed_at(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker aims at."""
    for place, part in enumerate(telling.parts):
        at = next((at for at, each in enumerate(part.clause.morphemes) if each.form == _AIM), None)
        if at is None or part.about is None or part.about.subject == "other" or part.mood == "question":
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
