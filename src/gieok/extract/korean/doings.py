"""Doings as values: 카페 차리는 게 꿈이야, 다리 꼬는 버릇 있어, 볼링 치는 게 취미예요, 머리 꼬고 있더라 버릇이라."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.korean.doing_words import Doing, doings, shortened
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import whose_doing
from gieok.extract.korean.words import Word, thing_before, words_of

_KEPT: Final = frozenset("있다 이다 생기다 들다 배다 되다 삼다 붙이다 들이다 고치다 남다 못하다 가다 어떡하다".split())
_GIVEN_UP: Final = frozenset({"고치다", "없애다", "버리다", "바꾸다", "없다"})
_NEAR: Final = 6

_SHOWN: Final = ("영상", "브이로그", "유튜브", "방송", "사진", "광고", "채널", "프로그램", "다큐", "쇼츠", "릴스", "짤")


def doing(reading: Reading) -> Iterator[Finding]:
    """Read what is done (or what is named) as a hobby, a habit or a dream."""
    if not ways().hinted("doing", reading.text):
        return
    words = words_of(reading.text)
    for attribute in ("hobby", "habit", "dream"):
        labels = ways().labels[attribute]
        place = next((i for i, word in enumerate(words) if word.bare in labels and _inside(reading, word)), None)
        found = None
        if place is not None and _states(reading, words[place]):
            found = _value(reading, words, place, attribute)
        if found is not None and place is not None:
            yield found
            if attribute == "hobby":
                yield from _further(reading, words, found)
                yield from _listed_before(words, place, found)
            return
    yield from _my_own(reading, words)


def _further(reading: Reading, words: Sequence[Word], found: Finding) -> Iterator[Finding]:
    """별 보러 다니기랑 다이어리 꾸미기."""
    listed = [done for done in doings(reading.text) if done.form == "gerund"]
    if any(done.value == found.value for done in listed):
        for done in listed:
            if done.value != found.value:
                yield replace(found, value=done.value, shown=done.value, surface=done.value)


def _listed_before(words: Sequence[Word], label: int, found: Finding) -> Iterator[Finding]:
    """체스랑 바둑이 취미야."""
    for word in words[:label]:
        if word.particle in ("랑", "이랑", "하고") and ways().is_pastime(word.bare) and word.bare != found.value:
            yield replace(found, value=word.bare, shown=word.bare, surface=word.bare)


def _my_own(reading: Reading, words: Sequence[Word]) -> Iterator[Finding]:
    """젖은 머리로 자는 내 버릇 좀 고쳐줄 사람: the habit is there, whatever is said of it."""
    for done in doings(reading.text):
        named = words[done.place + 2].bare if done.place + 2 < len(words) else ""
        if done.form == "being" and done.follows in ("내", "제") and named in ways().labels["habit"]:
            if not reading.says("없다") and not reading.negated:
                yield Finding(
                    attribute="habit", value=done.value, shown=done.value, surface=done.value, whose=reading.me
                )
            return
        if done.form == "being" and named.startswith(_BLAMED) and _names_a_habit(words[done.place + 1]):
            whose = whose_doing(reading, words, done.first)
            if whose is not None and not reading.formerly:
                value = done.value
                yield Finding(attribute="habit", value=value, shown=value, surface=value, whose=whose)
            return


def _names_a_habit(word: Word) -> bool:
    return word.bare in ways().labels["habit"] and not word.particles


_BLAMED: Final = ("때문", "땜", "탓")


def _inside(reading: Reading, word: Word) -> bool:
    return reading.clause.start <= word.start < reading.clause.end


def _states(reading: Reading, label: Word) -> bool:
    predicate = reading.predicate
    begun = reading.says("되다", "생기다", "들다", "배다", "붙다", "들이다", "붙이다", "삼다")
    if (reading.past and not begun) or (reading.negated and not reading.says("고치다", "가다")):
        return False
    if label.particle in ("로", "으로", "에", "도") and not label.copula:
        return False
    called = predicate is not None and predicate.endings[-1:] == ("기",)  # 버킷리스트는 순례길 걷기
    return predicate is None or predicate.form == "copula" or called or reading.says(*_KEPT)


def _value(reading: Reading, words: Sequence[Word], place: int, attribute: str) -> Finding | None:
    done = _nearest(reading, words, place, attribute)
    if done is not None and done.follows.startswith(_SHOWN):
        return None  # 한 달 살기 영상
    label = words[place]
    if any(word.bare == "정도" for word in words[place + 1 : place + 2]):
        return None  # …는 게 소원일 정도로
    named = None
    if done is None and attribute != "habit":
        named = _noun_before(reading, words, place)
        if named is None and attribute == "hobby" and label.bare == "취미" and not reading.past:
            named = next(
                (word.bare for word in reversed(words[:place]) if word.bare in ways().of("hobby.pastimes")), None
            )
    if done is None and named is None:
        return None
    if done is not None and label.bare in ("낙", "힐링", "소확행"):
        loved = next((word.bare for word in words[done.first : done.place] if _is_titled(word)), None)
        if loved is not None:
            kind = taste_words().kind_of(loved)
            return Finding(attribute=f"favorite.{kind}", value=loved, shown=loved, surface=loved, whose=reading.me)
    if not label.copula and any(word.lemma == "없다" for word in words[place + 1 : place + 3]):
        return None
    first = done.first if done is not None else place
    whose = whose_doing(reading, words, first)
    value = _shortened(done.value, attribute) if done is not None else named
    if whose is None or not value or value in taste_words().mocked or label.bare == value:
        return None
    return Finding(attribute=_aim(attribute, words), value=value, shown=value, surface=value, whose=whose)


def _is_titled(word: Word) -> bool:
    return taste_words().kind_of(word.bare) in ("game", "music", "movie", "book")


def _aim(attribute: str, words: Sequence[Word]) -> str:
    """올해 목표 is a goal; 인생 목표 is a dream."""
    said = {word.bare for word in words}
    return "goal" if attribute == "dream" and "목표" in said and not said & ways().of("dream.far") else attribute


def _shortened(value: str, attribute: str) -> str:
    """레고 조립하기 is called 레고 조립; a habit keeps its verb."""
    if attribute == "habit":
        return value
    if attribute == "dream" and value.endswith(("이 되기", "가 되기", " 되기")):
        return value.rsplit(" ", 1)[0].removesuffix("이").removesuffix("가")
    return shortened(value)


def _nearest(reading: Reading, words: Sequence[Word], place: int, attribute: str) -> Doing | None:
    """Return the doing that the label at `place` is said of: …는 버릇, …는 게 취미, 버릇이야 …는 거."""
    best: tuple[int, Doing] | None = None
    for done in doings(reading.text):
        if done.first <= place <= done.place or not _fits(done, words, place, attribute):
            continue
        away = place - done.place if done.place < place else done.first - place + 1
        if best is None or away < best[0]:
            best = (away, done)
    return best[1] if best is not None else None


def _fits(done: Doing, words: Sequence[Word], place: int, attribute: str) -> bool:
    if done.form == "being":
        mine = done.follows in ("내", "제") and done.place + 2 == place
        dreamt = attribute == "dream" and done.follows.startswith(("그날", "상상", "날", "미래"))
        return done.place + 1 == place or mine or dreamt or (attribute == "habit" and done.follows in ("나", "저"))
    if done.form == "ongoing":
        return attribute == "habit"
    if done.form == "wish":
        return attribute == "dream"
    if done.form == "aim":
        return False
    if done.form == "gerund":
        return True
    return not any(word.breaks for word in words[done.place : place - 1]) or place < done.place or attribute == "habit"


def _noun_before(reading: Reading, words: Sequence[Word], place: int) -> str | None:
    """마술이 취미야, 건물주가 꿈이라, 카페 투어가 어엿한 취미가 됐어요."""
    label = words[place]
    if not (label.copula or reading.says("되다", "이다") or reading.predicate is None):
        return None
    thing = thing_before(reading.text, label.start)
    if thing is None or thing.particle not in ("이", "가") or thing.last.bare in taste_words().persons:
        return None
    return thing.value if not thing.value.endswith(("게", "거", "것")) else None
