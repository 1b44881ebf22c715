"""Whose taste it is: the speaker's, unless somebody else is named with it (부장님이 제일 좋아하는 게 아구찜이라)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.extract.korean.favourite_kinds import genus_of
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.whose import Whose
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of
from gieok.language.clauses import Phrase

_SUBJECT: Final = frozenset({"이", "가", "은", "는", "께서", "도", "네", ""})
_SELF: Final = frozenset({"나", "저", "내", "제"})
_WHILE: Final = frozenset({"때", "적", "동안", "뒤", "후"})
_CHERISHING: Final = frozenset("좋아하다 아끼다 애정하다 사랑하다 선호하다".split())
_ANYBODY: Final = frozenset({"사람들", "애들", "남들", "다들", "친구들", "사람"})


def taster(reading: Reading, thing: Thing) -> Whose | None:
    """Return whose taste `thing` is; None for people in general (사람들은 …)."""
    somebody = _somebody_before(reading, words_of(reading.text), thing.first)
    if somebody is not None:
        return Whose(subject="other", subject_id=somebody) if somebody not in _ANYBODY else None
    named = reading.about.phrase
    if named is not None and named.pronoun is None and named.morphemes[0].start >= thing.start:
        return reading.me  # a thing may look like a name: 발로란트가 원탑임
    label = named.words[-1] if named is not None else reading.about.subject_id
    if label.startswith(taste_words().compounds) or (named is not None and _is_label(named, thing)):
        return reading.me  # 최애겜이 메이플이라; 좋아하는 가수는 잔나비야
    return reading.about


def thing_wondered_at(reading: Reading, words: Sequence[Word]) -> Thing | None:
    """고수? 난 절대 안 먹어; 민초요? 극혐: the thing that the speaker repeats before they say what they think of it."""
    before = reading.before
    if before is None or before.predicate is not None or len(before.phrases) != 1:
        return None
    if not before.ends_with.startswith("?") or reading.text[before.end : reading.clause.start].count("?") > 1:
        return None
    phrase = before.phrases[0]
    if phrase.pronoun is not None or phrase.pointed or not set(phrase.particles) <= {"요", "이요", "은", "는"}:
        return None
    return thing_at(words, last_word_before(words, phrase.morphemes[-1].end))


def _is_label(named: Phrase, thing: Thing) -> bool:
    """좋아하는 가수는, or 가수는 where a singer is named."""
    category = patterns().by_favourite.get(named.words[-1])
    if named.pointed:
        return False
    if category is None:
        return bool(genus_of(named.words[-1]))
    return named.modifier in _CHERISHING or category.attribute == f"favorite.{taste_words().kind_of(thing.value)}"


def whose_doing(reading: Reading, words: Sequence[Word], first: int) -> Whose | None:
    """Return who does what begins at the word `first`; None for people in general."""
    somebody = _somebody_before(reading, words, first)
    if somebody is not None:
        return Whose(subject="other", subject_id=somebody) if somebody not in _ANYBODY else None
    named = reading.about.phrase
    looks_like_a_name = named is not None and named.pronoun is None and named.morphemes[0].tag == "NNP"
    return reading.me if looks_like_a_name else reading.about


def _somebody_before(reading: Reading, words: Sequence[Word], first: int) -> str | None:
    for place in range(first - 1, -1, -1):
        word = words[place]
        another = word.tag in ("EC", "EF") and not word.particles
        meanwhile = word.bare in _WHILE and place > 0 and words[place - 1].tag == "ETM"  # 남들 다 들을 때
        if word.breaks or another or meanwhile or word.bare in _SELF:
            return None
        if is_person(reading, word) and word.particle in _SUBJECT:
            return word.bare
    return None


def is_person(reading: Reading, word: Word) -> bool:
    """Whether `word` names somebody by what they are to the speaker."""
    if word.bare.startswith(taste_words().compounds):
        return False  # 내 최애는 …
    titled = word.bare.endswith(("님", "씨", "쌤")) and len(word.bare) > 2
    return titled or _related(reading, word.bare) or (word.bare.endswith("네") and _related(reading, word.bare[:-1]))


def _related(reading: Reading, said: str) -> bool:
    return said in taste_words().persons or said in reading.words.kin or said in reading.words.others
