"""What somebody cannot stand: 홍어는 딱 질색이야, 고수 못 먹어, 줄 서는 거 극혐, 팥 좋아하는 사람 이해 불가."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, thing_before, words_of

_PARTICLES: Final = frozenset(
    {"", "은", "는", "이", "가", "을", "를", "도", "만", "만은", "ㄴ", "랑", "이랑", "만큼은"}
)
_NOT_SUITED: Final = frozenset("도저히 영 나랑 저랑 체질 입맛 취향 나한테 저한테 진짜".split())
_MEALS: Final = frozenset("밥 아침 점심 저녁 약 끼니 물 술 고기 육식 밀가루 유제품 설탕 탄수화물".split())
_MOMENT: Final = frozenset("오늘 지금 아직 방금 아까 어제".split())
_PICKING: Final = frozenset({"골라내다", "걸러내다"})
_AT_ALL: Final = frozenset({"입", "손", "쳐다", "눈길", "거들떠"})
#: what is known by its taste alone: 매운 거
_FLAVOURED: Final = re.compile(r"(?:매운|매콤한|짠|단|신|쓴|느끼한|기름진|비린|뜨거운|차가운|찬) (?:거|음식)")


def aversion(reading: Reading) -> Iterator[Finding]:
    """Yield what the clause says that somebody dislikes."""
    for rule in (_hated, _refused, _picked_out, _beyond_understanding):
        thing = rule(reading)
        if thing is None or thing.value in patterns().by_label or thing.last.bare in taste_words().persons:
            continue
        value = thing.value
        feared = taste_words().kind_of(value) == "bug"
        whose = taster(reading, thing)
        if whose is not None:
            attribute = "phobia" if feared else "dislikes"
            yield Finding(attribute=attribute, value=value, shown=value, surface=value, whose=whose)
        return


def _hated(reading: Reading) -> Thing | None:
    """홍어는 딱 질색이야, 벌레 극혐."""
    phrase = reading.complement
    if phrase is None or reading.negated or reading.past:
        return None
    last = phrase.words[-1]
    if last not in taste_words().hated or (last == "최악" and not reading.of_self):
        return None
    thing = thing_before(reading.text, phrase.morphemes[-1].start, doings=True)
    return thing if thing is not None and thing.particle in _PARTICLES else None


def _refused(reading: Reading) -> Thing | None:
    """고수 못 먹어, 홍어는 입에도 안 대, 오이는 쳐다도 안 봐."""
    predicate = reading.predicate
    if predicate is None or not predicate.negated or predicate.past or predicate.lemma not in taste_words().refused:
        return None
    said = reading.everything
    if _MOMENT & said or reading.clause.head is not None:
        return None
    words = words_of(reading.text)
    last = last_word_before(words, predicate.stem[0].start)
    if predicate.lemma in ("대다", "쳐다보다", "보다") and not _AT_ALL & {word.bare for word in words[: last + 1]}:
        return None
    if predicate.lemma == "맞다" and not _NOT_SUITED & (said | {word.bare for word in words[: last + 1]}):
        return None
    if predicate.lemma == "마시다" and words[last].text != "못":
        return None  # 커피 안 마셔 may be for tonight
    for place in range(last, max(-1, last - 6), -1):
        if words[place].breaks:
            return None
        idle = words[place].bare in _AT_ALL or words[place].bare in taste_words().before_thing
        fits = words[place].particle in _PARTICLES
        thing = (_tasted(words, place) or (None if idle else thing_at(words, place))) if fits else None
        if thing is not None:
            return thing if _eaten(predicate.lemma, thing) else None
    return None


def _tasted(words: Sequence[Word], place: int) -> Thing | None:
    """매운 거, 느끼한 걸."""
    thing = thing_at(words, place, doings=True)
    return thing if thing is not None and _FLAVOURED.fullmatch(thing.value) else None


def _eaten(lemma: str, thing: Thing) -> bool:
    """What is not eaten must be food; meals and medicine are left out for other reasons."""
    if lemma not in ("먹다", "마시다", "넘어가다", "먹히다"):
        return thing.last.bare not in _MEALS
    if _FLAVOURED.fullmatch(thing.value):
        return True
    return taste_words().kind_of(thing.value) in ("food", "drink") and thing.last.bare not in _MEALS


def _picked_out(reading: Reading) -> Thing | None:
    """단무지 다 빼고 먹어, 오이는 골라내."""
    if reading.past or reading.negated or not reading.says("먹다", "골라내다", "걸러내다", "시키다"):
        return None
    words = words_of(reading.text)
    out = next((i for i, word in enumerate(words) if word.text in ("빼고", "골라내고") or word.lemma in _PICKING), None)
    for place in range(out - 1, max(-1, out - 5), -1) if out else ():
        thing = thing_at(words, place) if words[place].particle in _PARTICLES else None
        if thing is not None and not words[place].breaks and taste_words().kind_of(thing.value) == "food":
            return thing
    return None


def _beyond_understanding(reading: Reading) -> Thing | None:
    """팥 좋아하는 사람 이해 불가."""
    words = words_of(reading.text)
    for place, word in enumerate(words[1:-2], start=1):
        if word.text in ("좋아하는", "먹는") and words[place + 1].bare in ("사람", "사람들", "애", "애들"):
            rest = "".join(each.text for each in words[place + 2 : place + 5])
            if rest.startswith(("이해불가", "이해안", "이해못", "노이해", "이해할수없", "이해가안")):
                inside = reading.clause.start <= words[place + 2].start < reading.clause.end
                return thing_at(words, place - 1) if inside else None
    return None
