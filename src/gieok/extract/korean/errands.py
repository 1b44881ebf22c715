"""Things to do: what must be done, is not done yet or has run out. 은행 가야 돼, 과제 안 냈어, 휴지 다 썼다."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.briefly import brief, is_time
from gieok.extract.korean.intentions import index_of
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase

_MUST: Final = ("어야", "아야")
_OUGHT: Final = ("어야지", "어야지요", "어야죠", "어야겠다", "아야지", "어야겠네")
_UP: Final = frozenset({"똑", "다", "싹", "거의", "벌써", "또"})
_COUNTED: Final = ("랑", "이랑", "하고", "와", "과", "")


def errand(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker, or somebody spoken of, has to do."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject == "character" or part.mood == "question":
            continue
        other = part.about.subject == "other" and part.about.phrase is not None
        if part.closes in ("question", "hypothetical", "command"):
            continue
        if part.closes == "hearsay" and not other and not _goes_on(telling.next(place)):
            continue
        value = _due(telling, place, part) or ("" if other else _undone(telling, part))
        if not value and (not other or part.says("떨어지다")):
            value = _run_out(part)
            other = False
        if value:
            whose = part.about.carried() if other else telling.me
            yield finding("todo", value, whose=whose)
            return
    yield from _listed(telling)


def _goes_on(following: Part | None) -> bool:
    """체육복 빨아야 되는데 엄마가 …하래: only what comes after is hearsay."""
    return following is not None and following.ending in ("는데", "거든", "지만") and following.mood != "hearsay"


def _due(telling: Telling, place: int, part: Part) -> str:
    """세금 내야 돼; 빨래 널어야지; 사진 찍으러 가야 하는데; 내일 치과 가야겠다."""
    predicate = part.clause.predicate
    if predicate is None or predicate.past or predicate.negated or predicate.form != "verb":
        return ""
    must = any(ending in _MUST for ending in predicate.endings)
    if not must and part.ending not in _OUGHT:
        return ""
    following = telling.next(place)
    helped = part.ending in _MUST
    if helped and (following is None or not following.says("하다", "되다", "겠다") or following.clause.phrases):
        return ""  # 나가 있어야 마음이 놓여
    if helped and following is not None and (following.negated or following.past or following.mood == "question"):
        return ""
    before = telling.parts[place - 1] if place else None
    if part.says("가다", "오다") and before is not None and before.ending in ("러", "으러"):
        return _deed(telling, before) if _thing(before) else ""
    return _deed(telling, part) if _is_errand(part) else ""


def _is_errand(part: Part) -> bool:
    if part.says("가다", "들르다", "오다", "다녀오다", "갔다오다"):
        return any(signals("todo", "offices") & set(p.words[-1:]) for p in part.clause.phrases)
    predicate = part.clause.predicate
    made = predicate.lemma.removesuffix("하다") if predicate is not None else ""
    if made.endswith(tuple(signals("todo", "chores"))):
        return True
    thing = _thing(part)
    if thing is None:
        return False
    if part.says("하다", "보다"):
        named = [word for word in thing.words if not is_time(word)]  # 비자 신청 이번 | 주에
        return named[-1:] != [] and named[-1] in signals("todo", "chores")
    return part.says(*signals("todo", "errands"))


def _thing(part: Part) -> Phrase | None:
    """Return what a deed is done to."""
    for phrase in reversed(part.clause.phrases):
        fitting = not phrase.particles or phrase.has("을", "를", "도", "만", "부터", "은", "는", "한테", "에", "에게")
        if (
            fitting
            and phrase.pronoun is None
            and not phrase.pointed
            and phrase.words[-1] not in signals("todo", "nothing")
            and not is_time(phrase.text)
        ):
            return phrase
    return None


def _undone(telling: Telling, part: Part) -> str:
    """보고서 아직 못 썼어; 과제 하나도 안 함."""
    still = "아직" in part.all_words or "아직도" in part.all_words or "하나도" in telling.text
    done = part.past or part.ending in ("ㅁ", "음")
    if not still or not part.negated or not done or part.clause.head is not None:
        return ""
    thing = _thing(part)
    begun = thing is not None and thing.words[-1] == "시작" and len(part.clause.phrases) > 1
    if begun and part.clause.phrases[0].words[-1] not in signals("todo", "nothing"):
        return part.clause.phrases[0].text
    if not _is_errand(part) and not (part.says("하다") and thing is not None and len(thing.words) > 1):
        return ""
    value = _deed(telling, part)
    return " ".join(word for word in value.split() if word not in ("안", "못", "아직", "아직도", "하나도"))


def _run_out(part: Part) -> str:
    """우유가 똑 떨어졌네; 휴지 다 썼다; 도서관 책 연체."""
    for phrase in part.clause.phrases:
        if phrase.words[-1:] == ("연체",) or "연체" in phrase.words[1:]:
            return f"{phrase.words[phrase.words.index('연체') - 1]} 반납" if phrase.words[0] != "연체" else ""
    gone = part.past and (part.says("떨어지다") or (part.says("쓰다") and "다" in part.clause.adverbs))
    if not gone or part.negated or part.clause.head is not None or not _UP & set(part.clause.adverbs):
        return ""
    if any(phrase.has("에서", "로", "으로") for phrase in part.clause.phrases):
        return ""
    stock = next(
        (p for p in reversed(part.clause.phrases) if not p.particles or p.has("이", "가", "도", "을", "를")), None
    )
    if (
        stock is None
        or stock.pronoun is not None
        or stock.words[-1] in signals("todo", "no_stock") | signals("todo", "nothing")
    ):
        return ""
    return f"{stock.words[-1]} 사기" if stock.morphemes[-1].tag in ("NNG", "NNP", "XSN") else ""


def _listed(telling: Telling) -> Iterator[Finding]:
    """오늘 할 일 뭐야? – 빨래랑 설거지."""
    if not any(
        said in telling.asked for said in ("할 일", "할일", "뭐 남았", "뭐 해야", "해야 돼", "해야 해", "해야 되")
    ):
        return
    if len(telling.parts) > 2:
        return
    for part in telling.parts[:1]:
        if part.clause.predicate is not None and part.ending != "기" and not part.says("이다"):
            return
        for phrase in part.clause.phrases:
            listed = not phrase.particles or phrase.has(*_COUNTED)
            if listed and phrase.pronoun is None and phrase.words[-1] not in signals("todo", "nothing"):
                yield finding("todo", phrase.text, whose=telling.me)


def _deed(telling: Telling, part: Part) -> str:
    predicate = part.clause.predicate
    at = index_of(part.clause.morphemes, predicate.stem[-1]) if predicate is not None else None
    return brief(telling.text, part.clause.morphemes, at) if at is not None else ""
