"""What somebody cannot stand: 홍어는 딱 질색이야, 고수 못 먹어, 줄 서는 거 극혐, 팥 좋아하는 사람 이해 불가."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster, thing_wondered_at
from gieok.extract.korean.words import (
    Thing,
    Word,
    joined_before,
    last_word_before,
    thing_at,
    thing_before,
    words_of,
    words_within,
)

_PARTICLES: Final = frozenset(
    {"", "은", "는", "이", "가", "을", "를", "도", "만", "만은", "ㄴ", "랑", "이랑", "만큼은"}
)
_NOT_SUITED: Final = frozenset("도저히 영 나랑 저랑 체질 입맛 취향 나한테 저한테 진짜".split())
_MEALS: Final = frozenset("밥 아침 점심 저녁 약 끼니 물 술 고기 육식 밀가루 유제품 설탕 탄수화물".split())
_MOMENT: Final = frozenset("오늘 지금 아직 방금 아까 어제".split())
_PICKING: Final = frozenset({"골라내다", "걸러내다"})
_QUALITIES: Final = frozenset(
    "맛 서비스 가격 위치 디자인 품질 성능 화질 음질 반응 점수 색감 향 양 재미 연기 스토리".split()
)
_OFFERS: Final = frozenset("선물 초대 제안 축의금 조의금 화환 연락 전화 질문 인터뷰".split())
_PICTURES: Final = frozenset({"사진", "그림", "영상", "모형", "인형"})
_AT_ALL: Final = frozenset({"입", "손", "쳐다", "눈길", "거들떠"})
#: what is known by its taste or touch alone: 매운 거, 추운 거
_FLAVOURED: Final = re.compile(
    r"(?:매운|매콤한|짠|단|신|쓴|느끼한|기름진|비린|뜨거운|차가운|찬|추운|더운|시끄러운) (?:거|음식)"
)


def aversion(reading: Reading) -> Iterator[Finding]:
    """Yield what the clause says that somebody dislikes."""
    for rule in (_hated, _refused, _declined, _not_even_pictures, _picked_out, _beyond_understanding):
        thing = rule(reading)
        if thing is None or _is_none(thing):
            continue
        for each in (thing, *joined_before(words_of(reading.text), thing)):
            value, whose = each.value, taster(reading, each)
            feared = taste_words().kind_of(value) == "bug" or rule is _not_even_pictures
            if whose is not None:
                attribute = "phobia" if feared else "dislikes"
                yield Finding(attribute=attribute, value=value, shown=value, surface=value, whose=whose)
        return


def _is_none(thing: Thing) -> bool:
    """Whether it names somebody, or what is asked for and no thing: 이름, 전공; 운동 is one all the same."""
    label = patterns().by_label.get(thing.value)
    person = thing.last.bare in taste_words().persons and not thing.described
    return person or (label is not None and label.attribute != "exercise")


def _hated(reading: Reading) -> Thing | None:
    """홍어는 딱 질색이야, 벌레 극혐, 오징어젓은 별로; 민초? 극혐."""
    if reading.negated or reading.past:
        return None
    at = _place_of_hatred(reading)
    if at is None:
        return None
    thing = thing_before(reading.text, at, doings=True) or thing_wondered_at(reading, words_of(reading.text))
    return thing if thing is not None and thing.particle in _PARTICLES else None


def _place_of_hatred(reading: Reading) -> int | None:
    """Return where 극혐, 질색, 별로 stand as what is said of a thing."""
    phrase = reading.complement
    last = phrase.words[-1] if phrase is not None else ""
    if phrase is not None and last in taste_words().hated:
        return phrase.morphemes[-1].start if last != "최악" or reading.of_self else None
    if reading.predicate is not None or reading.clause.adverbs[-1:] != ("별로",):
        return None
    topics = [each for each in reading.clause.phrases if each.pronoun is None]
    topical = len(topics) == 1 and topics[0].has("은", "는", "ㄴ") and not topics[0].pointed
    topical = topical and topics[0].words[-1] not in reading.words.no_taste | _QUALITIES
    return reading.text.rfind("별로", reading.clause.start, reading.clause.end) if topical else None


def _for_want(reading: Reading) -> bool:
    """고수 없으면 쌀국수 못 먹어: something else is missing."""
    before = reading.before.predicate if reading.before is not None else None
    return before is not None and before.lemma == "없다" and before.endings[-1:] in (("으면",), ("이",), ("어서",))


def _refused(reading: Reading) -> Thing | None:
    """고수 못 먹어, 홍어는 입에도 안 대, 오이는 쳐다도 안 봐."""
    predicate = reading.predicate
    if predicate is None or not predicate.negated or predicate.past or predicate.lemma not in taste_words().refused:
        return None
    said = reading.everything
    if _MOMENT & said or reading.clause.head is not None or _for_want(reading):
        return None
    words = words_of(reading.text)
    last = last_word_before(words, predicate.stem[0].start)
    if predicate.lemma in ("대다", "쳐다보다", "보다") and not _AT_ALL & {word.bare for word in words[: last + 1]}:
        return None
    if predicate.lemma == "맞다" and not _NOT_SUITED & (said | {word.bare for word in words[: last + 1]}):
        return None
    if predicate.lemma == "마시다" and words[last].text != "못":
        return None  # 커피 안 마셔 may be for tonight
    if predicate.lemma == "참다" and predicate.endings[-1:] in (("지",), ("죠",), ("지요",)):
        return None  # 오뎅은 못 참지: too good to pass by
    for place in range(last, max(-1, last - 6), -1):
        if words[place].breaks:
            break
        idle = words[place].bare in _AT_ALL or words[place].bare in taste_words().before_thing
        fits = words[place].particle in _PARTICLES
        person = words[place].bare in taste_words().persons  # 거짓말하는 사람은 못 참아
        thing = (_tasted(words, place) or (None if idle else thing_at(words, place, doings=person))) if fits else None
        if thing is not None:
            return thing if _eaten(predicate.lemma, thing) else None
    wondered = thing_wondered_at(reading, words)
    return wondered if wondered is not None and _eaten(predicate.lemma, wondered) else None


def _declined(reading: Reading) -> Thing | None:
    """공포영화는 사절합니다, 단체 여행은 사양할게요; not 오늘은 사양할게요."""
    predicate = reading.predicate
    if predicate is None or predicate.negated or predicate.past or predicate.lemma not in taste_words().declined:
        return None
    if _MOMENT & reading.everything or reading.clause.head is not None:
        return None
    thing = thing_before(reading.text, predicate.stem[0].start, doings=True)
    offered = thing is not None and taste_words().kind_of(thing.value) in (
        "drink",
        "food",
    )  # 커피는 사양할게요: for now
    offered = offered or (thing is not None and thing.last.bare in _OFFERS)
    return thing if thing is not None and thing.particle in ("은", "는", "ㄴ") and not offered else None


def _not_even_pictures(reading: Reading) -> Thing | None:
    """거미는 사진도 못 봐."""
    if not reading.says("보다", "쳐다보다") or not reading.negated or reading.past or _MOMENT & reading.everything:
        return None
    words = words_of(reading.text)
    for place in words_within(words, reading.clause.start, reading.clause.end):
        if words[place].bare in _PICTURES and words[place].particle == "도" and place:
            thing = thing_at(words, place - 1)
            return thing if thing is not None and thing.last.bare in signals("fear", "feared") else None
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
