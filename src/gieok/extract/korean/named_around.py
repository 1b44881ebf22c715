"""The thing that praise in another clause is meant for: 서울의 봄 재개봉하면 보러 감, 내 인생작임."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Thing, Word, thing_at, words_of, words_within

_OBJECT: Final = frozenset({"을", "를", "만", "부터", "만은", "라면", "이라면", "에", "밖에"})
_TOPIC: Final = frozenset({"은", "는", "이", "가", "도", "ㄴ"})
_ENOUGH: Final = 4
_NEAR: Final = 120  #: characters before and after the praise


def named_around(reading: Reading, attribute: str) -> Thing | None:
    """Return the thing of the utterance that fits `attribute` ("" for any favourite) best, or None."""
    words = words_of(reading.text)
    best: tuple[int, Thing] | None = None
    near = words_within(words, reading.clause.start - _NEAR, reading.clause.end + _NEAR)
    place = near.start
    while place < near.stop:
        end = _end_of_name(words, place)
        thing = thing_at(words, end)
        if thing is not None:
            fit = _fit(words, thing, attribute)
            if fit >= _ENOUGH and (best is None or fit > best[0]):
                best = (fit, thing)
        place = end + 1
    return best[1] if best is not None else None


def _end_of_name(words: tuple[Word, ...], place: int) -> int:
    """A bare noun may go on to the right, unless what follows is a part of it (OST) or no thing."""
    idle = taste_words()
    while place + 1 < len(words) and not words[place].breaks and not words[place].particles and words[place].nominal:
        following = words[place + 1]
        if not following.nominal or following.bare in idle.parts or following.bare in idle.apart:
            break
        if words[place].bare in idle.apart:
            break
        if following.lemma is not None or idle.kinds.get(words[place].bare):
            break
        place += 1
    return place


def _fit(words: tuple[Word, ...], thing: Thing, attribute: str) -> int:
    idle = taste_words()
    if thing.value in patterns().by_favourite or thing.last.bare in idle.persons:
        return 0
    if thing.last.bare in idle.cues or thing.value in idle.best or thing.last.bare in patterns().by_favourite:
        return 0
    kind = idle.kind_of(thing.value)
    wanted = attribute.removeprefix("favorite.")
    typed = wanted in ("food", "color", "season") or not wanted
    score = 4 if kind and (not wanted or kind == wanted) else 0
    if typed and not score:
        return 0
    if thing.last.copula and not score:
        return 0
    if kind and wanted and kind != wanted:
        score -= 1
    score += 2 if thing.particle in _OBJECT else 1 if thing.particle in _TOPIC or not thing.particle else -2
    following = words[thing.place + 1] if thing.place + 1 < len(words) else None
    if (
        following is not None
        and not thing.particle
        and (following.bare in idle.parts or following.lemma in idle.meeting)
    ):
        score += 2
    if following is not None and thing.particle in ("을", "를", "만", "부터", "") and following.lemma is not None:
        score += 1
    return score + (1 if not thing.last.known or len(thing.value.split()) > 1 else 0)
