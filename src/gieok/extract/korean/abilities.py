"""What somebody is good at: 요리 하나는 자신 있어, 코딩 할 줄 알아, 스페인어를 원어민 수준으로 해."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.doing_words import doing_at, shortened
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of

_OBJECT: Final = frozenset({"", "을", "를", "은", "는", "도", "만큼은", "만은", "이", "가", "까지"})
_LEVELS: Final = ("원어민", "네이티브", "프로", "수준급", "현지인", "전문가")
_WELL: Final = ("잘하", "잘해", "잘함", "잘합", "잘혀", "잘한")
_SHOWN: Final = frozenset("치다 그리다 부르다 추다 다루다 두다 연주하다 구사하다 굽다 뜨다".split())
_AS: Final = frozenset({"로", "으로", "처럼", "급으로"})


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
    thing = _done_well(reading, words) or _confident(reading, words) or _master_of(reading, words)
    if thing is not None:
        whose = taster(reading, thing)
        value = thing.value
        barred = thing.last.bare in ways().of("skill.no_skill") or thing.last.bare in taste_words().persons
        if whose is not None and whose.subject_id == reading.me.subject_id and not barred:
            yield Finding(attribute="skill", value=value, shown=value, surface=value, whose=whose)
        return
    yield from _knows_how(reading, words)


def _object_before(words: Sequence[Word], last: int) -> Thing | None:
    """Return the nearest object, how it is done left out."""
    for place in range(last, max(-1, last - 6), -1):
        word = words[place]
        if word.breaks:
            return None
        manner = word.text in ways().of("skill.well") or word.particle in _AS or word.bare in taste_words().before_thing
        if manner or word.tag in ("MAG", "NP", "EC") or word.bare in ("하나", "수준", "동네", "기", *_LEVELS):
            continue
        return thing_at(words, place) if word.particle in _OBJECT else None
    return None


def _done_well(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """성대모사를 기가 막히게 해, 피아노 잘 쳐요, 접영까지 마스터했다."""
    predicate = reading.predicate
    if reading.clause.head is not None:
        return None
    inside = (i for i, word in enumerate(words) if reading.clause.start <= word.start < reading.clause.end)
    well = next((i for i in inside if words[i].text.startswith(_WELL)), None)
    if well is not None and not words[well].text.startswith("잘했") and _claimed(reading, words):
        return _object_before(words, well - 1)
    if predicate is None:
        return None
    last = last_word_before(words, predicate.stem[0].start)
    if predicate.lemma in ("마스터하다", "통달하다", "섭렵하다"):
        return _object_before(words, last)
    if predicate.past or "싶다" in predicate.auxiliaries or not _claimed(reading, words):
        return None
    near = {word.text for word in words[max(0, last - 3) : last + 1]}
    fluent = predicate.lemma in ("막히다", "끝내주다") and "하다" in predicate.auxiliaries
    able = predicate.lemma in ways().of("skill.verbs") and bool(ways().of("skill.well") & near)
    somewhat = "좀" in near and predicate.lemma in _SHOWN and reading.of_self  # 나 피아노 좀 쳐
    able = able or somewhat
    return _object_before(words, last) if fluent or able else None


def _claimed(reading: Reading, words: Sequence[Word]) -> bool:
    """Whether the speaker says it of themselves: 내가, 저는, 요리 하나는."""
    only = any((word.bare == "하나" and word.particles) or word.particle in ("만큼은", "만은") for word in words)
    return reading.of_self or only or any(word.tag == "NP" and word.bare in ("나", "저", "내", "제") for word in words)


def _confident(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """요리 하나는 자신 있어, 길 찾기엔 자신 있지."""
    sure = next((i for i, word in enumerate(words) if word.bare in ("자신", "자신감") and not word.particles), None)
    if sure is None or not reading.says("있다") or reading.past or not sure:
        return None
    last = sure - 1
    return _object_before(words, last)


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
