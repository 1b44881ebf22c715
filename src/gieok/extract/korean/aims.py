"""Dreams told by what is done for them: 감독을 꿈꾸며 살아, 사육사 되려고 준비하고 있어, 성우 하나만 바라보고 살아."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.korean.doing_words import doings, shortened
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.ways import ways
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of

_LASTING: Final = frozenset("매일 조금씩 다 평생 몇 년째 꾸준히 열심히 전부 하루도 오래전부터 고생 올인".split())


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
        if done.form == "aim" and done.place < last_word_before(words, reading.clause.end) and _LASTING & bares:
            value = shortened(done.value) if not becoming else done.value.removesuffix(" 되기")
            value = value.removesuffix(" 이루기")
            yield Finding(attribute="dream", value=value, shown=value, surface=value)
            return
