"""Goals: 책 50권 읽기가 목표야, 마스터 찍는 걸 목표로 달리는 중, 목표 달성했다."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.korean.deeds import begins, deed, stem_before
from gieok.extract.korean.doing_words import doing_at, doings, shortened
from gieok.extract.korean.lexicon import lexicon, signals, ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster, whose_doing
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of

_AIM: Final = "목표"
_LIFE: Final = frozenset({"인생", "최종", "평생", "장래"})
_REACHED: Final = ("달성하다", "이루다", "성공하다", "채우다", "찍다", "해내다")
_MEASURE: Final = re.compile(
    r"(?:\d+|[일이삼사오육칠팔구십백천만]+)\s?(?:키로|킬로|kg|등급|점|등|권|억|천만|만\s?원|개|학점|분대|단계)"
)
_ONCE_IN_LIFE: Final = re.compile(r"죽기\s?전에|평생에?\s?한\s?번|살면서\s?한\s?번|버킷\s?리스트")
_THINGS: Final = frozenset({"거", "것", "게", "걸", "건"})
_LASTING: Final = frozenset("매일 조금씩 다 평생 몇 년째 꾸준히 열심히 전부 하루도 오래전부터 고생 올인".split())


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


def aim(reading: Reading) -> Iterator[Finding]:
    """Read what somebody lives or works towards."""
    if not ways().hinted("aim", reading.text):
        return
    if reading.negated or (reading.past and not reading.says("꿈꾸다")):
        return
    words = words_of(reading.text)
    thing = _dreamt_of(reading, words) or _looked_forward_to(reading, words)
    if thing is not None:
        whose = taster(reading, thing)
        if whose is not None and thing.last.bare not in taste_words().persons:
            near = ways().of("dream.near") & {word.bare for word in words}
            attribute = "goal" if near else "dream"
            yield Finding(attribute=attribute, value=thing.value, shown=thing.value, surface=thing.value, whose=whose)
        return
    yield from _worked_for(reading, words)
    yield from _prepared_for(reading, words)
    yield from _endured_for(reading, words)


def _dreamt_of(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """국가대표를 꿈꾸는, 감독을 목표로 살아가고 있습니다."""
    if reading.says("꿈꾸다", "지망하다", "희망하다") and reading.predicate is not None:
        place = last_word_before(words, reading.predicate.stem[0].start)
    else:
        goal = (
            i for i, word in enumerate(words) if word.bare in ("목표", "꿈") and word.particle in ("로", "으로", "삼아")
        )
        place = next((i for i in goal if reading.clause.start <= words[i].start < reading.clause.end), 0) - 1
    if place < 0 or words[place].particle not in ("을", "를", ""):
        return None
    return thing_at(words, place)


def _looked_forward_to(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """성우, 그거 하나만 바라보고 살아."""
    only = (i + 1 for i, word in enumerate(words[:-1]) if word.text in ("하나만", "하나"))
    looking = next((i for i in only if words[i].text.startswith(("바라보", "보고"))), None)
    if looking is None:
        return None
    if words[looking].text.startswith("보고") and not ways().of("dream.striving") & {word.lemma for word in words}:
        return None
    place = looking - 2
    while place >= 0 and (words[place].tag == "NP" or words[place].bare in ("거", "것")):
        place -= 1
    thing = thing_at(words, place) if place >= 0 and words[place].nominal else None
    before = words[thing.first - 1] if thing is not None and thing.first else None
    if thing is None or before is None or before.tag == "NP" or not before.nominal or before.particles or before.breaks:
        return thing
    if not lexicon().is_job(thing.value) or lexicon().is_job(before.bare):
        return thing
    return replace(
        thing, value=f"{before.bare} {thing.value}", start=before.start, first=thing.first - 1
    )  # 게임 개발자


def _prepared_for(reading: Reading, words: Sequence[Word]) -> Iterator[Finding]:
    """필라테스 강사 준비 중, 승무원 준비해요."""
    place = next((i for i, word in enumerate(words) if i and _prepares(reading, words, i)), None)
    thing = thing_at(words, place - 1) if place is not None else None
    if thing is None or thing.particle not in ("", "을", "를") or not lexicon().is_job(thing.last.bare):
        return
    whose = taster(reading, thing)
    if whose is not None and whose.subject_id == reading.me.subject_id:
        yield Finding(attribute="dream", value=thing.value, shown=thing.value, surface=thing.value, whose=whose)


def _prepares(reading: Reading, words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if not reading.clause.start <= word.start < reading.clause.end or words[place - 1].breaks:
        return False
    under_way = word.text == "준비" and place + 1 < len(words) and words[place + 1].bare == "중"
    under_way = under_way or word.text.startswith(("준비 중", "준비중"))
    return word.tag != "ETM" and (under_way or word.lemma == "준비하다")


def longed_for(reading: Reading) -> Iterator[Finding]:
    """Read a wish for life: 언젠가 카페 차리고 싶어, 죽기 전에 오로라 보고 싶어; not 언젠가 그만두고 싶어."""
    predicate = reading.predicate
    if predicate is None or predicate.negated or "싶다" not in predicate.auxiliaries or predicate.lemma == "되다":
        return
    if reading.about.subject_id != reading.me.subject_id or predicate.past:
        return
    words = words_of(reading.text)
    before = words[: last_word_before(words, predicate.stem[-1].end) + 1]
    someday = any({word.text, word.bare} & ways().of("dream.someday") for word in before)
    making = predicate.lemma in ("쓰다", "만들다") and any(word.text.startswith("언젠") for word in before)
    someday = someday and (making or predicate.lemma in ways().of("dream.founding"))
    if not someday and _ONCE_IN_LIFE.search(reading.text[: reading.clause.end]) is None:
        return
    place = next((i for i, word in enumerate(words) if word.start <= predicate.stem[-1].start < word.end), None)
    done = doing_at(words, place) if place is not None else None
    if done is not None and " " in done.value:
        value = shortened(done.value)
        yield Finding(attribute="dream", value=value, shown=value, surface=value)


def _endured_for(reading: Reading, words: Sequence[Word]) -> Iterator[Finding]:
    """스위스 가는 거 하나 보고 이 고생 하는 거야."""
    said = {word.bare for word in words}
    for done in doings(reading.text):
        after = [word.text for word in words[done.place + 2 : done.place + 4]]
        if done.form == "thing" and after in (["하나", "보고"], ["하나만", "보고"], ["하나만", "바라보고"]):
            if said & {"고생", "버티", "삶"} or reading.says("살다", "버티다", "견디다", "달리다"):
                value = shortened(done.value)
                yield Finding(attribute="dream", value=value, shown=value, surface=value)
            return


def _worked_for(reading: Reading, words: Sequence[Word]) -> Iterator[Finding]:
    """사육사가 되려고 매일 준비하고 있어."""
    if not reading.says(*ways().of("dream.striving")):
        return
    bares = {word.bare for word in words} | {word.text for word in words}
    for done in doings(reading.text):
        becoming = done.value.endswith(" 되기")
        calling = becoming and lexicon().is_job(done.value.removesuffix(" 되기").split()[-1])
        lasting = calling or bool(_LASTING & bares)
        if done.form == "aim" and done.place < last_word_before(words, reading.clause.end) and lasting:
            value = shortened(done.value) if not becoming else done.value.removesuffix(" 되기")
            value = value.removesuffix(" 이루기")
            whose = whose_doing(reading, words, done.first)
            if whose is not None:
                yield Finding(attribute="dream", value=value, shown=value, surface=value, whose=whose)
            return
