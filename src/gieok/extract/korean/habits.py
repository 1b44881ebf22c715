"""Habits and diets without the name: 나도 모르게 다리 떨고 있더라, 밀가루 끊은 지 3주, 저당식으로 먹고 있어."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.doing_words import Doing, doing_at, doings
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.tasters import whose_doing
from gieok.extract.korean.values import READERS
from gieok.extract.korean.words import Word, words_of

_UNAWARE: Final = frozenset("모르게 차려보면 무의식적으로 무의식중에 저절로 절로 정신없을 자동으로".split())
_EVER: Final = frozenset("늘 맨날 항상 매일 또 매번 허구한날 매일같이".split())
_NOTICED: Final = frozenset("더라 더라고 더라고요 더라구요".split())
_AT_EASE: Final = frozenset("직성 잠 안심 마음 속".split())
_KINDS: Final = ("식단", "다이어트", "단식", "채식", "식물식", "염식", "당식", "금식", "클린식", "저탄고지", "테리언")
_GIVING_UP: Final = ("끊기", "끊은", "끊고", "끊는")
_KEPT: Final = frozenset("중 차 째 인증 때문 덕분 유지 성공 주차 일차 개월차 단톡방 도시락".split())
_EATING: Final = frozenset({"먹다", "하다", "챙기다", "지키다", "유지하다", "허다"})


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


def diet(reading: Reading) -> Iterator[Finding]:
    """Read what somebody keeps to, or keeps from, when they eat."""
    if not ways().hinted("diet", reading.text):
        return
    if reading.negated and not reading.says("있다", "되다"):
        return
    words = words_of(reading.text)
    for place, word in enumerate(words):
        first = _begins(words, place)
        if first is None or not reading.clause.start - 30 <= word.start < reading.clause.end:
            continue
        whose = whose_doing(reading, words, first)
        if whose is None or whose.subject_id != reading.me.subject_id or not _kept(words, place):
            continue
        value = _value(words, first, place)
        yield Finding(attribute="diet", value=value, shown=value, surface=value, whose=whose)
        return


def kept_from(reading: Reading) -> Iterator[Finding]:
    """무슬림이라 돼지고기 안 먹어요, 종교 때문에 술은 안 마셔요: kept from for one's faith, not for its taste."""
    if not reading.says("먹다", "마시다", "드시다", "대다") or not reading.negated or reading.past:
        return
    if not any(word in reading.text for word in ways().of("diet.faiths")) or "무교" in reading.text:
        return
    for phrase in reading.rest:
        fitting = not phrase.particles or phrase.has("은", "는", "을", "를", "도", "ㄴ")
        if fitting and phrase.words[-1] in ways().of("diet.kept_from"):
            value = f"{phrase.words[-1]} 안 {'마심' if reading.says('마시다') else '먹음'}"
            yield Finding(attribute="diet", value=value, shown=value, surface=phrase.words[-1])
            return


def _value(words: Sequence[Word], first: int, place: int) -> str:
    word = words[place]
    if word.text.startswith(_GIVING_UP):
        return f"{words[place - 1].bare} 끊기"
    return " ".join([*(each.text for each in words[first:place]), word.bare])


def _begins(words: Sequence[Word], place: int) -> int | None:
    """Return where the name of a diet that ends at `place` begins, or None if there is none."""
    word = words[place]
    if word.text.startswith(_GIVING_UP):
        stopped = place and words[place - 1].bare in ways().of("diet.stopped")
        return place - 1 if stopped else None
    if not word.nominal or not (word.bare.endswith(_KINDS) or READERS["diet"](word.bare) is not None):
        return None
    if (
        word.bare in ("식단", "다이어트", "단식")
        and place
        and words[place - 1].nominal
        and not words[place - 1].particles
    ):
        return place - 1
    return place if word.bare not in ("식단", "소식") else None


def _kept(words: Sequence[Word], place: int) -> bool:
    """Whether what follows says that it goes on: 중, 3주 차, 때문에, …로 먹고 있어."""
    word = words[place]
    later = words[place + 1 : place + 4]
    if word.breaks and not word.copula:
        return False
    if word.text.startswith("끊은"):
        return any(each.bare == "지" for each in later[:1])
    if word.particle in ("로", "으로"):
        return any(each.lemma == "먹다" for each in later[:1])
    going_on = any(each.bare in _KEPT or each.bare.endswith(("주", "일차", "개월", "주차")) for each in later[:3])
    doing = any(each.lemma in _EATING and each.ending in ("고", "는", "어", "ㄴ다", "어요") for each in later[:1])
    only = bool(later) and later[0].text == "음식만" and any(each.lemma == "먹다" for each in later)
    return going_on or doing or only
