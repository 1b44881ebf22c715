"""Facts in what somebody does: 판교에 살아, 개발자로 일해, 필라테스 다녀. The patterns are data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import Pattern, VerbPattern, patterns
from gieok.extract.korean.reading import BOUND_NOUNS, Finding, Reading, found
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Phrase

_SCHOOL: Final = ("대학교", "대학", "대", "고등학교", "고", "중학교", "중", "초등학교", "초", "여고", "여대", "외고", "과고", "예고", "학교")
_COMING: Final = frozenset({"올라오다", "내려오다", "오다", "나오다", "이사오다", "건너오다"})
_NO_PLACE: Final = frozenset(
    "여기 거기 저기 어디 집 밖 안 위 아래 옆 앞 뒤 곳 데 때 속 중 사이 동안 이후 전 후 혼자 같이 함께 부모님 가족 친구 잘 맛 재미 낙 "
    "세상 시대 인생 삶 하루 매일 평생 요즘 지금 마음 생각 걱정 기분 회사 학교 직장".split()
)


def done(reading: Reading) -> Iterator[Finding]:
    """Read what the patterns' verbs take."""
    predicate = reading.predicate
    if predicate is None or predicate.form == "copula":
        return
    if reading.clause.head is not None and reading.clause.head not in BOUND_NOUNS and not reading.of_self:
        return
    yield from _settled(reading)
    for pattern, verb in patterns().by_verb.get(predicate.lemma, ()):
        if verb.needs and not verb.needs & reading.everything:
            continue
        finding = _taken(reading, pattern, verb)
        if finding is not None:
            yield finding
    yield from _attending(reading)


def _taken(reading: Reading, pattern: Pattern, verb: VerbPattern) -> Finding | None:
    for phrase in reversed(reading.rest):
        if not _in_particle(phrase, verb) or phrase.pronoun is not None or phrase.pointed:
            continue
        said = _said(reading, phrase, pattern)
        value = READERS[verb.value](said) if said else None
        if value is None or not _sensible(pattern.attribute, phrase, value.value):
            continue
        past = reading.past and not verb.past
        if past and not _was_long(reading, pattern.attribute):
            return None
        return found(pattern, value, polarity="-" if reading.negated else "+", past=past)
    return None


def _settled(reading: Reading) -> Iterator[Finding]:
    """서울 올라와서 산다, 광주서 나고 자랐어: the place stands with the verb before."""
    before = reading.before
    if before is None or before.predicate is None or reading.negated:
        return
    pair = (before.predicate.lemma, reading.predicate.lemma if reading.predicate else "")
    attribute = None
    if pair[0] in _COMING and pair[1] == "살다" and not reading.past:
        attribute = "residence"
    elif pair[0] == "나다" and pair[1] in ("자라다", "크다"):
        attribute = "hometown"
    places = [phrase for phrase in before.phrases if phrase.morphemes[-1].tag == "NNP" and not phrase.has("은", "는")]
    if attribute is not None and places:
        place = places[-1].text
        yield Finding(attribute=attribute, value=place, shown=place, surface=place)


def _in_particle(phrase: Phrase, verb: VerbPattern) -> bool:
    if not phrase.particles:
        return "" in verb.particles
    return phrase.particles[0] in verb.particles and not phrase.has("부터", "까지")


def _said(reading: Reading, phrase: Phrase, pattern: Pattern) -> str:
    return reading.said(phrase)


def _sensible(attribute: str, phrase: Phrase, value: str) -> bool:
    if attribute in ("residence", "hometown", "workplace"):
        last = phrase.morphemes[-1]
        if value in _NO_PLACE or phrase.words[-1] in _NO_PLACE or phrase.adnominal or last.tag == "NNB":
            return False
        return bool(phrase.particles) or last.tag == "NNP"
    return True


def _was_long(reading: Reading, attribute: str) -> bool:
    """Whether a past state is worth keeping as one that ended."""
    return attribute in ("residence", "pet", "exercise", "part_time_job", "job", "workplace")


def _attending(reading: Reading) -> Iterator[Finding]:
    """X 다녀: a school by its name, else nothing is known of it unless the clause says so."""
    if not reading.says("다니다", "재학하다", "입학하다", "댕기다") or (reading.past and not reading.says("입학하다")):
        return
    for phrase in reversed(reading.rest):
        if phrase.particles and not phrase.has("에", "을", "를", "은", "는"):
            continue
        word = phrase.text
        if word.endswith(_SCHOOL) and word not in _SCHOOL and not word.endswith(("기대", "대대", "군대", "무대")):
            yield Finding(attribute="school", value=word, shown=word, surface=reading.said(phrase))
            return
        workplace = {"회사", "직장"} & reading.everything
        if workplace and word not in ("회사", "직장") and phrase.morphemes[-1].tag in ("NNP", "NNG", "SL"):
            yield Finding(attribute="workplace", value=word, shown=word, surface=reading.said(phrase))
            return
