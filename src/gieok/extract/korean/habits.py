"""Habits without the name: 나도 모르게 다리 떨고 있더라, 손부터 씻어야 직성이 풀려, 메모하는 게 몸에 뱄어."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.doing_words import Doing, doing_at, doings
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.tasters import whose_doing
from gieok.extract.korean.ways import ways
from gieok.extract.korean.words import Word, words_of

_UNAWARE: Final = frozenset("모르게 차려보면 무의식적으로 무의식중에 저절로 절로 정신없을 자동으로".split())
_EVER: Final = frozenset("늘 맨날 항상 매일 또 매번 허구한날 매일같이".split())
_NOTICED: Final = frozenset("더라 더라고 더라고요 더라구요".split())
_AT_EASE: Final = frozenset("직성 잠 안심 마음 속".split())


def habit(reading: Reading) -> Iterator[Finding]:
    """Read what somebody does without meaning to, or cannot do without."""
    if not ways().hinted("habit", reading.text):
        return
    if reading.past and not reading.says("배다", "익다", "붙다"):
        return
    words = words_of(reading.text)
    done = _unaware(reading, words) or _ingrained(reading, words) or _needed(reading, words)
    if done is None:
        return
    whose = whose_doing(reading, words, done.first)
    if whose is not None:
        yield Finding(attribute="habit", value=done.value, shown=done.value, surface=done.value, whose=whose)


def _inside(reading: Reading, word: Word) -> bool:
    return reading.clause.start <= word.start < reading.clause.end


def _unaware(reading: Reading, words: Sequence[Word]) -> Doing | None:
    texts = {word.text for word in words}
    ending = reading.predicate.endings[-1] if reading.predicate is not None and reading.predicate.endings else ""
    stubborn = any(word.text.startswith(("고쳐지", "못고치")) for word in words)
    meant = bool(_UNAWARE & texts) or stubborn or (bool(_EVER & texts) and ending in _NOTICED)
    for done in doings(reading.text):
        if done.form == "ongoing" and meant and _inside(reading, words[done.place]) and not reading.negated:
            return done
        if (
            done.form == "being"
            and done.follows in ("나", "저", "내")
            and _EVER & texts
            and reading.says("보다", "웃기다")
        ):
            return done
    return None


def _ingrained(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """…는 것이 몸에 배다; …는 거 안 하는 날이 없어."""
    body = any(word.bare in ("몸", "입", "손") and word.particle == "에" for word in words)
    steeped = reading.says("배다", "익다", "붙다") and body
    daily = (
        reading.says("없다")
        and {"날", "하루"} <= {word.bare for word in words}
        and "안" in {word.text for word in words}
    )
    if not (steeped or daily):
        return None
    return next((done for done in doings(reading.text) if done.form == "thing"), None)


def _needed(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """손부터 씻어야 직성이 풀려."""
    if not (reading.says("풀리다", "오다", "놓이다", "편하다") and _AT_EASE & reading.everything):
        return None
    place = next(
        (i for i, word in enumerate(words) if word.ending.endswith("야") and word.acts and not word.particles), None
    )
    return doing_at(words, place) if place is not None else None
