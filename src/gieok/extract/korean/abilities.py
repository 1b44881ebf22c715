"""What somebody is good at: 수영 잘해, 요리 하나는 자신 있어, 코딩 할 줄 알아, 스페인어를 원어민 수준으로 해."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.doing_words import doing_at, shortened
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import (
    Thing,
    Word,
    joined_before,
    last_word_before,
    thing_at,
    words_of,
    words_within,
)

_OBJECT: Final = frozenset({"", "을", "를", "은", "는", "도", "만큼은", "만은", "이", "가", "까지"})
_IN: Final = _OBJECT | {"에", "엔"}  #: 요리에는 자신 있어
_LEVELS: Final = ("원어민", "네이티브", "프로", "수준급", "현지인", "전문가")
_WELL: Final = ("잘하", "잘해", "잘함", "잘합", "잘혀", "잘한")
_SOMEWHAT: Final = frozenset("좀 조금 꽤 웬만큼 정도".split())
_SHOWN: Final = frozenset("치다 그리다 부르다 추다 다루다 두다 연주하다 구사하다 굽다 뜨다".split())
_AS: Final = frozenset({"로", "으로", "처럼", "급으로"})
_DEGREE: Final = frozenset({"정도", "수준"})
_OF_OTHERS: Final = (
    "네",
    "네요",
    "네여",
    "구나",
    "군",
    "군요",
    "더라",
    "더라고",
    "더라고요",
    "던데",
    "ㄴ다",
    "는다",
    "ㄹ게",
    "자",
)
_ORDERS: Final = frozenset({"어", "어요"})  #: 운전 잘해! may be a wish for the road


def ability(reading: Reading) -> Iterator[Finding]:
    """Read a skill the speaker claims."""
    if not ways().hinted("ability", reading.text):
        return
    about = reading.about
    if reading.negated or (
        about.subject_id != reading.me.subject_id and (about.phrase is None or about.phrase.pronoun)
    ):
        return
    words = words_of(reading.text)
    thing = (
        _done_well(reading, words)
        or _confident(reading, words)
        or _master_of(reading, words)
        or _as_far_as(reading, words)
    )
    if thing is not None:
        beside = (each for each in joined_before(words, thing) if ways().is_skill(each.last.bare))
        for each in (thing, *beside):
            whose = taster(reading, each)
            barred = each.last.bare in ways().of("skill.no_skill") or each.last.bare in taste_words().persons
            if whose is not None and whose.subject_id == reading.me.subject_id and not barred:
                yield Finding(attribute="skill", value=each.value, shown=each.value, surface=each.value, whose=whose)
        return
    yield from _knows_how(reading, words)


def _object_before(words: Sequence[Word], last: int, particles: frozenset[str] = _OBJECT) -> Thing | None:
    """Return the nearest object, how it is done left out."""
    for place in range(last, max(-1, last - 6), -1):
        word = words[place]
        if word.breaks:
            return None
        idle = word.bare in taste_words().before_thing and not ways().is_skill(word.bare)  # 노래 잘 불러
        manner = word.text in ways().of("skill.well") or word.particle in _AS or idle
        if manner or word.tag in ("MAG", "NP", "EC", "NR") or word.bare in ("하나", "수준", "동네", "기", *_LEVELS):
            continue
        return thing_at(words, place) if word.particle in particles else None
    return None


def _done_well(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """성대모사를 기가 막히게 해, 피아노 잘 쳐요, 접영까지 마스터했다."""
    predicate = reading.predicate
    if reading.clause.head is not None:
        return None
    inside = (i for i, word in enumerate(words) if reading.clause.start <= word.start < reading.clause.end)
    well = next((i for i in inside if words[i].text.startswith(_WELL)), None)
    described = well is not None and words[well].tag == "ETM" and not reading.of_self  # 영어 잘하는 사람 부럽다
    described = described and not any(word.bare == "편" for word in words[(well or 0) + 1 :][:1])
    if well is not None and not words[well].text.startswith("잘했") and not described:
        return _claimed(reading, words, _object_before(words, well - 1))
    if predicate is None:
        return None
    last = last_word_before(words, predicate.stem[0].start)
    if predicate.lemma in ("마스터하다", "통달하다", "섭렵하다"):
        return _object_before(words, last)
    if predicate.past or "싶다" in predicate.auxiliaries:
        return None
    near = {word.text for word in words[max(0, last - 3) : last + 1]}
    fluent = predicate.lemma in ("막히다", "끝내주다") and "하다" in predicate.auxiliaries
    able = predicate.lemma in ways().of("skill.verbs") and bool(ways().of("skill.well") & near)
    if fluent or able:
        return _claimed(reading, words, _object_before(words, last))
    return _somewhat(reading, words, last) if _SOMEWHAT & near else None


def _somewhat(reading: Reading, words: Sequence[Word], last: int) -> Thing | None:
    """나 피아노 좀 쳐, 기타 좀 쳐요, 스페인어 꽤 해요."""
    thing = _object_before(words, last)
    if thing is None or not (reading.says(*_SHOWN) or (reading.says("하다") and _spoken(thing))):
        return None
    return thing if reading.of_self else _claimed(reading, words, thing)


def _spoken(thing: Thing) -> bool:
    """일본어, 저글링: said to be done is said to be mastered, unlike 산책."""
    return thing.last.bare in ways().of("skill.known") or ways().is_language(thing.last.bare)


def _claimed(reading: Reading, words: Sequence[Word], thing: Thing | None) -> Thing | None:
    """Return `thing` if the speaker says it of themselves: 내가, 저는, 요리 하나는; 수영 잘해요, 빵은 잘 구워."""
    only = any((word.bare == "하나" and word.particles) or word.particle in ("만큼은", "만은") for word in words)
    if only or any(_is_me(word) for word in words):
        return thing
    if thing is None or _of_somebody_else(reading, words, thing):
        return None
    if _said_to_another(reading, topic=thing.particle in ("은", "는")):
        return None
    named = ways().is_skill(thing.last.bare) and thing.first == thing.place  # not 손흥민 축구 잘해
    return thing if thing.particle in ("은", "는") or named else None


def _said_to_another(reading: Reading, *, topic: bool) -> bool:
    """운전 잘해!, 운전 잘하고 와, 노래 잘 부르네."""
    ending = reading.predicate.endings[-1] if reading.predicate is not None and reading.predicate.endings else ""
    after = reading.after.predicate if reading.after is not None else None
    parting = ending in ("고", "어서") and after is not None and after.lemma in ("오다", "가다", "다녀오다")
    ordered = ending in _ORDERS and reading.clause.ends_with.startswith("!")
    return parting or ordered or (ending in _OF_OTHERS and not (topic and ending in ("ㄴ다", "는다")))


def _is_me(word: Word) -> bool:
    """제가, 나는; not 나보다 잘해."""
    return word.tag == "NP" and word.bare in ("나", "저", "내", "제") and word.particle not in ("보다", "랑", "한테")


def _of_somebody_else(reading: Reading, words: Sequence[Word], thing: Thing) -> bool:
    """Whether another is named, or was before: 동생 있어. 요리 잘해; 이 집은 국밥을 잘 끓여."""
    named = reading.about.phrase
    if named is not None:
        return not thing.start <= named.morphemes[0].start < thing.end
    subjects = (each for each in reading.clause.phrases if each.has("이", "가", "은", "는") and each.pronoun is None)
    if thing.particle not in ("은", "는") and any(
        not thing.start <= each.morphemes[0].start < thing.end for each in subjects
    ):
        return True
    # 참가자가 난청인데 노래를 잘해
    described = thing.first > 1 and words[thing.first - 1].copula and words[thing.first - 2].particle in ("이", "가")
    return described or reading.about.subject_id != reading.me.subject_id


def _as_far_as(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """일본어는 자막 없이 볼 정도로 해, 중국어는 일상 대화 정도는 해요; 독일어 가능해요."""
    if reading.past or reading.clause.head is not None or not reading.says("하다", "가능하다", "되다"):
        return None
    degree = any(phrase.words[-1] in _DEGREE and phrase.particles for phrase in reading.clause.phrases)
    if not degree and not reading.says("가능하다"):
        return None
    for place in words_within(words, reading.clause.start, reading.clause.end):
        word = words[place]
        known = ways().is_language(word.bare) or (degree and word.bare in ways().of("skill.known"))
        thing = thing_at(words, place) if known and word.particle in _OBJECT else None
        if thing is not None:
            somewhere = reading.says("가능하다") and any(
                each.pronoun not in ("나", "저") and each.morphemes[0].start < thing.start
                for each in reading.clause.phrases
            )  # 여기 영어 가능해요
            return None if somewhere else _claimed(reading, words, thing)
    return None


def _confident(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """요리 하나는 자신 있어, 길 찾기엔 자신 있지."""
    sure = next((i for i, word in enumerate(words) if word.bare in ("자신", "자신감") and not word.particles), None)
    if sure is None or not reading.says("있다") or reading.past or not sure:
        return None
    return _object_before(words, sure - 1, _IN)


def _master_of(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """나 뜨개질 고수야, 파이썬이 주력이고, 제 특기는 ….."""
    phrase = reading.complement
    if phrase is None or reading.past:
        return None
    last = phrase.words[-1]
    place = last_word_before(words, phrase.morphemes[-1].start)
    if last in ways().labels["skill"] or (last in ways().of("skill.masters") and reading.of_self):
        thing = _object_before(words, place)
        return thing if thing is not None and thing.value != last else None
    return None


def _knows_how(reading: Reading, words: Sequence[Word]) -> Iterator[Finding]:
    """포토샵 다룰 줄 알아."""
    if not reading.says("알다") or reading.past:
        return
    know = next((i for i, word in enumerate(words) if word.bare == "줄" and word.start < reading.clause.end), None)
    if not know or words[know - 1].ending not in ("ㄹ", "을") or know + 1 >= len(words):
        return
    if not words[know + 1].text.startswith(("알", "아", "압니다", "안다")):
        return
    done = doing_at(words, know - 1)
    value = shortened(done.value).removesuffix(" 다루기")
    if value and value not in ways().of("skill.no_skill"):
        yield Finding(attribute="skill", value=value, shown=value, surface=value)
