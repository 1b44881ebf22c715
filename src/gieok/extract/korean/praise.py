"""Words of praise: which favourite they name, and what was found of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.thing_kinds import favourite_of
from gieok.extract.korean.words import Thing, last_word_before, words_of
from gieok.language.clauses import Phrase

CHERISHED: Final = frozenset(
    "좋아하다 아끼다 사랑하다 애정하다 특별하다 소중하다 선호하다 즐기다 좋다 맛있다 재밌다 재미있다 기다리다".split()
)


def found_favourite(reading: Reading, thing: Thing | None, attribute: str, *, strong: bool = True) -> Finding | None:
    """Return the finding of `thing`; without a category, its kind must be told by its name or by the talk."""
    if thing is None or thing.value in taste_words().persons or thing.last.bare in patterns().by_favourite:
        return None
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


def is_best(phrase: Phrase) -> bool:
    words = taste_words()
    last, category = phrase.words[-1], category_of(phrase.words[-1:])
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
    category = category_of(beside)
    if thing is not None and thing.last.bare in patterns().by_favourite:
        return patterns().by_favourite[thing.last.bare].attribute
    return category
