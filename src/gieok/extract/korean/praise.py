"""Words of praise: which favourite they name, and what was found of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from gieok.extract.korean.doers import several
from gieok.extract.korean.favourite_kinds import genus_of
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, Word, last_word_before, words_of
from gieok.language.clauses import Phrase

#: kinds that have a favourite of their own even where nobody says "favourite food"
_OWN: Final = frozenset({"food", "color", "season", "movie", "music", "book", "game"})
_CALLINGS: Final = frozenset("작가 배우 감독 시인 선수 유튜버 성우 개그맨".split())
CHERISHED: Final = frozenset(
    "좋아하다 아끼다 사랑하다 애정하다 특별하다 소중하다 선호하다 즐기다 좋다 맛있다 재밌다 재미있다 기다리다".split()
)


def talk_of(reading: Reading, thing: Thing | None) -> str:
    """Return the kind of thing that the words around `thing` betray."""
    return _talk_in(reading.text, thing)


def _talk_in(text: str, thing: Thing | None) -> str:
    return taste_words().talked_of(_words_around(text, thing))


def _words_around(text: str, thing: Thing | None) -> Iterator[str]:
    for place, word in enumerate(words_of(text)):
        if thing is None or not thing.first <= place <= thing.place:
            yield word.bare
            if word.lemma is not None:
                yield word.lemma


def favourite_of(reading: Reading, thing: Thing, *, strong: bool) -> str:
    """Return the favourite that `thing` is, or ""; `strong`: the words say that it is somebody's own choice."""
    return favourite_in(reading.text, thing, strong=strong)


def favourite_in(text: str, thing: Thing, *, strong: bool) -> str:
    """Return the favourite that `thing` is in `text`, or ""."""
    words = taste_words()
    kind = words.kind_of(thing.value)
    if kind == "flower" and strong:
        return "favorite.꽃"
    talk = _talk_in(text, thing)
    certain = kind and (thing.value not in words.ambiguous or talk == kind)
    if certain and not (talk and talk != kind and talk in _OWN and kind not in ("color", "season")):
        return _attribute(kind)
    if talk in ("movie", "music", "book", "game"):
        return _attribute(talk)
    return _attribute(kind) if kind and (strong or certain) else ""


def _attribute(kind: str) -> str:
    return f"favorite.{kind}" if kind in _OWN or f"favorite.{kind}" in patterns().by_attribute else ""


def in_talk(reading: Reading, thing: Thing) -> bool:
    """Whether the talk is of the kind of things that `thing` is one of: 다른 색은 … 연두만 좋아."""
    kind = taste_words().kind_of(thing.value)
    talk = talk_of(reading, thing)
    return bool(talk) and (not kind or kind == talk)


def found_favourite(reading: Reading, thing: Thing | None, attribute: str, *, strong: bool = True) -> Finding | None:
    """Return the finding of `thing`; without a category, its kind must be told by its name or by the talk."""
    if thing is None or thing.value in taste_words().persons or thing.last.bare in patterns().by_favourite:
        return None
    if several(thing.last.bare):
        return None  # 많은 사람들이 좋아하는 과일인 것 같아
    name, _, calling = thing.value.rpartition(" ")
    if name and calling.removesuffix("님") in _CALLINGS:
        attribute, thing = genus_of(calling.removesuffix("님")), replace(thing, value=name)  # 최은영 작가님이
    attribute = attribute or favourite_of(reading, thing, strong=strong)
    value = _without_category(thing.value)
    whose = taster(reading, thing)
    if not attribute or whose is None or value in taste_words().mocked:
        return None
    return Finding(attribute=attribute, value=value, shown=value, surface=thing.value, whose=whose)


def _without_category(value: str) -> str:
    words = value.split()
    while len(words) > 1 and words[-1] in patterns().by_favourite:
        words.pop()
    while len(words) > 1 and words[0] in patterns().by_favourite:
        words.pop(0)
    return " ".join(words)


def category_of(words: Sequence[str]) -> str:
    """Return the favourite that a noun names: 영화, 최애영화, 인생곡."""
    known = patterns().by_favourite
    for word in reversed(words):
        for start in ("", *taste_words().compounds):
            pattern = known.get(word.removeprefix(start)) if word.startswith(start) else None
            if pattern is not None:
                return pattern.attribute
    return ""


def kind_of_favourite(words: Sequence[str]) -> str:
    """Return the favourite that the last of `words` names, of whatever kind: 영화, 꽃, 인생드라마."""
    return category_of(words[-1:]) or genus_of(words[-1])


def is_best(phrase: Phrase) -> bool:
    words = taste_words()
    last, category = phrase.words[-1], kind_of_favourite(phrase.words)
    last = last.removesuffix("라") if last.removesuffix("라") in words.best else last  # 내 최애라, as one unknown word
    if last in words.best or (last.startswith(words.compounds) and (category or last in words.own_best)):
        return True
    praised = any(word in words.best or word in words.compounds for word in phrase.words[:-1])
    cherished = phrase.modifier in CHERISHED and phrase.adnominal[-1].form != "던"
    return bool(category) and (praised or cherished)


def start_of(phrase: Phrase) -> int:
    return min(part.start for part in (*phrase.adnominal, *phrase.morphemes))


def most_before(reading: Reading, at: int) -> bool:
    words = words_of(reading.text)
    last = last_word_before(words, at)
    near = {word.bare for word in words[max(0, last - 3) : last + 1]}
    return bool(taste_words().most & (near | reading.everything))


def _within(words: Sequence[Word], end: int) -> str:
    """디저트 중에 까눌레가, 김밥 중에선 묵은지참치가: what somebody chooses among."""
    for word, among in pairwise(words):
        if (
            among.bare in ("중", "가운데")
            and among.particle in ("에", "에서")
            and among.end <= end
            and not word.particles
        ):
            return taste_words().within.get(word.bare, "") or genus_of(word.bare)
    return ""


#: what a thing is liked for: 커피는 향이 제일 좋아
_QUALITIES: Final = frozenset(
    "향 맛 목넘김 냄새 디자인 가격 분위기 가성비 식감 색감 연기 목소리 얼굴 스토리 위치".split()
)


def _topic(words: Sequence[Word], start: int, end: int) -> str:
    """꽃은 장미가, 축구팀은 토트넘을: the kind of which something is said."""
    topics = (each for each in words if start <= each.start and each.end < end and each.particle in ("은", "는", "ㄴ"))
    return next((genus for each in topics if (genus := genus_of(each.bare))), "")


def category_beside(reading: Reading, thing: Thing | None) -> str:
    """Return the favourite named in the same clause: 책 중에 …, 음악은 …, 영화 하면 …."""
    spared = range(thing.first, thing.place + 1) if thing is not None else range(0)
    words = words_of(reading.text)
    end = thing.end if thing is not None else reading.clause.end
    beside = [
        word.bare
        for i, word in enumerate(words)
        if i not in spared and word.start >= reading.clause.start - 20 and word.end <= end
    ]
    category = category_of(beside) or _within(words, end)
    if not category and (thing is None or thing.last.bare not in _QUALITIES):
        category = _topic(words, reading.clause.start, end)
    if thing is not None and thing.last.bare in patterns().by_favourite:
        return patterns().by_favourite[thing.last.bare].attribute
    return category
