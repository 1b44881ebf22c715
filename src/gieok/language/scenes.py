"""Where an English utterance puts the scene, and at what time of day: *walks into the library*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import zip_longest
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
_AT: Final = ("에", "에서", "서", "엔", "에선")
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
    if not (_any_setting().search(text) is not None):
        return None, None
    narrated = [clause for told in _NARRATED.finditer(text) for clause in clauses(told[1] or told[2])]
    spoken = clauses(text)
    followed = zip_longest(narrated, narrated[1:])
    place = _last(_narrated_place(clause, after) for clause, after in followed if clause is not None) or _last(
        _spoken_place(each) for each in spoken
    )
    daytime = _last(_narrated_time(clause) for clause in narrated) or _last(_spoken_time(each) for each in spoken)
    return place, daytime


@cache
def _any_setting() -> re.Pattern[str]:
    told = {*_WORDS.places, *_daytimes(), *PEOPLE_WORDS.cities}
    return re.compile("|".join(sorted(map(re.escape, told), key=len, reverse=True)))


def _last(found: Iterable[str | None]) -> str | None:
    told = [each for each in found if each is not None]
    return told[-1] if told else None


def _narrated_place(clause: Clause, after: Clause | None) -> str | None:
    predicate = clause.predicate
    if predicate is not None and predicate.endings[-1:] == ("어",) and after is not None and not after.phrases:
        predicate = after.predicate  # 뛰어 들어간다: where to is said before the first of the two
    if _another_time(clause) or (predicate is not None and (predicate.negated or _only_thought(predicate))):
        return None
    if clause.head is not None and predicate is not None and predicate.endings[-1:] != ("는",):
        return None  # 도서관에서 빌린 책
    lemma = predicate.lemma if predicate is not None else ""
    for phrase in reversed(clause.phrases):
        place = _place(phrase)
        if place is None or (phrase.words[-1] in _WORDS.vehicles and lemma not in _WORDS.staying):
            continue
        inside = phrase.has("에서", "서") and lemma not in _WORDS.leaving
        into = phrase.has(*_TOWARDS) and lemma in _WORDS.arriving | _WORDS.going
        staying = phrase.has("에") and lemma in _WORDS.staying
        crossing = phrase.has("을", "를") and lemma in _WORDS.crossing
        if inside or into or staying or crossing:
            return place
    # *해 질 녘의 옥상.*: a stage direction that is nothing but a place.
    last = clause.phrases[-1] if clause.phrases else None
    if clause.predicate is not None or last is None or last.particles:
        return None
    return _place(last) if last.words[-1] in _WORDS.places else None


def _spoken_place(clause: Clause) -> str | None:
    predicate = clause.predicate
    if clause.ends_with.startswith("?") or clause.head is not None or _another_time(clause):
        return None
    if predicate is None:
        return None
    if predicate.negated or _only_thought(predicate) or _somebody_else(clause):
        return None
    for phrase in reversed(clause.phrases):
        place = _place(phrase)
        if place is not None and _is_here(clause, phrase, predicate):
            return place
    return None


def _is_here(clause: Clause, phrase: Phrase, predicate: Predicate) -> bool:
    now = _now(clause)
    lemma = predicate.lemma
    under_way = predicate.form == "copula" and clause.phrases[-1].words[-1] == "중"  # 야근 중이야
    if predicate.form == "copula" and not under_way:
        return now and phrase is clause.phrases[-1] and not predicate.past
    if lemma in ("도착하다", "오다", "들어오다", "들어서다") and predicate.past:
        alone = all(other is phrase or other.pronoun is not None or other.has(*_COMPANY) for other in clause.phrases)
        return (not phrase.particles or phrase.has(*_TOWARDS)) and (now or alone or lemma == "도착하다")
    if lemma in _WORDS.going:
        together = predicate.endings[-1:] != () and predicate.endings[-1] in _SETS.lets_go
        return together and (not phrase.particles or phrase.has(*_TOWARDS))
    if phrase.words[-1] in _WORDS.vehicles or predicate.past:
        return False
    if lemma in _WORDS.staying:
        return now and phrase.has(*_AT) and not any(other.has("이", "가") for other in clause.phrases)
    going_on = under_way or ("있다" in predicate.auxiliaries and "고" in predicate.endings)
    if phrase.has("에서", "서") and going_on:
        return now or lemma not in _WORDS.lasting  # 회사에서 일하고 있어 may be said at home
    # 여기 미술관 정말 조용하다.
    at = clause.phrases.index(phrase)
    before = clause.phrases[at - 1] if at else None
    here = before is not None and before.pronoun == "여기" and not before.particles
    return here and predicate.form == "adjective" and (not phrase.particles or phrase.has("은", "는", "이", "가"))


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


def _only_thought(predicate: Predicate) -> bool:
    """가고 싶다, 갈까, 가면: said of what is not so."""
    wished = "싶다" in predicate.auxiliaries or predicate.reported is not None
    return wished or any(ending in _SETS.asked_or_wished | _SETS.hearsay for ending in predicate.endings)


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
    if _another_time(clause) or (clause.predicate is not None and clause.predicate.lemma in ("먹다", "차리다")):
        return None
    return _last(_time(phrase) for phrase in clause.phrases)


def _spoken_time(clause: Clause) -> str | None:
    """벌써 저녁이네, 좋은 아침!, 지금 새벽이야."""
    last = clause.phrases[-1] if clause.phrases else None
    if last is None or clause.ends_with.startswith("?") or clause.head is not None or _another_time(clause):
        return None
    predicate = clause.predicate
    if last.words[-1] not in _daytimes():
        return None
    if last.particles:
        return _time(last) if predicate is not None and last.has("이", "가") and _has_come(predicate) else None
    greeting = last.modifier == "좋다" or last.words[-1] == "굿모닝"
    if predicate is None:
        return _time(last) if greeting else None
    is_so = predicate.form == "copula" and not predicate.negated and not predicate.past
    seen = predicate.endings[-1:] != () and predicate.endings[-1] in _SETS.seeing
    return _time(last) if is_so and seen and (greeting or _now(clause)) else None


def _has_come(predicate: Predicate) -> bool:
    """밤이 깊었네, 아침이 됐어."""
    return predicate.lemma in ("깊다", "되다", "오다") and predicate.past and not predicate.negated
