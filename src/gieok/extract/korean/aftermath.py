"""Wounds told by what came after: 개한테 물린 뒤로 개만 보면 얼어붙어, 물에 빠진 적 있어서 수영장 근처도 못 가."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.deeds import begins
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.language.clauses import Phrase
from gieok.language.morphemes import Morpheme
from gieok.language.wording import nominalised

_TRAUMA: Final = "트라우마"
_SINCE: Final = ("뒤", "이후", "후", "다음", "적", "날", "때")
_CANNOT: Final = ("못", "안")
_SHAKEN: Final = (
    "무섭다",
    "두렵다",
    "겁나다",
    "굳다",
    "떨리다",
    "꺼려지다",
    "힘들다",
    "얼어붙다",
    "움찔하다",
    "불안하다",
    "아프다",
)


def scarred_since(telling: Telling) -> Iterator[Finding]:
    """Read what happened to somebody that still keeps them from something."""
    for place, part in enumerate(telling.parts):
        predicate = part.clause.predicate
        if predicate is None or part.about is None or part.about.subject == "character" or predicate.negated:
            continue
        happened = part.clause.head in _SINCE and part.ending in ("ㄴ", "은") and part.says(*signals("trauma", "harm"))
        if part.says("빠지다", "나다", "맞다") and not signals("trauma", "with") & part.all_words:
            continue  # 노래에 빠진 뒤로
        if not happened or part.closes in ("question", "wish", "hypothetical"):
            continue
        if not any(_still_hurts(each) for each in telling.parts[place + 1 : place + 5]):
            continue
        other = part.about.subject == "other" and part.about.phrase is not None
        if part.closes == "hearsay" and not other:
            continue
        before = [p for p in part.clause.phrases if p is not part.about.phrase and p.pronoun is None]
        parts = [each for each in part.clause.morphemes if before and before[0].morphemes[0].start <= each.start]
        said = [each for each in parts if each.end <= predicate.stem[0].start]
        whose = part.about.carried() if other else telling.me
        yield finding("trauma", nominalised([*said, *predicate.stem]), whose=whose)
        return


def _still_hurts(part: Part) -> bool:
    if part.past:
        return False
    kept_off = part.negated and any(word in part.clause.adverbs for word in _CANNOT)
    return kept_off or part.says(*_SHAKEN) or part.says(*signals("fear", "reactions"))


def scarred(telling: Telling) -> Iterator[Finding]:
    """교통사고 트라우마 있어서; 개한테 물린 트라우마; 군대서 맞은 게 트라우마로 남아."""
    over = (
        any(part.says(*signals("trauma", "over")) and not part.negated for part in telling.parts)
        or "졸업" in telling.text
    )
    for place, part in enumerate(telling.parts):
        phrase = next((p for p in part.clause.phrases if _TRAUMA in p.words), None)
        if phrase is None or not telling.mine(part) or part.closes in ("question", "wish", "hypothetical"):
            continue
        if part.says("없다") or (part.negated and not part.says("못하다")):
            continue
        value = _wound(telling, place, part, phrase)
        if value:
            found = finding("trauma", value, whose=telling.me)
            yield ended(found) if over else found
            return


def _wound(telling: Telling, place: int, part: Part, phrase: Phrase) -> str | None:
    named = " ".join(phrase.words[: phrase.words.index(_TRAUMA)]).removeprefix("기").strip()  # 맞은 기 트라우마
    if named:
        return named
    before = telling.parts[place - 1] if place else None
    describes = phrase.adnominal or any(p.adnominal for p in part.clause.phrases)
    if before is not None and before.clause.head and before.clause.predicate is not None and describes:
        return nominalised([*_before_stem(before), *before.clause.predicate.stem])
    subject = next((p for p in part.clause.phrases if p is not phrase and p.has("이", "가", "은", "는", "에")), None)
    if subject is not None and subject.pronoun is None and subject.words[-1] not in ("나", "저", "이후", "뒤", "기"):
        return telling.said(subject)
    if before is not None and before.clause.predicate is not None and before.clause.predicate.form == "verb":
        parts = before.clause.morphemes
        at = next((at for at, each in enumerate(parts) if each is before.clause.predicate.stem[-1]), None)
        if at is not None and begins(parts, at) < at:
            return nominalised(parts[begins(parts, at) : at + 1])  # 개한테 물려서 트라우마가 있어
    following = telling.next(place)
    if following is not None and telling.parts[-1].clause.phrases[-1:] and place + 1 < len(telling.parts):
        last = telling.parts[-1].clause.phrases[-1]
        if last.words == ("거",) and last.adnominal:  # 트라우마야, 아빠가 소리 지르던 거
            return telling.text[following.clause.start : last.morphemes[-1].start].strip() + " 것"
    earlier = [p for each in telling.parts[max(0, place - 2) : place] for p in each.clause.phrases if p.pronoun is None]
    return telling.said(earlier[-1]) if earlier else None


def _before_stem(part: Part) -> list[Morpheme]:
    first = part.clause.predicate.stem[0] if part.clause.predicate is not None else None
    return [each for each in part.clause.morphemes if first is not None and each.end <= first.start]
