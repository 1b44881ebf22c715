"""Where an English utterance puts the scene, and at what time of day: *walks into the library*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from gieok.language.cache import cached_by_text
from gieok.language.clauses import Clause, Phrase, Predicate, clauses
from gieok.language.data_files import Patterns, WordSets, data_file
from gieok.language.people import PEOPLE_WORDS, words_with_morphemes
from gieok.language.text import has_hangul

_SETS: Final = WordSets("word_sets.toml", "scenes")
_WORDS: Final = WordSets("setting.toml", "korean")
_ENGLISH: Final = WordSets("setting.toml", "english")

_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")
_NARRATED_ENGLISH: Final = re.compile(r"\*([^*\n]{1,2000})\*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_GREETING: Final = re.compile(r"\bgood\s(morning|afternoon|evening)\b", re.IGNORECASE)


def _parts() -> dict[str, str]:
    places = sorted((re.escape(place.replace("_", " ")) for place in _ENGLISH.places), key=len, reverse=True)
    return {"PLACES": "|".join(places), "TIMES": "|".join(_ENGLISH.daytimes)}


_FIND: Final = Patterns("gieok.language", "setting.toml", "patterns", _parts)


def english_setting(text: str) -> tuple[str | None, str | None]:
    """Return the place and the time of day that `text`, which holds no Hangul, puts the scene in."""
    place: str | None = None
    daytime: str | None = None
    for told in _NARRATED_ENGLISH.findall(text):
        if not _english_other_time(told) and "leav" not in told.lower():
            place = _told_by(_FIND.narrated.search(told)) or place
            daytime = _told_by(_FIND.narrated_time.search(told)) or daytime
    for sentence in _SENTENCE.findall(_NARRATED_ENGLISH.sub(" ", text)):
        daytime = daytime or _told_by(_GREETING.search(sentence))
        if sentence.endswith("?") or _english_other_time(sentence):
            continue
        place = place or _told_by(_FIND.spoken.search(sentence))
        daytime = daytime or _told_by(_FIND.spoken_time.search(sentence))
    return place, daytime


def _told_by(found: re.Match[str] | None) -> str | None:
    return found[found.lastgroup or 1].lower() if found is not None else None


def _english_other_time(sentence: str) -> bool:
    return not _ENGLISH.other_times.isdisjoint(word.lower() for word in _WORD.findall(sentence))


_NARRATED: Final = re.compile(r"\*([^*\n]{1,2000})\*|\(([^()\n]{1,500})\)")
_TOWARDS: Final = ("로", "으로", "에")
_COMPANY: Final = ("랑", "이랑", "하고", "와", "과")
_NOUN_TAGS: Final = frozenset({"NNG", "NNP", "XSN", "XPN", "SL"})


@cache
def _daytimes() -> Mapping[str, str]:
    """Return the time of day that a word tells: 저녁 of 노을."""
    by_time = data_file("setting.toml")["korean"]["daytimes"]
    return {word: time for time, words in by_time.items() for word in words.split()}


@cached_by_text
def setting(text: str) -> tuple[str | None, str | None]:
    """Return the place and the time of day that `text` puts the scene in, each None where it does not tell.

    Of several the last counts, in narration before dialogue.
    """
    if not has_hangul(text):
        return english_setting(text)
    if _any_setting().search(text) is None:
        return None, None
    spoken = clauses(text)
    narrated = [clause for told in _NARRATED.finditer(text) for clause in clauses(told[1] or told[2])]
    place = _last((*map(_spoken_place, spoken), *map(_narrated_place, narrated)))
    return place, _last((*map(_spoken_time, spoken), *map(_narrated_time, narrated)))


@cache
def _any_setting() -> re.Pattern[str]:
    told = {*_WORDS.places, *_daytimes(), *PEOPLE_WORDS.cities}
    return re.compile("|".join(sorted(map(re.escape, told), key=len, reverse=True)))


def _last(found: Iterable[str | None]) -> str | None:
    told = [each for each in found if each is not None]
    return told[-1] if told else None


def _narrated_place(clause: Clause) -> str | None:
    predicate, phrases = clause.predicate, clause.phrases
    if predicate is None:  # *해 질 녘의 옥상.*: a stage direction that is nothing but a place
        return _place(phrases[-1]) if phrases and not phrases[-1].particles else None
    if not _is_told(clause, predicate) or (clause.head is not None and predicate.endings[-1:] != ("는",)):
        return None  # 도서관에서 빌린 책
    for phrase in reversed(phrases):
        place = _place(phrase)
        inside = phrase.has("에서", "서") and predicate.lemma not in _WORDS.leaving
        crossing = phrase.has("을", "를") and predicate.lemma in _WORDS.crossing
        if place is not None and (inside or crossing or phrase.has(*_TOWARDS)):
            return place
    return None


def _spoken_place(clause: Clause) -> str | None:
    predicate = clause.predicate
    if predicate is None or clause.head is not None or not _is_told(clause, predicate) or _somebody_else(clause):
        return None
    places = ((phrase, _place(phrase)) for phrase in reversed(clause.phrases))
    return next((place for phrase, place in places if place and _is_here(clause, phrase, predicate)), None)


def _is_told(clause: Clause, predicate: Predicate) -> bool:
    """Whether something is said to be so now: not asked, denied, wished or told of another time."""
    thought = "싶다" in predicate.auxiliaries or predicate.reported is not None
    thought = thought or not (_SETS.asked_or_wished | _SETS.hearsay).isdisjoint(predicate.endings)
    return not (thought or predicate.negated or clause.ends_with.startswith("?") or _another_time(clause))


def _is_here(clause: Clause, phrase: Phrase, predicate: Predicate) -> bool:
    now, lemma, last = _now(clause), predicate.lemma, clause.phrases[-1]
    under_way = last.words[-1] == "중"  # 야근 중이야
    if predicate.form == "copula" and not under_way:
        return now and phrase is last and not predicate.past
    here = not phrase.particles or phrase.has(*_TOWARDS)
    if lemma in ("도착하다", "오다", "들어오다", "들어서다") and predicate.past:
        alone = all(other is phrase or other.pronoun is not None or other.has(*_COMPANY) for other in clause.phrases)
        return here and (now or alone or lemma == "도착하다")
    if lemma in _WORDS.going:
        return here and not _SETS.lets_go.isdisjoint(predicate.endings[-1:])
    if phrase.has("에서", "서"):  # 회사에서 일하고 있어 may be said at home
        going_on = under_way or ("있다" in predicate.auxiliaries and "고" in predicate.endings)
        return going_on and (now or lemma not in _WORDS.lasting)
    if lemma in _WORDS.staying:
        return now and phrase.has("에", "엔")
    before = clause.phrases[clause.phrases.index(phrase) - 1]
    return predicate.form == "adjective" and before.pronoun == "여기"  # 여기 미술관 정말 조용하다


def _now(clause: Clause) -> bool:
    return any(adverb in _WORDS.now for adverb in clause.adverbs) or any(
        phrase.words[0] in _WORDS.now for phrase in clause.phrases
    )


def _somebody_else(clause: Clause) -> bool:
    """동생은 지금 학교에 있어: where others are is no place of the scene."""
    return any(
        phrase.has("은", "는", "이", "가", "도", "께서", "ㄴ")
        and phrase.pronoun not in _SETS.us
        and _place(phrase) is None
        for phrase in clause.phrases
    )


def _another_time(clause: Clause) -> bool:
    told = (*clause.adverbs, *(word for phrase in clause.phrases for word in phrase.words))
    return any(word in _WORDS.other_times or word.endswith("마다") for word in told) or any(
        phrase.has("마다") for phrase in clause.phrases
    )


def _place(phrase: Phrase) -> str | None:
    """Return the place in `phrase`, with the place that it is in: 학교 옥상, and 공원 of 공원 벤치."""
    if phrase.pronoun is not None:
        return None
    named = [word for word, parts in words_with_morphemes(phrase) if all(part.tag in _NOUN_TAGS for part in parts)]
    places = [word for word in named if _is_place(word)]
    if not places:
        return None
    last = max(at for at, word in enumerate(named) if _is_place(word))
    first = named.index(places[0])
    if first and named[first - 1] in _WORDS.which:
        first -= 1  # 스터디 카페
    return " ".join(named[first : last + 1])


def _is_place(word: str) -> bool:
    return (
        word in _WORDS.places or word in PEOPLE_WORDS.cities or (len(word) > 2 and word.endswith(tuple(_WORDS.endings)))
    )


def _time(phrase: Phrase) -> str | None:
    return next((_daytimes()[word] for word in phrase.words if word in _daytimes()), None)


def _narrated_time(clause: Clause) -> str | None:
    meal = clause.predicate is not None and clause.predicate.lemma in ("먹다", "차리다")
    return None if meal or _another_time(clause) else _last(_time(phrase) for phrase in clause.phrases)


def _spoken_time(clause: Clause) -> str | None:
    """벌써 저녁이네, 좋은 아침!, 밤이 깊었네."""
    if not clause.phrases or clause.ends_with.startswith("?") or _another_time(clause):
        return None
    last, predicate = clause.phrases[-1], clause.predicate
    greeting = last.modifier == "좋다" and not last.particles
    if predicate is None or predicate.negated:
        told = predicate is None and greeting
    elif last.particles:
        told = last.has("이", "가") and predicate.past and predicate.lemma in ("깊다", "되다", "오다")
    else:
        seen = not _SETS.seeing.isdisjoint(predicate.endings[-1:])
        told = predicate.form == "copula" and not predicate.past and seen and (greeting or _now(clause))
    return _time(last) if told else None
